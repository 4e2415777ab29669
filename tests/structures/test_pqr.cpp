// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "files/packing.hpp"
#include "structures/formats/read_structure.hpp"
#include "structures/pdb/pqr_reader.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string first =
    "ATOM      1  N   MET A   1      11.269 124.021 231.688  0.1592 1.8240\n"
    "ATOM      2  CA  MET A   1      12.299 124.537 230.744  0.0221 1.9080\n";

std::string pqr_error(const std::string& text) {
  return error_of([&] { read_pqr(text, "x.pqr"); });
}

const std::string ends_in = " (a PQR record ends in x, y, z, charge and radius)";
const std::string remake =
    "; make the file again, for example with pdb2pqr --ff=AMBER --keep-chain STRUCTURE.pdb STRUCTURE.pqr";

}  // namespace

TEST_CASE("PQR: of two readings the plausible one is taken, with one warning") {
  const auto third_atom = [](const std::string& line) {
    const Structure structure = read_pqr(first + line + "\nTER\n", "x.pqr");
    CHECK(structure.warnings ==
          std::vector<std::string>{"x.pqr:3: columns and blanks give different numbers; the more plausible "
                                   "ones were used; pdb2pqr --whitespace writes unambiguous lines (1 line)"});
    return structure.atoms.at(2);
  };
  // The atoms before lie at (12, 124, 231). By columns x = 12 and the last number is a segment; between
  // blanks the residue number is 12 and the last number the radius.
  const Atom by_columns =
      third_atom("ATOM      3  C   MET A   1          12 124.063 229.329  0.6123 1.9080   2");
  CHECK(by_columns.position_A == Vec3<double>{12.0, 124.063, 229.329});
  CHECK(by_columns.radius_A == 1.908);
  // The same columns, but now the numbers behind x are near the atoms before.
  const Atom by_blanks =
      third_atom("ATOM      3  C   MET A   1          12  12.063 124.329 231.123 1.9080   2");
  CHECK(by_blanks.position_A == Vec3<double>{12.063, 124.329, 231.123});
  CHECK(by_blanks.charge_e == 1.908);
  CHECK(by_blanks.radius_A == 2.0);
  CHECK(by_blanks.residue_number == 12);
  // By columns the radius is negative.
  const Atom negative = third_atom("ATOM      3  C   MET A              16 112.007 124.234 211.432-0.6123 2");
  CHECK(negative.position_A == Vec3<double>{112.007, 124.234, 211.432});
}

TEST_CASE("PQR: gmx editconf -mead writes the chain one column early") {
  const std::string start = "REMARK    The occupancy in this file hold atomic charges\nMODEL        1\n";
  const std::string atoms =
      "ATOM      1 N    ALAA   1  125.780  103.370    7.980   0.14   1.62\n"
      "ATOM      2 CA   LYSB1395   84.010   73.640    4.370   0.20   0.53\n"
      "ATOM  11571 H3T   DTC  73   38.630  113.900   51.260   0.44   1.20\n"
      "ATOM  75303 CL    CL 4064   93.290   78.160   80.950  -1.00   2.20\n";
  const Structure structure = read_pqr(start + atoms, "x.pqr");
  CHECK(structure.warnings.empty());
  REQUIRE(structure.atoms.size() == 4);
  struct Names {
    std::string residue, chain;
    int number;
  };
  const Names expected[] = {{"ALA", "A", 1}, {"LYS", "B", 1395}, {"DT", "C", 73}, {"CL", "", 4064}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(structure.atoms[i].residue.view() == expected[i].residue);
    CHECK(structure.atoms[i].chain.view() == expected[i].chain);
    CHECK(structure.atoms[i].residue_number == expected[i].number);
  }
  CHECK(structure.atoms[1].position_A == Vec3<double>{84.01, 73.64, 4.37});
  CHECK(structure.atoms[3].charge_e == -1.0);
  // N-terminal names of AMBER have four letters too
  CHECK(read_pqr("ATOM 1 N NALA 1 1.0 2.0 3.0 0.1 1.5\n", "x.pqr").atoms[0].residue.view() == "NALA");
}

TEST_CASE("PQR: the atom before a TER ends its chain, and no other does") {
  const auto ends = [](const std::string& text) {
    std::string found;
    for (const Atom& atom : read_pqr(text, "x.pqr").atoms) found += atom.ends_chain ? 'T' : '-';
    return found;
  };
  CHECK(ends(first) == "--");
  CHECK(ends("TER\n" + first + "TER\nTER\n" + first) == "-T--");
  CHECK(ends(first + "END\nTER\n") == "--");  // the model is over
}

