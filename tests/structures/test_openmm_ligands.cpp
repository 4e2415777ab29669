// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "chemistry/made_structure.hpp"
#include "files/xml_tags.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/engines/openmm_residues.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

// A charge of its own, of a type, and of a class; bonds by names and by numbers.
const std::string force_field =
    "<?xml version='1.0'?>\n<!-- <Residue name=\"NOT\"> -->\n<ForceField>\n <AtomTypes>\n"
    "  <Type name=\"t-c\" class=\"c\" element=\"C\" mass=\"12\"/>\n"
    "  <Type name='t-o' class='o' element='O' mass='16' />\n  <Type name=\"t-cl\" class=\"x\" "
    "element=\"Cl\"/>\n"
    " </AtomTypes>\n <Residues>\n  <Residue name=\"LIG\">\n"
    "   <Atom name=\"C1\" type=\"t-c\"/>\n   <Atom name=\"O1\" type=\"t-o\"/>\n"
    "   <Atom name=\"X1\" type=\"t-cl\" charge=\"-0.25\"/>\n"
    "   <Bond atomName1=\"C1\" atomName2=\"O1\"/>\n   <Bond from=\"0\" to=\"2\"/>\n"
    "  </Residue>\n </Residues>\n <NonbondedForce coulomb14scale=\"0.8333\" lj14scale=\"0.5\">\n"
    "  <Atom type=\"t-c\" charge=\"0.5\" sigma=\"0.3\" epsilon=\"0.1\"/>\n"
    "  <Atom class=\"o\" charge=\"-0.75\" sigma=\"0.3\" epsilon=\"0.1\"/>\n"
    "  <Atom type=\"t-cl\" charge=\"9\" sigma=\"0.3\" epsilon=\"0.1\"/>\n </NonbondedForce>\n</ForceField>\n";

std::string with(std::string text, const std::string& find, const std::string& put) {
  const std::size_t at = text.find(find);
  REQUIRE(at != text.npos);
  return text.replace(at, find.size(), put);
}

std::vector<Atom> ligand(std::vector<std::string> names) {
  MadeStructure made;
  made.add_atoms("LIG", names);
  return made.atoms();
}

