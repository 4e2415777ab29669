// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "electrostatics/poisson_boltzmann/model/half_space_share.hpp"
#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "electrostatics/poisson_boltzmann/plain_surface.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::vector<Atom> atoms_of(const std::vector<Ball>& balls) {
  std::vector<Atom> atoms(balls.size());
  for (std::size_t n = 0; n < balls.size(); ++n) {
    atoms[n].position_A = balls[n].centre_A;
    atoms[n].radius_A = balls[n].radius_A;
    atoms[n].charge_e = n % 3 == 0 ? -0.4 : 0.25;
  }
  return atoms;
}

Atom ion_at(const Vec3<double>& position_A, double charge_e, double radius_A) {
  Atom ion;
  ion.position_A = position_A;
  ion.charge_e = charge_e;
  ion.radius_A = radius_A;
  return ion;
}

const LatticeGeometry small{{-3.03, -3.11, -2.98}, {0.55, 0.6, 0.7}, {25, 23, 19}};

/// The share of a segment that is inside, from signs at many places and straight lines between them.
double sampled_share(const PlainProbe& probe, const Vec3<double>& from, const Vec3<double>& step) {
  constexpr int parts = 24;
  double share = 0.0, before = probe.distance_A(from);
  for (int n = 1; n <= parts; ++n) {
    const double now = probe.distance_A(from + double(n) / parts * step);
    if (before > 0 && now > 0) share += 1.0;
    if ((before > 0) != (now > 0)) share += std::max(before, now) / std::abs(before - now);
    before = now;
  }
  return share / parts;
}

struct Arrays {
  std::string name;
  const std::vector<float>* values;
};

std::array<Arrays, 6> arrays(const PbSystem& s) {
  return {{{"eps_x", &s.eps_x},
           {"eps_y", &s.eps_y},
           {"eps_z", &s.eps_z},
           {"accessibility", &s.accessibility},
           {"charge", &s.charge_e},
           {"boundary", &s.boundary_kT_e}}};
}

}  // namespace

TEST_CASE("Poisson-Boltzmann model: faces have the series of the media along them") {
  struct Case {
    std::string name;
    SoluteSurface surface;
    std::vector<Ball> balls;
  };
  for (const Case& c : {Case{"probes", SoluteSurface::solvent_excluded, heap_of_balls(12, 7.0, 11)},
                        Case{"no probes", SoluteSurface::van_der_waals, heap_of_balls(30, 9.0, 12)}}) {
    CAPTURE(c.name);
    PbModelOptions options;
    options.dielectric.surface = c.surface;
    const PbModel model(small, atoms_of(c.balls), options, 1);
    const PlainProbe probe(c.balls, c.surface == SoluteSurface::solvent_excluded ? 1.4 : 0.0);
    double worst = 0.0, sum = 0.0;
    int cut = 0;
    for (std::int64_t p = 0; p < small.size(); p += 3) {
      const Vec3<std::int64_t> at = small.point(p);
      if (at.x + 1 == small.counts.x) continue;
      const double expected = sampled_share(probe, small.position_A(p), {small.spacing_A.x, 0, 0});
      const double eps = double(model.system().eps_x[std::size_t(p)]);
      const double share = (1 / eps - 1 / 78.54) / (1 / 4.0 - 1 / 78.54);
      if (expected > 0 && expected < 1) {
        ++cut;
        sum += std::abs(share - expected);
      }
      worst = std::max(worst, std::abs(share - expected));
    }
    CHECK(cut > 100);
    CHECK(sum / cut < 2e-3);  // the reference has straight lines between 24 places
    CHECK(worst < 0.03);
    CHECK(model.system().eps_x.back() == 78.54f);
  }
}

