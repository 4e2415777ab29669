// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "electrostatics/multilevel/multilevel_plan.hpp"

/// Multilevel summation on the first GPU by itself, without a field around it: for tests and benchmarks. No
/// CUDA header is needed to use it.
namespace ionwell {

class MultilevelProbe {
 public:
  /// Charges and empty values for `blocks` (numbers of the lattice's BlockGrid; in any order) go to the
  /// device. Throws Error where there is no GPU.
  MultilevelProbe(const LatticeGeometry& lattice, const MultilevelPlan& plan,
                  std::span<const PointCharge> charges, std::vector<std::int32_t> blocks, bool short_range);
  ~MultilevelProbe();
  MultilevelProbe(const MultilevelProbe&) = delete;
  MultilevelProbe& operator=(const MultilevelProbe&) = delete;

  /// values = 0, then the multilevel sum, from charges on the device to values there; returns the device time
  /// of the sum [ms].
  double run();

  /// The same with each stage timed by itself [ms].
  std::vector<std::pair<std::string, double>> run_by_stages();

  /// 512 for each block, in the order of the blocks.
  std::vector<float> values() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Numbers of all blocks of a lattice.
std::vector<std::int32_t> all_blocks(const LatticeGeometry& lattice);

}  // namespace ionwell
