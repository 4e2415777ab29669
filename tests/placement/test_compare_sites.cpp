// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "files/packing.hpp"
#include "placement/scoring/compare_sites.hpp"
#include "structures/formats/pdb_sites.hpp"
#include "structures/writers/system_file.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Points = std::vector<Vec3<double>>;

/// Largest number of sites with an ion of their own, by trying everything.
std::int64_t matched_by_trial(const Points& ions, const Points& sites, double distance_A,
                              std::size_t site = 0, unsigned taken = 0) {
  if (site == sites.size()) return 0;
  std::int64_t best = matched_by_trial(ions, sites, distance_A, site + 1, taken);
  for (std::size_t i = 0; i < ions.size(); ++i)
    if ((taken >> i & 1U) == 0 && std::sqrt(distance_squared(ions[i], sites[site])) <= distance_A)
      best = std::max(best, 1 + matched_by_trial(ions, sites, distance_A, site + 1, taken | 1U << i));
  return best;
}

std::string record(const char* start, const char* coordinates) {
  return std::string(start) + "    1 MG    MG A   1    " + coordinates + "  1.00  0.00\n";
}

std::string read_error(const std::string& text) {
  const TemporaryFile file("sites.pdb", text);
  std::string message = error_of([&] { read_pdb_sites(file.path()); });
  const std::size_t at = message.find(file.path());
  return at == std::string::npos ? message : message.replace(at, file.path().size(), "FILE");
}

}  // namespace

TEST_CASE("sites: one ion between two sites is near both and matched to one") {
  const SiteComparison c = compare_sites(Points{{1, 0, 0}}, Points{{0, 0, 0}, {2, 0, 0}, {0, 50, 0}});
  CHECK(c.ions == 1);
  CHECK(c.sites == 3);
  REQUIRE(c.within.size() == 6);
  CHECK(c.within[0].distance_A == 1.0);  // exactly at the distance counts
  CHECK(c.within[0].near_any_ion == 2);
  CHECK(c.within[0].matched == 1);
  CHECK(c.within[5].near_any_ion == 2);
  CHECK(c.nearest_ion_A[0] == 1.0);
  CHECK(c.nearest_ion_A[2] == doctest::Approx(std::sqrt(2501.0)));
}

TEST_CASE("sites: the matching is the largest, where taking the nearest first is not") {
  // The ion at 2 is the nearest to both sites; the site at -0.4 has no other.
  const Points ions = {{2, 0, 0}, {5, 0, 0}}, sites = {{2.5, 0, 0}, {-0.4, 0, 0}};
  const SiteComparison c = compare_sites(ions, sites, {.distances_A = {2.5}});
  CHECK(c.within[0].matched == 2);
}

TEST_CASE("sites: counts equal those of trying everything") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> coordinate(0.0, 6.0);
  for (int round = 0; round < 200; ++round) {
    Points ions(std::size_t(round % 7)), sites(std::size_t(1 + round % 6));
    for (Points* points : {&ions, &sites})
      for (Vec3<double>& p : *points) p = {coordinate(random), coordinate(random), coordinate(random)};
    const SiteComparison c = compare_sites(ions, sites);
    for (const SitesWithin& row : c.within) {
      CAPTURE(round);
      CAPTURE(row.distance_A);
      std::int64_t near = 0;
      for (const double d : c.nearest_ion_A) near += d <= row.distance_A;
      CHECK(row.near_any_ion == near);
      CHECK(row.matched == matched_by_trial(ions, sites, row.distance_A));
    }
  }
}

TEST_CASE("sites: are shown as a table and as JSON, also without ions") {
  const SiteComparison c = compare_sites({}, Points{{0, 0, 0}}, {.distances_A = {3.0}});
  std::ostringstream table;
  print_comparison(table, c);
  CHECK(table.str() ==
        "0 ions, 1 site\n"
        "within       sites with an ion    with one of their own of the ions\n"
        "       3 A          0 (  0 %)                 0 (  0 %)         0 %\n");
  CHECK(json_comparison(c).find("\"nearest_ion_A\": [\n    null\n  ]") != std::string::npos);
  CHECK(error_of([] { compare_sites({}, {}); }) ==
        "there are no sites to compare with; give a file with sites");
}

TEST_CASE("sites: are read from any PDB file's first model") {
  const std::string text = "HEADER x\r\nMODEL 1\r\n" + record("HETATM", "   1.000  -2.500   3.250") +
                           record("ATOM  ", "-999.9999999.999   0.000") + "HETATM12345MG\tnot columns\n";
  const std::string good = text.substr(0, text.find("HETATM12345"));
  const std::vector<PdbSite> sites =
      read_pdb_sites(
          TemporaryFile("a.pdb", good + "ENDMDL\n" + record("HETATM", "   7.000   7.000   7.000")).path())
          .sites;
  REQUIRE(sites.size() == 2);
  CHECK(sites[0].position_A == Vec3<double>{1.0, -2.5, 3.25});
  CHECK(sites[1].position_A == Vec3<double>{-999.999, 9999.999, 0.0});
  CHECK(read_error(text) ==
        "FILE:5: the x coordinate '' is not a number of at most 100000 A (a PDB record has x, y, z in "
        "columns 31-54); correct the line");
}

