// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "core/text/lines.hpp"
#include "structures/formats/pdb_sites.hpp"
#include "structures/solute_elements.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::vector<std::string> lines_of(const PlacedSystem& contents) {
  const std::string text = pdb_text(contents);
  std::vector<std::string> lines;
  LineScanner scanner(text);
  for (std::string_view line; scanner.next(line);) lines.emplace_back(line);
  return lines;
}

std::string ion_line(const NamedIon& ion) {
  return lines_of({.ions = {ion}}).at(0);
}

Atom atom(const char* name, const char* residue, int number = 1, const char* chain = "A") {
  return {.name = name, .residue = residue, .chain = chain, .residue_number = number};
}

NamedIon magnesium(double x_A = 0.0) {
  return {.residue = "MG", .atom = "MG", .element = "MG", .charge_e = 2.0, .position_A = {x_A, 0.0, 0.0}};
}

}  // namespace

TEST_CASE("PDB: an ion fills the columns that the format gives it") {
  //                                          1         2         3         4         5         6         7 8
  //                                 12345678901234567890123456789012345678901234567890123456789012345678901234567890
  CHECK(ion_line({"MG", "MG", "MG", 2.0, {-11.5, 1234.5678, -999.999}}) ==
        "HETATM    1 MG    MG I   1     -11.5001234.568-999.999  1.00  0.00      ION MG2+");
  CHECK(ion_line({"Na+", "Na+", "NA", 1.0, {}}) ==
        "HETATM    1 Na+  Na+ I   1       0.000   0.000   0.000  1.00  0.00      ION NA1+");
  CHECK(ion_line({"K", "K", "K", 1.0, {}}) ==
        "HETATM    1  K     K I   1       0.000   0.000   0.000  1.00  0.00      ION  K1+");
  CHECK(ion_line({"IOD", "I", "I", -1.0, {}}) ==
        "HETATM    1  I   IOD I   1       0.000   0.000   0.000  1.00  0.00      ION  I1-");
  CHECK(ion_line({"SR2P", "SR2P", "SR", 2.0, {}}) ==
        "HETATM    1 SR2P SR2PI   1       0.000   0.000   0.000  1.00  0.00      ION SR2+");
  CHECK(ion_line({"XYZ", "XYZ", "", 0.75, {}}) ==
        "HETATM    1  XYZ XYZ I   1       0.000   0.000   0.000  1.00  0.00      ION     ");
  CHECK(ion_line({"XYZ", "XYZ", "", -12.0, {}}).substr(76) == "    ");
}

TEST_CASE("PDB: every ion is a residue of its own, numbered on over all kinds, with TER between") {
  const std::vector<std::string> lines =
      lines_of({.remarks = {"one", "two"}, .ions = {magnesium(), {"NA", "NA", "NA", 1.0, {}}, magnesium()}});
  REQUIRE(lines.size() == 2 + 6 + 1);
  CHECK(lines[0] == "REMARK   6 one");
  CHECK(lines[1] == "REMARK   6 two");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(lines[2 + 2 * i].substr(0, 11) == "HETATM    " + std::to_string(i + 1));
    CHECK(lines[2 + 2 * i].substr(21, 5) == "I   " + std::to_string(i + 1));
    CHECK(lines[3 + 2 * i] == "TER");
  }
  CHECK(lines.back() == "END");
}

TEST_CASE("PDB: remarks are broken between words and keep to the columns") {
  const std::string path = "/a" + std::string(150, 'x');
  const std::vector<std::string> lines = lines_of({.remarks = {"around " + path + " a\x01 \xc3\xa9", ""}});
  std::string joined;
  for (const std::string& line : lines) {
    CHECK(line.size() <= 80);
    if (line != "END") joined += line.substr(11);
  }
  CHECK(joined == "around" + path + " a? ??");
}

