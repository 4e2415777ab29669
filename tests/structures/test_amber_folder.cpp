// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "core/text/lines.hpp"
#include "structures/engines/engine_files.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const auto with_hydrogens = MadeStructure::Hydrogens::yes;

std::string file_of(const std::vector<EngineFile>& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const EngineFile& f) { return f.name == name; });
  return found == files.end() ? std::string() : found->text;
}

struct AmberFolder {
  std::string solute, leap;
  std::vector<EngineFile> files;

  bool leap_has(std::string_view lines) const { return leap.find(lines) != std::string::npos; }
};

AmberFolder amber_folder(const std::vector<Atom>& atoms, std::vector<std::string> records = {}) {
  AmberFolder folder;
  folder.files = engine_files(Engine::amber, {.atoms = atoms, .header_records = std::move(records)});
  folder.solute = file_of(folder.files, "solute.pdb");
  folder.leap = file_of(folder.files, "leap.in");
  return folder;
}

/// "ALA1 GLY2|MG3|": names and numbers of residues, with a bar for each TER.
std::string residues_of(const std::string& pdb) {
  std::string text, last;
  LineScanner lines(pdb);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with("TER")) {
      text += '|';
      last.clear();
    }
    if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) continue;
    const std::string residue = std::string(trim(line.substr(17, 3))) + std::string(trim(line.substr(22, 4)));
    if (residue != last) text += (text.empty() || text.back() == '|' ? "" : " ") + residue;
    last = residue;
  }
  return text;
}

/// Names of the atoms of a residue.
std::string atoms_of(const std::string& pdb, int number) {
  std::string text;
  LineScanner lines(pdb);
  for (std::string_view line; lines.next(line);)
    if ((line.starts_with("ATOM") || line.starts_with("HETATM")) &&
        trim(line.substr(22, 4)) == std::to_string(number))
      text.append(text.empty() ? "" : " ").append(trim(line.substr(12, 4)));
  return text;
}

constexpr ChainEnds n_end{.first = ChainEnd::n_terminal}, c_end{.last = ChainEnd::c_terminal},
    five{.first = ChainEnd::five_hydroxyl}, three{.last = ChainEnd::three_hydroxyl},
    phosphate{.first = ChainEnd::five_phosphate};

}  // namespace

TEST_CASE("AMBER: proteins have the names that LEaP's map makes ends of, disulfides and their bonds") {
  MadeStructure made(with_hydrogens);
  made.chain("A", 20).add("MET", n_end).bound("CYX").bound("HID").bound("GLY", c_end);
  made.chain("B", 7).add("ACE").bound("CYX").bound("ASH").bound("NME");
  made.join(1, "SG", 5, "SG", 2.05);
  const AmberFolder folder = amber_folder(made.atoms());
  CHECK(residues_of(folder.solute) == "MET1 CYX2 HID3 GLY4|ACE5 CYX6 ASH7 NME8|");
  CHECK(atoms_of(folder.solute, 1).find("H1") != std::string::npos);
  CHECK(folder.leap_has("source leaprc.protein.ff19SB\nsource leaprc.water.tip3p\n"));
  CHECK(folder.leap_has(
      "clearPdbResMap\naddPdbResMap {\n  { 0 \"MET\" \"NMET\" }\n  { 1 \"GLY\" \"CGLY\" }\n}\n"));
  CHECK(folder.leap_has(
      "mol = loadPdb solute.pdb\nbond mol.2.SG mol.6.SG  # CYS 21 A SG to CYS 8 B SG\ncheck mol\n"));
}

TEST_CASE("AMBER: nucleic acids have the names of their ends, under which LEaP has them") {
  MadeStructure made(with_hydrogens);
  made.add("A", five).bound("C").bound("U", three);
  made.chain("B").add("DG", five).bound("DT", three);
  made.chain("C").add("G", {ChainEnd::five_hydroxyl, ChainEnd::three_hydroxyl});
  const AmberFolder folder = amber_folder(made.atoms());
  CHECK(residues_of(folder.solute) == "A51 C2 U33|DG54 DT35|GN6|");
  CHECK(atoms_of(folder.solute, 3).find("HO2' ") != std::string::npos);
  CHECK(atoms_of(folder.solute, 3).find("HO3'") != std::string::npos);
  CHECK(folder.leap_has("source leaprc.RNA.OL3\nsource leaprc.DNA.OL15\nsource leaprc.water.tip3p\nclear"));
  CHECK(!folder.leap_has("protein"));
  CHECK(!folder.leap_has("modrna08"));
  CHECK(!folder.leap_has("addPdbResMap"));
}

