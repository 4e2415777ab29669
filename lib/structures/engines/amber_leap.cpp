// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/amber_leap.hpp"

#include <string_view>

#include "core/chemistry/composition.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

bool is_deoxyribonucleotide(std::string_view residue) {
  return residue.size() > 1 && residue[0] == 'D' && std::string_view("ACGT").find(residue[1]) != residue.npos;
}

/// Of a system under the input's names.
std::string sources_by_names(const EngineSystem& system) {
  const Composition composition = composition_of(system.atoms);
  bool dna = false, rna = false;
  for (std::size_t begin = 0; begin < system.atoms.size();) {
    const Residue residue = residue_at(system.atoms, begin);
    if (residue.kind == ResidueKind::nucleic_acid)
      (is_deoxyribonucleotide(system.atoms[begin].residue.view()) ? dna : rna) = true;
    begin = residue.end;
  }
  std::string text;
  if (composition.protein.residues > 0) text += "source leaprc.protein.ff19SB\n";
  if (rna) text += "source leaprc.RNA.OL3\n";
  if (dna) text += "source leaprc.DNA.OL15\n";
  if (composition.lipid.residues > 0) text += "source leaprc.lipid21\n";
  if (composition.unknown.residues > 0) {
    text += "source leaprc.gaff2\n# LEaP needs parameters (loadAmberPrep, loadOff) for:";
    for (const NameCount& name : composition.unknown_names)
      text.append(" ").append(one_line(name.name.view()));
    text += '\n';
  }
  return text;
}

/// The force fields of what there is, as AmberTools 23 calls them; OL3, OL15 and ff19SB are its
/// recommendations.
std::string sources(const EngineSystem& system, const AmberSolute* solute) {
  std::string text;
  if (solute == nullptr)
    text = sources_by_names(system);
  else
    for (const std::string& source : solute->sources) text += "source leaprc." + source + "\n";
  const std::string water(engine_water(system.water_model).leaprc);
  text += "source leaprc.water." + water + "\n";  // and the ions' parameters for it
  if (solute == nullptr) return text;
  for (const std::string& unit : solute->units) text += unit + "\n";
  text += "clearPdbResMap\n";  // solute.pdb says what is an end
  if (solute->residues.empty()) return text;
  text += "addPdbResMap {\n";
  for (const std::string& entry : solute->residues) text += "  " + entry + "\n";
  return text + "}\n";
}

std::string bonds(const AmberSolute& solute) {
  std::string text;
  for (const AmberBond& bond : solute.bonds) text += bond.command + "  # " + one_line(bond.of) + "\n";
  if (!solute.metal_bonds.empty())
    text +=
        "# Metals are ions, without bonds. With parameters of these bonds, take away the # before them:\n";
  for (const AmberBond& bond : solute.metal_bonds)
    text += "# " + bond.command + "  # " + one_line(bond.of) + "\n";
  return text;
}

/// Seven decimals, as AMBER's programs have the angles of an octahedron.
std::string decimals(double x) {
  std::string text;
  append_fixed(text, x, {0, 7});
  return text;
}

}  // namespace

std::string leap_script(const EngineSystem& system, const AmberSolute* solute, const AmberCell* cell,
                        const std::string& units) {
  const bool leap_makes_cell = cell == nullptr || cell->is_rectangular();
  std::string text =
      leap_makes_cell ? "# tleap -f leap.in\n" : "# tleap -f leap.in, then amber.python cell.py\n";
  for (const std::string& remark : system.remarks) text.append("# ").append(one_line(remark)).append("\n");
  if (cell != nullptr && cell->is_turned())
    text += "# Positions are rotated to the orientation of a truncated octahedron in AMBER.\n";
  text += sources(system, solute) + "set default nocenter on\n";
  for (std::string_view names = units; !names.empty();) {
    const std::string name(take_token(names));
    text += name + " = loadPdb " + (name == "mol" ? "solute" : name) + ".pdb\n";
    if (name == "mol" && solute != nullptr) text += bonds(*solute);
    if (name == "mol") text += "check mol\n";  // of a whole box it takes minutes, and lists its waters
  }
  text += "sys = combine { " + units + " }\n";
  if (cell != nullptr) {
    const Vec3<double> lengths = lengths_A(cell->cell());
    text += "set sys box { " + decimals(lengths.x) + ' ' + decimals(lengths.y) + ' ' + decimals(lengths.z) +
            " }\n";
  }
  return text + "charge sys\n" +
         (leap_makes_cell ? "saveAmberParm sys system.prmtop system.rst7\nsavePdb sys system.pdb\n"
                          : "# with a rectangular cell, for LEaP makes no other\n"
                            "saveAmberParm sys leap.prmtop leap.rst7\n") +
         "quit\n";
}

std::string amber_cell_script(const UnitCell& cell) {
  const Vec3<double> lengths = lengths_A(cell), angles = angles_deg(cell);
  std::string box;
  for (const double x : {lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z})
    box += (box.empty() ? "" : ", ") + decimals(x);
  return R"(#!/usr/bin/env python3
"""Makes system.prmtop and system.rst7 of leap.prmtop and leap.rst7, to which LEaP gave a rectangular cell.

    amber.python cell.py        any Python that has ParmEd does

sander and pmemd take the cell from system.rst7. At constant pressure only ntp = 1 keeps its shape.
system.rst7 is LEaP's file with another last line, for ParmEd's would have a time, after which VMD expects velocities.
"""
import os

import parmed

CELL = [)" +
         box + R"(]  # three lengths in A, three angles in degrees

os.chdir(os.path.dirname(os.path.abspath(__file__)))
system = parmed.load_file("leap.prmtop", "leap.rst7")
system.box = CELL
system.save("system.prmtop", overwrite=True)
with open("leap.rst7") as leap:
    lines = leap.read().splitlines()
lines[-1] = "".join(f"{x:12.7f}" for x in CELL)
with open("system.rst7", "w") as restart:
    restart.write("\n".join(lines) + "\n")
)";
}

}  // namespace ionwell