TEST_CASE("Poisson-Boltzmann model: accessibility is the share of the box around a point") {
  const std::vector<Ball> balls{{{1.0, 2.0, 1.5}, 1.8}, {{4.4, 3.0, 1.0}, 1.5}};
  const PbModel model(small, atoms_of(balls), {}, 1);
  std::mt19937 random(17);
  const auto number = [&random](double low, double high) {
    return low + (high - low) * double(random()) / double(std::mt19937::max());
  };
  bool all_shares = true;
  for (int n = 0; n < 100000; ++n) {
    const Vec3<double> normal{number(-1, 1), number(-1, 1) * (n % 3 == 0 ? 1e-5 : 1.0), number(-1, 1)};
    const double reach = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
    const double share =
        half_space_share((n % 2 == 0 ? 0.5 - 1e-3 * number(0, 1) : number(-0.5, 0.5)) * reach, normal);
    all_shares = all_shares && share >= 0.0 && share <= 1.0;
  }
  CHECK(all_shares);
  CHECK(half_space_share(0.1, {1.0, 0.0, 0.0}) == doctest::Approx(0.6).epsilon(2e-4));
  double worst = 0.0;
  int cut = 0;
  for (std::int64_t p = 0; p < small.size(); p += 2) {
    constexpr int parts = 8;
    const Vec3<double> centre = small.position_A(p);
    int open = 0;
    for (int c = 0; c < parts; ++c)
      for (int b = 0; b < parts; ++b)
        for (int a = 0; a < parts; ++a) {
          const Vec3<double> at = centre + Vec3<double>{small.spacing_A.x * ((a + 0.5) / parts - 0.5),
                                                        small.spacing_A.y * ((b + 0.5) / parts - 0.5),
                                                        small.spacing_A.z * ((c + 0.5) / parts - 0.5)};
          open += std::all_of(balls.begin(), balls.end(),
                              [&](const Ball& ball) {
                                return distance_squared(at, ball.centre_A) > std::pow(ball.radius_A + 2.0, 2);
                              })
                      ? 1
                      : 0;
        }
    const double expected = double(open) / (parts * parts * parts);
    if (expected > 0 && expected < 1) ++cut;
    worst = std::max(worst, std::abs(expected - double(model.system().accessibility[std::size_t(p)])));
  }
  CHECK(cut > 100);
  CHECK(worst < 0.12);  // seen: 0.1, in the groove between the balls, where one plane stands for two
}

TEST_CASE("Poisson-Boltzmann model: charges keep their sum and their place") {
  for (int degree = 1; degree <= 5; ++degree) {
    const auto assignment = ChargeAssignment(degree - 1);
    CAPTURE(degree);
    REQUIRE(spline_degree(assignment) == degree);
    for (const double place : {4.0, 4.25, 4.5, 4.999, 7.73}) {
      CAPTURE(place);
      const SplineWeights weights = spline_weights(place, degree);
      double sum = 0.0, first = 0.0;
      for (int n = 0; n <= degree; ++n) {
        sum += weights.weight[n];
        first += weights.weight[n] * double(weights.first + n);
        // The spline as a sum of truncated powers.
        double plain = 0.0, binomial = 1.0;
        for (int k = 0; k <= degree + 1; ++k) {
          const double x = 0.5 * (degree + 1) - std::abs(place - double(weights.first + n)) - double(k);
          if (x > 0) plain += (k % 2 == 0 ? 1 : -1) * binomial * std::pow(x, degree);
          binomial *= double(degree + 1 - k) / double(k + 1);
        }
        CHECK(weights.weight[n] == doctest::Approx(plain / std::tgamma(degree + 1)).epsilon(1e-12));
      }
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-12));
      CHECK(first == doctest::Approx(place).epsilon(1e-12));
    }
    const std::vector<PointCharge> charges{
        {{1.23, 2.34, 3.1}, 1.5}, {{4.0, 3.0, 2.0}, -0.5}, {{99, 0, 0}, 7.0}};
    std::vector<float> charge_e(std::size_t(small.size()));
    assign_charges(charges, assignment, small, &charge_e);
    std::vector<float> field(charge_e.size());
    double sum_e = 0.0, energy = 0.0;
    for (std::size_t p = 0; p < field.size(); ++p) {
      const Vec3<double> at = small.position_A(std::int64_t(p));
      field[p] = float(2.0 + 0.5 * at.x - 0.25 * at.y + at.z);
      sum_e += double(charge_e[p]);
      energy += double(charge_e[p]) * double(field[p]);
    }
    CHECK(sum_e == doctest::Approx(1.0).epsilon(1e-6));
    double expected = 0.0, read = 0.0;
    for (const PointCharge& q : charges) {
      if (q.charge_e == 7.0) continue;  // it lies outside
      expected += q.charge_e * (2.0 + 0.5 * q.position_A.x - 0.25 * q.position_A.y + q.position_A.z);
      read += q.charge_e * assigned_potential(field, small, q.position_A, assignment);
    }
    CHECK(energy == doctest::Approx(expected).epsilon(1e-5));
    CHECK(read == doctest::Approx(expected).epsilon(1e-5));
  }
}

