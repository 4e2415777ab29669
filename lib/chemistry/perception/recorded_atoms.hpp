// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "chemistry/perception/working_residues.hpp"

namespace ionwell {

/// Finds the atoms that records name. O(atoms) to make.
class RecordedAtoms {
 public:
  explicit RecordedAtoms(const WorkingResidues& working);

  /// The first residue of that number, or nothing.
  std::uint32_t residue(const RecordedResidue& id) const;
  /// The first atom of that name there, or nothing.
  std::uint32_t atom(const RecordedResidue& id, std::string_view name) const;

 private:
  std::size_t slot_of(const RecordedResidue& id) const;
  bool has_number(std::uint32_t residue, const RecordedResidue& id) const;

  const WorkingResidues* working_;
  std::vector<std::uint32_t> heads_;  // by hash of the number: the first residue there, or nothing
  std::vector<std::uint32_t> next_;   // by residue: the next one there
};

/// Links as records name them.
std::vector<RecordedBond> recorded_bonds(std::span<const Atom> atoms, std::span<const ResidueLink> links);

}  // namespace ionwell
