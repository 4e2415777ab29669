// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/bulk_salt.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "core/units.hpp"
#include "parallel/parallel_for.hpp"
#include "sampling/image_table.hpp"
#include "sampling/series_statistics.hpp"

namespace ionwell {
namespace {

constexpr double per_A3_of_M = avogadro_per_mol * 1e-27;
constexpr std::uint64_t bulk_streams = std::uint64_t{1} << 62;

/// The cube, and the ions of each species in it.
struct BulkCube {
  double edge_A = 0.0;
  std::vector<std::int64_t> units;  // by salt
  std::vector<std::int64_t> count;  // by species
};

BulkCube bulk_cube(const IonModel& model, const std::vector<BulkSalt>& salts, const BulkOptions& options) {
  constexpr double fewest_units = 8.0, most_ions = 3000.0;
  double ions_per_A3 = 0.0, fewest_per_A3 = 1e300;
  for (const BulkSalt& salt : salts) {
    const double units_per_A3 = per_A3_of_M * salt.concentration_M;
    ions_per_A3 += units_per_A3 * (salt.cations + salt.anions);
    fewest_per_A3 = std::min(fewest_per_A3, units_per_A3);
  }
  const double volume_A3 =
      std::min(std::max(double(options.ions) / ions_per_A3, fewest_units / fewest_per_A3),
               std::max(most_ions, double(options.ions)) / ions_per_A3);
  BulkCube cube{.edge_A = std::cbrt(volume_A3), .units = {}, .count = {}};
  cube.count.resize(model.species.size());
  for (const BulkSalt& salt : salts) {
    const auto units =
        std::max<std::int64_t>(1, std::llround(per_A3_of_M * salt.concentration_M * volume_A3));
    cube.units.push_back(units);
    cube.count[salt.cation] += units * salt.cations;
    cube.count[salt.anion] += units * salt.anions;
  }
  return cube;
}

/// Trial insertions into one replica of the bulk.
class BulkReplica {
 public:
  BulkReplica(const IonModel& model, const BulkCube& cube, std::uint64_t seed, std::uint64_t replica)
      : trials_(seed, bulk_streams + 2 * replica + 1),
        chain_(start(model, cube, seed, replica), {}, RandomStream(seed, bulk_streams + 2 * replica)) {}

  void equilibrate(std::int64_t sweeps) {
    const auto moves = std::int64_t(chain_.ions().size());
    for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
      chain_.run(moves);
      chain_.adapt_steps();
    }
  }

  /// A sweep, and the mean of exp(-dU) over some trial insertions of a salt.
  void sweep() { chain_.run(std::int64_t(chain_.ions().size())); }

  double boltzmann_factor(const BulkSalt& salt, int trials) {
    IonSet ions = chain_.ions();
    double sum = 0.0;
    for (int trial = 0; trial < trials; ++trial) {
      double change_kT = 0.0;
      int added = 0;
      for (; added < salt.cations + salt.anions && change_kT < overlap_kT; ++added) {
        const Vec3<double> edge_A = ions.model().box.highest_A - ions.model().box.lowest_A;
        const double x = trials_.uniform(), y = trials_.uniform(), z = trials_.uniform();
        const MovingIon ion{
            added < salt.cations ? salt.cation : salt.anion,
            ions.model().box.lowest_A + Vec3<double>{x * edge_A.x, y * edge_A.y, z * edge_A.z}};
        change_kT += ions.energy_of(ion);
        ions.add(ion);
      }
      if (change_kT < overlap_kT) sum += std::exp(-change_kT);
      for (; added > 0; --added) ions.remove(ions.size() - 1);
    }
    return sum / trials;
  }

 private:
  IonSet start(const IonModel& model, const BulkCube& cube, std::uint64_t seed, std::uint64_t replica) {
    RandomStream random(seed, bulk_streams + (bulk_streams >> 1) + replica);
    return random_ions(model, cube.count, random);
  }

  RandomStream trials_;
  MonteCarlo chain_;
};

}  // namespace

BulkResult bulk_baths(const IonModel& model, const std::vector<BulkSalt>& salts, const BulkOptions& options,
                      const Progress& progress) {
  BulkResult result;
  if (salts.empty()) return result;
  const BulkCube cube = bulk_cube(model, salts, options);
  const double half_A = 0.5 * cube.edge_A;
  IonModel bulk{.species = model.species,
                .box = {{-half_A, -half_A, -half_A}, {half_A, half_A, half_A}},
                .boundary = SampleBoundary::periodic,
                .repulsion = model.repulsion,
                .pair = model.pair,
                .images = {},
                .field = {},
                .solute = {},
                .simd = model.simd};
  bulk.images = std::make_shared<ImageTable>(bulk.box, bulk.pair, options.threads, bulk.simd);
  result.edge_A = cube.edge_A;
  for (const std::int64_t count : cube.count) result.ions += count;

  constexpr int trials = 32, samples_a_block = 50;
  std::vector<std::vector<std::vector<double>>> factors(
      salts.size(), std::vector<std::vector<double>>(std::size_t(options.replicas)));
  std::vector<BulkReplica> replicas;
  replicas.reserve(std::size_t(options.replicas));
  for (int replica = 0; replica < options.replicas; ++replica)
    replicas.emplace_back(bulk, cube, options.seed, std::uint64_t(replica));
  const std::int64_t before = std::max<std::int64_t>(options.sweeps / 10, 1);
  for (std::int64_t done = -before; done < options.sweeps;) {
    const std::int64_t until = done < 0 ? 0 : std::min(options.sweeps, done + samples_a_block);
    parallel_for({options.threads, 1}, options.replicas, [&](std::int64_t r) {
      BulkReplica& replica = replicas[std::size_t(r)];
      if (done < 0) return replica.equilibrate(before);
      for (std::int64_t sweep = done; sweep < until; ++sweep) {
        replica.sweep();
        for (std::size_t s = 0; s < salts.size(); ++s)
          factors[s][std::size_t(r)].push_back(replica.boltzmann_factor(salts[s], trials));
      }
    });
    done = until;
    if (progress) progress(double(done + before) / double(options.sweeps + before));
  }
  result.insertions = trials * options.sweeps * options.replicas;
  constexpr int blocks = 10;
  for (std::size_t s = 0; s < salts.size(); ++s) {
    const BulkSalt& salt = salts[s];
    const SeriesMean factor = series_mean(factors[s], blocks);
    if (!(factor.mean > 0.0))
      fail("a salt of ", salt.concentration_M,
           " M with these radii has no room for another formula unit: of ", result.insertions,
           " trial insertions none succeeded; use smaller radii, or less salt");
    BulkBath bath{.bath = {salt.cation, salt.anion, salt.cations, salt.anions},
                  .error_kT = factor.error / factor.mean};
    bath.bath.excess_kT = -std::log(factor.mean);
    for (const BulkSalt& other : salts) {
      const double units_per_A3 = per_A3_of_M * other.concentration_M;
      if (other.cation == salt.cation) bath.bath.cation_per_A3 += units_per_A3 * other.cations;
      if (other.anion == salt.anion) bath.bath.anion_per_A3 += units_per_A3 * other.anions;
    }
    bath.activity_coefficient = std::exp(bath.bath.excess_kT / (salt.cations + salt.anions));
    result.baths.push_back(bath);
  }
  return result;
}

}  // namespace ionwell
