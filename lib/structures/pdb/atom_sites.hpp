// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"

/// What PDB and mmCIF files have in common, before it is a Structure.
namespace ionwell {

/// What a file says of an atom beyond Atom.
struct SiteDetails {
  char alternate = ' ';  // letter of the alternate location
  float occupancy = 1.0f, b_factor = 0.0f;
};

/// The atoms of one model, all that a file has of each.
struct AtomSites {
  Structure structure;
  std::vector<SiteDetails> details;  // one for each atom
  std::vector<Label> serials;        // one for each atom, as a PDB file has them; none from other files
  std::vector<Label> asym;           // one for each atom: what assemblies name; none where it is the chain
};

/// What to make of the atoms of a file.
struct PdbReadOptions {
  std::string assembly;  // name of the biological assembly to build (see assembly.hpp); empty: as they are
};

/// "MG" and "mg" as MG; empty for what is no element's symbol by its letters.
ElementSymbol element_symbol(std::string_view text);

/// Keeps one of the alternate locations of each residue: the one of the highest mean occupancy, the first of
/// equal ones. An atom that is only in another one stays in its own best one, unless that has another residue
/// (a point mutation). A residue is a run of atoms of one number, insertion code, chain and segment. One
/// warning counts. O(atoms).
void resolve_alternate_locations(AtomSites& sites);

/// Charges from the occupancy [e] and radii from the B-factor [A], as some programs write them, where the
/// numbers can be no occupancies: one is negative, and either all B-factors are sizes of atoms or the sum is
/// an integer. A warning says so. O(atoms).
void take_charges_from_columns(AtomSites& sites);

}  // namespace ionwell
