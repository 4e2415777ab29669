// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <memory>

#include "chemistry/made_structure.hpp"
#include "input/entry_charges.hpp"
#include "input/ligands_for_engines.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// With `find` replaced by `text`, everywhere.
std::string with(std::string all, const std::string& find, const std::string& text) {
  REQUIRE(all.find(find) != std::string::npos);
  for (std::size_t at = 0; (at = all.find(find, at)) != std::string::npos; at += text.size())
    all.replace(at, find.size(), text);
  return all;
}

// The same molecule in each: HO is bound to O1, and comes before it; H1 to C1. The topologies of AMBER and
// CHARMM hold it twice, and water.
const std::string mol2 =
    "@<TRIPOS>MOLECULE\nLIG\n4 3 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
    "1 HO 1.8 0.9 0.0 H 1 LIG1 0.45\n2 C1 0.0 0.0 0.0 C.3 1 LIG1 0.1\n"
    "3 O1 1.4 0.0 0.0 O.3 1 LIG1 -0.6\n4 H1 -0.5 0.9 0.0 H 1 LIG1 0.05\n";

const std::string pointers =
    "      11       2       7       2       0       0       0       0       0       0\n"
    "       0       3       2       0       0       0       0       0       0       0\n"
    "       0       0       0       0       0       0       0       0       0       0\n       0\n";
const std::string prmtop =
    "%VERSION  VERSION_STAMP = V0001.000  DATE = 11/26/26  12:00:00\n"
    "%FLAG TITLE\n%FORMAT(20a4)\nmade\n%FLAG POINTERS\n%FORMAT(10I8)\n" +
    pointers +
    "%FLAG ATOM_NAME\n%FORMAT(20a4)\nHO  C1  O1  H1  HO  C1  O1  H1  O   H1  H2  \n"
    "%FLAG CHARGE\n%FORMAT(5E16.8)\n"
    "  8.20003500E+00  1.82223000E+00 -1.09333800E+01  9.11115000E-01  8.20003500E+00\n"
    "  1.82223000E+00 -1.09333800E+01  9.11115000E-01 -1.51973982E+01  7.59869910E+00\n"
    "  7.59869910E+00\n"
    "%FLAG ATOMIC_NUMBER\n%FORMAT(10I8)\n"
    "       1       6       8       1       1       6       8       1       8       1\n       1\n"
    "%FLAG RESIDUE_LABEL\n%FORMAT(20a4)\nLIG LIG WAT \n"
    "%FLAG RESIDUE_POINTER\n%FORMAT(10I8)\n       1       5       9\n"
    "%FLAG BONDS_INC_HYDROGEN\n%FORMAT(10I8)\n"
    "       6       0       1       3       9       1      18      12       1      15\n"
    "      21       1      24      27       1      24      30       1      27      30\n       1\n"
    "%FLAG BONDS_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n"
    "       3       6       1      15      18       1\n";

const std::string psf =
    "PSF\n\n       1 !NTITLE\n* made\n\n      11 !NATOM\n"
    "       1 W    1    TIP3 OH2  OT    -0.834000       15.9994           0\n"
    "       2 W    1    TIP3 H1   HT     0.417000        1.0080           0\n"
    "       3 W    1    TIP3 H2   HT     0.417000        1.0080           0\n"
    "       4 L    1    LIG  HO   HGP1   0.450000        1.0080           0\n"
    "       5 L    1    LIG  C1   CG3    0.100000       12.0110           0\n"
    "       6 L    1    LIG  O1   OG3   -0.600000       15.9994           0\n"
    "       7 L    1    LIG  H1   HGA3   0.050000        1.0080           0\n"
    "       8 L    2    LIG  HO   HGP1   0.450000        1.0080           0\n"
    "       9 L    2    LIG  C1   CG3    0.100000       12.0110           0\n"
    "      10 L    2    LIG  O1   OG3   -0.600000       15.9994           0\n"
    "      11 L    2    LIG  H1   HGA3   0.050000        1.0080           0\n"
    "\n       8 !NBOND: bonds\n"
    "       1       2       1       3       5       6       6       4\n"
    "       5       7       9      10      10       8       9      11\n\n";

