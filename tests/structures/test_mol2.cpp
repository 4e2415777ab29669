// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "files/input_file.hpp"
#include "structures/mol2.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string header =
    "# made by hand\n@<TRIPOS>MOLECULE\nname\n 4 2 2 0 0\nSMALL\nUSER_CHARGES\n\n\n@<TRIPOS>ATOM\n";
const std::string first =
    "      1 N1         -0.7000    1.5000   -2.2500 N.ar      1 ALA12      -0.500000\n"
    "      2 CA          1.0000    2.0000    3.0000 CA        1 ALA12       0.250000 BACKBONE\n";
const std::string last =
    "      3 ZN          4.0000    5.0000    6.0000 Zn        7 ZN2         2.000000\n"
    "      4 P           7.0000    8.0000    9.0000 P.3       8 U5         -1.500000\n";
const std::string bonds = "@<TRIPOS>BOND\n     1    1    2 1\n";
const std::string text = header + first + last + bonds;

std::string message_of(const std::string& mol2) {
  return error_of([&] { read_mol2(mol2, "x.mol2"); });
}

std::string replaced(const std::string& what, const std::string& by) {
  std::string changed = text;
  changed.replace(changed.find(what), what.size(), by);
  return changed;
}

}  // namespace

TEST_CASE("mol2: atoms, charges of the ninth column, residues, elements by SYBYL's types") {
  const Structure structure = read_mol2(text, "x.mol2");
  CHECK(structure.path == "x.mol2");
  CHECK(structure.warnings.empty());
  CHECK_FALSE(structure.cell);
  REQUIRE(structure.atoms.size() == 4);
  struct Expected {
    std::string name, residue, element;
    int number;
    double charge_e;
  };
  const Expected expected[] = {{"N1", "ALA", "N", 12, -0.5},  // a CA without a dot is a force field's
                               {"CA", "ALA", "", 12, 0.25},
                               {"ZN", "ZN2", "ZN", 7, 2.0},
                               {"P", "U5", "P", 8, -1.5}};  // names that end in digits of their own
  for (std::size_t i = 0; i < 4; ++i) {
    const Atom& atom = structure.atoms[i];
    CAPTURE(i);
    CHECK(atom.name.view() == expected[i].name);
    CHECK(atom.residue.view() == expected[i].residue);
    CHECK(atom.element.view() == expected[i].element);
    CHECK(atom.residue_number == expected[i].number);
    CHECK(atom.charge_e == expected[i].charge_e);
    CHECK(atom.radius_A == 0.0);
    CHECK(atom.chain.empty());
    CHECK_FALSE(atom.ends_chain);
  }
  CHECK(structure.atoms[0].position_A == Vec3<double>{-0.7, 1.5, -2.25});
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  CHECK(read_mol2(crlf, "x.mol2").atoms[3].charge_e == -1.5);
}

TEST_CASE("mol2: chains of substructures, and the cell") {
  const std::string more =
      "@<TRIPOS>SUBSTRUCTURE\n 1 ALA12 1 RESIDUE 4 A ALA 1\n 7 ZN2 3 GROUP 0 ****  ****\n 8 U5 4 RESIDUE 1 B "
      "U\n"
      "@<TRIPOS>CRYSIN\n 40.0 50.5 60.0 90.0 95.0 100.0 1 1\n";
  const Structure structure = read_mol2(text + more, "x.mol2");
  const std::string chains[] = {"A", "A", "", "B"};
  for (std::size_t i = 0; i < 4; ++i) CHECK(structure.atoms[i].chain.view() == chains[i]);
  CHECK_FALSE(structure.atoms[0].ends_chain);
  CHECK(structure.atoms[1].ends_chain);
  REQUIRE(structure.cell);
  CHECK(lengths_A(*structure.cell) == Vec3<double>{40.0, 50.5, 60.0});
  CHECK(angles_deg(*structure.cell) == Vec3<double>{90.0, 95.0, 100.0});
  const auto kind = [&](const std::string& group) {
    return read_mol2(text + "@<TRIPOS>CRYSIN\n 40.0 50.5 60.0 90.0 95.0 100.0 " + group + "\n", "x.mol2")
        .cell->kind;
  };
  CHECK(kind("1 1") == CellKind::undecided);
  CHECK(kind("19 1") == CellKind::crystal);  // P 21 21 21
  CHECK_FALSE(read_mol2(text + "@<TRIPOS>CRYSIN\n 0.0 0.0 0.0 90.0 90.0 90.0 1 1\n", "x.mol2").cell);
}

TEST_CASE("mol2: the first molecule of several is taken") {
  const Structure structure = read_mol2(text + text, "x.mol2");
  CHECK(structure.atoms.size() == 4);
  CHECK(structure.warnings ==
        std::vector<std::string>{
            "x.mol2: contains 2 molecules; the first was used; make a file of another one to use that"});
}

