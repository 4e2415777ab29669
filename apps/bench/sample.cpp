// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <memory>

#include "bench/benchmarks.hpp"
#include "bench/measure.hpp"
#include "bench/moving_salt.hpp"
#include "parallel/parallel_for.hpp"
#include "sampling/brownian.hpp"
#include "sampling/image_table.hpp"
#include "sampling/monte_carlo.hpp"

namespace ionwell {
namespace {

/// So many replicas at once, as `sample` runs them.
template <typename Sampler, typename Make>
double seconds_of(int threads, std::int64_t length, const Make& make) {
  std::vector<std::unique_ptr<Sampler>> replicas;
  for (int r = 0; r < threads; ++r) replicas.push_back(make(std::uint64_t(r)));
  return seconds([&] {
    parallel_for({threads, 1}, threads, [&](std::int64_t r) { replicas[std::size_t(r)]->run(length); });
  });
}

}  // namespace

void sample_benchmark(const std::vector<std::string>& arguments, std::ostream& out) {
  double concentration_M = 0.15;
  MeasureOptions measure{.repeats = 3};
  CommandLine line(
      {.name = "sample",
       .synopsis = "[--concentration M]",
       .about = "Times ions that move: Na+ and Cl- with soft spheres in a potential on a lattice, one\n"
                "replica on each thread. A move is one tried for one ion, a step moves all ions.",
       .examples = "  ionwell-bench sample\n"
                   "      64 to 1,024 ions at 0.15 M\n",
       .program = "ionwell-bench"});
  OptionGroup& group = line.group("Options");
  group.add("concentration", concentration_M, "M", "concentration of the salt [mol/L]");
  add_measure_options(group, measure);
  if (!line.parse(arguments, out)) return;
  set_defaults(measure);
  print_machine(out, measure);
  char row[160];
  std::snprintf(row, sizeof row, "%-28s %6s %14s %14s\n", "what", "ions", "moves/s", "steps/s");
  out << row << std::flush;
  const auto print = [&](const std::string& what, int ions, double moves_per_s, double steps_per_s) {
    std::snprintf(row, sizeof row, "%-28s %6d %14.3e %14.3e\n", what.c_str(), ions, moves_per_s, steps_per_s);
    out << row << std::flush;
  };
  const PairPotential coulomb = pair_potential({.dielectric = water_dielectric}),
                      screened = pair_potential({.ionic_strength_M = 0.15});
  const auto time_moves = [&](const std::string& what, int ions, IonModel model) {
    model.simd = measure.simd;
    const std::int64_t length = 40'000'000 / (ions + 200);
    std::vector<double> times_s;
    for (int n = 0; n < measure.repeats; ++n)
      times_s.push_back(seconds_of<MonteCarlo>(measure.threads, length, [&](std::uint64_t r) {
        RandomStream random(1, 2 * r);
        return std::make_unique<MonteCarlo>(random_ions(model, {ions / 2, ions / 2}, random),
                                            std::vector<SaltBath>{}, RandomStream(1, 2 * r + 1));
      }));
    const double moves_per_s = measure.threads * double(length) / median(times_s);
    print(what, ions, moves_per_s, moves_per_s / ions);
  };
  const auto time_steps = [&](const std::string& what, int ions, IonModel model) {
    model.simd = measure.simd;
    const std::int64_t length = std::max<std::int64_t>(10, 40'000'000 / (std::int64_t(ions) * (ions + 200)));
    std::vector<double> times_s;
    for (int n = 0; n < measure.repeats; ++n)
      times_s.push_back(seconds_of<BrownianDynamics>(measure.threads, length, [&](std::uint64_t r) {
        RandomStream random(1, 2 * r);
        return std::make_unique<BrownianDynamics>(random_ions(model, {ions / 2, ions / 2}, random),
                                                  BrownianOptions{}, RandomStream(1, 2 * r + 1));
      }));
    const double steps_per_s = measure.threads * double(length) / median(times_s);
    print(what, ions, steps_per_s * ions, steps_per_s);
  };
  for (const int ions : {64, 256, 1024}) {
    const IonModel open = moving_salt(ions, concentration_M, coulomb, ForceInterpolation::trilinear);
    IonModel images = open;
    images.boundary = SampleBoundary::periodic;
    images.images = std::make_shared<ImageTable>(images.box, images.pair, measure.threads, measure.simd);
    const IonModel debye = moving_salt(ions, concentration_M, screened, ForceInterpolation::trilinear);
    time_moves("Monte Carlo, Coulomb", ions, open);
    time_moves("Monte Carlo, Debye-Hueckel", ions, debye);
    time_moves("Monte Carlo, all images", ions, images);
    time_steps("dynamics, Coulomb", ions, open);
    time_steps("dynamics, Debye-Hueckel", ions, debye);
    time_steps("dynamics, all images", ions, images);
    time_steps("dynamics, cubic splines", ions,
               moving_salt(ions, concentration_M, coulomb, ForceInterpolation::cubic_spline));
  }
}

}  // namespace ionwell
