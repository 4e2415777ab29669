// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "meshes/surface/molecular_surface.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using ionwell::test::error_of;

namespace {

constexpr SurfaceKind kinds[] = {SurfaceKind::vdw, SurfaceKind::sas, SurfaceKind::ses, SurfaceKind::gaussian};

Atom ball(const Vec3<double>& position_A, double radius_A) {
  Atom atom;
  atom.position_A = position_A;
  atom.radius_A = radius_A;
  return atom;
}

std::vector<Atom> heap_of_balls(int count) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> along(-6.0, 6.0), radius(1.0, 2.0);
  std::vector<Atom> atoms;
  for (int n = 0; n < count; ++n)
    atoms.push_back(ball({along(random), along(random), along(random)}, radius(random)));
  return atoms;
}

/// What every edge is: in two triangles, once in each direction.
bool is_closed(const PointSet& surface) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> directed;
  for (const Triangle& t : surface.triangles)
    for (std::size_t n = 0; n < 3; ++n) ++directed[{t[n], t[(n + 1) % 3]}];
  for (const auto& [edge, count] : directed) {
    const auto back = directed.find({edge.second, edge.first});
    if (count != 1 || back == directed.end() || back->second != 1) return false;
  }
  return !directed.empty();
}

/// Euler's number: 2 for each closed surface without holes.
std::int64_t euler_number(const PointSet& surface) {
  return std::ssize(surface.positions_A) - std::ssize(surface.triangles) / 2;
}

double area_A2(const PointSet& surface) {
  double area = 0.0;
  for (const double part : point_areas_A2(surface)) area += part;
  return area;
}

/// Positive when triangles are anticlockwise from outside.
double volume_A3(const PointSet& surface) {
  double volume = 0.0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3<double>&u = surface.positions_A[a], &v = surface.positions_A[b], &w = surface.positions_A[c];
    volume +=
        (u.x * (v.y * w.z - v.z * w.y) - u.y * (v.x * w.z - v.z * w.x) + u.z * (v.x * w.y - v.y * w.x)) / 6.0;
  }
  return volume;
}

double mean_edge_A(const PointSet& surface) {
  double sum = 0.0;
  for (const Triangle& t : surface.triangles)
    for (std::size_t n = 0; n < 3; ++n)
      sum += std::sqrt(distance_squared(surface.positions_A[t[n]], surface.positions_A[t[(n + 1) % 3]]));
  return sum / (3.0 * double(surface.triangles.size()));
}

}  // namespace

TEST_CASE("surface: of a ball, area, volume and distance from the middle are the ball's") {
  for (const SurfaceKind kind : kinds)
    for (const double edge_A : {0.2, 0.5}) {
      CAPTURE(std::string(to_string(kind)));
      CAPTURE(edge_A);
      const Vec3<double> middle{1.3, -2.7, 10.1};
      const PointSet surface =
          molecular_surface(std::vector<Atom>{ball(middle, 2.0)}, {.kind = kind, .edge_A = edge_A}, {});
      const double radius_A = kind == SurfaceKind::sas ? 3.4 : 2.0;
      CHECK(is_closed(surface));
      CHECK(euler_number(surface) == 2);
      // Points lie on the ball, triangles below it: too little area by 0.4 (edge/radius)^2, and volume by
      // twice that.
      const double allowed = 0.45 * edge_A * edge_A / (radius_A * radius_A);
      const double exact_A2 = 4.0 * std::numbers::pi * radius_A * radius_A;
      CHECK(area_A2(surface) < exact_A2);
      CHECK(area_A2(surface) > exact_A2 * (1.0 - allowed));
      const double exact_A3 = exact_A2 * radius_A / 3.0;
      CHECK(volume_A3(surface) < exact_A3);
      CHECK(volume_A3(surface) > exact_A3 * (1.0 - 2.0 * allowed));
      for (const Vec3<double>& p : surface.positions_A)
        CHECK(std::abs(std::sqrt(distance_squared(p, middle)) - radius_A) < 1e-3);
    }
}

