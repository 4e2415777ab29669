// SPDX-License-Identifier: BSD-3-Clause
#include "structures/structure_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>

#include "core/chemistry/extra_particles.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "structures/overlapping_atoms.hpp"
#include "structures/pdb2pqr_command.hpp"
#include "structures/rounded_charges.hpp"

namespace ionwell {
namespace {

constexpr double integer_tolerance_e = 0.01;  // what rounding of the charges in a file adds up to
constexpr double alternate_A =
    2.0;  // alternate locations of an atom lie this close; atoms of one name do not

/// Nothing was rounded where no charge has a third decimal, nor where one has a fourth.
bool may_be_rounded_by_vmd(const std::vector<Atom>& atoms) {
  const auto has_decimals = [](const Atom& atom, double of_one) {
    constexpr double tolerance = 1e-6;
    const double value = atom.charge_e * of_one;
    return std::abs(value - std::round(value)) < tolerance;
  };
  return std::all_of(atoms.begin(), atoms.end(), [&](const Atom& a) { return has_decimals(a, 1000.0); }) &&
         !std::all_of(atoms.begin(), atoms.end(), [&](const Atom& a) { return has_decimals(a, 100.0); });
}

struct Alternates {
  std::int64_t count = 0;
  std::size_t first = 0;
};

/// Atoms of the name of one before them in their residue and near it.
Alternates find_alternates(const std::vector<Atom>& atoms) {
  constexpr std::size_t longest_residue = 100;  // two copies of a nucleotide have 80 atoms
  Alternates found;
  std::size_t residue = 0;
  for (std::size_t i = 1; i < atoms.size(); ++i) {
    if (!same_residue_number(atoms[i], atoms[residue])) residue = i;
    const std::size_t begin = std::max(residue, i > longest_residue ? i - longest_residue : 0);
    for (std::size_t other = begin; other < i; ++other) {
      if (!(atoms[other].name == atoms[i].name)) continue;
      const double d2 = distance_squared(atoms[other].position_A, atoms[i].position_A);
      if (d2 < overlap_A * overlap_A || d2 > alternate_A * alternate_A) continue;
      if (found.count++ == 0) found.first = i;
      break;
    }
  }
  return found;
}

bool is_uncharged(const std::vector<Atom>& atoms) {
  return std::all_of(atoms.begin(), atoms.end(), [](const Atom& a) { return a.charge_e == 0.0; });
}

/// "the charges of all 12 atoms are zero".
std::string charges_are_zero(const std::vector<Atom>& atoms) {
  return atoms.size() == 1 ? "the charge of its one atom is zero"
                           : "the charges of all " + count_of(std::ssize(atoms), "atom") + " are zero";
}

/// Those that lie on no other atom by their nature.
std::vector<Atom> without_drude_particles(std::span<const Atom> atoms) {
  std::vector<Atom> others;
  for (std::size_t n = 0; n < atoms.size(); ++n)
    if (!is_drude_particle(atoms, n)) others.push_back(atoms[n]);
  return others;
}

}  // namespace

void require_charges(const Structure& structure) {
  if (structure.atoms.empty())
    fail(structure.path,
         ": contains only water, whose charges do not count, so there is no potential to place ions in; "
         "request a salt, "
         "which is placed at random");
  if (is_uncharged(structure.atoms))
    fail(structure.path, ": ", charges_are_zero(structure.atoms),
         ", and without charges there is no potential; assign them, for example with ", pdb2pqr_example());
}

void check_structure(Structure& structure, const StructureChecks& checks) {
  if (checks.zero_charges == ZeroCharges::refused) require_charges(structure);
  const std::vector<Atom> without_drude = count_extra_particles(structure.atoms).drude > 0
                                              ? without_drude_particles(structure.atoms)
                                              : std::vector<Atom>();
  const std::vector<Atom>& atoms = without_drude.empty() ? structure.atoms : without_drude;

  const auto warn = [&structure](const auto&... parts) {
    TextStream text;
    text << structure.path << ": ";
    (text << ... << parts);
    structure.warnings.push_back(text.str());
  };
  if (!structure.atoms.empty() && is_uncharged(structure.atoms))
    warn(charges_are_zero(structure.atoms),
         ", so the solute neither attracts nor repels ions; is that right?");
  const double net_e = net_charge_e(structure.atoms);
  const bool is_rounded =
      checks.decimals == ChargeDecimals::rounded_by_vmd && may_be_rounded_by_vmd(structure.atoms);
  const double tolerance_e = is_rounded
                                 ? std::max(integer_tolerance_e, 0.0005 * double(structure.atoms.size()))
                                 : integer_tolerance_e;
  if (const auto rounding = rounded_charges(structure.atoms))
    warn(*rounding);
  else if (std::abs(net_e - std::round(net_e)) > tolerance_e)
    warn("the net charge is ", std::fixed, std::setprecision(3), net_e,
         " e, not an integer; usually an atom or a terminus is missing, or the force field does not know a "
         "residue");

  if (checks.copies == AtomCopies::on_purpose) return;
  const OverlappingAtoms overlaps = find_overlapping_atoms(atoms);
  if (overlaps.count > 0)
    warn(count_of(overlaps.count, "atom"), overlaps.count == 1 ? " lies" : " lie", " within ", overlap_A,
         " A of another one, first ", describe(atoms[overlaps.second]), " on ",
         describe(atoms[overlaps.first]), "; all their charges count, so remove copies");

  const Alternates alternates = find_alternates(atoms);
  if (alternates.count > 0)
    warn(count_of(alternates.count, "atom"), alternates.count == 1 ? " is" : " are",
         " present twice in a residue, first ", describe(atoms[alternates.first]),
         "; if these are alternate locations, keep only one of them, because both charges count");
}

}  // namespace ionwell