const std::string itp =
    "; made\n[ moleculetype ]\nLigand 3\n\n[ atoms ]\n"
    "1 ho 1 LIG HO 1  0.45 1.008\n2 c3 1 LIG C1 1  0.10 12.01\n"
    "3 oh 1 LIG O1 1 -0.60 16.00\n4 h1 1 LIG H1 1  0.05 1.008\n\n"
    "[ bonds ]\n1 3 1\n2 3 1\n2 4 1\n";

/// Also a kind of molecule that [ molecules ] does not name, which has a residue of that name, too.
const std::string top = "[ defaults ]\n1 2 yes 0.5 0.8333\n" + itp +
                        "\n[ moleculetype ]\nOther 3\n[ atoms ]\n1 c3 1 LIG C7 1 0.0 12.01\n"
                        "\n[ system ]\nmade\n\n[ molecules ]\nLigand 2\n";

struct Format {
  std::string name, text;
};
const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {"lig.mol2", mol2}, {"lig.prmtop", prmtop}, {"lig.psf", psf}, {"lig.itp", itp}, {"lig.top", top}};
  return all;
}

std::vector<Atom> ligand(const std::vector<std::string>& atoms) {
  MadeStructure made;
  made.add_atoms("LIG", atoms);
  return made.atoms();
}

LigandCharges charges_of(const std::vector<Format>& files, const std::vector<Atom>& entry,
                         const std::vector<LigandsOf>& engines = {}) {
  std::vector<std::unique_ptr<TemporaryFile>> kept;
  std::vector<std::string> paths;
  for (const Format& file : files) {
    kept.push_back(std::make_unique<TemporaryFile>(file.name, file.text));
    paths.push_back(kept.back()->path());
  }
  return {paths, entry, engines};
}

/// Without the folder of the file.
std::string error_with(const std::vector<Format>& files, const std::vector<Atom>& entry) {
  const std::string text = error_of([&] { charges_of(files, entry).charged(entry); });
  const std::size_t name = text.find("/lig.");
  return name == std::string::npos ? text : text.substr(name + 1);
}

}  // namespace

TEST_CASE("ligand: each format gives the same charges and radii, by the names of atoms") {
  const std::vector<Atom> entry = ligand({"C1", "H1", "O1", "HO"});
  const std::vector<Atom> expected = charges_of({formats()[0]}, entry).charged(entry);
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    const LigandCharges charges = charges_of({format}, entry);
    CHECK(charges.warnings().empty());
    CHECK(charges.has("LIG"));
    CHECK_FALSE(charges.has("WAT"));
    CHECK_FALSE(charges.has("TIP3"));
    const std::vector<Atom> atoms = charges.charged(entry);
    REQUIRE(atoms.size() == 4);
    const double charges_e[] = {0.1, 0.05, -0.6, 0.45};
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      CHECK(atoms[n].name == entry[n].name);
      CHECK(atoms[n].charge_e == doctest::Approx(charges_e[n]).epsilon(1e-6));
      CHECK(atoms[n].radius_A == expected[n].radius_A);
      CHECK(atoms[n].radius_A > 0.0);
    }
  }
}

TEST_CASE("ligand: charges of hydrogens that the entry lacks go to the atoms that they are bound to") {
  const std::vector<Atom> entry = ligand({"O1", "C1"});
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    const std::vector<Atom> atoms = charges_of({format}, entry).charged(entry);
    REQUIRE(atoms.size() == 2);
    CHECK(atoms[0].charge_e == doctest::Approx(-0.15).epsilon(1e-6));
    CHECK(atoms[1].charge_e == doctest::Approx(0.15).epsilon(1e-6));
  }
}

