// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/recorded_atoms.hpp"

namespace ionwell {
namespace {

std::string key_of(std::string_view chain, int number, char insertion_code) {
  std::string key(chain);
  key += ' ' + std::to_string(number);
  if (insertion_code != ' ' && insertion_code != '\0') key += insertion_code;
  return key;
}

}  // namespace

RecordedAtoms::RecordedAtoms(const WorkingResidues& working) : working_(&working) {
  for (std::uint32_t r = 0; r < working.residues().size(); ++r) {
    const Atom& first = working.atoms()[working.residues()[r].begin];
    residues_[key_of(first.chain.view(), first.residue_number, first.insertion_code)].push_back(r);
  }
}

std::uint32_t RecordedAtoms::residue(const RecordedResidue& id) const {
  const auto found = residues_.find(key_of(id.chain.view(), id.number, id.insertion_code));
  return found == residues_.end() ? nothing : found->second.front();
}

std::uint32_t RecordedAtoms::atom(const RecordedResidue& id, std::string_view name) const {
  const auto found = residues_.find(key_of(id.chain.view(), id.number, id.insertion_code));
  if (found == residues_.end()) return nothing;
  for (const std::uint32_t r : found->second)
    for (std::uint32_t n = working_->residues()[r].begin; n < working_->residues()[r].end; ++n)
      if (working_->atoms()[n].name.view() == name) return n;
  return nothing;
}

std::vector<RecordedBond> recorded_bonds(std::span<const Atom> atoms, std::span<const ResidueLink> links) {
  const auto residue_of = [](const Atom& atom) {
    return RecordedResidue{atom.chain, atom.residue_number, atom.insertion_code};
  };
  std::vector<RecordedBond> bonds;
  for (const ResidueLink& link : links) {
    const Atom &first = atoms[link.first], &second = atoms[link.second];
    bonds.push_back({residue_of(first), residue_of(second), first.name, second.name});
  }
  return bonds;
}

}  // namespace ionwell