TEST_CASE("AMBER: modified residues have AMBER's names, and bring their parameters") {
  MadeStructure rna(with_hydrogens);
  rna.add("G", five).bound("H2U").bound("OMC").bound("G", three);
  const AmberFolder of_rna = amber_folder(rna.atoms());
  CHECK(residues_of(of_rna.solute) == "G51 DHU2 MRC3 G34|");
  CHECK(atoms_of(of_rna.solute, 2).find("O1P") != std::string::npos);
  CHECK(of_rna.leap_has("source leaprc.RNA.OL3\nsource leaprc.modrna08\n"));
  CHECK(file_of(of_rna.files, "7mg.frcmod").empty());

  MadeStructure guanosine(with_hydrogens);
  guanosine.add("G", five).bound("7MG").bound("G", three);
  const AmberFolder of_guanosine = amber_folder(guanosine.atoms());
  CHECK(of_guanosine.leap_has("loadAmberParams 7mg.frcmod\n"));
  CHECK(file_of(of_guanosine.files, "7mg.frcmod").find("\nDIHE\nCB-N*-CR-H5 ") != std::string::npos);

  MadeStructure protein(with_hydrogens);
  protein.add("ALA", n_end).bound("SEP").bound("PTR").bound("ALA", c_end);
  const AmberFolder of_protein = amber_folder(protein.atoms());
  CHECK(of_protein.leap_has("source leaprc.protein.ff19SB\nsource leaprc.phosaa19SB\n"));
  CHECK(residues_of(of_protein.solute) == "ALA1 SEP2 PTR3 ALA4|");
}

TEST_CASE("AMBER: a 5' phosphate gets a unit of its own, beside those with a hydroxyl") {
  MadeStructure made(with_hydrogens);
  made.add("A", phosphate).bound("C", three);
  made.chain("B").add("A", five).bound("C", three);
  made.chain("C").add("DG", phosphate).bound("DT", three);
  const AmberFolder folder = amber_folder(made.atoms());
  CHECK(residues_of(folder.solute) == "AP51 C32|A53 C34|DGP5 DT36|");
  CHECK(folder.leap_has(
      "loadOff terminal_monophosphate.lib\nAP5 = copy A5\nDGP = copy DG5\nloadOff RNA.lib\nloadOff "
      "DNA.OL15.lib\n"));
}

TEST_CASE("AMBER: ions, rings, pieces and what lies between them each get what LEaP needs") {
  // A ring whose first residue is named as another chain's end.
  MadeStructure made(with_hydrogens);
  made.add("ALA").bound("GLY").bound("PRO").join(2, "C", 0, "N", 1.33);
  made.chain("B").add("ALA", n_end).bound("CYM").bound("PRO", c_end);
  made.chain("C").add_atoms("ZN", {"ZN"}).add_atoms("MG", {"MG"});
  made.atoms()[made.at(6, "ZN")].element = "ZN";
  made.atoms()[made.at(7, "MG")].element = "MG";
  made.join(4, "SG", 6, "ZN", 2.3);
  const AmberFolder folder = amber_folder(made.atoms());
  CHECK(residues_of(folder.solute) == "X001 GLY2 X013|ALA4 CYM5 PRO6|ZN7|MG8|");
  CHECK(folder.leap_has("X00 = copy ALA\nX01 = copy PRO\nclearPdbResMap\n"));
  CHECK(folder.leap_has("bond mol.1.N mol.3.C  # "));
  CHECK(folder.leap_has("# bond mol.5.SG mol.7.ZN  # "));
  CHECK(!folder.leap_has("\nbond mol.5.SG"));
}

TEST_CASE(
    "AMBER: an amino acid that is alone has its unit's name by a copy, for LEaP's map has it as a last one") {
  MadeStructure made(with_hydrogens);
  made.add("CYS", n_end).chain("B").add("CYS", n_end);
  made.chain("C").add("CYS", n_end).bound("ALA", c_end);
  const AmberFolder folder = amber_folder(made.atoms());
  CHECK(residues_of(folder.solute) == "X001|X002|CYS3 ALA4|");
  CHECK(folder.leap_has("X00 = copy NCYS\nclearPdbResMap\n"));
}

TEST_CASE(
    "AMBER: a nucleotide that is no end, where a chain ends, is refused: its charge would not be whole") {
  MadeStructure made(with_hydrogens);
  made.add("G").bound("C", three);
  CHECK(error_of([&] { amber_folder(made.atoms()); }).find("nothing is bound to G 1 A P; ") !=
        std::string::npos);
}

TEST_CASE("AMBER: residues of a chain stand in its order, whatever that of the file is") {
  MadeStructure made(with_hydrogens);
  made.add("NME").add("ACE").bound("ALA");
  made.join(2, "C", 0, "N", 1.33);
  CHECK(residues_of(amber_folder(made.atoms()).solute) == "ACE1 ALA2 NME3|");
}

TEST_CASE("AMBER: of a file's records those stay that name no residues") {
  MadeStructure made(with_hydrogens);
  made.add("ALA", n_end).bound("GLY", c_end);
  const AmberFolder folder = amber_folder(
      made.atoms(),
      {"TITLE     A PEPTIDE", "SSBOND   1 CYS A   20    CYS A   28", "SEQRES   1 A    2  ALA GLY"});
  CHECK(folder.solute.find("TITLE     A PEPTIDE\n") != std::string::npos);
  CHECK(folder.solute.find("SSBOND") == std::string::npos);
  CHECK(folder.solute.find("SEQRES") == std::string::npos);
}