TEST_CASE("ligand: atoms that differ are named, those of the entry and those of the file") {
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    CHECK(error_with({format}, ligand({"C1", "O7", "O8"})) ==
          format.name +
              ": has no atom for LIG 1 A O7, O8 (and has HO, O1, which that lacks); give a file of that "
              "residue, with the atom names of the entry");
    CHECK(error_with({format}, ligand({"O1"})) ==
          format.name +
              ": has the atoms C1, H1, which LIG 1 A lacks; build them in the structure, or give a "
              "file of the same molecule");
  }
}

TEST_CASE("ligand: a library of LEaP's gives charges, and its parameters none") {
  const std::string library =
      "!!index array str\n \"LIG\"\n!entry.LIG.unit.atoms table  str name\n"
      " \"HO\" \"ho\" 0 1 131072 1 1 0.45\n \"C1\" \"c3\" 0 1 131072 2 6 0.1\n"
      " \"O1\" \"oh\" 0 1 131072 3 8 -0.6\n \"H1\" \"h1\" 0 1 131072 4 1 0.05\n"
      "!entry.LIG.unit.connectivity table  int atom1x\n 1 3 1\n 2 3 1\n 2 4 1\n";
  const std::vector<Atom> entry = ligand({"O1", "C1"});
  const std::vector<Atom> atoms =
      charges_of({{"lig.lib", library}, {"lig.frcmod", "parameters\n"}}, entry).charged(entry);
  CHECK(atoms[0].charge_e == doctest::Approx(-0.15));
  CHECK(atoms[1].charge_e == doctest::Approx(0.15));
}

TEST_CASE("ligand: for GROMACS and OpenMM hydrogens are built, and atoms are in the order of the file") {
  std::vector<Atom> entry = ligand({"O1", "C1"});
  entry[0].position_A = {1.4, 0.0, 0.0};
  entry[1].position_A = {0.0, 0.0, 0.0};
  const std::string xml =
      "<ForceField><AtomTypes><Type name='h' element='H'/><Type name='c' element='C'/><Type name='o' "
      "element='O'/></AtomTypes><Residues><Residue name='LIG'><Atom name='HO' type='h' charge='0.45'/>"
      "<Atom name='C1' type='c' charge='0.1'/><Atom name='O1' type='o' charge='-0.6'/>"
      "<Atom name='H1' type='h' charge='0.05'/><Bond from='0' to='2'/><Bond from='1' to='2'/>"
      "<Bond from='1' to='3'/></Residue></Residues></ForceField>";
  std::string uncharged = xml;
  for (std::size_t at; (at = uncharged.find(" charge=")) != uncharged.npos;)
    uncharged.erase(at, uncharged.find("/>", at) - at);
  const std::vector<std::vector<Format>> files = {
      {{"lig.itp", itp}}, {{"lig.xml", xml}}, {{"lig.xml", uncharged}, {"lig.mol2", mol2}}};
  for (const std::vector<Format>& given : files) {
    CAPTURE(given.front().text);
    const std::vector<LigandsOf> engines = {LigandsOf::gromacs, LigandsOf::openmm};
    const std::vector<Atom> atoms = charges_of(given, entry, engines).charged(entry);
    REQUIRE(atoms.size() == 4);
    const char* const names[] = {"HO", "C1", "O1", "H1"};
    const double charges_e[] = {0.45, 0.1, -0.6, 0.05};
    for (std::size_t n = 0; n < 4; ++n) {
      CHECK(atoms[n].name == Label(names[n]));
      CHECK(atoms[n].charge_e == doctest::Approx(charges_e[n]));
      CHECK(atoms[n].residue_number == 1);
    }
    CHECK(distance_squared(atoms[0].position_A, entry[0].position_A) == doctest::Approx(0.96 * 0.96));
    CHECK(distance_squared(atoms[3].position_A, entry[1].position_A) == doctest::Approx(1.09 * 1.09));
    CHECK(atoms[0].position_A.x > 1.5);
    CHECK(atoms[3].position_A.x < -0.2);
  }
  CHECK(error_with({{"lig.xml", uncharged}}, entry) ==
        "lig.xml: has no charges for LIG; give them as attributes 'charge' of its atoms, or with another "
        "--ligand (mol2)");
}