TEST_CASE("Poisson-Boltzmann model: the boundary's values") {
  const std::vector<Atom> atoms = atoms_of(heap_of_balls(12, 5.0, 13));
  const LatticeGeometry lattice{{-9, -8, -10}, {0.8, 0.7, 0.9}, {30, 29, 31}};
  for (const double most_terms : {1e9, 0.0}) {
    CAPTURE(most_terms);
    PbSystem system;
    system.lattice = lattice;
    system.ions = {{1, 0.15}, {-1, 0.15}};
    system.boundary_kT_e.resize(std::size_t(lattice.size()));
    BoundaryOptions options;
    options.most_terms = most_terms;
    add_multiple_debye_hueckel(atoms, options, &system);
    const double kappa = ionwell::inverse_debye_length_per_A(0.15, 78.54, 298.15);
    double worst = 0.0, largest = 0.0;
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      const Vec3<std::int64_t> at = lattice.point(p), n = lattice.counts;
      const bool is_outer =
          at.x == 0 || at.y == 0 || at.z == 0 || at.x + 1 == n.x || at.y + 1 == n.y || at.z + 1 == n.z;
      double expected = 0.0, size = 0.0;
      for (const Atom& atom : atoms) {
        const double r = std::sqrt(distance_squared(lattice.position_A(p), atom.position_A));
        const double part = system.bjerrum_A / 78.54 * atom.charge_e *
                            std::exp(-kappa * (r - atom.radius_A)) / ((1 + kappa * atom.radius_A) * r);
        expected += part;
        size += std::abs(part);
      }
      if (!is_outer) expected = 0.0;
      worst = std::max(worst, std::abs(expected - double(system.boundary_kT_e[std::size_t(p)])));
      if (is_outer) largest = std::max(largest, size);
    }
    CHECK(largest > 0.1);
    CHECK(worst < (most_terms > 0 ? 2e-5 : 2e-3) * largest);  // the constant has five digits
  }
  // Focusing hands on what is linear in the position.
  std::vector<float> coarse_values;
  const LatticeGeometry coarse{{-11, -11, -11}, {3, 3, 3}, {12, 12, 12}};
  for (std::int64_t p = 0; p < coarse.size(); ++p) {
    const Vec3<double> at = coarse.position_A(p);
    coarse_values.push_back(float(1.0 + at.x - 2 * at.y + 0.5 * at.z));
  }
  PbModelOptions options;
  options.boundary = BoundaryKind::focused;
  PbModel model(lattice, atoms, options, 1);
  model.focus(coarse, coarse_values);
  double worst = 0.0;
  for (std::int64_t p = 0; p < lattice.counts.x * lattice.counts.y; ++p) {
    const Vec3<double> at = lattice.position_A(p);
    worst = std::max(worst, std::abs(double(model.system().boundary_kT_e[std::size_t(p)]) -
                                     (1.0 + at.x - 2 * at.y + 0.5 * at.z)));
  }
  CHECK(worst < 1e-5);
  const LatticeGeometry too_small{{-3, -11, -11}, {3, 3, 3}, {12, 12, 12}};
  CHECK(error_of([&] { model.focus(too_small, coarse_values); }).find("is outside the larger lattice") !=
        std::string::npos);
}

