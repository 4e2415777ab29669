// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <random>

#include "files/input_file.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/read_structure.hpp"
#include "structures/pdb2pqr_command.hpp"
#include "structures/structure_checks.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string good =
    "ATOM      1  N   MET A   1      11.269 124.021 231.688  0.7500 1.8240\n"
    "ATOM      2  CA  MET A   1      12.299 124.537 230.744  0.2500 1.9080\n";

std::string refusal(const std::string& text, const std::string& path = "x.pqr") {
  return error_of([&] { read_structure_text(text, path); });
}

std::vector<std::string> warnings_of(const std::string& text) {
  return read_structure_text(text, "x.pqr").warnings;
}

const std::string known(formats_read());

}  // namespace

TEST_CASE("structures: a file with charges is read, whatever its name") {
  for (const std::string path : {"x.pqr", "X.PQR", "x.pdb", "x.txt", "x"}) {
    const Structure structure = read_structure_text(good, path);
    CHECK(structure.path == path);
    CHECK(structure.atoms.size() == 2);
    CHECK(structure.warnings.empty());
  }
  CHECK(read_structure(TemporaryFile("good.pqr", good).path()).atoms.size() == 2);
}

TEST_CASE("structures: a PDB or mmCIF without charges is answered with the command that assigns them") {
  const std::string pdb =
      "ATOM      1  N   MET A   1      11.269 124.021 231.688  1.00 22.45           N\n"
      "ATOM      2  CA  MET A   1      12.299 124.537 230.744  0.50  1.00           C\n";
  const std::string bare_pdb = "ATOM      1  N   MET A   1      11.269 124.021 231.688\n";
  const std::string old_pdb = "ATOM      1  N   MET A   1      11.269 124.021 231.688  1.00122.45\n";
  const std::string from_md =
      "ATOM      1  N   MET A   1      11.269 124.021 231.688  1.00  0.00\n"
      "ATOM      2  CA  MET A   1      12.299 124.537 230.744  1.00  0.00      PROT\n";
  const std::string is_pdb = ": is a PDB file, without charges and radii; make a PQR of it with ";
  for (const std::string& text : {pdb, bare_pdb, old_pdb, from_md})
    CHECK(refusal(text, "a/x.pdb") == "a/x.pdb" + is_pdb + "pdb2pqr --ff=AMBER --keep-chain a/x.pdb a/x.pqr");
  for (const std::string& text : {pdb, old_pdb, from_md})
    CHECK(refusal(text) == "x.pqr" + is_pdb + "pdb2pqr --ff=AMBER --keep-chain x.pqr x-charged.pqr");
  CHECK(refusal("# made by hand\ndata_1ABC\nloop_\n_atom_site.id\n1\n", "x.cif") ==
        "x.cif: is an mmCIF file, without charges and radii; make a PQR of it with pdb2pqr --ff=AMBER "
        "--keep-chain "
        "x.cif x.pqr");
  // Charges with two decimals in the same columns are still charges.
  CHECK(read_structure_text("ATOM      1  I   ION     1       0.000   0.000   0.000  1.00  3.00\n", "x.pqr")
            .atoms[0]
            .radius_A == 3.0);
  CHECK(read_structure_text("ATOM      1  I   ION     1       0.000   0.000   0.000 -1.00  3.00\n", "x.pdb")
            .atoms[0]
            .charge_e == -1.0);
}

TEST_CASE("structures: the command fits the name") {
  CHECK(pdb2pqr_command("x.pdb.gz") == "gunzip -k x.pdb.gz && pdb2pqr --ff=AMBER --keep-chain x.pdb x.pqr");
  CHECK(
      pdb2pqr_command("x.cif.gz", StructureFormat::mmcif) ==
      "gunzip -k x.cif.gz && gemmi convert --from=mmcif x.cif x.pdb && pdb2pqr --ff=AMBER --keep-chain x.pdb "
      "x.pqr");
  CHECK(pdb2pqr_command("my file's.pdb") ==
        "pdb2pqr --ff=AMBER --keep-chain 'my file'\\''s.pdb' 'my file'\\''s.pqr'");
}

