// SPDX-License-Identifier: BSD-3-Clause
#include "bench/measure.hpp"

#include <cmath>
#include <fstream>
#include <random>
#include <string>

#include "core/error.hpp"
#include "core/version.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unnamed processor";
}

void add_measure_options(OptionGroup& group, MeasureOptions& measure) {
  group.add("threads", measure.threads, "N", "threads to compute with, 0 for all of them");
  group.add_choice("simd", measure.simd,
                   {{"auto", SimdLevel::automatic},
                    {"baseline", SimdLevel::baseline},
                    {"avx2", SimdLevel::avx2},
                    {"avx512", SimdLevel::avx512}},
                   "instruction set");
  group.add("repeats", measure.repeats, "N", "how often to measure; the median counts");
}

void set_defaults(MeasureOptions& measure) {
  measure.threads = thread_count(measure.threads);
  if (measure.simd == SimdLevel::automatic) measure.simd = best_simd_level();
  require_positive("--threads", measure.threads);
  require_positive("--repeats", measure.repeats);
}

void require_positive(const char* option, int number) {
  if (number < 1) fail<UsageError>(option, " is ", number, "; it must be at least 1");
}

void print_machine(std::ostream& out, const MeasureOptions& measure) {
  out << "ionwell " << version() << ", " << processor() << ", " << to_string(measure.simd) << ", "
      << measure.threads << (measure.threads == 1 ? " thread" : " threads") << "\n\n";
}

double sampled_error(const LatticeGeometry& lattice, const PairPotential& pair,
                     const std::vector<PointCharge>& charges, const std::vector<float>& values, int samples) {
  std::mt19937_64 random(1);
  double error = 0.0, largest = 0.0;
  for (int n = 0; n < samples; ++n) {
    const std::int64_t p = std::int64_t(random() % std::uint64_t(lattice.size()));
    const Vec3<double> at = lattice.position_A(p);
    double exact = 0.0, nearest2 = 1e9;
    for (const PointCharge& q : charges) {
      const double d2 = distance_squared(at, q.position_A);
      nearest2 = std::min(nearest2, d2);
      exact += q.charge_e * pair.at(d2);
    }
    if (nearest2 < 1.0) continue;
    error = std::max(error, std::abs(exact - double(values[std::size_t(p)])));
    largest = std::max(largest, std::abs(exact));
  }
  return error / largest;
}

}  // namespace ionwell
