// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <numeric>

#include "core/chemistry/atomic_mass.hpp"
#include "core/chemistry/extra_particles.hpp"
#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/assign_radii.hpp"
#include "structures/charmm/psf.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/structure_checks.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string title = "       2 !NTITLE\n* MADE FOR A TEST\n*  DATE: 1/ 1/26\n\n";
const std::string rest = "\n       2 !NBOND: bonds\n       1       2       2       3\n\n";

std::string psf(const std::string& flags, const std::string& atoms, int count) {
  return "PSF" + flags + "\n\n" + title + std::to_string(count) + " !NATOM\n" + atoms + rest;
}

std::string psf_error(const std::string& text) {
  return error_of([&] { read_psf(text, "x.psf"); });
}

/// "SEG 12A RES NAME C -0.5 ": all that was read.
std::string told(const Topology& topology) {
  std::ostringstream text;
  for (const Atom& atom : topology.atoms) {
    text << atom.segment << ' ' << atom.residue_number;
    if (atom.insertion_code != ' ') text << atom.insertion_code;
    text << ' ' << atom.residue << ' ' << atom.name << ' ' << atom.element << ' ' << atom.charge_e << '\n';
  }
  return text.str();
}

// CHARMM: (I8,1X,A4,1X,A4,1X,A4,1X,A4,1X,I4,1X,2G14.6,I8), and two more numbers with CHEQ.
const std::string charmm_atoms =
    "       1 RNAA 52A  GUA  H5T   33   0.430000       1.00800           0   0.00000     -0.301140E-02\n"
    "       2 RNAA -3   GUA  CA    28  -0.500000E-01   12.0110           0   0.00000     -0.301140E-02\n"
    "       3 SOLV 9999 SOD  SOD   92    1.00000       22.9898           0   0.00000     -0.301140E-02\n";
// CHARMM with EXT and XPLOR: (I10,1X,A8,1X,A8,1X,A8,1X,A8,1X,A6,1X,2G14.6,I8).
const std::string ext_atoms =
    "         1 RNAA     52A      GUA      H5T      HN5      0.430000       1.00800           0\n"
    "         2 RNAA     -3       GUA      CA       CN8B    -0.500000E-01   12.0110           0\n"
    "         3 SOLV     9999     SOD      SOD      SOD       1.00000       22.9898           0\n";
// psfgen and VMD: %8d %-4s %-4s %-4s %-4s %-4s %10.6f     %9.4f  %10d.
const std::string psfgen_atoms =
    "       1 RNAA 52A  GUA  H5T  HN5    0.430000        1.0080           0\n"
    "       2 RNAA -3   GUA  CA   CN8B  -0.050000       12.0110           0\n"
    "       3 SOLV 9999 SOD  SOD  SOD    1.000000       22.9898           0\n";
// NAMD's format: between blanks, whatever the width.
const std::string namd_atoms =
    "1 RNAA 52A GUA H5T HN5 0.43 1.008 0\n"
    "2 RNAA -3 GUA CA CN8B -5.0e-2 12.011 0\n"
    "3 SOLV 9999 SOD SOD SOD 1 22.98977 0\n";
// CHARMM with DRUDE: alpha and Thole's factor behind. Each Drude particle follows its atom.
const std::string drude_atoms =
    "         1 ION      1        POT      POT      POTD      3.290000     39.09830           0 -2.29 1.3 0\n"
    "         2 ION      1        POT      DPOT     DRUD     -2.290000     0.400000           0  0.00 0.0 0\n"
    "         3 ION      1        POT      POT      POTD      3.290000     39.09830           0 -2.29 1.3 0\n"
    "         4 ION      1        POT      DPOT     DRUD     -2.290000     0.400000           0  0.00 0.0 0\n"
    "         5 ION      2        CLA      CLA      CLAD      2.500000     35.45000           0 -3.50 1.3 0\n"
    "         6 ION      2        CLA      DCLA     DRUD     -3.500000     0.400000           0  0.00 0.0 0\n"
    "         7 LIG      3        LIG      O1       OD3       0.500000     15.99900           0 -1.50 1.3 0\n"
    "         8 LIG      3        LIG      DO1      DRUD     -0.500000     0.400000           0  0.00 0.0 0\n"
    "         9 LIG      3        LIG      LP1A     LPD      -0.250000     0.000000           0  0.00 0.0 "
    "-1\n"
    "        10 LIG      3        LIG      LP1B     LPD       0.250000     0.000000           0  0.00 0.0 "
    "-1\n";
