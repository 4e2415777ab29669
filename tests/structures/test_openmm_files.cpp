// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>

#include "chemistry/made_structure.hpp"
#include "structures/engines/engine_files.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const ChainEnds first_amino = {ChainEnd::n_terminal, {}}, last_amino = {{}, ChainEnd::c_terminal};
const ChainEnds first_base = {ChainEnd::five_hydroxyl, {}}, last_base = {{}, ChainEnd::three_hydroxyl};

MadeStructure made_structure() {
  return MadeStructure(MadeStructure::Hydrogens::yes);
}

std::string system_cif(const MadeStructure& made) {
  return engine_files(Engine::openmm, {.atoms = made.atoms()})[0].text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "openmm files: states have the PDB's residue names, and the first hydrogen of a protein that of OpenMM") {
  MadeStructure made = made_structure();
  made.add("HIP", first_amino).bound("ASH").bound("LYN").bound("HID").bound("GLY", last_amino);
  const std::string cif = system_cif(made);
  for (const char* const there : {"H H . HIS A 1 1 ", "H H2 . HIS A 1 1 ", "H HD1 . HIS A 1 1 ",
                                  "H HE2 . HIS A 1 1 ", "H HD2 . ASP A 1 2 ", "H HZ1 . LYS A 1 3 ",
                                  "H HZ2 . LYS A 1 3 ", "H HD1 . HIS A 1 4 ", "O OXT . GLY A 1 5 "})
    CHECK_MESSAGE(has(cif, there), there, cif);
  for (const char* const missing : {" H1 .", "HIP", "ASH", "LYN", "HZ3 .", "_struct_conn"})
    CHECK_FALSE(has(cif, missing));
}

TEST_CASE("openmm files: nucleotides under PDB2PQR's names get those of the PDB") {
  MadeStructure made = made_structure();
  made.add("A", first_base).bound("U", last_base);
  for (Atom& atom : made.atoms()) {
    if (atom.name == Label("HO2'")) atom.name = "H2''";
    if (atom.name == Label("HO5'")) atom.name = "H5T";
    if (atom.name == Label("HO3'")) atom.name = "H3T";
  }
  const std::string cif = system_cif(made);
  CHECK(has(cif, "H \"HO2'\" . A A 1 1 "));
  CHECK(has(cif, "H \"HO5'\" . A A 1 1 "));
  CHECK(has(cif, "H \"HO3'\" . U A 1 2 "));
}

TEST_CASE("openmm files: OpenMM is told of disulfides, and binds nothing across the end of a piece") {
  MadeStructure made = made_structure();
  made.add("CYX", first_amino).bound("GLY", last_amino).number(7);
  made.add("CYX", first_amino).bound("GLY", last_amino).chain("B").add("HOH");
  made.join(0, "SG", 2, "SG", 2.04);
  const std::string cif = system_cif(made);
  CHECK(has(cif, "disulf1 disulf A CYS 1 SG A2 CYS 7 SG\n"));
  CHECK(has(cif, "C CA . GLY A2 1 8 "));
  CHECK(has(cif, "O O . HOH B 1 "));
}

TEST_CASE("openmm files: a residue that the file has behind its chain comes where it is bound") {
  MadeStructure made = made_structure();
  made.add("U", last_base).add("MG").add("A", first_base);
  made.join(2, "O3'", 0, "P", 1.6);
  const std::string cif = system_cif(made);
  CHECK_FALSE(has(cif, "_struct_conn"));
  const std::size_t first = cif.find("O \"O5'\" . A A 1 3 "), second = cif.find("P P . U A 1 1 ");
  REQUIRE_MESSAGE(second != cif.npos, cif);
  CHECK(first < second);
}

TEST_CASE("openmm files: the bond that closes a ring is written") {
  MadeStructure made = made_structure();
  made.add("GLY").bound("ALA").bound("GLY").bound("ALA");
  made.join(0, "N", 3, "C", 1.33);
  CHECK(has(system_cif(made), "covale1 covale A ALA 4 C A GLY 1 N\n"));
}

TEST_CASE("openmm files: what OpenMM's force fields lack is refused, with the residue") {
  MadeStructure made = made_structure();
  made.add("A", first_base).bound("PSU").bound("U", last_base);
  CHECK(error_of([&] { system_cif(made); }).starts_with("OpenMM's force fields have no PSU 2 A (PSU); "));
  MadeStructure ion = made_structure();
  ion.add("MG").add("SO4");
  CHECK(error_of([&] { system_cif(ion); }).starts_with("OpenMM's force fields have no SO4 2 A (SO4); "));
}

TEST_CASE("openmm files: with a topology the names stay as they are") {
  MadeStructure made = made_structure();
  made.add("PSU").add_atoms("LIG", {"C1"});
  const TopologyFile topology{.path = "x.prmtop", .format = FileFormat::prmtop};
  const std::string cif = engine_files(Engine::openmm, {.atoms = made.atoms(), .topology = topology})[0].text;
  CHECK(has(cif, ". PSU A "));
  CHECK(has(cif, "C C1 . LIG A "));
}

TEST_CASE("openmm files: run.py has the charge of the whole, where all of it has charges") {
  MadeStructure made = made_structure();
  made.add("GLY", first_amino).bound("LYS").bound("GLY", last_amino).chain("B").add("HOH");
  for (Atom& atom : made.atoms()) atom.charge_e = atom.residue == Label("HOH") ? 0.0 : 0.25;
  made.atoms()[0].charge_e = 0.0;
  double sum_e = 0.0;
  for (const Atom& atom : made.atoms()) sum_e += atom.charge_e;
  made.atoms()[1].charge_e -= sum_e - 1.0;
  const auto script = [&] {
    return engine_files(Engine::openmm,
                        {.atoms = made.atoms(), .ions = {{"CL", "CL", -1.0, {9.0, 9.0, 9.0}}}})[1]
        .text;
  };
  CHECK(has(script(), "\nCHARGE = 0  # [e]\n"));
  CHECK(has(script(), "\ncheck_charge(system)\n"));
  for (Atom& atom : made.atoms())
    if (atom.residue == Label("LYS")) atom.charge_e = 0.0;
  CHECK_FALSE(has(script(), "CHARGE"));
  CHECK_FALSE(has(script(), "check_charge"));
}

TEST_CASE(
    "openmm files: waters of a crystal get their hydrogens without a force field whose waters have sites") {
  MadeStructure made = made_structure();
  made.add("GLY", first_amino).bound("GLY", last_amino).chain("W").add("HOH");
  const auto script = [&] { return engine_files(Engine::openmm, {.atoms = made.atoms()})[1].text; };
  CHECK(has(script(), "\n    model.addHydrogens(force_field, variants="));
  Atom site = made.atoms().back();
  site.name = "MW";
  made.atoms().push_back(site);
  CHECK(has(script(), "\nmodel.addHydrogens(variants="));
}
