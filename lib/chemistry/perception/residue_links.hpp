// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "chemistry/perception/working_residues.hpp"

namespace ionwell {

/// Joins residues to chains: by bonds from C to N and from O3' to P, whatever their numbers. O(atoms).
void link_chains(WorkingResidues& working);

/// Links and metals of a structure whose chains are linked.
struct FoundLinks {
  std::vector<ResidueLink> links;  // by their atoms
  std::vector<MetalSite> metals;
  std::vector<ChemistryNote> notes;
};

/// Disulfides, isopeptides, sugars, ligands that are bound, by distance and by records. Residues without a
/// template that are bound to a C and to an N join their chain. O(atoms).
FoundLinks find_links(WorkingResidues& working, const EntryRecords& records);

/// Metals and their ligands. O(atoms).
std::vector<MetalSite> find_metal_sites(const WorkingResidues& working);

/// Bonds of all atoms: of templates, of residues without one by distance, of chains and links. Sorted.
std::vector<std::pair<std::uint32_t, std::uint32_t>> all_bonds(const WorkingResidues& working,
                                                               const std::vector<ResidueLink>& links,
                                                               const EntryRecords& records);

}  // namespace ionwell
