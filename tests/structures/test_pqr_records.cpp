// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdio>
#include <random>

#include "structures/pdb/pqr_reader.hpp"

using namespace ionwell;

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
