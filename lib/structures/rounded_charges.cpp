// SPDX-License-Identifier: BSD-3-Clause
#include "structures/rounded_charges.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>

#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

constexpr double hundredths = 100.0;

// CHARMM's charges, and many of OPLS and PARSE, are multiples of 0.01 by nature, so this alone says nothing;
// but there the charges of a residue add up to a whole number, or miss it by far (the ends of a nucleic acid
// by 0.47, a cut residue by the charge of what is missing). Rounding misses it by a little: by 0.0029 sqrt(n)
// for n atoms, one or two hundredths. Measured on nucleosomes, transfer RNA, a ribosome and water with ions,
// by pdb2pqr and 'gmx editconf -mead': AMBER rounded 55 to 99 % of the residues, TIP3P water all of them,
// OPLS rounded 5 %, CHARMM none.
constexpr std::int64_t largest_miss = 5;     // hundredths; 70 atoms by two standard deviations
constexpr std::int64_t one_in = 50;          // residues that miss, of all
constexpr std::int64_t fewest_residues = 2;  // one alone may be a ligand with an error of its own

bool has_two_decimals(const Atom& atom) {
  constexpr double tolerance = 1e-6;  // of hundredths; a PQR file has at least four decimals, or two
  const double value = atom.charge_e * hundredths;
  return std::abs(value - std::round(value)) < tolerance;
}

std::int64_t charge_in_hundredths(std::span<const Atom> residue) {
  std::int64_t sum = 0;
  for (const Atom& atom : residue) sum += std::llround(atom.charge_e * hundredths);
  return sum;
}

bool misses_by_a_little(std::int64_t charge) {
  const std::int64_t above = std::abs(charge) % std::int64_t(hundredths);
  const std::int64_t miss = std::min(above, std::int64_t(hundredths) - above);
  return miss > 0 && miss <= largest_miss;
}

/// Residues of several atoms.
struct Tally {
  std::int64_t residues = 0, missing = 0;
  std::size_t first = 0;  // atom of the first that misses
  double first_e = 0.0;   // its charge

  bool is_rounded() const { return missing >= fewest_residues && missing * one_in >= residues; }
};

std::string describe_rounding(std::span<const Atom> atoms, const Tally& tally) {
  TextStream text;
  text << std::fixed << std::setprecision(2)
       << "the charges are rounded to two decimals, as 'gmx editconf -mead' "
       << "writes them: " << tally.missing << " of " << tally.residues
       << " residues differ from a whole charge by a few hundredths (first "
       << describe_residue(atoms[tally.first]) << ", " << tally.first_e << " e), and the net charge of "
       << net_charge_e(atoms)
       << " e can be wrong by several e; use charges with all their decimals, from pdb2pqr or 'gmx dump -s "
          "topol.tpr'";
  return text.str();
}

}  // namespace

std::optional<std::string> rounded_charges(std::span<const Atom> atoms) {
  if (!std::all_of(atoms.begin(), atoms.end(), has_two_decimals)) return {};
  Tally waters, others;  // apart: a box of water has a hundred times the residues of what is in it
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    begin = residue.end;
    if (residue.end - residue.begin == 1) continue;
    Tally& tally = residue.kind == ResidueKind::water ? waters : others;
    ++tally.residues;
    const std::int64_t charge =
        charge_in_hundredths(atoms.subspan(residue.begin, residue.end - residue.begin));
    if (!misses_by_a_little(charge)) continue;
    if (tally.missing++ == 0) tally.first = residue.begin, tally.first_e = double(charge) / hundredths;
  }
  for (const Tally& tally : {others, waters})
    if (tally.is_rounded()) return describe_rounding(atoms, tally);
  return {};
}

}  // namespace ionwell
