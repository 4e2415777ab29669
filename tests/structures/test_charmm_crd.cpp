// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "structures/charmm/charmm_crd.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string title = "* MADE FOR A TEST\n*\n";
// (I5,I5,1X,A4,1X,A4,3F10.5,1X,A4,1X,A4,F10.5)
const std::string standard =
    "    1    1 GUA  H5T  -10.12345   2.00000   3.50000 RNAA 52     0.00000\n"
    "    2    1 GUA  CA   -100.12345-200.00000-300.50000 RNAA -3     0.00000\n";
const std::string standard_touching =
    "    1    1 GUA  H5T  -10.12345   2.00000   3.50000 RNAA 52     0.00000\n"
    "    2    1 GUA  CA  -100.12345-200.00000-300.50000 RNAA -3     0.00000\n";
// (I10,I10,2X,A8,2X,A8,3F20.10,2X,A8,2X,A8,F20.10)
const std::string ext =
    "         1         1  GUA       H5T            -10.1234500000        2.0000000000        3.5000000000  "
    "RNAA     "
    " 52              0.0000000000\n"
    "         2         1  GUA       CA            -100.1234500000     -200.0000000000     -300.5000000000  "
    "RNAA     "
    " -3              0.0000000000\n";

std::string crd(const std::string& count, const std::string& atoms) {
  return title + count + "\n" + atoms;
}

std::string crd_error(const std::string& text) {
  return error_of([&] { read_charmm_crd(text, "x.crd"); });
}

void check_both_atoms(const std::string& text) {
  CHECK(is_charmm_crd(text));
  const Coordinates read = read_charmm_crd(text, "x.crd");
  REQUIRE(read.positions_A.size() == 2);
  CHECK(read.positions_A[0] == Vec3<double>{-10.12345, 2.0, 3.5});
  CHECK(read.positions_A[1] == Vec3<double>{-100.12345, -200.0, -300.5});
  REQUIRE(read.labels.size() == 2);
  CHECK(read.labels[0].name == "H5T");
  CHECK(read.labels[0].residue == "GUA");
  CHECK(read.labels[0].residue_number == 52);
  CHECK(read.labels[1].name == "CA");
  CHECK(read.labels[1].residue_number == -3);
  CHECK(read.warnings.empty());
  CHECK(!read.cell);
  CHECK(read.frames == 1);
}

}  // namespace

TEST_CASE("CHARMM CRD: standard and extended columns, and between blanks") {
  check_both_atoms(crd("    2", standard_touching));
  check_both_atoms(crd("         2  EXT", ext));
  check_both_atoms(crd("2",
                       "1 1 GUA H5T -10.12345 2.0 3.5 RNAA 52 0\n"
                       "2 1 GUA CA -1.0012345E2 -200 -300.5 RNAA -3 0\n"));
}

TEST_CASE("CHARMM CRD: a residue number that is none is counted") {
  const Coordinates read =
      read_charmm_crd(crd("2", "1 1 GUA P 1 2 3 R A52 0\n2 1 GUA O 1 2 4 R 52A 0\n"), "x.crd");
  CHECK(read.labels[0].residue_number == 0);
  CHECK(read.labels[1].residue_number == 52);
  CHECK(read.warnings ==
        std::vector<std::string>{"note: x.crd:4: the residue number is not a number; 0 was used (1 atom)"});
}

TEST_CASE("CHARMM CRD: a file cut at any byte is refused") {
  for (const std::string& text : {crd("    2", standard_touching), crd("         2  EXT", ext)})
    for (std::size_t size = 0; size < text.size(); ++size) {
      CAPTURE(size);
      CHECK(crd_error(text.substr(0, size)).starts_with("x.crd:"));
    }
}

TEST_CASE("CHARMM CRD: headers that lie, and atoms that cannot be read") {
  const std::string record =
                        " (an atom of a CHARMM CRD has atom number, residue index, residue name, atom name, "
                        "x, y, z, segment and residue number)",
                    again = "; write the coordinates again";
  CHECK(crd_error(crd("3", standard_touching)) ==
        "x.crd: ends after 2 of the 3 atoms that line 3 announces; copy it again");
  CHECK(crd_error(crd("2000000000", standard_touching)) ==
        "x.crd: ends after 2 of the 2,000,000,000 atoms that line 3 announces; copy it again");
  CHECK(crd_error(crd("1", standard_touching)) ==
        "x.crd:5: there is more than the 1 atom that line 3 announces" + again);
  CHECK(crd_error(crd("0", "")) == "x.crd:3: '0' is not a number of atoms (it follows the title)" + again);
  CHECK(crd_error(title) == "x.crd: has a title but no atoms; copy it again");
  CHECK(crd_error(crd("1", "1 1 GUA P 1 nan 3 R 1 0\n")) ==
        "x.crd:4: y 'nan' is not a finite number" + record + again);
  CHECK(crd_error(crd("1", "1 1 GUA P 1 2 1e5 R 1 0\n")) ==
        "x.crd:4: z is 100000, but an atom has less than 100000 A" + record + again);
  CHECK(crd_error(crd("1", "1 1 GUA P 1 2\n")) ==
        "x.crd:4: the line '1 1 GUA P 1 2' is not an atom" + record + again);
  CHECK(crd_error(crd("1", "1 1 GUA P 9999.0 9999.0 9999.0 R 1 0\n")) ==
        "x.crd:4: GUA 1 P has no position (9999 means none); place all atoms in CHARMM, with IC BUILD and "
        "HBUILD, and write the coordinates again");
  CHECK(crd_error(crd("2", standard)).starts_with("x.crd:5: "));  // y has moved out of its columns
}

TEST_CASE("CHARMM CRD: what begins like one") {
  CHECK_FALSE(is_charmm_crd(""));
  CHECK_FALSE(is_charmm_crd(title));
  CHECK_FALSE(is_charmm_crd("default_name\n  1778\n   1.7663000  19.1342000  24.9742000\n"));  // AMBER
  CHECK_FALSE(is_charmm_crd("* made by GROMACS\n    2\n    1ALA      N    1   0.100   0.200   0.300\n"));
  CHECK_FALSE(is_charmm_crd("ATOM      1  N   MET A   1      11.269 124.021 231.688  0.1592 1.8240\n"));
}