TEST_CASE("AMBER: a ligand by the user's files keeps its names, and leap.in loads them") {
  MadeStructure made(with_hydrogens);
  made.add("ALA", n_end).bound("GLY", c_end).add_atoms("LIG", {"C1", "O1"}).add_atoms("2QB", {"C1"});
  const std::vector<EngineLigand> ligands = {{"a b.mol2", LigandKind::mol2, "mol2", {"LIG"}},
                                             {"x.frcmod", LigandKind::leap_parameters, "parameters", {}},
                                             {"x.off", LigandKind::leap_library, "library", {"2QB", "2QC"}}};
  const EngineSystem system{.atoms = made.atoms(), .ligands = ligands};
  const std::vector<EngineFile> files = engine_files(Engine::amber, system);
  CHECK(residues_of(file_of(files, "solute.pdb")) == "ALA1 GLY2|LIG3|2QB4|");
  const std::string leap = file_of(files, "leap.in");
  CHECK(leap.find("source leaprc.gaff2\nsource leaprc.water.tip3p\nLIG = loadMol2 ligand1.mol2\n"
                  "loadAmberParams ligand2.frcmod\nloadOff ligand3.lib\n") != std::string::npos);
  CHECK(file_of(files, "ligand1.mol2") == "mol2");
  CHECK(file_of(files, "ligand2.frcmod") == "parameters");
  CHECK(file_of(files, "ligand3.lib") == "library");
  const EngineSystem copies{.atoms = made.atoms(),
                            .ligands = {{"a.mol2", LigandKind::mol2, "mol2", {"LIG", "LIG", "LIG"}},
                                        {"b.mol2", LigandKind::mol2, "mol2", {"2QB"}}}};
  CHECK(file_of(engine_files(Engine::amber, copies), "leap.in")
            .find("LIG = loadMol2 ligand1.mol2\nremove LIG LIG.3\nremove LIG LIG.2\n2QB = loadMol2 "
                  "ligand2.mol2\nclear") != std::string::npos);
  const EngineSystem two{.atoms = made.atoms(),
                         .ligands = {{"a.mol2", LigandKind::mol2, "mol2", {"LIG", "2QB"}}}};
  CHECK(error_of([&] { engine_files(Engine::amber, two); }).starts_with("a.mol2: has residues of 2 names"));
}

TEST_CASE("AMBER: a library of LEaP's gives units, atoms, charges and bonds") {
  const std::string text =
      "!!index array str\n \"LIG\"\n \"ION\"\n"
      "!entry.LIG.unit.atoms table  str name  str type  int typex  int resx  int flags  int seq  int elmnt  "
      "dbl "
      "chg\n \"C1\" \"c3\" 0 1 131072 1 6 0.25\n \"O1\" \"oh\" 0 1 131072 2 8 -0.5\n"
      "!entry.LIG.unit.atomspertinfo table  str pname\n \"C1\" \"c3\" 0 -1 0.0\n"
      "!entry.LIG.unit.connectivity table  int atom1x  int atom2x  int flags\n 1 2 1\n"
      "!entry.ION.unit.atoms table  str name\n \"X\" \"x\" 0 1 131072 1 -1 1.0\n"
      "!entry.ION.unit.boundbox array dbl\n -1.0\n";
  const LeapLibrary library = read_leap_library(text, "x.lib");
  REQUIRE(library.atoms.size() == 3);
  CHECK(library.atoms[0].name == Label("C1"));
  CHECK(library.atoms[0].element == ElementSymbol("C"));
  CHECK(library.atoms[1].charge_e == -0.5);
  CHECK(library.atoms[2].residue == Label("ION"));
  CHECK(library.bonds == std::vector<AtomLink>{{0, 1}});
  std::string wrong = text;
  wrong.replace(wrong.find("\n 1 2 1\n"), 9, "\n 1 3 1\n");
  CHECK(error_of([&] { read_leap_library(wrong, "x.lib"); }) == "x.lib:10: a bond of atom 3, and LIG has 2");
  CHECK(error_of([&] {
          read_leap_library("!!index array str\n", "x.lib");
        }).starts_with("x.lib: is a LEaP library"));
  CHECK(leap_kind("x.off", text) == LigandKind::leap_library);
  CHECK(leap_kind("a/X.FRCMOD", "remark\n") == LigandKind::leap_parameters);
  CHECK(!leap_kind("x.mol2", "@<TRIPOS>MOLECULE\n"));
}

TEST_CASE("AMBER: the names of a topology stay as they are") {
  const std::vector<Atom> atoms = {{.name = "C1", .residue = "LIG", .chain = "A", .residue_number = 7}};
  const EngineSystem system{.atoms = atoms,
                            .topology = TopologyFile{.path = "x.prmtop", .format = FileFormat::prmtop}};
  const std::vector<EngineFile> files = engine_files(Engine::amber, system);
  CHECK(residues_of(file_of(files, "solute.pdb")) == "LIG7|");
  CHECK(file_of(files, "leap.in").find("clearPdbResMap") == std::string::npos);
  CHECK(error_of([&] { engine_files(Engine::amber, {.atoms = atoms}); }).find("LIG 7 A") !=
        std::string::npos);
}