TEST_CASE("ligand: of two residues in one file for OpenMM, one may have its charges in another file") {
  const std::string xml =
      "<ForceField><AtomTypes><Type name='c' element='C'/></AtomTypes><Residues><Residue name='LIG'>"
      "<Atom name='C1' type='c'/></Residue><Residue name='OWN'><Atom name='C1' type='c' charge='-0.25'/>"
      "</Residue></Residues></ForceField>";
  const std::string charged =
      "@<TRIPOS>MOLECULE\nx\n1 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n1 C1 0 0 0 C.3 1 LIG 0.75\n";
  std::vector<Atom> entry = ligand({"C1", "C1"});
  entry[1].residue = "OWN";
  entry[1].residue_number = 2;
  const LigandCharges charges =
      charges_of({{"lig.xml", xml}, {"charges.mol2", charged}}, entry, {LigandsOf::openmm});
  CHECK(charges.charged(std::span(entry).first(1))[0].charge_e == doctest::Approx(0.75));
  CHECK(charges.charged(std::span(entry).last(1))[0].charge_e == doctest::Approx(-0.25));
  CHECK(error_with({{"lig.xml", xml}}, entry).starts_with("lig.xml: has no charges for LIG; "));
}

TEST_CASE("ligand: a file without a residue of the entry is refused") {
  MadeStructure other;
  other.add_atoms("QQQ", {"C1", "O1"});
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    CHECK(error_with({format}, other.atoms()) ==
          format.name +
              ": has charges of LIG, but the structure has no residue of that name; give the residue in this "
              "file the name that it has in the structure");
  }
  const std::string ions =
      "[ moleculetype ]\nM 1\n[ atoms ]\n1 MG 1 MG MG 1 2.0 24.305\n"
      "[ moleculetype ]\nW 1\n[ atoms ]\n1 OW 1 SOL OW 1 -0.8 16.0\n";
  const Format common[] = {{"lig.prmtop", with(prmtop, "LIG LIG WAT ", "ALA ALA WAT ")}, {"lig.itp", ions}};
  for (const Format& format : common)
    CHECK(error_with({format}, ligand({"C1"})) ==
          format.name +
              ": contains only amino acids, nucleotides, water and ions, whose charges PDB2PQR knows; give a "
              "file of the ligand");
}

TEST_CASE("ligand: a residue has the charges of one file, and its copies there agree") {
  const std::vector<Atom> entry = ligand({"C1", "O1"});
  const std::string twice = error_with({{"lig.psf", psf}, {"lig.itp", itp}}, entry);
  CHECK(twice.starts_with("lig.itp: residue 'LIG' has charges already, from "));
  CHECK(twice.ends_with("lig.psf; give it once"));
  CHECK(
      error_with({{"lig.psf", with(psf, "2    LIG  C1   CG3    0.10", "2    LIG  C1   CG3    0.11")}}, entry)
          .starts_with("lig.psf: has residues LIG 1 and LIG 2, whose atoms or charges differ; "));
  CHECK(error_with({{"lig.prmtop", with(prmtop, "H1  HO  C1  O1  H1  O ", "H1  HO  C2  O1  H1  O ")}}, entry)
            .starts_with("lig.prmtop: has residues LIG 1 and LIG 2, whose atoms or charges differ; "));
  CHECK(error_with({{"lig.top", with(top, "Ligand 2\n", "Ligand 2\nOther 1\n")}}, entry)
            .find(", whose atoms or charges differ; ") != std::string::npos);
}

