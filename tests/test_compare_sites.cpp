#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "io/pdb_sites.hpp"
#include "placement/compare_sites.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"

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
  REQUIRE(c.within.size() == 5);
  CHECK(c.within[0].distance_A == 1.0);  // exactly at the distance counts
  CHECK(c.within[0].near_any_ion == 2);
  CHECK(c.within[0].matched == 1);
  CHECK(c.within[4].near_any_ion == 2);
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
        "within       sites with an ion    with one of their own\n"
        "       3 A          0 (  0 %)                 0 (  0 %)\n");
  CHECK(json_comparison(c).find("\"nearest_ion_A\": [\n    null\n  ]") != std::string::npos);
  CHECK(error_of([] { compare_sites({}, {}); }) ==
        "there are no sites to compare with; give a file that holds some");
}

TEST_CASE("sites: are read from any PDB file's first model") {
  const std::string text = "HEADER x\r\nMODEL 1\r\n" + record("HETATM", "   1.000  -2.500   3.250") +
                           record("ATOM  ", "-999.9999999.999   0.000") + "HETATM12345MG\tnot columns\n";
  const std::string good = text.substr(0, text.find("HETATM12345"));
  const std::vector<PdbSite> sites = read_pdb_sites(
      TemporaryFile("a.pdb", good + "ENDMDL\n" + record("HETATM", "   7.000   7.000   7.000")).path());
  REQUIRE(sites.size() == 2);
  CHECK(sites[0].position_A == Vec3<double>{1.0, -2.5, 3.25});
  CHECK(sites[1].position_A == Vec3<double>{-999.999, 9999.999, 0.0});
  CHECK(read_error(text) ==
        "FILE:5: the x coordinate '' is not a number of at most 100000 A (a PDB record has x, y, z in "
        "columns 31-54); correct the line");
}

TEST_CASE("sites: a file without any, or with a damaged one, is refused") {
  CHECK(read_error("REMARK nothing\nEND\n") ==
        "FILE: no ATOM or HETATM record was found; give a PDB file of ions, as 'ionwell place' writes it");
  CHECK(read_error(record("HETATM", "   1.000     nan   3.250")).find("FILE:1: the y coordinate 'nan'") == 0);
  CHECK(read_error(record("HETATM", "   1.000   2.000   1e300")).find("FILE:1: the z coordinate '1e300'") ==
        0);
  CHECK(read_error("ATOM  \nHETATM    1 MG    MG A   1       1.000   2.0")
            .find("FILE:1: the x coordinate ''") == 0);
  CHECK(error_of([] { read_pdb_sites("no/such.pdb"); }).find("no/such.pdb") == 0);
}
