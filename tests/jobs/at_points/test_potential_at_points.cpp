// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "jobs/at_points/potential_at_points.hpp"
#include "maps/map_file.hpp"
#include "meshes/point_files.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using ionwell::test::error_of;
using ionwell::test::TemporaryFolder;

namespace {

/// Charges of a small solute, in two residues of one chain.
Structure eight_charges() {
  Structure structure;
  structure.path = "solute.pqr";
  for (int n = 0; n < 8; ++n) {
    Atom atom;
    atom.position_A = {2.0 * n, n % 2 == 0 ? 1.0 : -1.0, 0.5 * n};
    atom.charge_e = n % 3 == 0 ? -1.0 : 0.4;
    atom.radius_A = 1.5;
    atom.name = "C";
    atom.residue = "ALA";
    atom.residue_number = n / 4;
    structure.atoms.push_back(atom);
  }
  return structure;
}

/// The octahedron around the middle.
PointSet octahedron(double radius_A) {
  PointSet points;
  points.path = "octahedron.ply";
  points.format = PointFormat::ply;
  const Vec3<double> middle{7, 0, 2};
  for (const Vec3<double>& corner :
       {Vec3<double>{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}})
    points.positions_A.push_back(middle + radius_A * corner);
  for (std::uint32_t n = 0; n < 4; ++n) {
    points.triangles.push_back({n, (n + 1) % 4, 4});
    points.triangles.push_back({(n + 1) % 4, n, 5});
  }
  return points;
}

PointResult result_of(const Structure& structure, const PointSet& points, const PointModel& model,
                      const ElectrostaticsOptions& electrostatics = {}) {
  Stages stages;
  return potential_at_points(
      {.structure = structure, .points = points, .model = model, .electrostatics = electrostatics}, stages);
}

}  // namespace

TEST_CASE("potential at points: a structure's charges, and what the report says of them") {
  const Structure structure = eight_charges();
  const PointSet points = octahedron(12.0);
  const PointResult result = result_of(structure, points, SummedCharges{}, {.ionic_strength_M = 0.1});
  const PairPotential pair = pair_potential({.ionic_strength_M = 0.1});
  double lowest = 1e9, mean = 0.0;
  for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
    double sum = 0.0;
    for (const Atom& atom : structure.atoms)
      sum += atom.charge_e *
             test::reference_pair(pair, std::sqrt(distance_squared(atom.position_A, points.positions_A[p])));
    CHECK(result.potential_kT_e[p] == doctest::Approx(sum).epsilon(1e-10));
    lowest = std::min(lowest, sum);
    mean += sum / 6.0;  // all corners have equal areas
  }
  CHECK(result.statistics.lowest_kT_e == doctest::Approx(lowest));
  CHECK(result.statistics.mean_kT_e == doctest::Approx(mean));
  CHECK(result.statistics.area_A2 == doctest::Approx(8 * std::sqrt(3.0) / 4.0 * 2.0 * 144.0));
  CHECK(result.inside_atoms == 0);
  const auto json = nlohmann::json::parse(json_report(result));
  CHECK(json["points"]["triangles"] == 8);
  CHECK(json["method"] == "direct sum in double precision");
  CHECK(json["potential"]["lowest_kT_e"].get<double>() == doctest::Approx(lowest));
  CHECK(json["electrostatics"]["ionic_strength_M"] == 0.1);
  double shares = 0.0;
  for (const auto& bin : json["potential"]["histogram"]) shares += bin["share"].get<double>();
  CHECK(shares == doctest::Approx(1.0));
}