const std::string told_of_all =
    "RNAA 52A GUA H5T H 0.43\n"
    "RNAA -3 GUA CA C -0.05\n"
    "SOLV 9999 SOD SOD NA 1\n";

}  // namespace

TEST_CASE("PSF: every dialect gives the same atoms") {
  struct Dialect {
    std::string flags, atoms;
  };
  const Dialect dialects[] = {{" CMAP CHEQ", charmm_atoms}, {" EXT CMAP XPLOR AUTOG", ext_atoms},
                              {"", psfgen_atoms},           {" NAMD", namd_atoms},
                              {" DRUDE", charmm_atoms},     {" EXT", namd_atoms}};
  for (const Dialect& dialect : dialects) {
    CAPTURE(dialect.flags);
    const std::string text = psf(dialect.flags, dialect.atoms, 3);
    CHECK(is_psf(text));
    const Topology topology = read_psf(text, "x.psf");
    CHECK(told(topology) == told_of_all);
    CHECK(topology.warnings.empty());
    CHECK(topology.atoms[0].position_A == Vec3<double>{});
    std::string crlf;
    for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    CHECK(told(read_psf(crlf, "x.psf")) == told_of_all);
  }
}

TEST_CASE("PSF: blank names in columns, long names between blanks, numbers with letters") {
  const std::string atoms =
      "       1      1    ALA  N    56  -0.300000       14.0070           0\n"
      "       2 PROTEIN1 12345 CYSGG H123A NH1 0.25 1.008 0\n"
      "******** A    A12  ALA  CA   22   0.210000       12.0110           0\n";
  const Topology topology = read_psf(psf("", atoms, 3), "x.psf");
  CHECK(told(topology) == " 1 ALA N N -0.3\nPROTEIN1 12345 CYSGG H123A H 0.25\nA 0 ALA CA C 0.21\n");
  CHECK(topology.warnings ==
        std::vector<std::string>{"note: x.psf:10: the residue number is not a number; 0 was used (1 atom)"});
}

TEST_CASE("PSF: drude particles and lone pairs have charges and no element") {
  const Topology topology =
      read_psf(psf(" EXT DRUDE",
                   "         1 WAT      1        SWM4     OH2      ODW      1.71636       15.5994"
                   "           0   -1.71636       0.00000\n"
                   "         2 WAT      1        SWM4     DOH2     DOH2    -1.71636      0.400000"
                   "           0    0.00000       0.00000\n"
                   "         3 WAT      1        SWM4     OM       LP      -1.11466       0.00000"
                   "          -1    0.00000       0.00000\n",
                   3),
               "x.psf");
  CHECK(told(topology) == "WAT 1 SWM4 OH2  1.71636\nWAT 1 SWM4 DOH2  -1.71636\nWAT 1 SWM4 OM  -1.11466\n");
}

TEST_CASE("elements by mass: what force fields write, and nothing for what is between two") {
  const auto element = [](double mass_u) { return std::string(element_of_mass(mass_u).view()); };
  CHECK(element(1.0) == "H");
  CHECK(element(1.00797) == "H");
  CHECK(element(12.0) == "C");
  CHECK(element(14.01) == "N");
  CHECK(element(16.0) == "O");
  CHECK(element(30.974) == "P");
  CHECK(element(22.98977) == "NA");
  CHECK(element(24.305) == "MG");
  CHECK(element(39.102) == "K");
  CHECK(element(40.08) == "CA");
  CHECK(element(65.37) == "ZN");
  CHECK(element(238.0289) == "U");
  for (const double none : {0.0, -1.0, 0.4, 3.024, 4.0, 11.991, 14.027, 15.035, 13.0, 300.0, 1e6}) {
    CAPTURE(none);
    CHECK(element(none) == "");
  }
}

