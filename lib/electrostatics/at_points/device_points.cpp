// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/device_points.hpp"

#include "core/error.hpp"
#include "electrostatics/at_points/multilevel_at_points.hpp"
#include "electrostatics/at_points/sampled_error.hpp"

namespace ionwell {
namespace {

/// Samples, and what they should be.
class DeviceSamples {
 public:
  DeviceSamples(DevicePoints& device, std::span<const Vec3<double>> points_A) {
    const std::vector<std::size_t> numbers = sample_numbers(points_A.size());
    std::vector<Vec3<double>> at_A;
    for (const std::size_t n : numbers) at_A.push_back(points_A[n]);
    const DevicePoints::Exact exact = device.exact(at_A);
    for (std::size_t s = 0; s < numbers.size(); ++s) {
      if (exact.nearest_A[s] < beside_charge_A) continue;
      numbers_.push_back(numbers[s]);
      exact_kT_e_.push_back(exact.potential_kT_e[s]);
    }
  }

  std::optional<SampledError> error_of(std::span<const double> all_kT_e) const {
    std::vector<double> values_kT_e;
    for (const std::size_t n : numbers_) values_kT_e.push_back(all_kT_e[n]);
    return sampled_error(exact_kT_e_, values_kT_e);
  }

 private:
  std::vector<std::size_t> numbers_;
  std::vector<double> exact_kT_e_;
};

/// Points of the finest grid, which may be more than an integer holds.
double finest_points(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                     const MultilevelOptions& set) {
  const Vec3<std::int64_t> n = finest_grid(lattice_around(points_A, set.spacing_A), charges, set).counts;
  return double(n.x) * double(n.y) * double(n.z);
}

/// One sum, from its settings to its values.
class DeviceSummation {
 public:
  DeviceSummation(DevicePoints& device, std::span<const PointCharge> charges,
                  std::span<const Vec3<double>> points_A, const PointSumOptions& options,
                  const DevicePointRates& rates, const Progress& progress)
      : device_(device),
        charges_(charges),
        points_A_(points_A),
        options_(options),
        rates_(rates),
        progress_(progress),
        samples_(device, points_A) {}

  PointSum sum() {
    if (options_.method == PointMethod::direct) return direct();
    if (options_.method == PointMethod::multilevel) return multilevel();
    if (direct_s() <= multilevel_s()) return direct();
    try {
      is_cancelled_ = false;
      PointSum sum = multilevel();
      if (sum.error && sum.error->rms > options_.error && !options_.multilevel) return direct();
      return sum;
    } catch (const Error&) {
      if (is_cancelled_) throw;
      return direct();  // the grid is none, or does not fit
    }
  }

 private:
  double direct_s() const {
    return double(charges_.size()) * double(points_A_.size()) / rates_.direct_pairs_per_s;
  }

  double multilevel_s() const {
    const MultilevelOptions set = options_.multilevel
                                      ? *options_.multilevel
                                      : multilevel_sets()[first_multilevel_set(options_.error)].options;
    return rates_.multilevel_start_s + rates_.multilevel_charge_s * double(charges_.size()) +
           rates_.multilevel_point_s * double(points_A_.size()) +
           rates_.multilevel_grid_point_s * finest_points(charges_, points_A_, set);
  }

  /// What it throws is no failure of the device.
  Progress watched() {
    return [this](double part) {
      is_cancelled_ = true;
      if (progress_) progress_(part);
      is_cancelled_ = false;
    };
  }

  PointSum direct() {
    PointSum sum{.potential_kT_e = std::vector<double>(points_A_.size()), .method = PointMethod::direct};
    device_.direct(points_A_, sum.potential_kT_e, watched());
    sum.error = samples_.error_of(sum.potential_kT_e);
    return sum;
  }

  PointSum multilevel() {
    PointSum sum{.potential_kT_e = std::vector<double>(points_A_.size()), .method = PointMethod::multilevel};
    const auto try_set = [&](const MultilevelOptions& set) {
      sum.multilevel = set;
      device_.multilevel(set, points_A_, sum.potential_kT_e, watched());
      sum.error = samples_.error_of(sum.potential_kT_e);
      return !sum.error || sum.error->rms <= options_.error;
    };
    if (options_.multilevel) {
      try_set(*options_.multilevel);
      return sum;
    }
    const std::span<const MultilevelSet> sets = multilevel_sets();
    for (std::size_t set = first_multilevel_set(options_.error); set < sets.size(); ++set)
      if (try_set(sets[set].options)) return sum;
    if (options_.method == PointMethod::multilevel) fail_to_be_exact(options_.error, sum.error->rms);
    return sum;
  }

  DevicePoints& device_;
  std::span<const PointCharge> charges_;
  std::span<const Vec3<double>> points_A_;
  const PointSumOptions& options_;
  const DevicePointRates& rates_;
  const Progress& progress_;
  DeviceSamples samples_;
  bool is_cancelled_ = false;
};

}  // namespace

PointSum sum_at_points(DevicePoints& device, std::span<const PointCharge> charges,
                       std::span<const Vec3<double>> points_A, const PointSumOptions& options,
                       const DevicePointRates& rates, const Progress& progress) {
  validate(options);
  if (options.method == PointMethod::hcp)
    fail<UsageError>(
        "--method hcp is only for the CPU, and a GPU is faster with other methods; use --method auto, direct "
        "or multilevel, or --backend cpu");
  if (points_A.empty() || charges.empty())
    return {.potential_kT_e = std::vector<double>(points_A.size()),
            .method = PointMethod::direct,
            .is_exact = true};
  return DeviceSummation(device, charges, points_A, options, rates, progress).sum();
}

}  // namespace ionwell