TEST_CASE("ligand: files that are damaged or of another format are named") {
  const std::vector<Atom> entry = ligand({"C1", "O1"});
  const auto broken = [&](const std::string& name, const std::string& text) {
    return error_with({{name, text}}, entry);
  };
  const std::string bond = broken(
      "lig.prmtop", with(prmtop, "       3       9       1      18", "       3      99       1      18"));
  CHECK(bond.starts_with("lig.prmtop:"));
  CHECK(bond.find("a bond has an atom that does not exist; write the topology again") != std::string::npos);
  CHECK(broken("lig.prmtop", with(prmtop, "BONDS_INC_HYDROGEN", "BONDS_INC_HYDRAGEN"))
            .find("BONDS_INC_HYDROGEN") != std::string::npos);
  CHECK(broken("lig.psf", with(psf, "      11 !NATOM", "      12 !NATOM")).starts_with("lig.psf:"));
  CHECK(broken("lig.psf", with(psf, "       5       7       9", "       5      70       9")) ==
        "lig.psf: has the atoms HO, H1, which LIG 1 A lacks; build them in the structure, or give a file of "
        "the same molecule");
  CHECK(broken("lig.itp", with(itp, "3 oh 1 LIG", "5 oh 1 LIG"))
            .starts_with("lig.itp:8: atom number '5' should be 3"));
  CHECK(broken("lig.itp", itp.substr(0, itp.find("1 ho"))) ==
        "lig.itp: has no [ moleculetype ] with [ atoms ]; give the file that has them");
  CHECK(broken("lig.top", with(top, "Ligand 2", "Legand 2")).find("there is no [ moleculetype ] 'Legand'") !=
        std::string::npos);
  CHECK(
      broken("lig.pdb", "ATOM      1  C1  LIG A   1       0.000   0.000   0.000  1.00  0.00           C\n") ==
      "lig.pdb: is a PDB file, but --ligand reads mol2 files, topologies (prmtop, PSF, GROMACS .itp and "
      ".top) and, with --for amber, LEaP .lib, .off and .frcmod files, with --for charmm .rtf, .str and "
      ".prm, with --for openmm .xml; convert it, for example with Open Babel");
}

TEST_CASE("ligand: a mol2 file may have several copies of a residue, which give the same charges") {
  std::string copies = with(mol2, "\n4 3 1 0 0\n", "\n8 6 2 0 0\n");
  copies +=
      "5 HO 1.8 0.9 9.0 H 2 LIG2 0.45\n6 C1 0.0 0.0 9.0 C.3 2 LIG2 0.1\n"
      "7 O1 1.4 0.0 9.0 O.3 2 LIG2 -0.6\n8 H1 -0.5 0.9 9.0 H 2 LIG2 0.05\n";
  MadeStructure made;
  made.add_atoms("LIG", {"O1", "C1"}).add_atoms("LIG", {"C1", "O1", "HO"});
  const LigandCharges charges = charges_of({{"lig.mol2", copies}}, made.atoms());
  const std::span<const Atom> entry = made.atoms();
  CHECK(charges.charged(entry.first(2))[0].charge_e == doctest::Approx(-0.15));
  const std::vector<Atom> second = charges.charged(entry.subspan(2));
  CHECK(second[0].charge_e == doctest::Approx(0.15));
  CHECK(second[1].charge_e == doctest::Approx(-0.6));
  CHECK(second[2].charge_e == doctest::Approx(0.45));
  CHECK(error_with({{"lig.mol2", with(copies, "LIG2 0.1\n", "LIG2 0.2\n")}}, made.atoms())
            .starts_with("lig.mol2: has residues LIG1 1 and LIG2 2, whose atoms or charges differ; "));
  const TemporaryFile file("lig.mol2", copies);
  const std::vector<EngineLigand> ligands = ligands_for_engines({file.path()}, {LigandsOf::leap});
  REQUIRE(ligands.size() == 1);
  CHECK(ligands[0].residues == std::vector<std::string>{"LIG", "LIG"});
}

