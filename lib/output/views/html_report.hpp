// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "input/chemistry_row.hpp"
#include "jobs/place/job/result.hpp"
#include "output/views/coarse_map.hpp"

namespace ionwell {

/// A page about placed ions, as one HTML file that needs nothing else and asks no network: a 3-D view of
/// solute, ions by energy and surfaces of `map`; a table; energies, distances and radial distribution; what
/// was decided of an entry of the PDB; times, memory, warnings and the command. Solutes of more than 12,000
/// atoms without their waters are drawn as a trace of P and CA atoms. Beyond the structure it has less
/// than 1.5 MB for 2,000 ions. UTF-8; text of the result that is not is replaced. O(atoms + ions).
std::string html_report(const Result& result, const CoarseMap& map = {},
                        std::span<const ChemistryRow> chemistry = {});

}  // namespace ionwell