TEST_CASE("structures: what is no structure is refused by what it is") {
  CHECK(refusal("Dear all,\nplease find", "x.txt") ==
        "x.txt: has an unknown format (it starts with 'Dear all,'); " + known);
  CHECK(refusal("Dear all,\nplease find").substr(0, 19) == "x.pqr: has no atoms");
  CHECK(refusal("PSF EXT\n\n       1 !NTITLE\n", "x.psf") ==
        "x.psf: is a PSF topology, but only PQR files are read here; use read_input with its coordinates");
  CHECK(refusal("%VERSION  VERSION_STAMP = V0001.000\n", "x.prmtop") ==
        "x.prmtop: is an AMBER topology, but only PQR files are read here; use read_input with its "
        "coordinates");
  CHECK(refusal("# a map\nobject 1 class gridpositions counts 2 2 2\n", "x.dx") ==
        "x.dx: is an OpenDX map, which is not read; give a map with --map, after the structure");
  CHECK(refusal("BZh91AY", "x.pqr.bz2") ==
        "x.pqr.bz2: is compressed with bzip2; decompress it with bunzip2 first (ionwell decompresses only "
        "gzip)");
  CHECK(refusal(std::string("\xFF\xFE"
                            "A\0T\0",
                            6)) == "x.pqr: is UTF-16 text, which is not read; save it as plain text (UTF-8)");
  CHECK(refusal(good + std::string(1, '\0')) ==
        "x.pqr: is binary, not text (it contains a zero byte); " + known);
}

TEST_CASE("structures: charges that are all zero are an error") {
  CHECK(refusal("ATOM 1 N ALA A 1 1.0 2.0 3.0 0.0 1.8\nATOM 2 C ALA A 1 2.0 2.0 3.0 -0.0 1.8\n") ==
        "x.pqr: the charges of all 2 atoms are zero, and without charges there is no potential; assign them, "
        "for "
        "example with pdb2pqr --ff=AMBER --keep-chain STRUCTURE.pdb STRUCTURE.pqr");
}

TEST_CASE("structures: a net charge that is not an integer is a warning") {
  CHECK(warnings_of(good + "ATOM 3 C ALA A 2 1.0 2.0 3.0 -3.0099 1.8\n").empty());
  CHECK(warnings_of(good + "ATOM 3 C ALA A 2 1.0 2.0 3.0 -2.67 1.8\n") ==
        std::vector<std::string>{"x.pqr: the net charge is -1.670 e, not an integer; usually an atom or a "
                                 "terminus is missing, or the force field does not know a residue"});
}

TEST_CASE("structures: atoms on top of each other are a warning that names the first pair") {
  CHECK(warnings_of("ATOM 1 NA NA A 1 1.0 2.0 3.0 1 1.8\nATOM 2 CL CL A 2 1.0 2.0 3.0101 1 1.8\n").empty());
  CHECK(warnings_of("ATOM 1 NA NA A 1 1.0 2.0 3.0 1 1.8\nATOM 2 CL CL A 2 1.0 2.009 3.0 1 1.8\n"
                    "ATOM 3 MG MG A 3 1.0 2.0 3.0 2 1.8\n") ==
        std::vector<std::string>{"x.pqr: 2 atoms lie within 0.01 A of another one, first CL 2 A CL on NA 1 A "
                                 "NA; all their charges count, so remove copies"});
}

TEST_CASE("structures: copies of atoms that are meant are not to be removed") {
  const std::vector<Atom> atoms = {
      {.position_A = {1, 2, 3}, .charge_e = 0.5, .name = "CA", .residue = "ALA", .residue_number = 1},
      {.position_A = {1, 2, 3}, .charge_e = 0.5, .name = "CA", .residue = "ALA", .residue_number = 1},
      {.position_A = {1, 2, 4}, .charge_e = -1.0, .name = "CA", .residue = "ALA", .residue_number = 1}};
  Structure meant{.path = "x.prmtop", .atoms = atoms}, other = meant;
  check_structure(meant, {.copies = AtomCopies::on_purpose});
  CHECK(meant.warnings.empty());
  check_structure(other);
  CHECK(other.warnings.size() == 2);
}