TEST_CASE("PDB: more ions than residue numbers go on in the next chain and segment") {
  const std::vector<std::string> lines = lines_of({.ions = std::vector<NamedIon>(90'000, magnesium())});
  std::set<std::string> residues;
  for (std::size_t i = 0; i < 90'000; ++i) {
    const std::string& line = lines[2 * i];
    CHECK_MESSAGE(line.size() == 80, line);
    residues.insert(line.substr(21, 5) + line.substr(72, 4));
  }
  CHECK(residues.size() == 90'000);
  CHECK(lines[2 * 9'998].substr(21, 5) == "I9999");
  CHECK(lines[2 * 9'999].substr(21, 5) == "A   1");
  CHECK(lines[2 * 9'999].substr(72, 4) == "ION2");
  CHECK(lines[2 * 89'999].substr(72, 4) == "IO10");
}

TEST_CASE("PDB: ions take a chain that the solute does not have, written or not") {
  const std::vector<Atom> solute = {atom("CA", "ALA", 1, "I"), atom("CA", "ALA", 2, "A")};
  CHECK(lines_of({.around = solute, .ions = {magnesium()}}).at(0)[21] == 'B');
  CHECK(lines_of({.solute = solute, .ions = {magnesium()}}).at(4)[21] == 'B');
  std::vector<Atom> all;
  for (char c = '0'; c <= 'z'; ++c)
    if (is_digit(c) || is_letter(c)) all.push_back(atom("CA", "ALA", 1, std::string(1, c).c_str()));
  CHECK(lines_of({.around = all, .ions = {magnesium()}}).at(0)[21] == 'I');
}

TEST_CASE("PDB: the solute keeps its chains and numbers, as far as the columns go") {
  std::vector<Atom> solute = {atom("N", "MET", -5), atom("CA", "MET", 9999), atom("O5'", "DC", 10'003, "B"),
                              atom("C1", "LIG", 1, "PROA")};
  solute[1].insertion_code = 'B';
  const std::vector<std::string> lines = lines_of({.solute = solute, .ions = {magnesium()}});
  CHECK(lines.at(0) == "ATOM      1  N   MET A  -5       0.000   0.000   0.000  1.00  0.00           N  ");
  CHECK(lines.at(1) == "ATOM      2  CA  MET A9999B      0.000   0.000   0.000  1.00  0.00           C  ");
  CHECK(lines.at(2) == "TER");
  CHECK(lines.at(3) == "ATOM      3  O5'  DC B   3       0.000   0.000   0.000  1.00  0.00           O  ");
  CHECK(lines.at(5) == "HETATM    4  C1  LIG     1       0.000   0.000   0.000  1.00  0.00      PROA C  ");
  CHECK(lines.at(7).substr(0, 11) == "HETATM    5");
}

TEST_CASE("PDB: serials begin again at 0 past 99,999, and residues that wrap do not end a chain") {
  std::vector<Atom> solute(100'002, atom("OW", "SOL", 9999));
  solute.back().residue_number = 0;
  const std::vector<std::string> lines = lines_of({.solute = solute, .ions = {magnesium()}});
  CHECK(lines.at(99'998).substr(0, 11) == "HETATM99999");
  CHECK(lines.at(99'999).substr(0, 11) == "HETATM    0");
  CHECK(lines.at(100'001).substr(0, 26) == "HETATM    2  OW  SOL A   0");
  CHECK(lines.at(100'002) == "TER");
  CHECK(lines.at(100'003).substr(0, 11) == "HETATM    3");
}

TEST_CASE("PDB: a TER of the solute stays, whatever the chains and numbers around it") {
  std::vector<Atom> solute = {atom("C", "LYS", 98, ""), atom("O5'", "RG", 101, ""),
                              atom("C5'", "RG", 101, "")};
  const auto at_line_2 = [&] {
    return lines_of({.solute = solute, .ions = {magnesium()}}).at(1).substr(0, 4);
  };
  CHECK(at_line_2() == "ATOM");
  solute[0].ends_chain = true;
  CHECK(at_line_2() == "TER");
}

TEST_CASE("PDB: nucleotides are written under the names that the PDB has for them") {
  struct Case {
    const char *residue, *atom, *expected;  // columns 13 to 20
  };
  const Case cases[] = {
      {"RG", "H2''", "HO2'   G"}, {"RG", "H2'", " H2'   G"},    {"RG", "C1'", " C1'   G"},
      {"RA5", "H5T", "HO5'   A"}, {"RC3", "H3T", "HO3'   C"},   {"RU", "HO'2", "HO2'   U"},
      {"RU", "H2'1", " H2'   U"}, {"RUN", "O1P", " OP1   U"},   {"RU", "O2P", " OP2   U"},
      {"RC", "H5'1", " H5'   C"}, {"RC", "H5'2", "H5''   C"},   {"DC", "H2''", "H2''  DC"},
      {"DC5", "H5T", "HO5'  DC"}, {"DT3", "H3T", "HO3'  DT"},   {"DG", "H2'2", "H2''  DG"},
      {"DA", "H2'1", " H2'  DA"}, {"DTN", "OP1", " OP1  DT"},   {"GUA", "H2''", "H2'' GUA"},
      {"G", "H2''", "H2''   G"},  {"ADE", "H5T", " H5T ADE"},   {"RT", "H2''", "H2''  RT"},
      {"DU", "H2''", "H2''  DU"}, {"ARG", "HA", " HA  ARG"},    {"RG1", "H2''", "H2'' RG1"},
      {"R", "H2''", "H2''   R"},  {"RG55", "C1'", " C1' RG55"},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.residue));
    CAPTURE(std::string(c.atom));
    const std::vector<Atom> solute = {atom(c.atom, c.residue)};
    const std::string line = lines_of({.solute = solute}).at(0);
    CHECK(line.substr(12, std::string(c.expected).size()) == c.expected);
  }
}

TEST_CASE("PDB: the element of a solute's atom") {
  struct Case {
    const char *name, *residue, *element;
  };
  const Case cases[] = {
      {"CA", "ALA", "C"},   {"CA", "CA", "CA"},   {"CAL", "CAL", "CA"}, {"CD", "LYS", "C"},
      {"1HB", "ALA", "H"},  {"HG11", "VAL", "H"}, {"H5''", "DA", "H"},  {"HO2'", "RG5", "H"},
      {"O5'", "DC5", "O"},  {"P", "G", "P"},      {"OP1", "U", "O"},    {"NE", "ARG", "N"},
      {"SG", "CYS", "S"},   {"SE", "MSE", "SE"},  {"CD1", "NLEU", "C"}, {"MG", "MG", "MG"},
      {"NA", "NA", "NA"},   {"SOD", "SOD", "NA"}, {"CL", "CL", "CL"},   {"Cl-", "Cl-", "CL"},
      {"ZN", "ZN2", "ZN"},  {"FE", "HEM", "FE"},  {"NA", "HEM", "N"},   {"CL1", "LIG", "CL"},
      {"OH2", "TIP3", "O"}, {"C1", "CLR", "C"},   {"LP1", "LIG", ""},   {"K", "K", "K"},
      {"HA", "HSD", "H"},   {"I", "IOD", "I"},    {"CO", "CO", "CO"},   {"*", "X", ""},
      {"BR", "BRU", "BR"},  {"SE", "SEC", "SE"},  {"C1'", "PSU", "C"},  {"MN1", "LYS", ""}};
  for (const Case& c : cases) {
    CAPTURE(std::string(c.name));
    CAPTURE(std::string(c.residue));
    CHECK(std::string(element_of(atom(c.name, c.residue))) == c.element);
  }
}

TEST_CASE("PDB: what does not fit the columns is refused with the way out") {
  const auto error = [](const Vec3<double>& position_A) {
    return error_of([&] { pdb_text({.ions = {{"MG", "MG", "MG", 2.0, position_A}}}); });
  };
  CHECK(error({0, 10000.0, 0}) ==
        "MG 1 I MG is at 10000 A, but a PDB file has room for -999.999 to 9999.999; move the structure "
        "towards the origin, or use -o with the ending .cif");
  CHECK(error({0, 0, -1000.0}).find("MG 1 I MG is at -1000 A") == 0);
  CHECK(error({0, 0, std::numeric_limits<double>::quiet_NaN()}).find("MG 1 I MG is at nan A") == 0);
  CHECK(error({-999.9994, 9999.9994, 0}) == "no error");
  const std::vector<Atom> named = {atom("H5'11", "DA", 3)};
  CHECK(error_of([&] { pdb_text({.solute = named}); }) ==
        "the name 'H5'11' of DA 3 A H5'11 has more than 4 characters, for which a PDB file has no room; use "
        "-o with the ending .cif, or write the ions without the solute");
  CHECK(error_of([] { pdb_text({.ions = std::vector<NamedIon>(619'939, magnesium())}); }) ==
        "a PDB file has chains and residue numbers for 619,938 ions, not for 619,939; place fewer, or use -o "
        "with the ending .cif");
}

TEST_CASE("PDB: what is written can be read") {
  const std::string text =
      pdb_text({.ions = {magnesium(1.5), {"SR2P", "SR2P", "SR", 2.0, {-1.0, 2.0, 3.25}}}});
  const std::vector<PdbSite> sites = read_pdb_sites(TemporaryFile("ions.pdb", text).path()).sites;
  REQUIRE(sites.size() == 2);
  CHECK(sites[0].position_A == Vec3<double>{1.5, 0.0, 0.0});
  CHECK(sites[1].position_A == Vec3<double>{-1.0, 2.0, 3.25});
  CHECK(sites[1].residue.view() == "SR2P");
  CHECK(sites[1].chain.view() == "I");
  CHECK(sites[1].residue_number == 2);
}

TEST_CASE("PDB writer: what is said of a crystal goes where the cell is another one") {
  const Atom atom{
      .position_A = {1, 2, 3}, .name = "C1", .residue = "LIG", .residue_number = 1, .element = "C"};
  const std::vector<std::string> records = {
      "HEADER    LIGAND", "EXPDTA    X-RAY DIFFRACTION",
      "CRYST1   40.000   45.000   50.000  90.00  90.00  90.00 P 1           1",
      "SCALE1      0.025000  0.000000  0.000000        0.00000"};
  for (const double length_A : {40.0, 60.0}) {
    const std::string text = pdb_text({.records = records,
                                       .solute = std::span(&atom, 1),
                                       .cell = unit_cell({{length_A, 45.0, 50.0}}, CellKind::simulation)});
    CAPTURE(text);
    const bool is_same = length_A == 40.0;
    CHECK((text.find("EXPDTA") != text.npos) == is_same);
    CHECK((text.find("SCALE1") != text.npos) == is_same);
    CHECK(text.find("HEADER    LIGAND") != text.npos);
    CHECK(text.find(is_same ? "CRYST1   40.000" : "CRYST1   60.000") != text.npos);
  }
}
