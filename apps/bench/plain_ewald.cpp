#include "bench/plain_ewald.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "core/error.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double reach = 5.6;  // erfc(5.6) is 2e-15
using Waves = std::vector<std::complex<double>>;

/// exp(2 pi i h x) for h = 0 to highest.
void fill_waves(double x, Waves& waves) {
  for (std::size_t h = 0; h < waves.size(); ++h) waves[h] = std::polar(1.0, 2 * pi * double(h) * x);
}

}  // namespace

std::vector<double> plain_ewald(const CellVectors& cell, const PairPotential& pair,
                                std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                                int threads) {
  if (pair.kind != PairPotential::Kind::coulomb) fail("the plain Ewald sum here is of Coulomb's potential");
  const double edges_A[3] = {cell.a.x, cell.b.y, cell.c.z};
  const double volume_A3 = edges_A[0] * edges_A[1] * edges_A[2];
  // The nearest image alone is in reach.
  const double shortest_A = std::min({edges_A[0], edges_A[1], edges_A[2]}),
               alpha_per_A = 2 * reach / shortest_A;
  const double highest_per_A = 2 * reach * alpha_per_A;
  std::array<int, 3> highest{};
  for (std::size_t d = 0; d < 3; ++d) highest[d] = int(highest_per_A * edges_A[d] / (2 * pi));
  const auto wave_sets = [&](const Vec3<double>& p, std::array<Waves, 3>& sets) {
    const double x[3] = {p.x / edges_A[0], p.y / edges_A[1], p.z / edges_A[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      sets[d].resize(std::size_t(highest[d]) + 1);
      fill_waves(x[d], sets[d]);
    }
  };
  const auto signed_wave = [](const Waves& set, int h) {
    return h < 0 ? std::conj(set[std::size_t(-h)]) : set[std::size_t(h)];
  };
  // Structure factors of half of all waves, a plane of h_x for each thread at a time.
  const int ny = 2 * highest[1] + 1, nz = 2 * highest[2] + 1;
  std::vector<Waves> factors(static_cast<std::size_t>(highest[0]) + 1);
  parallel_for({threads, 1}, highest[0] + 1, [&](std::int64_t hx) {
    Waves& plane = factors[std::size_t(hx)];
    plane.resize(std::size_t(ny) * std::size_t(nz));
    std::array<Waves, 3> sets;
    Waves column(static_cast<std::size_t>(nz));
    for (const PointCharge& q : charges) {
      wave_sets(q.position_A, sets);
      const std::complex<double> of_x = q.charge_e * std::conj(sets[0][std::size_t(hx)]);
      for (int k = 0; k < nz; ++k) column[std::size_t(k)] = std::conj(signed_wave(sets[2], k - highest[2]));
      for (int j = 0; j < ny; ++j) {
        const std::complex<double> of_y = of_x * std::conj(signed_wave(sets[1], j - highest[1]));
        const double re = of_y.real(), im = of_y.imag();
        std::complex<double>* row = &plane[std::size_t(j) * std::size_t(nz)];
        for (int k = 0; k < nz; ++k) {
          const std::complex<double> z = column[std::size_t(k)];
          row[k] += std::complex<double>(re * z.real() - im * z.imag(), re * z.imag() + im * z.real());
        }
      }
    }
  });
  std::vector<double> values(points_A.size());
  parallel_for({threads, 1}, std::int64_t(points_A.size()), [&](std::int64_t p) {
    const Vec3<double>& at = points_A[std::size_t(p)];
    std::array<Waves, 3> sets;
    wave_sets(at, sets);
    double sum = 0.0, net_e = 0.0;
    for (int h = 0; h <= highest[0]; ++h)
      for (int j = 0; j < ny; ++j)
        for (int k = 0; k < nz; ++k) {
          const double kx = 2 * pi * h / edges_A[0], ky = 2 * pi * (j - highest[1]) / edges_A[1],
                       kz = 2 * pi * (k - highest[2]) / edges_A[2], k2 = kx * kx + ky * ky + kz * kz;
          if (k2 == 0.0 || k2 > highest_per_A * highest_per_A) continue;
          const std::complex<double> wave = sets[0][std::size_t(h)] * signed_wave(sets[1], j - highest[1]) *
                                            signed_wave(sets[2], k - highest[2]);
          const std::complex<double> factor =
              factors[std::size_t(h)][std::size_t(j) * std::size_t(nz) + std::size_t(k)];
          sum += (h == 0 ? 1.0 : 2.0) * 4 * pi / (volume_A3 * k2) *
                 std::exp(-k2 / (4 * alpha_per_A * alpha_per_A)) * (factor * wave).real();
        }
    for (const PointCharge& q : charges) {
      Vec3<double> d = at - q.position_A;
      d = {d.x - edges_A[0] * std::rint(d.x / edges_A[0]), d.y - edges_A[1] * std::rint(d.y / edges_A[1]),
           d.z - edges_A[2] * std::rint(d.z / edges_A[2])};
      const double r = std::sqrt(dot(d, d));
      sum += q.charge_e * std::erfc(alpha_per_A * r) / r;
      net_e += q.charge_e;
    }
    values[std::size_t(p)] = pair.prefactor * (sum - pi * net_e / (alpha_per_A * alpha_per_A * volume_A3));
  });
  return values;
}

}  // namespace ionwell