TEST_CASE("potential at points: residues and chains of a structure") {
  Structure structure = eight_charges();
  structure.atoms[5].charge_e = 0.0;
  structure.atoms[3].ends_chain = true;
  const SoluteParts parts = solute_parts(structure.atoms);
  CHECK(parts.charges.size() == 7);
  CHECK(parts.residue_begins == std::vector<std::uint32_t>{0, 4, 7});
  CHECK(parts.chain_begins == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("potential at points: the lowest patch is told with its area and nearest atom") {
  const Structure structure = eight_charges();
  PointSet points = octahedron(12.0);
  const std::vector<double> values = {-3.0, 1.0, 1.0, 1.0, -1.0, 2.0};
  const std::vector<double> areas_A2(6, 2.0);
  const PointStatistics statistics = point_statistics(points, values, areas_A2, structure.atoms);
  REQUIRE(statistics.patches.size() == 1);
  CHECK(statistics.patches[0].lowest_point == 0);
  CHECK(statistics.patches[0].area_A2 == 2.0);
  CHECK(statistics.patches[0].nearest_atom.find("ALA") != std::string::npos);
  // Alone, points of one place count once.
  points.triangles.clear();
  points.positions_A[4] = points.positions_A[0];
  CHECK(point_statistics(points, values, {}, structure.atoms).patches.size() == 1);
  // NaN do not count.
  const PointStatistics some =
      point_statistics(points, std::vector<double>{NAN, 1, NAN, NAN, 3, NAN}, {}, structure.atoms);
  CHECK(some.valued == 2);
  CHECK(some.mean_kT_e == doctest::Approx(2.0));
}

TEST_CASE("potential at points: maps are interpolated, and end somewhere") {
  const TemporaryFolder folder;
  const Structure structure = eight_charges();
  // A plane: every interpolation gives it back.
  const LatticeGeometry lattice{{-5, -6, -7}, {2, 3, 2.5}, {12, 6, 8}};
  std::vector<double> values;
  const auto plane = [](const Vec3<double>& p) { return 1.0 + 0.5 * p.x - 0.25 * p.y + 2.0 * p.z; };
  for (std::int64_t n = 0; n < lattice.size(); ++n) values.push_back(plane(lattice.position_A(n)));
  OutputFile file(folder / "map.dx");
  write_map(
      file,
      {.lattice = lattice, .unit = MapUnit::kT_e, .temperature_K = room_temperature_K, .provenance = {}},
      std::span<const double>(values), 1, {});
  file.commit();
  for (const MapInterpolation method : {MapInterpolation::trilinear, MapInterpolation::tricubic}) {
    const PointSet points = octahedron(6.0);
    const PointResult result =
        result_of(structure, points,
                  MapFiles{.paths = {folder / "map.dx"}, .unit = MapUnit::kT_e, .interpolation = method});
    for (std::size_t p = 0; p < 6; ++p)
      CHECK(result.potential_kT_e[p] == doctest::Approx(plane(points.positions_A[p])).epsilon(1e-5));
    CHECK(result.run.warnings.empty());
  }
  const PointSet beyond = octahedron(11.5);
  const PointResult result =
      result_of(structure, beyond, MapFiles{.paths = {folder / "map.dx"}, .unit = MapUnit::kT_e});
  CHECK(std::isnan(result.potential_kT_e[0]));
  CHECK(result.statistics.valued < 6);
  REQUIRE(result.run.warnings.size() == 1);
  CHECK(result.run.warnings[0].find("are outside the maps") != std::string::npos);
  const PointSet nowhere = octahedron(1000.0);
  CHECK(error_of([&] {
          result_of(structure, nowhere, MapFiles{.paths = {folder / "map.dx"}, .unit = MapUnit::kT_e});
        }).find("none of the 6 points is inside a map") != std::string::npos);
}

TEST_CASE("potential at points: the own solution is that of a charged ball in salt") {
  Structure structure;
  structure.path = "ball.pqr";
  structure.atoms.resize(1);
  structure.atoms[0].charge_e = 2.0;
  structure.atoms[0].radius_A = 3.0;
  structure.atoms[0].position_A = {0.3, 0.2, 0.1};
  PointSet points;
  for (const double r_A : {6.0, 7.5, 9.0}) points.positions_A.push_back({0.3 + r_A, 0.2, 0.1});
  const PointResult result = result_of(structure, points, SolvedPb{.pb = {}, .lattice = {.spacing_A = 0.5}});
  const double kappa = inverse_debye_length_per_A(0.15, water_dielectric, room_temperature_K),
               nearest_A = 3.0 + 2.0;  // of ions, whose radius is 2 A
  for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
    const double r_A = points.positions_A[p].x - 0.3;
    const double exact = 2.0 * coulomb_constant_kT_A(room_temperature_K) / (water_dielectric * r_A) *
                         std::exp(-kappa * (r_A - nearest_A)) / (1.0 + kappa * nearest_A);
    CHECK(result.potential_kT_e[p] == doctest::Approx(exact).epsilon(0.02));
  }
}

TEST_CASE("potential at points: the own solution reaches the points") {
  const Structure structure = eight_charges();
  PointSet points = octahedron(10.0);
  points.positions_A.push_back({7, 0, 30});  // beyond the usual lattice
  const PointResult result = result_of(structure, points, SolvedPb{});
  REQUIRE(result.lattice);
  CHECK(result.statistics.valued == 7);
  // Also without a border, where the lattice may end short of the atoms.
  const PointResult bare =
      result_of(structure, points, SolvedPb{.pb = {}, .lattice = {.spacing_A = 2.0, .border_A = 0.0}});
  CHECK(bare.statistics.valued == 7);
  CHECK(result.solver->convergence->residual < 1e-4);
  CHECK(describe_method(result) == "trilinear interpolation of the solution");
}

TEST_CASE(
    "potential at points: ALPB is between water's and the solute's dielectric, and points inside are told") {
  const Structure structure = eight_charges();
  PointSet points = octahedron(12.0);
  points.positions_A.push_back(structure.atoms[2].position_A);
  const PointResult result = result_of(structure, points, AlpbOptions{});
  const PointResult vacuum = result_of(structure, points, SummedCharges{});
  CHECK(result.alpb_size_A.value() > 3.0);
  CHECK(std::abs(result.potential_kT_e[4]) < std::abs(vacuum.potential_kT_e[4]) / 20.0);
  CHECK(result.inside_atoms == 1);
  REQUIRE(result.run.warnings.size() == 1);
  CHECK(result.run.warnings[0].find("1 point of 7 lies inside atoms") == 0);
  CHECK(vacuum.potential_kT_e[6] == doctest::Approx(0.4e3 * pair_potential({}).prefactor).epsilon(0.01));
}