TEST_CASE("Poisson-Boltzmann model: an added ion changes what it must, and nothing else") {
  const std::vector<Atom> atoms = atoms_of(heap_of_balls(20, 8.0, 14));
  const std::vector<Atom> ions{ion_at({9.0, 3.0, 2.0}, 2.0, 0.9), ion_at({-1.0, -1.5, 7.0}, 1.0, 1.2)};
  std::vector<Atom> all = atoms;
  all.insert(all.end(), ions.begin(), ions.end());
  const LatticeGeometry lattice{{-7, -7, -7}, {0.6, 0.55, 0.7}, {45, 44, 37}};
  struct Case {
    std::string name;
    SoluteSurface surface;
    FaceRule faces;
    ChargeAssignment charges;
    BoundaryKind boundary;
  };
  const std::vector<Case> cases{{"small ions", SoluteSurface::solvent_excluded, FaceRule::inside_share,
                                 ChargeAssignment::cubic, BoundaryKind::multiple_debye_hueckel},
                                {"averaged", SoluteSurface::solvent_excluded, FaceRule::averaged_midpoint,
                                 ChargeAssignment::trilinear, BoundaryKind::single_debye_hueckel},
                                {"midpoint", SoluteSurface::van_der_waals, FaceRule::midpoint,
                                 ChargeAssignment::quadratic, BoundaryKind::zero},
                                {"regularized", SoluteSurface::van_der_waals, FaceRule::inside_share,
                                 ChargeAssignment::regularized, BoundaryKind::zero},
                                {"spline", SoluteSurface::quintic_spline, FaceRule::inside_share,
                                 ChargeAssignment::quintic, BoundaryKind::multiple_debye_hueckel},
                                {"gaussian", SoluteSurface::gaussian, FaceRule::inside_share,
                                 ChargeAssignment::quartic, BoundaryKind::multiple_debye_hueckel}};
  for (const Case& c : cases) {
    CAPTURE(c.name);
    PbModelOptions options;
    options.dielectric.surface = options.accessibility.surface = c.surface;
    if (c.name == "small ions") options.accessibility.ion_radius_A = 0.5;  // than a probe
    options.dielectric.faces = c.faces;
    options.charges = c.charges;
    options.boundary = c.boundary;
    PbModel model(lattice, atoms, options, 2);
    const PbSystem before = model.system();
    const PbModel anew(lattice, all, options, 3);
    const std::vector<PointBox> changes = model.add(ions);
    std::int64_t points_in_changes = 0;
    for (const PointBox& box : changes) points_in_changes += size_of(box);
    CHECK(points_in_changes < lattice.size());
    for (std::size_t a = 0; a < 6; ++a) {
      const auto [name, now] = arrays(model.system())[a];
      const std::vector<float>& start = *arrays(before)[a].values;
      const std::vector<float>& expected = *arrays(anew.system())[a].values;
      CAPTURE(name);
      double off = 0.0, scale = 0.0;
      int changed = 0, changed_outside = 0;
      for (std::size_t p = 0; p < now->size(); ++p) {
        off = std::max(off, double(std::abs((*now)[p] - expected[p])));
        scale = std::max(scale, double(std::abs(expected[p])));
        if ((*now)[p] == start[p]) continue;
        ++changed;
        const PointBox here{lattice.point(std::int64_t(p)), lattice.point(std::int64_t(p))};
        changed_outside += std::none_of(changes.begin(), changes.end(), [&](const PointBox& box) {
          return !is_empty(common_points(here, box));
        });
      }
      CHECK(off <=
            3e-4 * scale);  // where a face is cut is known to 1e-5 of it, which its dielectric has 20 times
      if (name != "boundary") CHECK(changed > 0);
      if (name != "boundary" && name != "charge") CHECK(changed_outside == 0);
    }
  }
}

