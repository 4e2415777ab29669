// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/recorded_atoms.hpp"

#include <bit>

namespace ionwell {
namespace {

RecordedResidue number_of(const Atom& atom) {
  return {atom.chain, atom.residue_number, atom.insertion_code == '\0' ? ' ' : atom.insertion_code};
}

}  // namespace

RecordedAtoms::RecordedAtoms(const WorkingResidues& working)
    : working_(&working),
      heads_(std::bit_ceil(working.residues().size() + 1), nothing),
      next_(working.residues().size()) {
  for (auto r = std::uint32_t(next_.size()); r-- > 0;) {  // so that the first comes first
    std::uint32_t& head = heads_[slot_of(number_of(working.atoms()[working.residues()[r].begin]))];
    next_[r] = head;
    head = r;
  }
}

std::size_t RecordedAtoms::slot_of(const RecordedResidue& id) const {
  std::uint64_t hash = std::bit_cast<std::uint64_t>(id.chain) + std::uint64_t(std::uint32_t(id.number));
  hash *= 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, Knuth's multiplicative hash
  return std::size_t(hash >> 32) & (heads_.size() - 1);
}

bool RecordedAtoms::has_number(std::uint32_t residue, const RecordedResidue& id) const {
  const RecordedResidue there = number_of(working_->atoms()[working_->residues()[residue].begin]);
  return there.number == id.number && there.chain == id.chain &&
         there.insertion_code == (id.insertion_code == '\0' ? ' ' : id.insertion_code);
}

std::uint32_t RecordedAtoms::residue(const RecordedResidue& id) const {
  std::uint32_t r = heads_[slot_of(id)];
  while (r != nothing && !has_number(r, id)) r = next_[r];
  return r;
}

std::uint32_t RecordedAtoms::atom(const RecordedResidue& id, std::string_view name) const {
  for (std::uint32_t r = heads_[slot_of(id)]; r != nothing; r = next_[r]) {
    if (!has_number(r, id)) continue;
    for (std::uint32_t n = working_->residues()[r].begin; n < working_->residues()[r].end; ++n)
      if (working_->atoms()[n].name.view() == name) return n;
  }
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
