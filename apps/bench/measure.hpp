// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "placement/host_field.hpp"

/// What all benchmarks share: time, medians, and the line that says where a number was measured.
namespace ionwell {

template <typename Action>
double seconds(const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// How a benchmark is run.
struct MeasureOptions {
  int threads = 0;  // 0: all that the machine has
  SimdLevel simd = SimdLevel::automatic;
  int repeats = 5;
};

void add_measure_options(OptionGroup& group, MeasureOptions& measure);

/// Fills in what stands for "all" and "best"; throws UsageError for numbers that make no sense.
void set_defaults(MeasureOptions& measure);

/// Throws UsageError unless `number` is at least 1.
void require_positive(const char* option, int number);

/// Largest error over sample points that are at least 1 A from any charge, over the largest potential there.
double sampled_error(const LatticeGeometry& lattice, const PairPotential& pair,
                     const std::vector<PointCharge>& charges, const std::vector<float>& values, int samples);

/// As the kernel names it; Arm processors have no such line and are "unnamed processor".
std::string processor();

/// "ionwell 0.2.0, AMD EPYC, avx512, 2 threads"
void print_machine(std::ostream& out, const MeasureOptions& measure);

}  // namespace ionwell
