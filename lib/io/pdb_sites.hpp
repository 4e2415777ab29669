#pragma once

#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// An atom of a PDB file, as far as it is needed to compare positions.
struct PdbSite {
  Label name, residue, chain;
  int residue_number = 0;
  Vec3<double> position_A;
};

/// ATOM and HETATM records of a PDB file ("-": standard input), gzipped or not; nothing but the coordinates
/// need be in order. Only the first model. Throws Error for a file without any, and for coordinates that are
/// no numbers.
std::vector<PdbSite> read_pdb_sites(const std::string& file);

}  // namespace ionwell
