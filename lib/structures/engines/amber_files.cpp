#include "structures/engines/amber_files.hpp"

#include "core/chemistry/composition.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "structures/engines/amber_cell.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

bool is_deoxyribonucleotide(std::string_view residue) {
  return residue.size() > 1 && residue[0] == 'D' && std::string_view("ACGT").find(residue[1]) != residue.npos;
}

/// The force fields of what there is, as AmberTools 23 calls them; OL3, OL15 and ff19SB are its
/// recommendations.
std::string sources(const EngineSystem& system) {
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
  const std::string water(engine_water(system.water_model).leaprc);
  return text + "source leaprc.water." + water + "\n";  // and the ions' parameters for it
}

/// The atoms of waters, or those of all else.
std::vector<Atom> of_kind(std::span<const Atom> atoms, bool water) {
  std::vector<Atom> found;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if ((residue.kind == ResidueKind::water) == water)
      found.insert(found.end(), atoms.begin() + std::ptrdiff_t(begin),
                   atoms.begin() + std::ptrdiff_t(residue.end));
    begin = residue.end;
  }
  return found;
}

/// Seven decimals, as AMBER's programs have the angles of an octahedron.
std::string decimals(double x) {
  std::string text;
  append_fixed(text, x, {0, 7});
  return text;
}

std::string leap_script(const EngineSystem& system, const AmberCell* cell, const std::string& units) {
  const bool leap_makes_cell = cell == nullptr || cell->is_rectangular();
  std::string text =
      leap_makes_cell ? "# tleap -f leap.in\n" : "# tleap -f leap.in, then amber.python cell.py\n";
  for (const std::string& remark : system.remarks) text.append("# ").append(one_line(remark)).append("\n");
  if (cell != nullptr && cell->is_turned())
    text += "# Positions are turned as AMBER lays a truncated octahedron.\n";
  text += sources(system) + "set default nocenter on\n";
  for (std::string_view names = units; !names.empty();) {
    const std::string name(take_token(names));
    text += name + " = loadPdb " + (name == "mol" ? "solute" : name) + ".pdb\n";
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

/// What gives LEaP's files another cell than a rectangular one.
std::string cell_script(const UnitCell& cell) {
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

}  // namespace

std::vector<EngineFile> amber_files(const EngineSystem& system) {
  std::optional<AmberCell> cell;
  if (system.cell) cell.emplace(*system.cell);
  std::vector<Atom> solute = of_kind(system.atoms, false),
                    waters = with_engine_waters(of_kind(system.atoms, true), Engine::amber);
  EngineSystem turned = system;
  if (cell && cell->is_turned()) {
    turned.cell = cell->cell();
    for (EngineIon& ion : turned.ions) ion.position_A = cell->turned(ion.position_A);
    for (std::vector<Atom>* const atoms : {&solute, &waters})
      for (Atom& atom : *atoms) atom.position_A = cell->turned(atom.position_A);
  }
  const std::vector<std::string> records =
      cell && cell->is_turned() ? records_without_places(system.header_records) : system.header_records;
  std::vector<EngineFile> files;
  std::string units;
  const auto add = [&](const char* unit, EngineFile file) {
    units.append(units.empty() ? "" : " ").append(unit);
    files.push_back(std::move(file));
  };
  if (!solute.empty())
    add("mol", {"solute.pdb", pdb_text({.records = records, .solute = solute, .cell = turned.cell})});
  if (!turned.ions.empty()) add("ions", {"ions.pdb", ions_pdb(turned, IonNaming::amber)});
  if (!waters.empty()) add("water", {"water.pdb", pdb_text({.solute = waters, .cell = turned.cell})});
  files.push_back({"leap.in", leap_script(turned, cell ? &*cell : nullptr, units)});
  if (cell && !cell->is_rectangular()) files.push_back({"cell.py", cell_script(cell->cell())});
  return files;
}

}  // namespace ionwell
