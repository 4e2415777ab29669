// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/plain_pb.hpp"

#include <cmath>
#include <random>

#include "core/units.hpp"

namespace ionwell::test {
namespace {

constexpr double four_pi = 12.566370614359172;

double norm_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

}  // namespace

PlainPb::PlainPb(const PbSystem& system) : system_(system) {}

template <typename Work>
void PlainPb::for_inner_points(const Work& work) const {
  const Vec3<std::int64_t>& n = system_.lattice.counts;
  for (std::int64_t k = 1; k < n.z - 1; ++k)
    for (std::int64_t j = 1; j < n.y - 1; ++j)
      for (std::int64_t i = 1; i < n.x - 1; ++i) work(system_.lattice.index(i, j, k));
}

std::array<PlainPb::Face, 6> PlainPb::faces_of(std::int64_t p) const {
  const Vec3<double>& h = system_.lattice.spacing_A;
  const std::int64_t row = system_.lattice.counts.x, plane = row * system_.lattice.counts.y;
  const double x = h.y * h.z / h.x, y = h.x * h.z / h.y, z = h.x * h.y / h.z;
  const auto eps = [](const std::vector<float>& values, std::int64_t at) {
    return double(values[std::size_t(at)]);
  };
  return {{{p - 1, x * eps(system_.eps_x, p - 1)},
           {p + 1, x * eps(system_.eps_x, p)},
           {p - row, y * eps(system_.eps_y, p - row)},
           {p + row, y * eps(system_.eps_y, p)},
           {p - plane, z * eps(system_.eps_z, p - plane)},
           {p + plane, z * eps(system_.eps_z, p)}}};
}

double PlainPb::charge_term(std::int64_t p) const {
  return four_pi * system_.bjerrum_A * double(system_.charge_e[std::size_t(p)]);
}

double PlainPb::answer(std::int64_t p, double phi, bool nonlinear, double* slope) const {
  const Vec3<double>& h = system_.lattice.spacing_A;
  double sum = 0.0;
  *slope = 0.0;
  if (system_.accessibility[std::size_t(p)] == 0.0f) return 0.0;  // where exp may overflow
  for (const MobileIon& ion : system_.ions) {
    const double strength = four_pi * system_.bjerrum_A * ion.concentration_M * 1e-27 * avogadro_per_mol *
                            h.x * h.y * h.z * double(system_.accessibility[std::size_t(p)]);
    const double z = ion.charge_e;
    sum += nonlinear ? -strength * z * std::exp(-z * phi) : strength * z * z * phi;
    *slope += strength * z * z * (nonlinear ? std::exp(-z * phi) : 1.0);
  }
  return sum;
}

std::vector<double> PlainPb::residual(const std::vector<double>& phi_kT_e, bool nonlinear) const {
  std::vector<double> left(phi_kT_e.size(), 0.0);
  for_inner_points([&](std::int64_t p) {
    const double here = phi_kT_e[std::size_t(p)];
    double slope, sum = charge_term(p) - answer(p, here, nonlinear, &slope);
    for (const Face& face : faces_of(p))
      sum += face.conductance * (phi_kT_e[std::size_t(face.neighbour)] - here);
    left[std::size_t(p)] = sum;
  });
  return left;
}

double PlainPb::residual_norm(const std::vector<double>& phi_kT_e, bool nonlinear) const {
  return norm_of(residual(phi_kT_e, nonlinear));
}

double PlainPb::right_side_norm() const {
  std::vector<double> given = as_double(system_.boundary_kT_e);
  for_inner_points([&](std::int64_t p) { given[std::size_t(p)] = 0.0; });
  return norm_of(residual(given, false));
}

std::vector<double> PlainPb::solve_linear() const {
  std::vector<double> phi = as_double(system_.boundary_kT_e);
  std::vector<double> r = residual(phi, false), p = r, ap(phi.size());
  const double goal = 1e-13 * right_side_norm();
  double squares = norm_of(r) * norm_of(r);
  for (int iteration = 0; iteration < 100000 && std::sqrt(squares) > goal; ++iteration) {
    double curvature = 0.0;
    for_inner_points([&](std::int64_t at) {
      double slope;
      answer(at, 0.0, false, &slope);
      const double here = p[std::size_t(at)];
      double sum = slope * here;
      for (const Face& face : faces_of(at)) sum += face.conductance * (here - p[std::size_t(face.neighbour)]);
      ap[std::size_t(at)] = sum;
      curvature += sum * here;
    });
    const double alpha = squares / curvature;
    for_inner_points([&](std::int64_t at) {
      phi[std::size_t(at)] += alpha * p[std::size_t(at)];
      r[std::size_t(at)] -= alpha * ap[std::size_t(at)];
    });
    const double now = norm_of(r) * norm_of(r), beta = now / squares;
    squares = now;
    for_inner_points(
        [&](std::int64_t at) { p[std::size_t(at)] = r[std::size_t(at)] + beta * p[std::size_t(at)]; });
  }
  return phi;
}

std::vector<double> PlainPb::solve_nonlinear() const {
  std::vector<double> phi = as_double(system_.boundary_kT_e);
  double change = 1.0;
  for (int sweep = 0; sweep < 100000 && change > 1e-12; ++sweep) {
    change = 0.0;
    for_inner_points([&](std::int64_t p) {
      double conductance = 0.0, inflow = charge_term(p);
      for (const Face& face : faces_of(p)) {
        conductance += face.conductance;
        inflow += face.conductance * phi[std::size_t(face.neighbour)];
      }
      double& here = phi[std::size_t(p)];
      const double before = here;
      for (int step = 0; step < 200; ++step) {
        double slope;
        const double left = inflow - conductance * here - answer(p, here, true, &slope);
        const double newton = left / (conductance + slope);
        here += std::min(std::max(newton, -1.0), 1.0);
        if (std::abs(newton) < 1e-14) break;
      }
      change = std::max(change, std::abs(here - before));
    });
  }
  return phi;
}

PbSystem random_system(const RandomPb& random) {
  PbSystem system = plain_system({{}, random.spacing_A, random.counts});
  const std::size_t size = std::size_t(system.lattice.size());
  std::mt19937 generator(random.seed);
  std::uniform_real_distribution<float> share(0.0f, 1.0f);
  constexpr std::int64_t block = 3;
  const Vec3<std::int64_t> blocks{random.counts.x / block + 1, random.counts.y / block + 1,
                                  random.counts.z / block + 1};
  std::vector<float> of_block(std::size_t(blocks.x * blocks.y * blocks.z));
  for (float& eps : of_block) eps = share(generator) < 0.4f ? 1.0f : 80.0f;
  for (std::size_t p = 0; p < size; ++p) {
    const Vec3<std::int64_t> at = system.lattice.point(std::int64_t(p));
    for (std::vector<float>* eps : {&system.eps_x, &system.eps_y, &system.eps_z})
      (*eps)[p] =
          random.blocks
              ? of_block[std::size_t(at.x / block + blocks.x * (at.y / block + blocks.y * (at.z / block)))]
              : 1.0f + 79.0f * share(generator);
    system.accessibility[p] = share(generator) < 0.5f ? 0.0f : share(generator);
    system.charge_e[p] = share(generator) < 0.1f ? share(generator) - 0.5f : 0.0f;
    const bool inner = at.x > 0 && at.y > 0 && at.z > 0 && at.x < random.counts.x - 1 &&
                       at.y < random.counts.y - 1 && at.z < random.counts.z - 1;
    system.boundary_kT_e[p] = inner ? 0.0f : 4.0f * share(generator) - 2.0f;
  }
  system.ions = {{1.0, 0.15}, {-1.0, 0.15}};
  return system;
}

PbSystem plain_system(const LatticeGeometry& lattice) {
  const std::size_t size = std::size_t(lattice.size());
  PbSystem system;
  system.lattice = lattice;
  system.eps_x = system.eps_y = system.eps_z = std::vector<float>(size, 80.0f);
  system.accessibility = std::vector<float>(size, 1.0f);
  system.charge_e = system.boundary_kT_e = std::vector<float>(size, 0.0f);
  return system;
}

double relative_difference(const std::vector<float>& a, const std::vector<double>& b) {
  double difference = 0.0, largest = 0.0;
  for (std::size_t n = 0; n < b.size(); ++n) {
    difference = std::max(difference, std::abs(double(a[n]) - b[n]));
    largest = std::max(largest, std::abs(b[n]));
  }
  return difference / largest;
}

std::vector<double> as_double(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace ionwell::test
