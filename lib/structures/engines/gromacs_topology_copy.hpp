// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "structures/engines/engine_files.hpp"
#include "structures/gromacs/topology.hpp"

namespace ionwell {

/// What changes of a topology, by file and line of the original.
struct TopologyChanges {
  using Place = std::pair<std::string, std::int64_t>;
  std::map<Place, std::string> before, after;  // lines that are added there
  std::map<Place, std::int64_t> counts;        // of lines of [ molecules ]; a line with none left goes
};

/// The topology at `path` with these changes, and the files that it includes, and they include, at the same
/// places relative to it: what grompp needs in a folder of its own. What GROMACS finds wherever it runs, and
/// what is included by an absolute path, stays where it is. Files outside the topology's folder, which it
/// includes by ../ or finds in an include folder, come into it, and the lines that include them say where.
/// Throws UsageError for a change in a file that is not copied, or that is included twice.
std::vector<EngineFile> copied_topology(const std::string& path, const GromacsTopology& topology,
                                        const std::vector<std::string>& include_folders,
                                        const TopologyChanges& changes);

}  // namespace ionwell