TEST_CASE("Poisson-Boltzmann model: threads change nothing") {
  const std::vector<Atom> atoms = atoms_of(heap_of_balls(150, 14.0, 15));
  const LatticeGeometry lattice{{-5, -5, -5}, {0.6, 0.6, 0.6}, {41, 40, 39}};
  PbModelOptions options;
  const PbModel one(lattice, atoms, options, 1), many(lattice, atoms, options, 5);
  for (std::size_t a = 0; a < 6; ++a)
    CHECK(*arrays(one.system())[a].values == *arrays(many.system())[a].values);
}

TEST_CASE("Poisson-Boltzmann model: a surface that lattices have in common changes no bit") {
  const std::vector<Atom> atoms = atoms_of(heap_of_balls(40, 8.0, 23));
  const LatticeGeometry wide{{-7.1, -6.9, -7.3}, {1.1, 1.2, 1.4}, {14, 13, 12}};
  for (const SoluteSurface kind : {SoluteSurface::solvent_excluded, SoluteSurface::van_der_waals})
    for (const FaceRule faces : {FaceRule::inside_share, FaceRule::averaged_midpoint}) {
      const PbModelOptions options{.dielectric = {.surface = kind, .faces = faces}, .accessibility = {0.5}};
      const auto surface = common_surface(options.dielectric, atoms, std::array{wide, small}, 2);
      REQUIRE(surface != nullptr);
      for (const LatticeGeometry& lattice : {wide, small}) {
        const PbModel alone(lattice, atoms, options, 1), shared(lattice, atoms, options, 2, surface.get());
        CHECK(std::ranges::min(alone.system().eps_x) < 78.0f);
        for (std::size_t n = 0; n < 6; ++n) {
          CAPTURE(arrays(alone.system())[n].name);
          CHECK(*arrays(alone.system())[n].values == *arrays(shared.system())[n].values);
        }
      }
    }
  const DielectricOptions uniform{.solute_dielectric = 5.0, .solvent_dielectric = 5.0};
  CHECK(common_surface(uniform, atoms, std::array{small}, 1) == nullptr);
}

TEST_CASE("Poisson-Boltzmann model: lattices and solutes at the edge of sense") {
  const std::vector<Atom> atoms = atoms_of(heap_of_balls(20, 8.0, 16));
  for (const Vec3<std::int64_t>& counts :
       {Vec3<std::int64_t>{1, 1, 1}, {2, 2, 2}, {9, 1, 7}, {1, 40, 1}, {33, 17, 18}}) {
    CAPTURE(counts.x);
    CAPTURE(counts.y);
    const LatticeGeometry lattice{{2.1, 2.2, 2.3}, {0.5, 0.4, 0.3}, counts};  // within the solute
    for (const ChargeAssignment charges : {ChargeAssignment::cubic, ChargeAssignment::regularized}) {
      PbModelOptions options;
      options.charges = charges;
      PbModel model(lattice, atoms, options, 2);
      model.add(std::vector<Atom>{ion_at({2.5, 2.5, 2.5}, 1, 1)});
      for (const auto& [name, values] : arrays(model.system())) {
        CAPTURE(name);
        CHECK(values->size() == std::size_t(lattice.size()));
        CHECK(std::all_of(values->begin(), values->end(), [](float v) { return std::isfinite(v); }));
      }
    }
  }
  const PbModel empty(small, {}, {}, 1);
  CHECK(std::all_of(empty.system().eps_x.begin(), empty.system().eps_x.end(),
                    [](float eps) { return eps == 78.54f; }));
  CHECK(std::all_of(empty.system().accessibility.begin(), empty.system().accessibility.end(),
                    [](float share) { return share == 1.0f; }));
}