TEST_CASE("surface: area and volume of a ball are known better than those of its triangles") {
  for (const SurfaceKind kind : kinds)
    for (const double ball_A : {1.0, 1.5, 2.0, 5.0})
      for (const double edge_A : {0.5, 0.2}) {
        CAPTURE(std::string(to_string(kind)));
        CAPTURE(ball_A);
        CAPTURE(edge_A);
        const MeasuredSurface surface = measured_surface(std::vector<Atom>{ball({1.3, -2.7, 10.1}, ball_A)},
                                                         {.kind = kind, .edge_A = edge_A}, {});
        const double radius_A = kind == SurfaceKind::sas ? ball_A + 1.4 : ball_A;
        const double exact_A2 = 4.0 * std::numbers::pi * radius_A * radius_A,
                     exact_A3 = exact_A2 * radius_A / 3.0;
        const SurfaceMeasure triangles = measure_of_triangles(surface.points);
        CHECK(triangles.area_A2 == doctest::Approx(area_A2(surface.points)));
        CHECK(triangles.volume_A3 == doctest::Approx(volume_A3(surface.points)));
        // Seen: a quarter of what is lacking with edges of half the radius, a thirtieth with those of a
        // quarter.
        const double part = edge_A * 3.0 < radius_A ? 0.05 : 0.3;
        CHECK(std::abs(surface.measure.area_A2 - exact_A2) < part * (exact_A2 - triangles.area_A2));
        CHECK(std::abs(surface.measure.volume_A3 - exact_A3) < part * (exact_A3 - triangles.volume_A3));
      }
}

TEST_CASE("surface: that of a probe without a radius is measured as the balls' own") {
  const std::vector<Atom> heap = heap_of_balls(20), one = {ball({0, 0, 0}, 2.0)};
  for (const std::vector<Atom>& atoms : {one, heap}) {
    const SurfaceMeasure probed =
                             measured_surface(atoms, {.kind = SurfaceKind::ses, .probe_A = 0.0}, {}).measure,
                         own = measured_surface(atoms, {.kind = SurfaceKind::vdw}, {}).measure;
    CHECK(probed.area_A2 > 0.0);
    CHECK(probed.area_A2 == doctest::Approx(own.area_A2).epsilon(1e-6));
    CHECK(probed.volume_A3 == doctest::Approx(own.volume_A3).epsilon(1e-6));
  }
}

TEST_CASE("surface: area and volume of two balls that overlap, and of a neck between them") {
  // A sphere without the cap of height h lacks 2 pi R h of its area and pi h^2 (R - h / 3) of its volume.
  const double R = 1.7, apart = 2.4, h = R - 0.5 * apart, pi = std::numbers::pi;
  const std::vector<Atom> atoms = {ball({-0.5 * apart, 0, 0}, R), ball({0.5 * apart, 0, 0}, R)};
  const MeasuredSurface vdw = measured_surface(atoms, {.kind = SurfaceKind::vdw}, {});
  CHECK(vdw.measure.area_A2 == doctest::Approx(2 * (4 * pi * R * R - 2 * pi * R * h)).epsilon(2e-3));
  CHECK(vdw.measure.volume_A3 ==
        doctest::Approx(2 * (4 * pi * R * R * R / 3 - pi * h * h * (R - h / 3))).epsilon(2e-3));
  // Around both, a probe p turns about the axis at a distance d and makes a saddle between two directions.
  const double p = 1.4, larger = R + p, d = std::sqrt(larger * larger - 0.25 * apart * apart),
               angle = std::asin(0.5 * apart / larger);
  const double saddle_A2 = 2 * pi * p * (2 * angle * d - 2 * p * std::sin(angle)),
               free_A2 = 2 * 2 * pi * R * R * (1 + std::sin(angle));
  const MeasuredSurface ses = measured_surface(atoms, {.kind = SurfaceKind::ses}, {});
  CHECK(ses.measure.area_A2 == doctest::Approx(saddle_A2 + free_A2).epsilon(3e-3));
  CHECK(measure_of_triangles(ses.points).area_A2 < 0.99 * (saddle_A2 + free_A2));
  // Closed surfaces around nothing, and triangles without normals, are what they are.
  CHECK(measure_of_triangles({}).area_A2 == 0.0);
  const std::vector<Vec3<double>> unknown(ses.points.positions_A.size());
  CHECK(measure_of_smooth(ses.points, unknown).area_A2 == measure_of_triangles(ses.points).area_A2);
}

