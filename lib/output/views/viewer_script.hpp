// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "placement/place_ions.hpp"

namespace ionwell {

/// A program that shows molecules.
enum class ViewProgram { vmd, pymol, chimerax };

/// "vmd", "pymol", "chimerax".
std::string to_string(ViewProgram program);

/// What its scripts end in: ".vmd.tcl", ".pml", ".cxc".
std::string script_ending(ViewProgram program);

/// What a script shows. Paths go into it as they are, whatever characters they have.
struct ViewedFiles {
  std::optional<std::string> solute;  // PDB or mmCIF; none where `ions` has the solute, too
  std::string ions;                   // PDB or mmCIF
  std::optional<std::string> map;     // of the potential [kT/e]: .dx, .ccp4, .mrc or .cube
  std::size_t first_ion = 0;          // its place among the atoms of `ions`, from 0;
  std::vector<double> energies_kT;    // of it and those behind it, one each
  double level_kT_e = 1.0;            // of the surfaces: minus this and plus this
};

/// Three quarters of the deepest potential that an ion was placed at, and of 1 kT/e at least: what surfaces
/// are drawn at.
double surface_level_kT_e(const Placement& placement);

/// A script that opens the files: solute as a cartoon, ions as spheres coloured by energy (viridis, the
/// strongest bound violet; by element in ChimeraX where PDB files have no serial numbers left, past
/// 99,999 atoms). PyMOL shows the map as colours of the solute's surface, with their scale, the others as
/// surfaces of equal potential, red where it is negative and blue where it is positive.
std::string viewer_script(ViewProgram program, const ViewedFiles& files);

}  // namespace ionwell