TEST_CASE("PSF: a file cut at any byte is refused, or gives all atoms") {
  const std::string text = psf(" EXT", ext_atoms, 3);
  const std::size_t complete = text.find(rest);
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    std::string read;
    const std::string message = error_of([&] { read = told(read_psf(text.substr(0, size), "x.psf")); });
    if (size < complete) {
      CHECK(message.starts_with("x.psf:"));
    } else {
      CHECK(read == told_of_all);
    }
  }
}

TEST_CASE("PSF: headers that lie, and atoms that cannot be read") {
  const std::string record =
      " (an atom of a PSF has number, segment, residue number, residue name, atom name, type, charge and "
      "mass)";
  const std::string again = "; write the PSF again";
  CHECK(psf_error(psf("", psfgen_atoms, 4)) ==
        "x.psf:11: the atoms end after 3, and line 7 announces 4" + again);
  CHECK(psf_error(psf("", psfgen_atoms, 2)) ==
        "x.psf:10: there are more atoms than the 2 that line 7 announces" + again);
  CHECK(psf_error("PSF\n\n 2000000000 !NATOM\n" + psfgen_atoms) ==
        "x.psf: ends after 3 of the 2,000,000,000 atoms that line 3 announces; copy it again");
  CHECK(psf_error("PSF\n\n 99999999999999999999 !NATOM\n") ==
        "x.psf:3: '99999999999999999999' is not a number of atoms" + again);
  CHECK(psf_error("PSF\n\n -1 !NATOM\n") == "x.psf:3: '-1' is not a number of atoms" + again);
  CHECK(psf_error("PSF\n\n 0 !NATOM\n") == "x.psf:3: has no atoms; make a PSF that has atoms");
  CHECK(psf_error("PSF\n\n" + title) ==
        "x.psf: has no atoms (no line has a number and !NATOM); is it a complete PSF?");
  struct Bad {
    std::string line, message;
  };
  const Bad cases[] = {
      {"1 A 1 ALA N NH1 nan 14.007 0", "charge 'nan' is not a finite number" + record + again},
      {"1 A 1 ALA N NH1 1e999 14.007 0", "charge '1e999' is not a finite number" + record + again},
      {"1 A 1 ALA N NH1 -O.3 14.007 0", "charge '-O.3' is not a finite number" + record + again},
      {"1 A 1 ALA N NH1 1000 14.007 0", "charge is 1000, but an atom has less than 1000 e" + record + again},
      {"1 A 1 ALA N NH1 -0.3 inf 0", "mass 'inf' is not a finite number" + record + again},
      {"1 A 1 ALA N NH1 -0.3",
       "the line '1 A 1 ALA N NH1 -0.3' ends before it has all of its fields" + record + again},
      {"x A 1 ALA N NH1 -0.3 14.007 0", "atom number 'x' is not a whole number" + record + again},
  };
  for (const Bad& bad : cases) {
    CAPTURE(bad.line);
    CHECK(psf_error(psf("", bad.line + "\n", 1)) == "x.psf:8: " + bad.message);
  }
}

TEST_CASE("PSF: what begins like one") {
  CHECK(is_psf("PSF EXT CMAP\r\n\r\n         3 !NTITLE\r\n"));
  CHECK(is_psf("PSF\n 3 !NATOM\n"));
  CHECK_FALSE(is_psf(""));
  CHECK_FALSE(is_psf("PSF"));
  CHECK_FALSE(is_psf("PSF converted by hand\n 3\n    1ALA      N    1   0.1   0.2   0.3\n"));  // GROMACS
  CHECK_FALSE(is_psf("PSFX\n 3 !NATOM\n"));
  CHECK_FALSE(is_psf("ATOM      1  N   MET A   1      11.269 124.021 231.688  0.1592 1.8240\n"));
}

