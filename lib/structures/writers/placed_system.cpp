// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/placed_system.hpp"

#include "core/text/printable_names.hpp"
#include "structures/solute_elements.hpp"
#include "structures/solute_names.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr std::size_t ions_per_chain = 9'999;  // psfgen: unique within a segment, from 1
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz";

std::string segment_name(std::size_t chain) {
  return chain == 0 ? "ION" : (chain < 9 ? "ION" : "IO") + std::to_string(chain + 1);
}

}  // namespace

std::string chain_letters(std::initializer_list<std::span<const Atom>> atoms, char preferred) {
  std::string taken, chains, last;
  for (const std::span<const Atom> some : atoms)
    for (const Atom& atom : some)
      if (atom.chain.view().size() == 1 && taken.find(atom.chain.view()) == std::string::npos)
        taken += atom.chain.view();
  const auto add = [&](char letter) { (taken.find(letter) == std::string::npos ? chains : last) += letter; };
  add(preferred);
  for (const char letter : letters)
    if (letter != preferred) add(letter);
  return chains + last;
}

std::size_t most_numbered_ions() {
  return letters.size() * ions_per_chain;
}

std::vector<Atom> written_atoms(const PlacedSystem& system) {
  std::vector<Atom> atoms;
  atoms.reserve(system.solute.size() + system.ions.size() + system.behind.size());
  const auto add = [&](const Atom& atom) {
    check_printable_names(atom);
    Atom& written = atoms.emplace_back(atom);
    written.element = element_of(atom);
    if (written.insertion_code == '\0') written.insertion_code = ' ';
    if (system.names == SoluteNames::own) return;
    const PdbName name = pdb_name(atom);
    written.name = name.atom;
    written.residue = name.residue;
  };
  for (const Atom& atom : system.solute) add(atom);
  if (!atoms.empty()) atoms.back().ends_chain = true;
  const std::string chains = chain_letters({system.solute, system.around, system.behind}, 'I');
  for (std::size_t i = 0; i < system.ions.size(); ++i) {
    const NamedIon& ion = system.ions[i];
    const std::size_t number = system.ions_before + i, chain = number / ions_per_chain;
    atoms.push_back({.position_A = ion.position_A,
                     .charge_e = ion.charge_e,
                     .radius_A = ion.radius_A,
                     .name = std::string_view(ion.atom),
                     .residue = std::string_view(ion.residue),
                     .chain = std::string_view(chains).substr(chain % chains.size(), 1),
                     .segment = std::string_view(segment_name(chain)),
                     .residue_number = int(number % ions_per_chain) + 1,
                     .element = std::string_view(ion.element),
                     .ends_chain = true});
  }
  for (const Atom& atom : system.behind) add(atom);
  return atoms;
}

void append_cryst1(std::string& text, const UnitCell& cell) {
  text += "CRYST1";
  const Vec3<double> lengths = lengths_A(cell), angles = angles_deg(cell);
  for (const double length_A : {lengths.x, lengths.y, lengths.z}) append_fixed(text, length_A, {9, 3});
  for (const double angle : {angles.x, angles.y, angles.z}) append_fixed(text, angle, {7, 2});
  text += " P 1           1\n";
}

}  // namespace ionwell