TEST_CASE("PQR: line ends, a byte-order mark, and records without atoms") {
  const std::string text = "REMARK   1 made by hand\n" + first + "TER\nCONECT    1    2\n# note\n\nEND\n";
  const auto with = [&text](const std::string& line_end) {
    std::string changed;
    for (const char c : text) changed += c == '\n' ? line_end : std::string(1, c);
    return changed;
  };
  for (const std::string& variant : {text, with("\r\n"), with("\r"), "\xEF\xBB\xBF" + with("\r\n")}) {
    const Structure structure = read_pqr(variant, "x.pqr");
    CHECK(structure.atoms.size() == 2);
    CHECK(structure.atoms[1].radius_A == 1.908);
    CHECK(structure.warnings.empty());
  }
}

TEST_CASE("PQR: the first model is taken, and what is behind it is counted") {
  const Structure models =
      read_pqr("MODEL        1\n" + first + "ENDMDL\nMODEL        2\n" + first + "ENDMDL\n", "x.pqr");
  CHECK(models.atoms.size() == 2);
  CHECK(models.warnings ==
        std::vector<std::string>{"x.pqr:6: atoms after the first ENDMDL were left out; remove that line if "
                                 "they belong to the solute (2 lines, this is the first)"});
  const Structure ended = read_pqr(first + "END\n" + first.substr(0, first.find('\n') + 1), "x.pqr");
  CHECK(ended.atoms.size() == 2);
  CHECK(ended.warnings == std::vector<std::string>{"x.pqr:4: atoms after the first END were left out; remove "
                                                   "that line if they belong to the solute (1 line)"});
  CHECK(read_pqr("MODEL        1\n" + first + "TER\nENDMDL\nEND\n", "x.pqr").warnings.empty());
}

TEST_CASE("PQR: lines that are no record are counted") {
  const Structure structure = read_pqr(first + "ATON 3 N ALA A 1 1.0 2.0 3.0 0.5 1.5\nATOMS 2\n", "x.pqr");
  CHECK(structure.warnings ==
        std::vector<std::string>{
            "x.pqr:3: left out, because 'ATON' is not a PDB or PQR record (2 lines, this is the first)"});
}

