// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "output/views/viewer_script.hpp"

using namespace ionwell;

namespace {

ViewedFiles files() {
  return {.solute = "/a/rna.pdb",
          .ions = "/a/ions.cif",
          .map = "/a/map.dx",
          .energies_kT = {-20.5, -10.0, 3.25},
          .level_kT_e = 5.0};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("viewer scripts: VMD gets the files, energies as beta, and surfaces of both signs") {
  const std::string script = viewer_script(ViewProgram::vmd, files());
  CHECK(has(script, "set ions [mol new \"/a/ions.cif\" type pdbx waitfor all]"));
  CHECK(has(script, "set solute [mol new \"/a/rna.pdb\" type pdb waitfor all]"));
  CHECK(has(script, "{index 0 to 2}"));
  CHECK(has(script, "set beta {-20.5 -10 3.25}"));
  CHECK(has(script, "-20.5 3.25\n"));
  CHECK(has(script, "{Isosurface -5 0 0 0 1 1}"));
  CHECK(has(script, "{Isosurface 5 0 0 0 1 1}"));
}

TEST_CASE("viewer scripts: PyMOL colours the surface of the solute by the map") {
  ViewedFiles one = files();
  CHECK(has(viewer_script(ViewProgram::pymol, one), "'surface_color', 'potential_kT_e', 'solute'"));
  one.solute.reset();
  CHECK(has(viewer_script(ViewProgram::pymol, one), "'surface_color', 'potential_kT_e', 'placed'"));
}

TEST_CASE("viewer scripts: ions behind a solute in one file are found by their place") {
  ViewedFiles one = files();
  one.solute.reset();
  one.map.reset();
  one.first_ion = 758;
  const std::string vmd = viewer_script(ViewProgram::vmd, one);
  CHECK(has(vmd, "set solute $ions"));
  CHECK(has(vmd, "and not (index 758 to 760)"));
  CHECK_FALSE(has(vmd, "Isosurface"));
  const std::string pymol = viewer_script(ViewProgram::pymol, one);
  CHECK(has(pymol, "first = 758\n"));
  CHECK_FALSE(has(pymol, "surface"));
  const std::string chimerax = viewer_script(ViewProgram::chimerax, one);
  CHECK(has(chimerax, "color #1@@serial_number=759 #440154 target a\n"));
  CHECK(has(chimerax, "color #1@@serial_number=761 #fde725 target a\n"));
  one.first_ion = 99'998;  // serial numbers have begun anew
  CHECK(has(viewer_script(ViewProgram::chimerax, one), "color ions byelement"));
}

TEST_CASE("viewer scripts: the level is a part of the deepest potential that an ion has") {
  Placement placement;
  CHECK(surface_level_kT_e(placement) == 0.75);
  placement.ions.push_back({.species = {"MG", "MG", 2.0}, .energy_kT = -30.0});
  placement.ions.push_back({.species = {"NA", "NA", 1.0}, .energy_kT = -12.0});
  CHECK(surface_level_kT_e(placement) == 11.25);
}

TEST_CASE("viewer scripts: without ions there is nothing to colour") {
  ViewedFiles none = files();
  none.energies_kT.clear();
  CHECK_FALSE(has(viewer_script(ViewProgram::vmd, none), "set beta"));
  CHECK(has(viewer_script(ViewProgram::pymol, none), "energies = []\n"));
  CHECK_FALSE(has(viewer_script(ViewProgram::chimerax, none), "serial_number"));
}
