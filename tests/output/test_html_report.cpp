// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "jobs/place/run.hpp"
#include "output/views/distance_distribution.hpp"
#include "output/views/html_report.hpp"
#include "output/views/solute_picture.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/example.hpp"

using namespace ionwell;
using nlohmann::json;

namespace {

Structure two_residues() {
  Structure structure{.path = "rna.pqr"};
  for (int n = 0; n < 4; ++n)
    structure.atoms.push_back({.position_A = {1.0 * n, -0.25, 7.5},
                               .charge_e = -1.0,
                               .name = n % 2 == 0 ? "P" : "CA",
                               .residue = n < 2 ? "RG5" : "ALA",
                               .chain = "A",
                               .residue_number = n / 2 + 1});
  structure.atoms.push_back({.position_A = {9, 9, 9}, .name = "O", .residue = "HOH", .chain = "W"});
  return structure;
}

Result result_of(const Structure& structure) {
  Result result{.run = {.command = "ionwell place rna.pqr"},
                .structure = structure,
                .potential = {.lattice = {{0, 0, 0}, {0.5, 0.5, 0.5}, {3, 4, 5}}, .electrostatics = {}},
                .exclusion = ExclusionOptions{}};
  result.run.device = "avx2";
  result.run.timings_s = {{"read", 0.25}, {"total", 1.5}};
  result.placement.requested = 2;
  result.placement.ions.push_back({.species = {"MG", "MG", 2.0},
                                   .position_A = {1.5, -2.5, 13.0},
                                   .energy_kT = -30.0,
                                   .nearest_solute_A = 5.9,
                                   .nearest_ion_A = 6.5});
  result.placement.ions.push_back({.species = {"XYZ", "", 1.0},
                                   .position_A = {0, 0, 1},
                                   .energy_kT = std::nan(""),
                                   .nearest_atom = 1,
                                   .nearest_solute_A = 6.5});
  return result;
}

/// The text between `begin` and the next `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  REQUIRE(from != std::string::npos);
  const std::size_t start = from + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

json data_of(const std::string& page) {
  return json::parse(between(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("page: has what a run did, and where the ions are") {
  const Structure structure = two_residues();
  Result result = result_of(structure);
  result.run.warnings = {"careful"};
  const std::vector<ChemistryRow> chemistry = {{"CYS 6 A", "disulfide bond to CYS 9 A", "2.03 A", ""},
                                               {"PTR 527 A", "kept", "</script>", "--replace-nonstandard"}};
  const std::string page = html_report(result, {}, chemistry);
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.ends_with("</html>\n"));
  CHECK(page.find("<title>rna.pqr - ions by ionwell</title>") != std::string::npos);
  CHECK(page.find('@' + std::string("data@")) == std::string::npos);
  const json data = data_of(page);
  CHECK(data["command"] == "ionwell place rna.pqr");
  CHECK(data["warnings"] == json{"careful"});
  CHECK(data["chemistry"] == json{{"CYS 6 A", "disulfide bond to CYS 9 A", "2.03 A", ""},
                                  {"PTR 527 A", "kept", "</script>", "--replace-nonstandard"}});
  CHECK(data["timings_s"] == json::parse(R"([["read", 0.25], ["total", 1.5]])"));
  CHECK(data["ions"]["name"] == json{"MG", "XYZ"});
  CHECK(data["ions"]["position_A"] == json{1.5, -2.5, 13.0, 0, 0, 1});
  CHECK(data["ions"]["energy_kT"] == json{-30.0, nullptr});
  CHECK(data["ions"]["nearest_atom"] == json{"RG5 1 A P", "RG5 1 A CA"});
  CHECK(data["ions"]["nearest_ion_A"] == json{6.5, nullptr});
  CHECK_FALSE(data["ions"].contains("probability"));
  CHECK(data["facts"][0] == json{"Structure", "rna.pqr"});
  CHECK(data["solute"]["detail"] == "atoms");
  CHECK(data["map"]["why_not"] == "no map was computed");
  CHECK(page.find("University of Pittsburgh") != std::string::npos);
}

TEST_CASE("page: no text of a run becomes HTML or ends a script") {
  Structure structure = two_residues();
  structure.path = "a</title></script><script>alert(1)</script>&\"'\xff<!--.pqr";
  structure.atoms[0].residue = "<b>";
  Result result = result_of(structure);
  const std::string clean = html_report(result_of(two_residues()));
  result.run.command = "ionwell place '" + structure.path + "'\u2028";
  result.run.warnings = {"</script><img src=x onerror=alert(1)>", "<!--<script>"};
  const std::string page = html_report(result);
  for (const char* const mark : {"<script", "</script", "<!--", "<img", "</title>", "<b>"}) {
    CAPTURE(std::string(mark));
    CHECK(count(page, mark) == count(clean, mark));
  }
  const json data = data_of(page);
  CHECK(data["warnings"][0] == "</script><img src=x onerror=alert(1)>");
  CHECK(data["command"] ==
        "ionwell place 'a</title></script><script>alert(1)</script>&\"'\xef\xbf\xbd<!--.pqr'\u2028");
  CHECK(page.find("<title>script&gt;&amp;&quot;&#39;\xef\xbf\xbd&lt;!--.pqr - ions") != std::string::npos);
}

TEST_CASE("page: asks no network, and is small beside the structure") {
  const Structure structure = two_residues();
  Result result = result_of(structure);
  result.placement.ions.assign(1935, result.placement.ions.front());
  for (PlacedIon& ion : result.placement.ions) ion.energy_kT = -12345.6789;
  CoarseMap map{.lattice = {{0, 0, 0}, {1, 1, 1}, {40, 40, 37}}, .values_kT_e = {}, .why_not = {}};
  map.values_kT_e.resize(std::size_t(map.lattice.size()), -1.0F);
  const std::string page = html_report(result, map);
  CHECK(page.size() < 1'500'000);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  const std::string head = page.substr(0, page.find("<script"));
  for (const char* const way : {"http:", "https:", "@import", "url("})
    CHECK(head.find(way) == std::string::npos);
  CHECK(count(page, "<script src") == 0);
}

TEST_CASE("page: values of a map are in 16 bits, cut where charges are") {
  const Structure structure = two_residues();
  const CoarseMap map{.lattice = {{1, 2, 3}, {2, 2, 2}, {2, 1, 2}},
                      .values_kT_e = {-1e9F, 0.0F, 15.0F, -7.5F},
                      .why_not = {}};
  const json data = data_of(html_report(result_of(structure), map))["map"];
  CHECK(data["origin_A"] == json{1, 2, 3});
  CHECK(data["counts"] == json{2, 1, 2});
  CHECK(data["scale_kT_e"] == 15.0);  // the first ion's: -30 kT of 2 e
  CHECK(data["step_kT_e"].get<double>() == doctest::Approx(22.5 / 32767));
  CHECK(data["int16"] == "AYAAAFVVVtU=");  // -32767, 0, 21845, -10922 with the lowest byte first
}

TEST_CASE("picture of a solute: residues and atoms under the PDB's names, without water") {
  const json picture = solute_picture(two_residues());
  CHECK(picture["detail"] == "atoms");
  CHECK(picture["origin_A"] == json{0, -1, 7});
  CHECK(picture["chains"] == json{"A"});
  CHECK(picture["residues"] == json{{"G", 1, 0, 1, 2}, {"ALA", 2, 0, 1, 2}});
  CHECK(picture["xyz"] == json{0, 75, 50, 100, 75, 50, 200, 75, 50, 300, 75, 50});
  Structure water;
  water.atoms.push_back({.name = "O", .residue = "HOH"});
  CHECK(solute_picture(water).is_null());
}

TEST_CASE("picture of a solute: a large one is a trace in pieces, or some of its atoms") {
  Structure large;
  for (int n = 0; n < int(most_atoms_in_full) + 1; ++n)
    large.atoms.push_back({.position_A = {0.5 * n, 0, 0},
                           .name = n % 4 == 0 ? "CA" : "CB",
                           .residue = "ALA",
                           .chain = n < 8000 ? "A" : "B",
                           .residue_number = n / 4 + 1});
  const json trace = solute_picture(large);
  CHECK(trace["detail"] == "trace");
  const std::size_t points = trace["kinds"].get<std::string>().size();
  CHECK(points == most_atoms_in_full / 4 + 1);
  CHECK(trace["xyz"].size() == 3 * points);
  CHECK(trace["breaks"] == json{0, 2000});
  CHECK(trace["xyz"][3] == 20);        // 2 A in steps of 0.1 A
  large.atoms[4].position_A.y = 50.0;  // a gap before and behind it
  CHECK(solute_picture(large)["breaks"] == json{0, 1, 2, 2000});
  for (const auto& [residue, atom] : {std::pair("MG", "MG"), {"LIG", "C1"}, {"PSU", "P"}, {"PSU", "C1'"}})
    large.atoms.push_back({.position_A = {1, 2, 3},
                           .name = atom,
                           .residue = residue,
                           .chain = "C",
                           .residue_number = std::string(residue) == "PSU" ? 3 : 1});
  const json more = solute_picture(large);
  CHECK(more["other_kinds"] == "ii");  // one atom, whatever its name
  CHECK(more["other_xyz"] == json{10, 20, 30, 10, 20, 30});
  CHECK(more["kinds"].get<std::string>().ends_with("pn"));
  large.atoms.resize(most_atoms_in_full + 1);
  for (Atom& atom : large.atoms) atom.residue = "UNK";
  const json sparse = solute_picture(large);
  CHECK(sparse["detail"] == "sparse");
  CHECK(sparse["xyz"].size() == 3 * (most_atoms_in_full / 2 + 1));
}

TEST_CASE("radial distribution: shells around one atom have the volumes of shells") {
  const std::vector<Atom> atom(1);
  Placement placement;
  for (const double distance_A : {5.1, 5.4, 7.2, 99.0})
    placement.ions.push_back({.species = {"NA", "NA", 1.0}, .nearest_solute_A = distance_A});
  const DistanceDistribution found = distance_distribution(atom, placement, 1);
  REQUIRE(found.g.size() == 20);
  CHECK(found.ions[10] == 2);
  CHECK(found.ions[14] == 1);
  const auto sphere = [](double r) { return 4.0 / 3.0 * 3.14159265358979 * r * r * r; };
  // Points of a lattice of 0.5 A: their count in a shell is off by a few percent.
  CHECK(found.volume_A3[10] == doctest::Approx(sphere(5.5) - sphere(5.0)).epsilon(0.1));
  CHECK(found.g[10] == doctest::Approx(2.0 / (sphere(5.5) - sphere(5.0)) * sphere(10) / 3.0).epsilon(0.15));
  CHECK(found.g[0] == 0.0);
  CHECK(coarse_lattice(atom).size() <= most_coarse_points);
}

TEST_CASE("coarse map: the potential of a job on few points, and why there is none of a solver") {
  const Structure structure = read_structure(test::duplex);
  Job job{.structure = structure,
          .ions = {},
          .source = {},
          .electrostatics = {},
          .update = {},
          .lattice = {},
          .exclusion = {},
          .backend = {.backend = Backend::cpu},
          .field = {},
          .box = {},
          .hydration = {}};
  const CoarseMap map = coarse_map(job);
  CHECK(map.why_not.empty());
  REQUIRE(std::ssize(map.values_kT_e) == map.lattice.size());
  CHECK(map.lattice.size() <= most_coarse_points);
  CHECK(map.lattice.size() > most_coarse_points / 2);
  // At a corner, far from all charges: -22 e at 560 kT A / e, divided by the distance.
  CHECK(map.values_kT_e.front() < -200.0F);
  CHECK(map.values_kT_e.front() > -800.0F);
  job.source = PbOptions{};
  CHECK(coarse_map(job).values_kT_e.empty());
  CHECK(coarse_map(job).why_not.find("Poisson-Boltzmann") != std::string::npos);
}