TEST_CASE("PQR: a file is read in pieces as its text is, with the lines that messages name") {
  std::string text = first;
  for (int n = 0; n < 270'000; ++n)  // of 18.9 MB, which are two pieces
    text += "HETATM    3  O   HOH A   2      " + std::to_string(10'000 + n * 7919L % 90'000).insert(2, ".") +
            " 125.537 231.744 -0.0221 1.7080\n";
  text += "ATON\nEND\n" + first;
  const std::string wrong = std::string(text).insert(text.size() - 300, "ATOM 1 N\n"),
                    binary = std::string(text).replace(text.size() - 300, 1, 1, '\0');
  for (const bool is_packed : {false, true}) {
    CAPTURE(is_packed);
    std::string path;
    const auto read = [&](const std::string& of) {
      const TemporaryFile file("long.pqr", is_packed ? gzip(of) : of);
      path = file.path();
      return read_pqr_file(InputFile(path));
    };
    const Structure structure = read(text);
    REQUIRE(structure.atoms.size() == 270'002);
    const Structure expected = read_pqr(text, path);
    for (std::size_t n = 0; n < structure.atoms.size(); ++n)
      REQUIRE(structure.atoms[n].position_A == expected.atoms[n].position_A);
    CHECK(structure.warnings == expected.warnings);
    CHECK(structure.warnings.size() == 2);
    const std::string message = error_of([&] { read(wrong); });
    CHECK(message == error_of([&] { read_pqr(wrong, path); }));
    CHECK(error_of([&] { read(binary); }).find("long.pqr: is binary, not text (it contains a zero byte)") !=
          std::string::npos);
  }
}

TEST_CASE("PQR: residue numbers that are none are counted") {
  const Structure structure =
      read_pqr(first + "ATOM      3  C   MET AA000      12.299 124.537 230.744  0.0221 1.9080\n", "x.pqr");
  CHECK(structure.atoms[2].residue.view() == "MET");
  CHECK(structure.warnings ==
        std::vector<std::string>{"note: x.pqr:3: the residue number is not a number; 0 was used (1 line)"});
}

TEST_CASE("PQR: a file cut at any byte is refused, or gives only atoms that are complete") {
  const std::string more =
      "HETATM    3  O   HOH A   2      13.299 125.537 231.744 -0.0221 1.7080\nTER\nEND\n";
  const std::string text = first + more;
  const std::size_t complete = more.find('\n');
  for (std::size_t size = first.size(); size < text.size(); ++size) {
    CAPTURE(size);
    const std::string cut = text.substr(0, size);
    std::size_t atoms = 0;
    if (const std::string message = error_of([&] { atoms = read_pqr(cut, "x.pqr").atoms.size(); });
        message != "no error") {
      CHECK(message.substr(0, 8) == "x.pqr:3:");
      CHECK(size > first.size());
      CHECK(size < first.size() + complete);
    } else {
      REQUIRE(atoms == (size < first.size() + complete ? 2 : 3));
    }
  }
}

TEST_CASE("PQR: records that cannot be read") {
  struct Bad {
    std::string line, message;  // the message behind "x.pqr:3: "
  };
  const std::vector<Bad> cases = {
      {"ATOM 3 N ALA A 1 nan 2.0 3.0 0.5 1.8", "x 'nan' is not a finite number" + ends_in + remake},
      {"ATOM 3 N ALA A 1 1.0 -INF 3.0 0.5 1.8", "y '-INF' is not a finite number" + ends_in + remake},
      {"ATOM 3 N ALA A 1 1.0 2.0 1e999 0.5 1.8", "z '1e999' is not a finite number" + ends_in + remake},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 abc 1.8", "charge 'abc' is not a finite number" + ends_in + remake},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 0.5 1,8", "radius '1,8' is not a finite number" + ends_in + remake},
      {"ATOM      3  CB  MET A   1      12.299     nan 230.744  0.0221 1.9080",
       "y 'nan' is not a finite number" + ends_in + remake},
      {"ATOM      3  CB  MET A   1      12.299 124.537 230.744     nan 1.9080",
       "charge 'nan' is not a finite number" + ends_in + remake},
      {"ATOM      3  CB  MET A   1      12.299 124.537 230.744  0.0221 1.908O",
       "radius '1.908O' is not a finite number" + ends_in + remake},
      {"ATOM      3  CB  MET A   1      12.299 124.537 230.744",
       "the line has no charge and no radius" + ends_in + remake},
      {"ATOM      3  CB  MET A   1      12.299 124.537 230.744  0.0221",
       "the line has no radius" + ends_in + remake},
      {"ATOM      3  CB  MET A   1      12.299 124.537", "the line has no z" + ends_in + remake},
      // A chain named 1 must not become a residue number, and the number not x.
      {"ATOM      3  CB  MET 1  12      12.299 124.537 230.744  0.0221",
       "the line has no radius" + ends_in + remake},
      {"ATOM 3 N ALA 1 12 1.0 2.0 3.0 0.5",
       "x '12', y '1.0' and z '2.0' do not all have a decimal point: is a field missing?" + ends_in +
           "; if not, write all three with a decimal point"},
      {"ATOM 3 N ALA A 1.0 2.0 3.0 0.5 1.8",
       "the line 'ATOM 3 N ALA A 1.0 2.0 3.0 0.5 1.8' does not begin with serial number, name, residue and "
       "residue "
       "number" +
           ends_in + remake},
      {"ATOM 3 N ALA 1 1.0 2.0",
       "the line 'ATOM 3 N ALA 1 1.0 2.0' ends before it has all of its fields" + ends_in + remake},
      {"ATOM 3", "the line 'ATOM 3' ends before it has all of its fields" + ends_in + remake},
      {"ATOM 3 N ALA A 1 1e30 2.0 3.0 0.5 1.8",
       "x is 1e+30 A, but an atom has at most 100000 A; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 -100000.0 0.5 1.8",
       "z is -100000 A, but an atom has at most 100000 A; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 1e4 1.8",
       "charge is 10000 e, but an atom has at most 1000 e; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 0.5 101",
       "radius is 101 A, but an atom has at most 100 A; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 1.8 -0.5",
       "radius is -0.5 A, but it cannot be negative (a PQR record ends in charge and radius, in this order); "
       "correct this line"},
  };
  for (const Bad& bad : cases) {
    CAPTURE(bad.line);
    CHECK(pqr_error(first + bad.line + "\n" + first) == "x.pqr:3: " + bad.message);
  }
}

TEST_CASE("PQR: files that end in the middle of a line, or have no atoms") {
  const std::string cut =
      ": the file ends in the middle of this line; copy it again (or end the line, if it is complete)";
  CHECK(pqr_error(first + "ATOM      3  CB  MET A   1      12.299 124.537 230.744  0.0221 1.9") ==
        "x.pqr:3" + cut);
  CHECK(pqr_error(first + "HETA") == "x.pqr:3" + cut);
  const std::string no_atoms =
      "x.pqr: has no atoms (no line starts with ATOM or HETATM); make a PQR file, for example with pdb2pqr "
      "--ff=AMBER "
      "--keep-chain STRUCTURE.pdb STRUCTURE.pqr";
  CHECK(pqr_error("REMARK nothing\nEND\n") == no_atoms);
  CHECK(pqr_error("ATOMIC units are used here\n") == no_atoms);
}