TEST_CASE("structures: overlaps are those of the search over all pairs") {
  std::mt19937 random(3);
  for (const double width_A : {0.15, 1.0, 5.0}) {  // dense enough to overlap, across many cell boundaries
    std::uniform_real_distribution coordinate(-width_A, width_A);
    std::string text;
    std::vector<Vec3<double>> kept;
    int overlapping = 0;
    for (int i = 0; i < 3000; ++i) {
      const int pool = i < 2500 ? 0 : i - 2500;  // the last ones lie by an earlier one
      Vec3<double> p{coordinate(random), coordinate(random), coordinate(random)};
      if (pool > 0) p = kept[std::size_t(pool) % kept.size()] + 0.011 / width_A * 0.5 * p;
      char line[200];
      std::snprintf(line, sizeof line, "ATOM %d X ION A %d %.6f %.6f %.6f 1 1.0\n", i, i, p.x, p.y, p.z);
      text += line;
      std::array<double, 3> rounded;
      std::sscanf(line, "ATOM %*d X ION A %*d %lf %lf %lf", &rounded[0], &rounded[1], &rounded[2]);
      p = {rounded[0], rounded[1], rounded[2]};
      bool near = false;
      for (const Vec3<double>& other : kept) near = near || distance_squared(p, other) < 0.01 * 0.01;
      overlapping += near;
      if (!near) kept.push_back(p);
    }
    REQUIRE(overlapping > 10);
    const auto warnings = warnings_of(text);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].substr(0, warnings[0].find(" lie")) ==
          "x.pqr: " + std::to_string(overlapping) + " atoms");
  }
}

TEST_CASE("structures: alternate locations are a warning") {
  CHECK(
      warnings_of("ATOM      1  CB ASER A   1      11.269 124.021 231.688  0.5000 1.8240\n"
                  "ATOM      2  CB BSER A   1      11.769 124.021 231.688  0.5000 1.8240\n") ==
      std::vector<std::string>{"x.pqr: 1 atom is present twice in a residue, first BSER 1 A CB; if these are "
                               "alternate locations, keep only one of them, because both charges count"});
  // Ions that share a residue number are no alternates.
  CHECK(warnings_of("ATOM 1 NA NA A 1 1.0 2.0 3.0 1 1.8\nATOM 2 NA NA A 1 1.0 2.0 9.0 1 1.8\n").empty());
}

TEST_CASE("structures: published files in every dialect") {
  struct Known {
    std::string name;
    std::size_t atoms;
    double net_charge_e;
    Vec3<double> last_A;
    int waters = 0;
  };
  const std::vector<Known> files = {
      {"pqr-dialects/1A2C.pqr.gz", 5313, -4.0, {14.634, 25.092, 17.889}, 176},
      {"pqr-dialects/1AFS_apbs-input_include-header_whitespace_ff-AMBER.pqr.gz",
       10524,
       2.0,
       {-5.411, 59.613, -28.254},
       58},
      {"pqr-dialects/1AFS_chain_whitespace_ff-AMBER.pqr.gz", 10524, 2.0, {-5.411, 59.613, -28.254}, 58},
      {"pqr-dialects/1AFS_ff-AMBER.pqr.gz", 10524, 2.0, {-5.411, 59.613, -28.254}, 58},
      {"pqr-dialects/adk_open.pqr.gz", 3341, -4.0, {-12.417, 26.877, 21.494}},
      {"pqr-dialects/cpptraj_tz2.pqr.parse.pdb.save.gz", 223, 2.0, {-5.777, -10.358, -2.240}},
      {"pqr-dialects/delphi_1he8.pqr.gz", 17805, -17.0, {78.230, 38.051, 47.052}},
      {"structures/ribosome-70S.pqr.gz", 244766, -3871.0, {-52.442, 127.206, 250.047}},
      {"structures/stmv-capsid.pqr.gz", 155700, -270.0, {-48.779, -39.401, 31.879}},
  };
  for (const Known& file : files) {
    const std::string path = shared_data("data/" + file.name);
    if (path.empty()) return;
    CAPTURE(file.name);
    const Structure structure = read_structure(path);
    CHECK(structure.atoms.size() == file.atoms);
    CHECK(net_charge_e(structure.atoms) == doctest::Approx(file.net_charge_e).epsilon(1e-9));
    CHECK(structure.atoms.back().position_A == file.last_A);
    if (file.waters == 0) {
      CHECK(structure.warnings.empty());
    } else {
      REQUIRE(structure.warnings.size() == 1);
      CHECK(structure.warnings[0].find(": contains " + std::to_string(file.waters) + " waters, ") !=
            std::string::npos);
    }
  }
}
