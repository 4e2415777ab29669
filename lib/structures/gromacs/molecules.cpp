// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/molecules.hpp"

#include <algorithm>

#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"

namespace ionwell {
namespace {

bool has_one_residue(const GromacsMoleculeType& type) {
  const Atom& first = type.atoms.front();
  return std::all_of(type.atoms.begin(), type.atoms.end(), [&](const Atom& atom) {
    return same_residue_number(atom, first) && atom.residue == first.residue;
  });
}

bool is_polymer(std::string_view residue) {
  const ResidueKind kind = residue_kind(residue);
  return kind == ResidueKind::protein || kind == ResidueKind::nucleic_acid;
}

}  // namespace

std::vector<Atom> expand_molecules(const std::vector<GromacsMoleculeType>& types,
                                   const std::vector<GromacsMoleculeEntry>& entries) {
  std::size_t total = 0;
  int last_number = 0;
  std::vector<bool> renumbered(types.size());
  for (const GromacsMoleculeEntry& entry : entries) {
    const GromacsMoleculeType& type = types[entry.type];
    total += type.atoms.size() * std::size_t(entry.count);
    renumbered[entry.type] = has_one_residue(type);
    if (!renumbered[entry.type])
      for (const Atom& atom : type.atoms) last_number = std::max(last_number, atom.residue_number);
  }
  std::vector<Atom> atoms;
  atoms.reserve(total);
  for (const GromacsMoleculeEntry& entry : entries) {
    const std::vector<Atom>& molecule = types[entry.type].atoms;
    const bool renumber = renumbered[entry.type];
    const bool ends_chain = !renumber || is_polymer(molecule.front().residue.view());
    for (std::int64_t n = 0; n < entry.count; ++n) {
      const std::size_t begin = atoms.size();
      atoms.insert(atoms.end(), molecule.begin(), molecule.end());
      atoms.back().ends_chain = ends_chain;
      if (!renumber) continue;
      ++last_number;
      for (std::size_t i = begin; i < atoms.size(); ++i) atoms[i].residue_number = last_number;
    }
  }
  return atoms;
}

std::vector<AtomLink> expand_links(const std::vector<GromacsMoleculeType>& types,
                                   const std::vector<GromacsMoleculeEntry>& entries) {
  std::vector<std::vector<AtomLink>> of_type;
  for (const GromacsMoleculeType& type : types)
    of_type.push_back(links_between_residues(type.atoms, type.bonds));
  std::vector<AtomLink> links;
  std::uint32_t first = 0;
  for (const GromacsMoleculeEntry& entry : entries)
    for (std::int64_t n = 0; n < entry.count; ++n) {
      for (const AtomLink& link : of_type[entry.type])
        links.push_back({first + link.first, first + link.second});
      first += std::uint32_t(types[entry.type].atoms.size());
    }
  return links;
}

std::string_view chain_of_molecule(std::string_view name) {
  constexpr std::string_view mark = "_chain_";
  const std::size_t at = name.rfind(mark);
  return at == name.npos ? std::string_view{} : name.substr(at + mark.size());
}

}  // namespace ionwell