TEST_CASE("surface: of many balls it is closed, turned outwards, and lies where it should") {
  const std::vector<Atom> atoms = heap_of_balls(60);
  for (const SurfaceKind kind : kinds) {
    CAPTURE(std::string(to_string(kind)));
    const PointSet surface = molecular_surface(atoms, {.kind = kind, .threads = 2}, {});
    CHECK(is_closed(surface));
    CHECK(volume_A3(surface) > 0.0);
    CHECK(surface.triangles == molecular_surface(atoms, {.kind = kind, .threads = 1}, {}).triangles);
    if (kind == SurfaceKind::gaussian) continue;
    // Signed distances to the balls: 0 on van der Waals, the probe on the accessible surface, between on the
    // excluded one.
    double least = 1e9, most = -1e9;
    for (const Vec3<double>& p : surface.positions_A) {
      double nearest = 1e9;
      for (const Atom& atom : atoms)
        nearest = std::min(nearest, std::sqrt(distance_squared(p, atom.position_A)) - atom.radius_A);
      least = std::min(least, nearest);
      most = std::max(most, nearest);
    }
    const double highest = kind == SurfaceKind::vdw ? 0.0 : 1.4,
                 lowest = kind == SurfaceKind::sas ? 1.4 : 0.0;
    CHECK(least > lowest - 1e-5);
    CHECK(most < highest + 1e-5);
  }
}

TEST_CASE("surface: the excluded surface of two balls is that of probes that roll around them") {
  // Balls of 1.5 A, 4 A apart: probes touch both on a circle of radius sqrt(2.9^2 - 2^2) around the axis, and
  // the neck between is 1.4 A less.
  const std::vector<Atom> atoms = {ball({-2, 0, 0}, 1.5), ball({2, 0, 0}, 1.5)};
  const PointSet surface = molecular_surface(atoms, {.edge_A = 0.15}, {});
  CHECK(is_closed(surface));
  CHECK(euler_number(surface) == 2);
  double neck_A = 1e9;
  for (const Vec3<double>& p : surface.positions_A)
    if (std::abs(p.x) < 0.05) neck_A = std::min(neck_A, std::sqrt(p.y * p.y + p.z * p.z));
  CHECK(neck_A == doctest::Approx(std::sqrt(2.9 * 2.9 - 4.0) - 1.4).epsilon(0.03));
  // 8 A apart they are two.
  CHECK(euler_number(
            molecular_surface(std::vector<Atom>{ball({-4, 0, 0}, 1.5), ball({4, 0, 0}, 1.5)}, {}, {})) == 4);
}

TEST_CASE("surface: a cavity has a surface of its own, turned into it") {
  std::vector<Atom> shell;
  constexpr int count = 400;
  for (int n = 0; n < count; ++n) {  // a spiral over a sphere of 8 A
    const double z = 1.0 - 2.0 * (n + 0.5) / count, around = n * 2.399963, r = std::sqrt(1.0 - z * z);
    shell.push_back(ball({8.0 * r * std::cos(around), 8.0 * r * std::sin(around), 8.0 * z}, 2.0));
  }
  const PointSet surface = molecular_surface(shell, {.kind = SurfaceKind::ses}, {});
  CHECK(is_closed(surface));
  CHECK(euler_number(surface) == 4);
  const double solid_A3 = 4.0 / 3.0 * std::numbers::pi * (1000.0 - 216.0);
  CHECK(volume_A3(surface) == doctest::Approx(solid_A3).epsilon(0.05));
}

TEST_CASE("surface: density and length of edges are those asked for, to a tenth") {
  const std::vector<Atom> atoms = heap_of_balls(40);
  for (const SurfaceKind kind : kinds) {
    CAPTURE(std::string(to_string(kind)));
    const PointSet dense = molecular_surface(atoms, {.kind = kind, .density_per_A2 = 10.0}, {});
    CHECK(double(dense.positions_A.size()) / area_A2(dense) == doctest::Approx(10.0).epsilon(0.1));
    const PointSet fine = molecular_surface(atoms, {.kind = kind, .edge_A = 0.4}, {});
    CHECK(mean_edge_A(fine) == doctest::Approx(0.4).epsilon(0.1));
  }
}

TEST_CASE("surface: what it refuses") {
  const auto message = [](const SurfaceOptions& options) { return error_of([&] { validate(options); }); };
  CHECK(message({.edge_A = 0.5, .density_per_A2 = 3.0}).find("are both given") != std::string::npos);
  CHECK(message({.edge_A = 0.0}).find("--edge-length is 0") != std::string::npos);
  CHECK(message({.density_per_A2 = NAN}).find("--vertex-density is nan") != std::string::npos);
  CHECK(message({.probe_A = -1.0}).find("--probe is -1") != std::string::npos);
  CHECK(error_of([] {
          molecular_surface(std::vector<Atom>(3), {}, {});
        }).find("no atom of the solute has a radius") != std::string::npos);
  std::vector<Atom> far = {ball({-9e4, -9e4, -9e4}, 1.0), ball({9e4, 9e4, 9e4}, 1.0)};
  CHECK(error_of([&] { molecular_surface(far, {}, {}); }).find("give a longer --edge-length") !=
        std::string::npos);
}
