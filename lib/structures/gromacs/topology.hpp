// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "structures/gromacs/molecules.hpp"
#include "structures/gromacs/preprocessor.hpp"
#include "structures/molecules/topology.hpp"

namespace ionwell {

struct GromacsTopologyOptions {
  GromacsPreprocessorOptions preprocessor;
  std::int64_t most_atoms = 100'000'000;  // more are taken for a mistake in [ molecules ]
  bool may_be_part = false;  // [ molecules ] may be missing, as in an .itp: only `types` are filled
};

/// A line of a file.
struct FilePlace {
  std::string path;
  std::int64_t line = 0;
};

/// What a GROMACS topology (.top) says, and what whoever adds molecules to it has to know.
struct GromacsTopology {
  Topology topology;  // atoms of all [ molecules ], in their order; residue numbers as GROMACS writes them
  std::string title;  // of [ system ]
  std::vector<GromacsMoleculeType> types;       // every [ moleculetype ], also those that are not used
  std::vector<GromacsMoleculeEntry> molecules;  // the lines of [ molecules ]
  FilePlace molecules_begin;                    // the line [ molecules ]
  std::vector<IncludedFile> included;
  bool has_water = false;  // a [ moleculetype ] of water is defined
  bool has_ions = false;   // and one of an ion

  /// Behind which a line can be added: the last of [ molecules ], in whichever file.
  FilePlace last_entry;
};

/// Reads a GROMACS topology with all that it includes. A charge is that of [ atoms ] (state A), or of
/// [ atomtypes ] where its column is missing. An element is determined by the atomic number of [ atomtypes ],
/// or by the mass. Charges in e, radii 0. Molecules are expanded without being read again: 10 million atoms a
/// second. Throws Error with `path:line:` for what GROMACS would refuse. Source: GROMACS 2022 manual, chapter
/// "Topology file formats", and src/gromacs/gmxpreprocess/toppush.cpp for what it leaves open.
GromacsTopology read_gromacs_topology(const std::string& path, const GromacsTopologyOptions& options = {});

/// Whether a file that begins so is a topology (.top) or a part of one (.itp).
bool is_gromacs_topology(std::string_view head);

}  // namespace ionwell
