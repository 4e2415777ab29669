// SPDX-License-Identifier: BSD-3-Clause
#include "bench/placement/plain_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/measure.hpp"
#include "placement/placement_rules.hpp"

#if defined(__x86_64__)
#define IONWELL_EVERY_PROCESSOR \
  __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define IONWELL_EVERY_PROCESSOR
#endif

namespace ionwell {
namespace {

constexpr float taken = 1e30f;  // at points where no ion can go; no potential changes it

/// Adds a charge to one row of points and returns the lowest value. Lengths in units of the spacing, the
/// charge in those of the result.
IONWELL_EVERY_PROCESSOR float add_to_row(float* values, int count, float x, float yz2, float smallest2,
                                         float charge) {
  float lowest = taken;
#pragma omp simd reduction(min : lowest)
  for (int i = 0; i < count; ++i) {
    const float dx = float(i) - x;
    const float r2 = dx * dx + yz2;
    values[i] += charge / std::sqrt(r2 < smallest2 ? smallest2 : r2);
    lowest = values[i] < lowest ? values[i] : lowest;
  }
  return lowest;
}

struct Lowest {
  float value = taken;
  std::int64_t index = -1;
};

/// One pass: adds the ion at `at` (in units of the spacing) and finds the lowest point.
Lowest pass(const PlainProblem& problem, std::vector<float>& values, Vec3<std::int64_t> at, float charge) {
  const Vec3<std::int64_t>& n = problem.lattice.counts;
  const float smallest = float(smallest_distance_A / problem.lattice.spacing_A.x);
  Lowest best;
#pragma omp parallel num_threads(problem.threads)
  {
    Lowest mine;
#pragma omp for schedule(static)
    for (std::int64_t row = 0; row < n.y * n.z; ++row) {
      const float dy = float(row % n.y - at.y), dz = float(row / n.y - at.z);
      float* const first = values.data() + n.x * row;
      const float lowest =
          add_to_row(first, int(n.x), float(at.x), dy * dy + dz * dz, smallest * smallest, charge);
      if (lowest < mine.value) mine = {lowest, std::find(first, first + n.x, lowest) - values.data()};
    }
#pragma omp critical
    if (mine.value < best.value || (mine.value == best.value && mine.index < best.index)) best = mine;
  }
  return best;
}

void take(const PlainProblem& problem, std::vector<float>& values, std::int64_t index) {
  const LatticeGeometry& lattice = problem.lattice;
  const Vec3<std::int64_t> at = lattice.point(index);
  const double h = lattice.spacing_A.x, limit_A2 = ion_limit_A2(problem.ion_ion_A);
  const auto reach = std::int64_t(problem.ion_ion_A / h) + 1;
  const auto from = [&](std::int64_t i) { return std::max<std::int64_t>(0, i - reach); };
  const auto to = [&](std::int64_t i, std::int64_t count) { return std::min(count - 1, i + reach); };
  for (std::int64_t k = from(at.z); k <= to(at.z, lattice.counts.z); ++k)
    for (std::int64_t j = from(at.y); j <= to(at.y, lattice.counts.y); ++j)
      for (std::int64_t i = from(at.x); i <= to(at.x, lattice.counts.x); ++i) {
        const double x = h * double(i - at.x), y = h * double(j - at.y), z = h * double(k - at.z);
        if (x * x + y * y + z * z < limit_A2) values[lattice.index(i, j, k)] = taken;
      }
}

}  // namespace

PlainResult place_plainly(const PlainProblem& problem) {
  std::vector<float> values = problem.values_kT_e;
  for (std::size_t p = 0; p < values.size(); ++p)
    if (problem.excluded[p]) values[p] = taken;
  PlainResult result;
  result.time_s = seconds([&] {
    Vec3<std::int64_t> at;
    float charge = 0.0f;  // the first pass only looks
    for (int n = 0; n < problem.ion_count; ++n) {
      const Lowest lowest = pass(problem, values, at, charge);
      if (lowest.index < 0) return;
      result.indices.push_back(lowest.index);
      take(problem, values, lowest.index);
      at = problem.lattice.point(lowest.index);
      charge = float(problem.charge_e * problem.pair.prefactor / problem.lattice.spacing_A.x);
    }
  });
  return result;
}

}  // namespace ionwell
