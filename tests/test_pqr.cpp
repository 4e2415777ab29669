#include <doctest/doctest.h>

#include <cstdio>
#include <random>

#include "io/pqr_reader.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Expected {
  std::string line, name, residue, chain;
  int number;
  char insertion_code;
  Vec3<double> position_A;
  double charge_e, radius_A;
};

void check_atom(const Atom& atom, const Expected& expected) {
  CAPTURE(expected.line);
  CHECK(atom.name.view() == expected.name);
  CHECK(atom.residue.view() == expected.residue);
  CHECK(atom.chain.view() == expected.chain);
  CHECK(atom.residue_number == expected.number);
  CHECK(atom.insertion_code == expected.insertion_code);
  CHECK(atom.position_A == expected.position_A);
  CHECK(atom.charge_e == expected.charge_e);
  CHECK(atom.radius_A == expected.radius_A);
}

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

TEST_CASE("PQR: each way of writing a record") {
  const std::vector<Expected> cases = {
      // PDB columns, as PDB2PQR writes them without --whitespace; then with a blank chain
      {"ATOM      1  N   MET A   1     -29.703  40.250 -18.688  0.1592 1.8240",
       "N",
       "MET",
       "A",
       1,
       ' ',
       {-29.703, 40.25, -18.688},
       0.1592,
       1.824},
      {"ATOM    998 H2'' C      19      13.279   9.676 -12.660  0.4186 0.0000",
       "H2''",
       "C",
       "",
       19,
       ' ',
       {13.279, 9.676, -12.66},
       0.4186,
       0.0},
      // coordinates touch; so do the names that CHARMM gives to ends
      {"ATOM      1  O5'5TER     1     -99.070-100.465-142.460 -0.6223 1.7210",
       "O5'",
       "5TER",
       "",
       1,
       ' ',
       {-99.07, -100.465, -142.46},
       -0.6223,
       1.721},
      {"ATOM      1  N   ALA A   1    1234.5672345.6783456.789-10.000010.0000",
       "N",
       "ALA",
       "A",
       1,
       ' ',
       {1234.567, 2345.678, 3456.789},
       -10.0,
       10.0},
      {"ATOM      1  N   ALA A   1    1234.5672345.6783456.789100.0000 1.0000",
       "N",
       "ALA",
       "A",
       1,
       ' ',
       {1234.567, 2345.678, 3456.789},
       100.0,
       1.0},
      // chain and residue number touch; five digits; insertion code; negative; too long for its writer
      {"ATOM  15068  N1  RC  i1261      -5.147 132.026 197.803 -0.0484 1.8240",
       "N1",
       "RC",
       "i",
       1261,
       ' ',
       {-5.147, 132.026, 197.803},
       -0.0484,
       1.824},
      {"ATOM  15068  N1  RC  112610     -5.147 132.026 197.803 -0.0484 1.8240",
       "N1",
       "RC",
       "1",
       12610,
       ' ',
       {-5.147, 132.026, 197.803},
       -0.0484,
       1.824},
      {"ATOM    335  N   SER A  36A     18.394  -8.624   0.311 -0.4700 1.8500",
       "N",
       "SER",
       "A",
       36,
       'A',
       {18.394, -8.624, 0.311},
       -0.47,
       1.85},
      {"ATOM    335  N   SER A -36      18.394  -8.624   0.311 -0.4700 1.8500",
       "N",
       "SER",
       "A",
       -36,
       ' ',
       {18.394, -8.624, 0.311},
       -0.47,
       1.85},
      {"HETATM*****  O   HOH A****      18.394  -8.624   0.311 -0.4700 1.8500",
       "O",
       "HOH",
       "A",
       0,
       ' ',
       {18.394, -8.624, 0.311},
       -0.47,
       1.85},
      // serial numbers that fill the blank before the name, or are letters and touch the record
      {"ATOM  123456HD11 LEU A   1     -29.703  40.250 -18.688  0.1592 1.8240",
       "HD11",
       "LEU",
       "A",
       1,
       ' ',
       {-29.703, 40.25, -18.688},
       0.1592,
       1.824},
      {"HETATMa0000  O   HOH A   1     -29.703  40.250 -18.688  0.1592 1.8240",
       "O",
       "HOH",
       "A",
       1,
       ' ',
       {-29.703, 40.25, -18.688},
       0.1592,
       1.824},
      // three decimals; an element at the end, alone, with a formal charge, and behind a segment
      {"ATOM      1  N   NTE     1      67.253  25.892  -0.145  0.185 1.824",
       "N",
       "NTE",
       "",
       1,
       ' ',
       {67.253, 25.892, -0.145},
       0.185,
       1.824},
      {"ATOM      1  N   SER     1      -1.889   9.159   7.569  0.1849  1.5000       N  ",
       "N",
       "SER",
       "",
       1,
       ' ',
       {-1.889, 9.159, 7.569},
       0.1849,
       1.5},
      {"ATOM      1  N   SER     1      -1.889   9.159   7.569  0.1849  1.5000       N1+",
       "N",
       "SER",
       "",
       1,
       ' ',
       {-1.889, 9.159, 7.569},
       0.1849,
       1.5},
      {"ATOM      1  N   SER 2   1      -1.889   9.159   7.569  0.1849  1.5000   1   N",
       "N",
       "SER",
       "2",
       1,
       ' ',
       {-1.889, 9.159, 7.569},
       0.1849,
       1.5},
      // between blanks, as PDB2PQR --whitespace and others write it
      {"ATOM       1  O5' 5TER A   1     -99.070 -100.465 -142.460 -0.6223 1.7210",
       "O5'",
       "5TER",
       "A",
       1,
       ' ',
       {-99.07, -100.465, -142.46},
       -0.6223,
       1.721},
      {"HETATM10661  H1   HOH   356      -5.698   60.517  -29.614  0.4170 0.0000",
       "H1",
       "HOH",
       "",
       356,
       ' ',
       {-5.698, 60.517, -29.614},
       0.417,
       0.0},
      {"ATOM     335  N    SER    36A     18.394   -8.624    0.311 -0.4700 1.8500",
       "N",
       "SER",
       "",
       36,
       'A',
       {18.394, -8.624, 0.311},
       -0.47,
       1.85},
      {"ATOM     335  N    RC  A1139      18.394   -8.624    0.311 -0.4700 1.8500",
       "N",
       "RC",
       "A",
       1139,
       ' ',
       {18.394, -8.624, 0.311},
       -0.47,
       1.85},
      {"ATOM  123456  N   ALA A10000    -101.992  47.499  72.617  1.1662 2.1000",
       "N",
       "ALA",
       "A",
       10000,
       ' ',
       {-101.992, 47.499, 72.617},
       1.1662,
       2.1},
      {"ATOM  123456  N   ALA A   1    -101.992-147.499-172.617  1.1662 2.1000",
       "N",
       "ALA",
       "A",
       1,
       ' ',
       {-101.992, -147.499, -172.617},
       1.1662,
       2.1},
      {"ATOM 1 N ALA A 1 1.25 -2.5 3e1 -0.5 1.8", "N", "ALA", "A", 1, ' ', {1.25, -2.5, 30.0}, -0.5, 1.8},
      {"ATOM 1 N ALA 1 1 2 3 -1 2", "N", "ALA", "", 1, ' ', {1.0, 2.0, 3.0}, -1.0, 2.0},
      {"ATOM 1 N ALA A 12 B 1.0 2.0 3.0 -0.5 1.8 N", "N", "ALA", "A", 12, 'B', {1.0, 2.0, 3.0}, -0.5, 1.8},
      {"atom\t1\tN\tALA\tA\t1\t1.0\t2.0\t3.0\t-0.5\t1.8",
       "N",
       "ALA",
       "A",
       1,
       ' ',
       {1.0, 2.0, 3.0},
       -0.5,
       1.8},
      {"   ATOM 1 MG MG A 1 +1.0 2.0 3.0 2 1.5 MG2+", "MG", "MG", "A", 1, ' ', {1.0, 2.0, 3.0}, 2.0, 1.5},
      // names longer than a label are cut
      {"ATOM 1 LONGATOMNAME LONGRESIDUE A 1 1.0 2.0 3.0 -0.5 1.8",
       "LONGATOM",
       "LONGRESI",
       "A",
       1,
       ' ',
       {1.0, 2.0, 3.0},
       -0.5,
       1.8},
  };
  for (const Expected& expected : cases) {
    const Structure structure = read_pqr(expected.line + "\n", "x.pqr");
    REQUIRE(structure.atoms.size() == 1);
    check_atom(structure.atoms[0], expected);
  }
}