TEST_CASE("PSF: files of CHARMM, CHARMM-GUI and psfgen have the atoms and charges that ParmEd 3.4.3 reads") {
  struct File {
    std::string name;
    std::size_t atoms;
    double charge_e;
  };
  const File files[] = {{"1MJI.psf.gz", 8720, -42},         {"1a2c_ins_code.psf.gz", 571, -3},
                        {"1k5i_c36.psf.gz", 17927, 0},      {"2r9r-1b.psf.gz", 1284, -118.52},
                        {"adk.psf.gz", 3341, -4},           {"ala_ala_ala.psf.gz", 33, 0},
                        {"ala_ala_ala.psf.xplor.gz", 33, 0}};
  for (const File& file : files) {
    const std::string path = shared_data("data/md/" + file.name);
    if (path.empty()) return;
    CAPTURE(file.name);
    const Topology topology = read_psf(read_input_file(path).text(), path);
    CHECK(topology.atoms.size() == file.atoms);
    CHECK(net_charge_e(topology.atoms) == doctest::Approx(file.charge_e));
    CHECK(topology.warnings.empty());
  }
}

TEST_CASE("PSF: ions of Drude force fields are ions, and Drude particles no copies of their atoms") {
  Topology topology = read_psf(psf(" EXT CMAP CHEQ DRUDE XPLOR", drude_atoms, 10), "x.psf");
  REQUIRE(topology.atoms.size() == 10);
  double x = 0.0;
  for (std::size_t n = 0; n < 10; ++n) {  // a Drude particle 0.004 A from its atom, the others 4 A apart
    const bool is_drude = n % 2 == 1 && n < 8;
    x += is_drude ? 0.004 : 4.0;
    topology.atoms[n].position_A = {x, 0.0, 0.0};
  }
  const Composition composition = composition_of(topology.atoms);
  REQUIRE(composition.ion_kinds.size() == 2);
  CHECK(composition.ions.residues == 3);
  CHECK(composition.ions.atoms == 6);
  CHECK(composition.ion_kinds[0].name.view() == "POT");
  CHECK(composition.ion_kinds[0].element == "K");
  CHECK(composition.ion_kinds[0].charge_e == 1.0);
  CHECK(composition.ion_kinds[0].count == 2);
  CHECK(composition.ion_kinds[1].name.view() == "CLA");
  CHECK(composition.ion_kinds[1].charge_e == -1.0);
  CHECK(composition.unknown.residues == 1);
  CHECK(composition.unknown.atoms == 4);
  const ExtraParticles extra = count_extra_particles(topology.atoms);
  CHECK(extra.drude == 4);
  CHECK(extra.lone_pairs == 2);

  Structure structure{.path = "x.psf", .atoms = topology.atoms};
  check_structure(structure);
  CHECK(structure.warnings.empty());
  structure.atoms[4].position_A = structure.atoms[0].position_A;  // a true copy
  check_structure(structure);
  REQUIRE(structure.warnings.size() == 1);
  CHECK(structure.warnings[0].find(
            "1 atom lies within 0.01 A of another one, first CLA 2 CLA on POT 1 POT") != std::string::npos);
  assign_radii(structure.atoms);
  CHECK(structure.atoms[0].radius_A == 1.38);  // K+, by the charge of both
  CHECK(structure.atoms[1].radius_A == 0.0);
  for (const Engine engine : {Engine::charmm, Engine::amber, Engine::openmm})
    CHECK(error_of([&] {
            check_engine_particles(engine, structure.atoms);
          }).starts_with("the structure has 4 Drude particles, and --for "));
  check_engine_particles(Engine::vmd, structure.atoms);
}

TEST_CASE("PSF: bonds between residues, also where the file is cut behind its atoms") {
  const Topology topology = read_psf(psf("", charmm_atoms, 3), "x.psf");
  CHECK(topology.links == std::vector<AtomLink>{{0, 1}, {1, 2}});
  const std::string text = "PSF\n\n" + title + "3 !NATOM\n" + charmm_atoms;
  CHECK(read_psf(text, "x.psf").links.empty());
  CHECK(read_psf(text + "\n 1 !NBOND: bonds\n 1 4\n", "x.psf").links.empty());
  CHECK(read_psf(text + "\n 2 !NBOND: bonds\n 1 2 1\n\n 1 !NTHETA: angles\n 2 3 1\n", "x.psf").links ==
        std::vector<AtomLink>{{0, 1}});
}
