// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/working_residues.hpp"

#include <algorithm>
#include <cmath>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

constexpr double cell_A = 3.0;

std::vector<Vec3<double>> positions_of(std::span<const Atom> atoms) {
  std::vector<Vec3<double>> positions_A(atoms.size());
  for (std::size_t n = 0; n < atoms.size(); ++n) positions_A[n] = atoms[n].position_A;
  return positions_A;
}

ResidueRole role_of(const ResidueTemplate& found) {
  switch (found.kind) {
    case ResidueClass::amino_acid:
      return ResidueRole::amino_acid;
    case ResidueClass::rna:
    case ResidueClass::dna:
      return ResidueRole::nucleotide;
    case ResidueClass::cap:
      return ResidueRole::cap;
    case ResidueClass::water:
      return ResidueRole::water;
    case ResidueClass::ion:
      return ResidueRole::ion;
    case ResidueClass::polyatomic_ion:
      break;
  }
  return residue_table().is_known("additive", found.residue.view()) ? ResidueRole::additive
                                                                    : ResidueRole::ion;
}

ResidueRole role_by_name(const ResidueTraits& traits) {
  const ResidueTable& table = residue_table();
  constexpr std::pair<std::string_view, ResidueRole> words[] = {
      {"additive", ResidueRole::additive},
      {"cofactor", ResidueRole::cofactor},
      {"sugar", ResidueRole::sugar},
      {"modified_amino_acid", ResidueRole::amino_acid},
      {"modified_nucleotide", ResidueRole::nucleotide}};
  for (const auto& [word, role] : words)
    if (table.is_known(word, traits.name)) return role;
  switch (residue_kind(traits)) {
    case ResidueKind::protein:
      return ResidueRole::amino_acid;
    case ResidueKind::nucleic_acid:
      return ResidueRole::nucleotide;
    case ResidueKind::lipid:
      return ResidueRole::lipid;
    case ResidueKind::water:
      return ResidueRole::water;
    case ResidueKind::ion:
      return ResidueRole::ion;
    case ResidueKind::unknown:
      break;
  }
  return ResidueRole::ligand;
}

/// The one atom of a coarse chain, or a bead of Martini.
bool is_bead(std::span<const Atom> residue, ResidueRole role) {
  const std::string_view name = residue[0].name.view();
  const auto is_of_martini = [](const Atom& atom) {
    const std::string_view bead = atom.name.view();
    return bead == "BB" || (bead.size() == 3 && bead.starts_with("SC") && is_digit(bead[2]));
  };
  if (std::all_of(residue.begin(), residue.end(), is_of_martini)) return true;
  if (is_membrane_marker(residue[0])) return true;
  if (residue.size() != 1 || !is_polymer(role)) return false;
  return name == "CA" || name == "P" || name == "C4'" || name == "C1'" || name == "C4*" || name == "C1*";
}

}  // namespace

bool is_membrane_marker(const Atom& atom) {
  return atom.residue == Label("DUM");
}

WorkingResidues::WorkingResidues(std::span<const Atom> atoms)
    : atoms_(atoms),
      matcher_(residue_table()),
      positions_A_(positions_of(atoms)),
      cells_(positions_A_, cell_A),
      residue_of_(atoms.size()),
      elements_(atoms.size()) {
  split();
  for (WorkingResidue& residue : residues_) classify(residue);
}

double WorkingResidues::distance_A(std::uint32_t a, std::uint32_t b) const {
  return std::sqrt(distance_squared(positions_A_[a], positions_A_[b]));
}

void WorkingResidues::split() {
  for (std::size_t begin = 0; begin < atoms_.size();) {
    std::size_t end = end_of_residue(atoms_, begin);
    // Chains may follow each other without another name or number in between.
    for (std::size_t n = begin; n + 1 < end; ++n)
      if (atoms_[n].ends_chain) end = n + 1;
    for (std::size_t n = begin; n < end; ++n) residue_of_[n] = std::uint32_t(residues_.size());
    residues_.push_back({.begin = std::uint32_t(begin), .end = std::uint32_t(end)});
    begin = end;
  }
}