TEST_CASE("ligand: a file for an engine has the atoms of the residue, whose hydrogens may be missing") {
  const std::string library =
      "!!index array str\n \"LIG\"\n \"MG\"\n!entry.LIG.unit.atoms table  str name\n"
      " \"HO\" \"ho\" 0 1 131072 1 1 0.45\n \"C1\" \"c3\" 0 1 131072 2 6 0.1\n"
      " \"O1\" \"oh\" 0 1 131072 3 8 -0.6\n \"H1\" \"h1\" 0 1 131072 4 1 0.05\n"
      "!entry.LIG.unit.connectivity table  int atom1x\n 1 3 1\n 2 3 1\n 2 4 1\n";
  const std::string topology =
      "RESI LIG 0.0\nATOM HO HGP1 0.45\nATOM C1 CG321 0.1\nATOM O1 OG311 -0.6\nATOM H1 HGA2 0.05\nEND\n";
  const Format files[] = {{"lig.lib", library}, {"lig.rtf", topology}, {"lig.mol2", mol2}};
  for (const Format& file : files) {
    CAPTURE(file.name);
    const TemporaryFile kept(file.name, file.text);
    const std::vector<EngineLigand> ligands =
        ligands_for_engines({kept.path()}, {LigandsOf::leap, LigandsOf::charmm});
    const auto error_for = [&](const std::vector<std::string>& atoms) {
      MadeStructure made;
      made.add_atoms("LIG", {"C1", "O1"}).add("ALA").add_atoms("LIG", atoms);
      const std::string text = error_of([&] { check_ligand_residues(ligands, made.atoms()); });
      const std::size_t name = text.find("/lig.");
      return name == std::string::npos ? text : text.substr(name + 1);
    };
    CHECK(error_for({"C1", "O1", "H1"}) == "no error");
    CHECK(error_for({"C1", "O1", "H1", "H2"}) == file.name +
                                                     ": has no atom for LIG 3 A H2; give a file of that "
                                                     "residue, with the atom names of the structure");
    CHECK(error_for({"C1", "O7"}) == file.name +
                                         ": has no atom for LIG 3 A O7 (and has O1, which that lacks); give "
                                         "a file of that residue, with the atom names of the structure");
    CHECK(error_for({"C1"}) == file.name +
                                   ": has O1, which LIG 3 A lacks; build the missing atoms in the structure, "
                                   "or give a file of the same molecule");
  }
}

TEST_CASE("ligand: charges that do not add up to an integer are a warning of the entry") {
  const std::vector<Atom> entry = ligand({"C1", "O1"});
  Structure structure;
  structure.path = "x.pdb";
  structure.atoms = entry;
  const std::string changed[] = {with(mol2, "LIG1 0.1\n", "LIG1 0.4\n"),
                                 with(prmtop, "1.82223000E+00", "7.28892000E+00"),
                                 with(psf, " 0.100000", " 0.400000"), with(itp, "0.10 12.01", "0.40 12.01"),
                                 with(top, "0.10 12.01", "0.40 12.01")};
  for (std::size_t n = 0; n < formats().size(); ++n) {
    CAPTURE(formats()[n].name);
    const EntryOptions options{.ligands = charges_of({{formats()[n].name, changed[n]}}, entry)};
    const ChargedEntry charged = charge_entry(
        structure, {}, options, [](const Structure&) -> ChargedStructure { fail("nothing is to be asked"); });
    REQUIRE(charged.structure.warnings.size() == 1);
    CHECK(charged.structure.warnings[0].find(formats()[n].name +
                                             ": the charges of LIG add up to 0.300 e, not an integer; does "
                                             "the file have the whole residue?") != std::string::npos);
    CHECK(net_charge_e(charged.structure.atoms) == doctest::Approx(0.3).epsilon(1e-6));
  }
}