TEST_CASE("PQR: columns and blanks give the numbers that were written, whatever touches") {
  std::mt19937 random(7);
  const auto uniform = [&random](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  struct Layout {
    std::string format;
    double lowest_A, highest_A;  // what its columns hold
  };
  const std::vector<Layout> layouts = {
      {"ATOM  %5d  CA  ALA A%4d    %8.3f%8.3f%8.3f%8.4f%7.4f\n", -999, 9999},
      {"ATOM  %5d  CA  ALA 1%4d    %8.3f%8.3f%8.3f%8.4f%8.4f       C\n", -999, 9999},
      {"HETATM%5d  CA  ALA  %4d    %8.3f%8.3f%8.3f%7.3f%6.3f\n", -999, 9999},
      {"ATOM   %5d  CA   ALA A%4d    %8.3f %8.3f %8.3f%8.4f%7.4f\n", -9999, 9999},
      {"ATOM %d CA ALA 1 %d %.3f %.3f %.3f %.4f %.4f\n", -9999, 9999},
      {"ATOM  1%05d  CA  ALA A%4d    %8.3f%8.3f%8.3f%8.4f%7.4f\n", -999, 999},
  };
  for (const Layout& layout : layouts) {
    CAPTURE(layout.format);
    std::string text;
    std::vector<std::array<double, 5>> written;
    for (int i = 1; i <= 2000; ++i) {
      std::array<double, 5> values;
      for (int axis = 0; axis < 3; ++axis)
        values[axis] = uniform(0, 1) < 0.5 ? uniform(layout.lowest_A, layout.highest_A) : uniform(-150, 150);
      values[3] = uniform(-3, 3);
      values[4] = uniform(0, 3);
      char line[200];
      std::snprintf(line, sizeof line, layout.format.c_str(), i, i, values[0], values[1], values[2],
                    values[3], values[4]);
      text += line;
      const int decimals[] = {3, 3, 3, layout.format.find("%7.3f") == std::string::npos ? 4 : 3,
                              layout.format.find("%6.3f") == std::string::npos ? 4 : 3};
      for (int k = 0; k < 5; ++k) {  // rounded as the line has it
        std::snprintf(line, sizeof line, "%.*f", decimals[k], values[k]);
        values[k] = std::strtod(line, nullptr);
      }
      written.push_back(values);
    }
    const Structure structure = read_pqr(text, "x.pqr");
    CHECK(structure.warnings.empty());
    REQUIRE(structure.atoms.size() == written.size());
    int different = 0;
    for (std::size_t i = 0; i < written.size(); ++i) {
      const Atom& atom = structure.atoms[i];
      different += atom.position_A != Vec3<double>{written[i][0], written[i][1], written[i][2]} ||
                   atom.charge_e != written[i][3] || atom.radius_A != written[i][4] ||
                   atom.residue_number != int(i) + 1 || atom.name != Label("CA");
    }
    CHECK(different == 0);
  }
}

TEST_CASE("PQR: of two readings the plausible one is taken, with one warning") {
  const auto third_atom = [](const std::string& line) {
    const Structure structure = read_pqr(first + line + "\nTER\n", "x.pqr");
    CHECK(
        structure.warnings ==
        std::vector<std::string>{
            "x.pqr:3: columns and blanks give different numbers; the more plausible ones were taken, pdb2pqr "
            "--whitespace writes lines that leave no doubt (1 line)"});
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
        std::vector<std::string>{"x.pqr:6: atoms behind the first ENDMDL were left out; remove "
                                 "that line if they belong to the solute (2 lines, this is the "
                                 "first)"});
  const Structure ended = read_pqr(first + "END\n" + first.substr(0, first.find('\n') + 1), "x.pqr");
  CHECK(ended.atoms.size() == 2);
  CHECK(ended.warnings ==
        std::vector<std::string>{
            "x.pqr:4: atoms behind the first END were left out; remove that line if they belong "
            "to the solute (1 line)"});
  CHECK(read_pqr("MODEL        1\n" + first + "TER\nENDMDL\nEND\n", "x.pqr").warnings.empty());
}

TEST_CASE("PQR: lines that are no record are counted") {
  const Structure structure = read_pqr(first + "ATON 3 N ALA A 1 1.0 2.0 3.0 0.5 1.5\nATOMS 2\n", "x.pqr");
  CHECK(structure.warnings ==
        std::vector<std::string>{
            "x.pqr:3: left out, because 'ATON' is not a PDB or PQR record (2 lines, this is the first)"});
}

TEST_CASE("PQR: residue numbers that are none are counted") {
  const Structure structure =
      read_pqr(first + "ATOM      3  C   MET AA000      12.299 124.537 230.744  0.0221 1.9080\n", "x.pqr");
  CHECK(structure.atoms[2].residue.view() == "MET");
  CHECK(structure.warnings ==
        std::vector<std::string>{"x.pqr:3: the residue number is not a number; 0 was taken (1 line)"});
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
           "; if not, write all three with one"},
      {"ATOM 3 N ALA A 1.0 2.0 3.0 0.5 1.8",
       "the line 'ATOM 3 N ALA A 1.0 2.0 3.0 0.5 1.8' does not begin with serial number, name, residue and "
       "residue "
       "number" +
           ends_in + remake},
      {"ATOM 3 N ALA 1 1.0 2.0",
       "the line 'ATOM 3 N ALA 1 1.0 2.0' ends before it has all of its fields" + ends_in + remake},
      {"ATOM 3", "the line 'ATOM 3' ends before it has all of its fields" + ends_in + remake},
      {"ATOM 3 N ALA A 1 1e30 2.0 3.0 0.5 1.8",
       "x is 1e+30 A, and an atom has at most 100000 A; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 -100000.0 0.5 1.8",
       "z is -100000 A, and an atom has at most 100000 A; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 1e4 1.8",
       "charge is 10000 e, and an atom has at most 1000 e; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 0.5 101",
       "radius is 101 A, and an atom has at most 100 A; check the units and the columns of this line"},
      {"ATOM 3 N ALA A 1 1.0 2.0 3.0 1.8 -0.5",
       "radius is -0.5 A, and cannot be negative (a PQR record ends in charge and radius, in this order); "
       "correct "
       "this line"},
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