void WorkingResidues::classify(WorkingResidue& residue) {
  const std::span<const Atom> atoms = atoms_.subspan(residue.begin, residue.end - residue.begin);
  const bool is_alone = atoms.size() == 1;
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    elements_[n] = element_by_name(atoms_[n], is_alone);
  residue.role = role_by_name({.name = atoms[0].residue.view(),
                               .atoms = atoms.size(),
                               .first_atom = atoms[0].name.view(),
                               .element = elements_[residue.begin].view()});
  if (is_bead(atoms, residue.role)) {
    residue.role = ResidueRole::bead;
    return;
  }
  if (atoms.size() < ResidueMatch::no_atom) {
    names_.clear();
    for (const Atom& atom : atoms) names_.push_back(atom.name);
    const ResidueMatch& match = matcher_.match(atoms[0].residue.view(), names_);
    if (match.residue != nullptr) residue.match = &match;
  }
  if (residue.match != nullptr) {
    residue.role = role_of(*residue.match->residue);
    for (std::uint32_t n = residue.begin; n < residue.end; ++n)
      if (const std::uint16_t atom = template_atom(n); atom != ResidueMatch::no_atom)
        elements_[n] = residue.match->residue->atoms[atom].element;
  } else if (is_alone && is_metal(element(residue.begin))) {
    residue.role = ResidueRole::ion;
  }
  find_chain_atoms(residue);
  // ADE is adenine, a ligand, as well as CHARMM's name of a nucleotide: without a backbone nothing is one.
  if (residue.match != nullptr && is_polymer(residue.role) && residue.first_atom == nothing &&
      residue.last_atom == nothing) {
    residue.match = nullptr;
    residue.role = ResidueRole::ligand;
  }
}

/// By the template, and otherwise by the names that every amino acid or nucleotide has: which of them are in
/// a chain is seen when they have bonds there.
void WorkingResidues::find_chain_atoms(WorkingResidue& residue) {
  if (const ResidueTemplate* const found = residue.found()) {
    // Ends have no link, but whether this is one is seen by its bonds.
    const ResidueTemplate* const inner = residue_table().find(found->name.view());
    const auto atom = [&](std::size_t link) {
      return link == ResidueTemplate::no_atom ? nothing : named(residue, inner->atoms[link].name);
    };
    residue.first_atom = atom(inner->link_before);
    residue.last_atom = atom(inner->link_after);
    return;
  }
  if (residue.role == ResidueRole::water || residue.role == ResidueRole::ion ||
      residue.end - residue.begin < 3)
    return;
  const auto has = [&](const Label& name) { return named(residue, name) != nothing; };
  if (has("N") && has("CA") && has("C")) {
    residue.first_atom = named(residue, "N");
    residue.last_atom = named(residue, "C");
  } else if ((has("O3'") && has("C1'")) || (has("O3*") && has("C1*"))) {
    residue.first_atom = named(residue, "P");
    residue.last_atom = has("O3'") ? named(residue, "O3'") : named(residue, "O3*");
  }
}

std::uint16_t WorkingResidues::template_atom(std::uint32_t atom) const {
  const WorkingResidue& residue = of_atom(atom);
  return residue.match == nullptr ? ResidueMatch::no_atom : residue.match->atoms[atom - residue.begin];
}

std::uint32_t WorkingResidues::atom_of(const WorkingResidue& residue, std::size_t template_atom) const {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (residue.match->atoms[n - residue.begin] == template_atom) return n;
  return nothing;
}

std::uint32_t WorkingResidues::named(const WorkingResidue& residue, const Label& name) const {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (standard_name(n) == name) return n;
  return nothing;
}

const Label& WorkingResidues::standard_name(std::uint32_t atom) const {
  const std::uint16_t known = template_atom(atom);
  return known == ResidueMatch::no_atom ? atoms_[atom].name : of_atom(atom).found()->atoms[known].name;
}

}  // namespace ionwell
