// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  const WorkingResidues* working_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> residues_;
};

/// Links as records name them.
std::vector<RecordedBond> recorded_bonds(std::span<const Atom> atoms, std::span<const ResidueLink> links);

}  // namespace ionwell