TEST_CASE("mol2: what cannot be read is named with its line") {
  CHECK(message_of(replaced("USER_CHARGES", "NO_CHARGES")) ==
        "x.mol2:6: is a mol2 file without charges (line 4 of the molecule is NO_CHARGES); assign them, for "
        "example with antechamber -c bcc or obabel --partialcharge eem");
  CHECK(message_of(replaced("      -0.500000", ""))
            .starts_with("x.mol2:10: is a mol2 file without charges (this line ends before its ninth column, "
                         "the charge); assign them"));
  CHECK(message_of(replaced("-0.500000", "nan")) ==
        "x.mol2:10: charge 'nan' is not a finite number; write the file again");
  CHECK(message_of(replaced("-0.500000", "1001.0")) ==
        "x.mol2:10: charge '1001.0' is too large for an atom; check its unit");
  CHECK(message_of(replaced("2.0000    3.0000", "2.0000    x")) ==
        "x.mol2:11: z 'x' is not a finite number; write the file again");
  CHECK(message_of(replaced("5.0000", "500000")) ==
        "x.mol2:12: y '500000' is too large for an atom; check its unit");
  CHECK(message_of(replaced("      7 ZN2", "      A ZN2")) ==
        "x.mol2:12: the substructure's number 'A' is not a whole number; write the file again");
  CHECK(message_of(replaced(" 4 2 2 0 0", " five")) ==
        "x.mol2:4: the line ' five' does not begin with the number of atoms (a mol2 file has it here); "
        "write it again");
  for (const char* const count : {" 3", " 5", " 1000000000000"})
    CHECK(message_of(replaced(" 4 2 2 0 0", count)) ==
          std::string("x.mol2: has 4 atoms, but the line after the name of the molecule states") + count +
              "; is the file truncated? copy it again");
  CHECK(message_of("@<TRIPOS>MOLECULE\n") ==
        "x.mol2: has no atoms in @<TRIPOS>ATOM; is the file truncated? copy it again");
  CHECK(message_of("ATOM\n") == "x.mol2: has no @<TRIPOS>MOLECULE, so it is not a mol2 file; give one");
}

TEST_CASE("mol2: cut at any byte it is refused, or all atoms are there") {
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    const std::string message = message_of(text.substr(0, size));
    const std::size_t atoms_end = (header + first + last).size(),
                      section_begins = atoms_end + 9;  // @<TRIPOS>
    CHECK((message == "no error") == (size == atoms_end - 1 || size == atoms_end || size >= section_begins));
    CHECK((message == "no error" || message.starts_with("x.mol2:")));
  }
}

TEST_CASE("mol2: a molecule whose charges are not needed may lack them, all or some") {
  const std::string none =
      "@<TRIPOS>MOLECULE\nwater\n 2 0 1\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n"
      "1 O 1.0 2.0 3.0 O.3 1 HOH1\n2 H 1.5 2.5 3.5 H 1 HOH1\n";
  const Structure structure = read_mol2(none, "x.mol2", Mol2Charges::optional);
  REQUIRE(structure.atoms.size() == 2);
  CHECK(structure.atoms[1].position_A == Vec3<double>{1.5, 2.5, 3.5});
  CHECK(structure.atoms[1].charge_e == 0.0);
  const std::string zeros =
      "@<TRIPOS>MOLECULE\nwater\n 1 0 1\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n"
      "1 O 1.0 2.0 3.0 O.3 1 HOH1 0.0\n";
  CHECK(message_of(zeros).find(": is a mol2 file without charges (all its charges are 0); assign them") !=
        std::string::npos);
  CHECK(read_mol2(zeros, "x.mol2", Mol2Charges::optional).atoms.size() == 1);
}

TEST_CASE("mol2: is known by its beginning, and nothing else is") {
  CHECK(is_mol2(text));
  CHECK(is_mol2("\n@<TRIPOS>MOLECULE"));
  for (const char* const other : {"", "# comment\n", "ATOM  @<TRIPOS>", "PSF\n", "%FLAG TITLE\n"})
    CHECK_FALSE(is_mol2(other));
}

TEST_CASE("mol2: a published file") {
  const std::string path = shared_data("data/md/dna30.mol2.gz");
  if (path.empty()) return;
  const FileBytes bytes = read_input_file(path);
  CHECK(is_mol2(bytes.text()));
  const Structure structure = read_mol2(bytes.text(), path);
  CHECK(structure.atoms.size() == 1902);
  CHECK(net_charge_e(structure.atoms) == doctest::Approx(-58.0).epsilon(1e-6));
}