TEST_CASE("sites: are ions, by residue, element or charge, and all atoms when asked for") {
  const std::string crystal =
      "ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00  0.00           N\n"
      "ATOM      2  CA  ALA A   1       1.500   0.000   0.000  1.00  0.00           C\n"
      "ATOM      3  P     I B   1       9.000   0.000   0.000  1.00  0.00           P\n"
      "HETATM    4 MG    MG A 101      10.000   0.000   0.000  1.00  0.00          MG\n"
      "HETATM    5 CA    CA A 102      20.000   0.000   0.000  1.00  0.00          CA\n"
      "HETATM    6 FE   FE2 A 103      30.000   0.000   0.000  1.00  0.00          FE\n"
      "HETATM    7  O   HOH A 104      40.000   0.000   0.000  1.00  0.00           O\n"
      "HETATM    8 CO   NCO A 105      50.000   0.000   0.000  1.00  0.00          CO\n"
      "HETATM    9  N1  NCO A 105      52.000   0.000   0.000  1.00  0.00           N\n"
      "HETATM   10 MG   CLA A 106      60.000   0.000   0.000  1.00  0.00          MG\n"
      "HETATM   11  CHA CLA A 106      62.000   0.000   0.000  1.00  0.00           C\n"
      "HETATM   12 MN   QQQ A 107      70.000   0.000   0.000  1.00  0.00          MN\n"
      "HETATM   13  X   XYZ A 108      80.000   0.000   0.000  1.00  0.00            2+\n"
      "HETATM   14 SOD  SOD A   1      90.000   0.000   0.000\n"
      "HETATM   15 SOD  SOD A   1      95.000   0.000   0.000\n"
      "HETATM   16  C1  LIG A 109     100.000   0.000   0.000  1.00  0.00           C\n";
  const TemporaryFile file("crystal.pdb", crystal);
  const PdbSites ions = read_pdb_sites(file.path());
  std::vector<double> x_A;
  for (const PdbSite& site : ions.sites) x_A.push_back(site.position_A.x);
  CHECK(x_A == std::vector<double>{10.0, 20.0, 30.0, 50.0, 70.0, 80.0, 90.0, 95.0});
  CHECK(ions.others == 8);
  const PdbSites all = read_pdb_sites(file.path(), SiteChoice::all);
  CHECK(all.sites.size() == 16);
  CHECK(all.others == 0);
  CHECK(read_error(crystal.substr(0, crystal.find("HETATM"))) ==
        "FILE: holds 3 atoms but no ion (a residue of one atom with the name, element or charge of an ion); "
        "--sites all uses every atom");
}

TEST_CASE("sites: the files that 'place' writes are read, and give one comparison") {
  const std::vector<NamedIon> ions = {{"MG", "MG", "MG", 2.0, {1.25, -2.5, 3.75}, 0.7},
                                      {"CL", "CL", "CL", -1.0, {10.0, 20.0, -30.5}, 1.8}};
  const std::vector<Atom> solute = {{.position_A = {5, 5, 5}, .name = "P", .residue = "DA", .chain = "A"}};
  const TemporaryFolder folder;
  for (const std::string name : {"a.pdb", "a.cif", "a.gro", "a.pqr", "a.crd", "a.cif.gz"}) {
    CAPTURE(name);
    const std::string text = system_text({.solute = solute, .ions = ions}, system_format(name));
    write_text(folder / name, name.ends_with(".gz") ? gzip(text) : text);
    const PdbSites read = read_pdb_sites(folder / name);
    REQUIRE(read.sites.size() == 2);
    CHECK(read.others == 1);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(read.sites[i].residue.view() == ions[i].residue);
      CHECK(distance_squared(read.sites[i].position_A, ions[i].position_A) < 1e-4);  // .gro has 0.01 A
    }
    CHECK(read_pdb_sites(folder / name, SiteChoice::all).sites.size() == 3);
  }
  const std::string cif =
      "data_x\nloop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
      "_atom_site.label_comp_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
      "_atom_site.occupancy\n_atom_site.B_iso_or_equiv\nMG MG MG 1 2 3 0.5 25\n";
  write_text(folder / "b.cif", cif);
  const PdbSites sites = read_pdb_sites(folder / "b.cif");
  CHECK(site_weights(sites.sites, SiteWeight::occupancy, "b.cif") == std::vector<double>{0.5});
  CHECK(site_weights(sites.sites, SiteWeight::b_factor, "b.cif") == std::vector<double>{0.04});
  write_text(folder / "c.rst7", "title\n    1\n   1.0000000   2.0000000   3.0000000\n");
  CHECK(error_of([&] {
          read_pdb_sites(folder / "c.rst7");
        }).find(": is AMBER coordinates, but ions with names are needed; give a PDB, mmCIF, PQR or .gro") !=
        std::string::npos);
}

TEST_CASE("sites: a file without any, or with a damaged one, is refused") {
  CHECK(read_error("REMARK nothing\nEND\n") ==
        "FILE: no ATOM or HETATM record was found; give a PDB, mmCIF, PQR or .gro file of ions, for example "
        "from 'ionwell place'");
  CHECK(read_error(record("HETATM", "   1.000     nan   3.250")).find("FILE:1: the y coordinate 'nan'") == 0);
  CHECK(read_error(record("HETATM", "   1.000   2.000   1e300")).find("FILE:1: the z coordinate '1e300'") ==
        0);
  CHECK(read_error("ATOM  \nHETATM    1 MG    MG A   1       1.000   2.0")
            .find("FILE:1: the x coordinate ''") == 0);
  CHECK(error_of([] { read_pdb_sites("no/such.pdb"); }).find("no/such.pdb") == 0);
}

TEST_CASE("sites: distances that are none are refused") {
  const std::vector<Vec3<double>> ions{{0, 0, 5}}, sites{{0, 0, 1}};
  for (const std::vector<double>& distances_A : {std::vector<double>{}, {-5.0}, {0.0}, {2.0, std::nan("")}}) {
    CHECK_THROWS_AS(compare_sites(ions, sites, {.distances_A = distances_A}), UsageError);
  }
}
