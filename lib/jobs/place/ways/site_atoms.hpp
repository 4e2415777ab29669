// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "placement/crystal_sites/site_atom.hpp"

namespace ionwell {

/// What a site model needs of a solute's atoms, in their order. In nucleic acids the base tells what its
/// atoms are, by which of them are there, so that residues of any name have the right classes; elsewhere the
/// element. Hydrogens are polar next to nitrogen, oxygen or sulfur.
std::vector<SiteAtom> site_atoms(std::span<const Atom> atoms);

}  // namespace ionwell