std::vector<EngineLigand> files(const std::string& text = force_field) {
  return {{"lig.xml", LigandKind::openmm_force_field, text, {"LIG"}}};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("xml: tags, attributes, entities and lines, without comments and text") {
  const std::string text = "<a x = \"1 &lt; 2\"\n y='\"'><!-- <c> -->text<b/><![CDATA[<d>]]></a>";
  XmlTags tags(text, "x.xml");
  XmlTag tag;
  REQUIRE(tags.next(tag));
  CHECK(tag.name == "a");
  CHECK(tag.find("x") == "1 < 2");
  CHECK(tag.find("y") == "\"");
  CHECK_FALSE(tag.find("z"));
  CHECK((tag.opens && !tag.closes && tag.line == 1));
  REQUIRE(tags.next(tag));
  CHECK((tag.name == "b" && tag.opens && tag.closes && tag.line == 2));
  REQUIRE(tags.next(tag));
  CHECK((tag.name == "a" && !tag.opens && tag.closes));
  CHECK_FALSE(tags.next(tag));
  for (const char* const bad : {"<a\nx=1>", "<a\nx=\"1>", "<a\nx>", "\n<>", "\n<a ", "\n<!-- "})
    CHECK_MESSAGE(has(error_of([&] {
                        XmlTags broken(bad, "x.xml");
                        for (XmlTag next; broken.next(next);) {
                        }
                      }),
                      "x.xml:2: is not valid XML ("),
                  bad);
}

TEST_CASE("OpenMM's residues: charges of atoms, types and classes, elements and bonds") {
  const OpenmmResidues read = read_openmm_residues(force_field, "x.xml");
  REQUIRE(read.atoms.size() == 3);
  CHECK(read.uncharged.empty());
  CHECK(read.atoms[0].charge_e == 0.5);
  CHECK(read.atoms[1].charge_e == -0.75);
  CHECK(read.atoms[2].charge_e == -0.25);
  CHECK(read.atoms[2].element == ElementSymbol("CL"));
  CHECK(read.atoms[2].residue == Label("LIG"));
  CHECK(read.bonds == std::vector<AtomLink>{{0, 1}, {0, 2}});
  const std::string two =
      with(with(force_field, "class=\"o\" charge", "class=\"p\" charge"), "  </Residue>\n",
           "  </Residue>\n  <Residue name=\"TWO\"><Atom name=\"C\" type=\"t-c\"/></Residue>\n");
  CHECK(read_openmm_residues(two, "x.xml").uncharged == std::set<std::string, std::less<>>{"LIG"});
}

TEST_CASE("OpenMM's residues: what is no force field is refused with its line") {
  const auto error = [](const std::string& text) {
    return error_of([&] { read_openmm_residues(text, "x.xml"); });
  };
  CHECK(error("<Residues/>").starts_with("x.xml: is not an OpenMM force field (<ForceField>)"));
  CHECK(error(with(force_field, "\"-0.25\"", "\"x\"")) == "x.xml:13: 'x' is not a charge");
  CHECK(error(with(force_field, "to=\"2\"", "to=\"3\"")) ==
        "x.xml:15: a bond of atom '3', and residue LIG has 3");
  CHECK(error(with(force_field, "atomName2=\"O1\"", "atomName2=\"O7\"")) ==
        "x.xml:14: a bond of atom 'O7', which residue LIG lacks");
  CHECK(error(with(force_field, "<Bond from", "<VirtualSite from"))
            .starts_with("x.xml:15: residue 'LIG' has "));
  CHECK(error(with(force_field, " </Residues>", " <Include file=\"more.xml\"/>\n </Residues>"))
            .starts_with("x.xml:17: includes another file, which the folder would lack; "));
  CHECK(error(with(force_field, "name=\"O1\" type", "name=\"C1\" type")) ==
        "x.xml:12: residue LIG has two atoms 'C1'");
  CHECK(error(with(force_field, "name=\"O1\" type=\"t-o\"", "name=\"O1\"")) ==
        "x.xml:12: <Atom> lacks its type");
  CHECK(error(with(force_field, " </Residues>", " </Residue>")).starts_with("x.xml:17: is not valid XML"));
}

TEST_CASE("openmm files: a ligand's force field is in the folder and in run.py, its bonds in system.cif") {
  const std::vector<Atom> atoms = ligand({"O1", "C1", "X1"});
  EngineSystem system{.atoms = atoms};
  CHECK(has(error_of([&] { engine_files(Engine::openmm, system); }),
            "OpenMM's force fields have no LIG 1 A; leave them out with --ignore 'resname LIG', give the "
            "force field of a ligand (.xml) with --ligand, "));
  system.ligands = files();
  const std::vector<EngineFile> made = engine_files(Engine::openmm, system);
  REQUIRE(made.size() == 3);
  CHECK(made[2].name == "ligand1.xml");
  CHECK(made[2].text == force_field);
  CHECK(has(made[1].text, "LIGANDS = [\"ligand1.xml\"]\nLIGAND_RESIDUES = {\"LIG\"}\n"));
  CHECK(has(made[1].text,
            "app.ForceField(*FORCE_FIELDS[name], *(os.path.join(folder, ligand) for ligand in LIGANDS))"));
  CHECK(has(made[0].text, "covale1 covale A LIG 1 C1 A LIG 1 O1\n"));
  CHECK(has(made[0].text, "covale2 covale A LIG 1 C1 A LIG 1 X1\n"));
  CHECK_FALSE(
      has(engine_files(Engine::openmm, {.atoms = MadeStructure().add("NA").atoms()})[1].text, "LIGANDS"));
}

TEST_CASE(
    "openmm files: a residue whose atoms differ from its template is refused before anything is placed") {
  const auto error = [&](const std::vector<Atom>& atoms) {
    return error_of([&] { check_engine_atoms(Engine::openmm, std::nullopt, atoms, files()); });
  };
  CHECK_NOTHROW(check_engine_atoms(Engine::openmm, std::nullopt, ligand({"O1", "C1", "X1"}), files()));
  CHECK(error(ligand({"O1", "C1"})) ==
        "lig.xml: has X1, which LIG 1 A lacks; give both files the same atoms");
  CHECK(error(ligand({"O1", "C1", "X1", "N7"})) ==
        "lig.xml: has no atom for LIG 1 A N7; give both files the same atoms");
}

TEST_CASE("openmm files: a template of the user is for molecules, and not for residues of chains") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("A", {ChainEnd::five_hydroxyl, {}}).bound("PSU").bound("U", {{}, ChainEnd::three_hydroxyl});
  const std::vector<EngineLigand> psu = {{"psu.xml",
                                          LigandKind::openmm_force_field,
                                          with(force_field, "name=\"LIG\"", "name=\"PSU\""),
                                          {"PSU"}}};
  CHECK(error_of([&] { check_engine_atoms(Engine::openmm, std::nullopt, made.atoms(), psu); })
            .starts_with(
                "psu.xml: PSU 2 A is a residue of a chain, but --ligand is for molecules of one residue "));
}

TEST_CASE("amber and charmm folders: files of ligands for other programs stay out") {
  const std::vector<Atom> atoms = MadeStructure().add("NA").atoms();
  EngineSystem system{.atoms = atoms, .ligands = files()};
  for (const Engine engine : {Engine::amber, Engine::charmm})
    for (const EngineFile& file : engine_files(engine, system)) CHECK_FALSE(file.name.starts_with("ligand"));
}
