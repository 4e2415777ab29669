// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/hydration/coordination.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

constexpr Coordination coordinations[] = {{"MG", 2.0, 6, 2.07},
                                          {"CA", 2.0, 7, 2.42},
                                          {"ZN", 2.0, 6, 2.10},
                                          {"NA", 1.0, 6, 2.38},
                                          {"K", 1.0, 7, 2.82}};

constexpr double water_oxygen_A = 1.36;

/// The ion that a metal without a shell of its own here is taken for, of the lower charge where several are
/// usual.
constexpr FormalIon other_metals[] = {{"LI", 1}, {"RB", 1}, {"CS", 1}, {"SR", 2}, {"BA", 2}, {"CD", 2},
                                      {"MN", 2}, {"FE", 2}, {"CO", 2}, {"NI", 2}, {"CU", 2}, {"AG", 1},
                                      {"HG", 2}, {"TL", 1}, {"PB", 2}, {"AL", 3}, {"CR", 2}, {"GA", 3},
                                      {"Y", 3},  {"LA", 3}, {"CE", 3}, {"SM", 3}, {"EU", 3}, {"GD", 3},
                                      {"TB", 3}, {"HO", 3}, {"YB", 3}, {"LU", 3}};

Vec3<double> normalized(const Vec3<double>& v) {
  return (1.0 / std::sqrt(dot(v, v))) * v;
}

/// Spread over a sphere along a spiral, none at a pole: near no saddle of the repulsion.
std::vector<Vec3<double>> spiral(int count) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Vec3<double>> points;
  points.reserve(std::size_t(count));
  for (int n = 0; n < count; ++n) {
    const double z = 1.0 - (2.0 * n + 1.0) / count, r = std::sqrt(1.0 - z * z);
    points.push_back({r * std::cos(golden * n), r * std::sin(golden * n), z});
  }
  return points;
}

/// The force on each point along the sphere.
std::vector<Vec3<double>> forces(const std::vector<Vec3<double>>& points) {
  std::vector<Vec3<double>> all(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vec3<double> force{};
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (i == j) continue;
      const Vec3<double> away = points[i] - points[j];
      const double d2 = dot(away, away);
      force = force + (1.0 / (d2 * std::sqrt(d2))) * away;
    }
    all[i] = force - dot(force, points[i]) * points[i];
  }
  return all;
}

}  // namespace

const Coordination* coordination_of(std::string_view element) {
  const auto* const found = std::find_if(std::begin(coordinations), std::end(coordinations),
                                         [&](const Coordination& ion) { return ion.element == element; });
  return found == std::end(coordinations) ? nullptr : found;
}

std::optional<double> first_shell_A(std::string_view element) {
  if (const Coordination* const ion = coordination_of(element)) return ion->distance_A;
  for (const FormalIon& metal : other_metals)
    if (metal.element == element)
      if (const auto radius_A = ionic_radius_A(element, metal.charge_e)) return *radius_A + water_oxygen_A;
  return std::nullopt;
}

std::vector<Vec3<double>> least_repulsion(int count) {
  if (count < 1 || count > most_coordinated)
    fail("an ion cannot have ", count, " neighbours here; 1 to ", most_coordinated, " are known");
  if (count == 1) return {{0, 0, 1}};
  if (count == 6) return {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<Vec3<double>> points = spiral(count);
  constexpr int most_steps = 100'000;
  constexpr double step = 0.05, at_rest = 1e-10;  // small beside the stiffest mode's 2 / curvature
  for (int n = 0; n < most_steps; ++n) {
    const std::vector<Vec3<double>> pull = forces(points);
    double largest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      largest = std::max(largest, dot(pull[i], pull[i]));
      points[i] = normalized(points[i] + step * pull[i]);
    }
    if (largest < at_rest * at_rest) break;
  }
  return points;
}

HydrationRequest parse_hydration_request(const std::string& text) {
  const std::size_t colon = text.find(':');
  HydrationRequest request{.name = text.substr(0, colon)};
  const KnownIon* const known = find_ion(request.name);
  if (known != nullptr) request.ion = coordination_of(known->element);
  if (request.ion == nullptr) {
    std::string names;
    for (const Coordination& ion : coordinations) names.append(names.empty() ? "" : ", ").append(ion.element);
    fail<UsageError>("--hydrate ", text, ": the shell of ", request.name,
                     " is not known; ions that can be hydrated are ", names);
  }
  request.neighbours = request.ion->usual;
  if (colon == std::string::npos) return request;
  const auto number = parse_integer(text.substr(colon + 1));
  if (!number || *number < 1 || *number > most_coordinated)
    fail<UsageError>("--hydrate ", text, ": the number of neighbours must be 1 to ", most_coordinated, "; ",
                     request.ion->usual, " is common for ", request.ion->element);
  request.neighbours = int(*number);
  return request;
}

}  // namespace ionwell
