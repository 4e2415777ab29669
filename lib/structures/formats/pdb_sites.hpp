// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// An atom of a PDB file, or of another format, as far as it is needed to compare positions.
struct PdbSite {
  Label name, residue, chain;
  int residue_number = 0;
  char insertion_code = ' ';
  Vec3<double> position_A;
  std::optional<double> occupancy, b_factor_A2;  // columns 55-60 and 61-66; none where there is no number
};

/// Which atoms of a file are sites.
enum class SiteChoice { ions, all };

/// Sites in the order of the file.
struct PdbSites {
  std::vector<PdbSite> sites;
  std::int64_t others = 0;  // atoms that were left out
};

/// ATOM and HETATM records of a PDB file ("-": standard input), gzipped or not; nothing but the coordinates
/// need be in order; also mmCIF, PQR (.pqr), .gro, .g96 and CHARMM coordinates, of which only mmCIF has
/// occupancies and B-factors. Only the first model. Of `ions` a residue of one atom counts that has the name,
/// the element (columns 77-78) or the charge (79-80) of one, and the central atom of a known ion of several
/// (NCO, SO4). Throws Error for a file without any, and for coordinates that are no numbers.
PdbSites read_pdb_sites(const std::string& file, SiteChoice choice = SiteChoice::ions);

/// How much a site counts: all alike, by its occupancy, or by the inverse of its B-factor, which is the mean
/// square of its displacement (B = 8 pi^2 <u^2>).
enum class SiteWeight { none, occupancy, b_factor };

/// "none", "occupancy", "bfactor": as the command line and reports call it.
std::string_view to_string(SiteWeight weight);

/// A weight for each site; none for SiteWeight::none. Throws Error, which names the file and the site, where
/// the file does not tell: no number, an occupancy outside of 0 to 1, or 0 at all sites, a B-factor that is
/// not positive.
std::vector<double> site_weights(std::span<const PdbSite> sites, SiteWeight weight, const std::string& file);

}  // namespace ionwell
