#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// An atom of a PDB file, as far as it is needed to compare positions.
struct PdbSite {
  Label name, residue, chain;
  int residue_number = 0;
  char insertion_code = ' ';
  Vec3<double> position_A;
};

/// Which atoms of a file are sites.
enum class SiteChoice { ions, all };

/// Sites in the order of the file.
struct PdbSites {
  std::vector<PdbSite> sites;
  std::int64_t others = 0;  // atoms that were left out
};

/// ATOM and HETATM records of a PDB file ("-": standard input), gzipped or not; nothing but the coordinates
/// need be in order. Only the first model. Of `ions` a residue of one atom counts that has the name, the
/// element (columns 77-78) or the charge (79-80) of one, and the central atom of a known ion of several (NCO,
/// SO4). Throws Error for a file without any, and for coordinates that are no numbers.
PdbSites read_pdb_sites(const std::string& file, SiteChoice choice = SiteChoice::ions);

}  // namespace ionwell
