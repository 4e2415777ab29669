// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/point_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/cell_list.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/multilevel_at_points.hpp"
#include "electrostatics/at_points/point_sum_cost.hpp"
#include "electrostatics/at_points/sampled_error.hpp"
#include "electrostatics/open_sum.hpp"

namespace ionwell {
namespace {

/// By how much thresholds of partitioning are raised until samples have the error.
constexpr std::array<double, 9> threshold_factors = {1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0};

constexpr const char *saved_method = "sum at points: method", *saved_parts = "sum at points: parts done",
                     *saved_values = "sum at points: values";
constexpr PointMethod every_pair_in_fp64 = PointMethod::automatic;  // as a saved sum calls it

/// Points where every method is compared with fp64.
class ErrorSamples {
 public:
  ErrorSamples(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
               const PairPotential& pair, const PointSumOptions& options) {
    if (charges.empty()) return;
    std::vector<Vec3<double>> positions_A;
    positions_A.reserve(charges.size());
    for (const PointCharge& charge : charges) positions_A.push_back(charge.position_A);
    constexpr double cell_A = 4.0;
    const CellList cells(positions_A, cell_A);
    for (const std::size_t number : sample_numbers(points_A.size())) {
      bool beside = false;
      const Vec3<double>& at = points_A[number];
      cells.near({at, at}, beside_charge_A, [&](std::uint32_t n) {
        beside = beside || distance_squared(positions_A[n], at) < beside_charge_A * beside_charge_A;
      });
      if (beside) continue;
      numbers_.push_back(number);
      points_A_.push_back(at);
    }
    exact_kT_e_ = open_potential(pair, charges, points_A_, {options.threads, options.simd}, {});
  }

  std::span<const Vec3<double>> points_A() const { return points_A_; }

  /// `values_kT_e`: of the samples.
  std::optional<SampledError> error(std::span<const double> values_kT_e) const {
    return sampled_error(exact_kT_e_, values_kT_e);
  }

  std::optional<SampledError> error_of(std::span<const double> all_kT_e) const {
    std::vector<double> values_kT_e;
    for (const std::size_t n : numbers_) values_kT_e.push_back(all_kT_e[n]);
    return error(values_kT_e);
  }

 private:
  std::vector<std::size_t> numbers_;
  std::vector<Vec3<double>> points_A_;
  std::vector<double> exact_kT_e_;
};

/// One sum, from its settings to its values.
class PointSummation {
 public:
  PointSummation(const SoluteParts& solute, std::span<const Vec3<double>> points_A, const PairPotential& pair,
                 const PointSumOptions& options, const Progress& progress, const WorkSaving& saving)
      : solute_(solute),
        points_A_(points_A),
        pair_(pair),
        options_(options),
        progress_(progress),
        saving_(saving) {}

  PointSum sum() {
    PointMethod method = options_.method;
    const PointSumCosts costs(solute_.charges, points_A_, options_);
    if (const std::optional<PointMethod> begun = method_of_saved()) return go_on(*begun, costs);
    if (method == PointMethod::automatic && costs.exact_s() < quick_s) method = PointMethod::direct;
    if (method == PointMethod::direct && costs.exact_s() < worth_single_precision_s) return exact();
    batches_.emplace(points_A_, options_.threads);
    samples_.emplace(solute_.charges, points_A_, pair_, options_);
    if (method == PointMethod::automatic) return best(costs);
    if (method == PointMethod::direct) return direct();
    return method == PointMethod::hcp ? partitioned(*chosen_partition()) : multilevel(costs);
  }

 private:
  // Below these an approximation saves nothing that anybody would notice, and neither do shorter numbers.
  static constexpr double quick_s = 0.1, worth_single_precision_s = 2.0;

  /// How the sum that this one goes on from was made: by predicted times, which depend on the threads.
  std::optional<PointMethod> method_of_saved() const {
    if (saving_.resumed == nullptr || !has_point_sum(*saving_.resumed)) return {};
    const auto method = saving_.resumed->value<std::int64_t>(saved_method);
    if (method < 0 || method > std::int64_t(PointMethod::multilevel)) SavedState::fail_damaged(saved_method);
    return PointMethod(method);
  }

  PointSum go_on(PointMethod method, const PointSumCosts& costs) {
    if (method == every_pair_in_fp64) return exact();
    batches_.emplace(points_A_, options_.threads);
    samples_.emplace(solute_.charges, points_A_, pair_, options_);
    if (method == PointMethod::multilevel) return multilevel(costs);
    if (method == PointMethod::direct) return direct();
    const std::optional<PartitionOptions> partition = chosen_partition();
    if (!partition) SavedState::fail_damaged(saved_method);
    return partitioned(*partition);
  }

  /// compute(values, done) gives the values of all parts from `done` on, which it counts up; they are saved
  /// on the way, and those of a saved sum of this method are there already.
  template <typename Compute>
  void fill(PointSum& sum, PointMethod method, std::size_t parts, const Compute& compute) {
    std::vector<double>& values = sum.potential_kT_e;
    std::size_t done = 0;
    if (method_of_saved() == method) {
      values = saving_.resumed->get<double>(saved_values, points_A_.size());
      const auto count = saving_.resumed->value<std::int64_t>(saved_parts);
      if (count < 0 || std::size_t(count) > parts) SavedState::fail_damaged(saved_parts);
      done = std::size_t(count);
    } else {
      values.assign(points_A_.size(), 0.0);
    }
    std::shared_ptr<void> part;
    if (saving_.begin)
      part = saving_.begin([&] {
        SavedState state;
        state.put(saved_method, std::int64_t(method));
        state.put(saved_parts, std::int64_t(done));
        state.put(saved_values, values);
        return state;
      });
    compute(std::span(values), done);
  }

  PointSum exact() {
    PointSum sum{.method = PointMethod::direct, .is_exact = true};
    fill(sum, every_pair_in_fp64, points_A_.size(), [&](std::span<double> values_kT_e, std::size_t& done) {
      open_potential(pair_, solute_.charges, points_A_, {options_.threads, options_.simd}, progress_,
                     values_kT_e, done);
    });
    return sum;
  }

  void fill_by_parts(PointSum& sum, PointMethod method, const PartitionOptions& thresholds) {
    fill(sum, method, batches_->size(), [&](std::span<double> values_kT_e, std::size_t& done) {
      parts().potential(points_A_, *batches_, pair_, thresholds, options_.simd, options_.threads, values_kT_e,
                        progress_, &done);
    });
    sum.error = samples_->error_of(sum.potential_kT_e);
  }

  PointSum best(const PointSumCosts& costs) {
    const std::optional<PartitionOptions> partition = chosen_partition();
    const double direct_s = costs.direct_s(),
                 partition_s = costs.partition_s(partition_, *batches_, partition);
    const double multilevel_s = costs.multilevel_s(first_set());
    if (direct_s <= partition_s && direct_s <= multilevel_s) return direct();
    if (partition && partition_s <= multilevel_s) return partitioned(*partition);
    PointSum sum = multilevel(costs);
    // No set has the error: a sum that has it.
    if (sum.error && sum.error->rms > options_.error && !options_.multilevel)
      return partition && partition_s < direct_s ? partitioned(*partition) : direct();
    return sum;
  }

  PointSum direct() {
    PointSum sum{.method = PointMethod::direct};
    // With thresholds beyond all distances every charge acts by itself.
    constexpr double beyond_all_A = 1e7;
    fill_by_parts(sum, PointMethod::direct, {.residue_A = beyond_all_A, .chain_A = beyond_all_A});
    return sum;
  }

  const ChargePartition& parts() {
    if (!partition_) partition_.emplace(solute_);
    return *partition_;
  }

  /// The thresholds that were given, or the lowest with which samples have the error; none when there are
  /// none.
  std::optional<PartitionOptions> chosen_partition() {
    if (options_.partition) return parts(), options_.partition;
    // Alone a sample meets no more by itself than it does in a batch, so that its error is no smaller here.
    const TargetBatches batches(samples_->points_A(), options_.threads, 0.0);
    std::vector<double> values_kT_e(samples_->points_A().size());
    for (const double factor : threshold_factors) {
      const PartitionOptions options = scaled({}, factor);
      parts().potential(samples_->points_A(), batches, pair_, options, options_.simd, options_.threads,
                        values_kT_e, {});
      const std::optional<SampledError> error = samples_->error(values_kT_e);
      if (!error || error->rms <= options_.error) return options;
    }
    if (options_.method == PointMethod::hcp)
      fail<UsageError>("--accuracy ", options_.error,
                       ": charge partitioning does not reach it with thresholds up to ",
                       threshold_factors.back(),
                       " times the published ones; use --method msm or "
                       "direct, or a larger --accuracy");
    return {};
  }

  PointSum partitioned(const PartitionOptions& partition) {
    PointSum sum{.method = PointMethod::hcp, .partition = partition};
    fill_by_parts(sum, PointMethod::hcp, partition);
    return sum;
  }

  MultilevelOptions first_set() const {
    return options_.multilevel ? *options_.multilevel
                               : multilevel_sets()[first_multilevel_set(options_.error)].options;
  }

  PointSum multilevel(const PointSumCosts& costs) {
    if (options_.multilevel) return multilevel_with(*options_.multilevel, costs, true);
    PointSum sum;
    const std::span<const MultilevelSet> sets = multilevel_sets();
    for (std::size_t set = first_multilevel_set(options_.error); set < sets.size(); ++set) {
      const bool is_last = set + 1 == sets.size();
      sum = multilevel_with(sets[set].options, costs, is_last);
      if (!sum.error || sum.error->rms <= options_.error) return sum;
    }
    if (options_.method == PointMethod::multilevel) fail_to_be_exact(options_.error, sum.error->rms);
    return sum;
  }

  /// All values only when the samples have the error, or none will.
  PointSum multilevel_with(const MultilevelOptions& set, const PointSumCosts& costs, bool is_last) {
    costs.require_multilevel_memory(set);
    const MultilevelAtPoints at_points(solute_.charges, points_A_, pair_, set, options_.simd,
                                       options_.threads, {});
    PointSum sum{.method = PointMethod::multilevel, .multilevel = set};
    const TargetBatches few(samples_->points_A(), options_.threads);
    std::vector<double> at_samples(samples_->points_A().size());
    if (!at_samples.empty()) at_points.potential(samples_->points_A(), few, options_.threads, at_samples, {});
    sum.error = samples_->error(at_samples);
    if (!is_last && sum.error && sum.error->rms > options_.error) return sum;
    fill(sum, PointMethod::multilevel, batches_->size(),
         [&](std::span<double> values_kT_e, std::size_t& done) {
           at_points.potential(points_A_, *batches_, options_.threads, values_kT_e, progress_, &done);
         });
    return sum;
  }

  const SoluteParts& solute_;
  std::span<const Vec3<double>> points_A_;
  const PairPotential& pair_;
  const PointSumOptions& options_;
  const Progress& progress_;
  const WorkSaving& saving_;
  std::optional<TargetBatches> batches_;
  std::optional<ErrorSamples> samples_;
  std::optional<ChargePartition> partition_;
};

}  // namespace

std::string_view to_string(PointMethod method) {
  switch (method) {
    case PointMethod::automatic:
      return "auto";
    case PointMethod::direct:
      return "direct";
    case PointMethod::hcp:
      return "hcp";
    case PointMethod::multilevel:
      return "multilevel";
  }
  return "unknown";
}

void validate(const PointSumOptions& options) {
  constexpr double least = 1e-6, most = 0.5, farthest_A = 1e6;
  if (!(options.error >= least && options.error <= most))
    fail<UsageError>("--accuracy is ", options.error, "; it must be from ", least, " to ", most,
                     " of the root mean square of the potential (--method direct has less)");
  if (!options.partition) return;
  const PartitionOptions& partition = *options.partition;
  for (const double threshold_A : {partition.residue_A, partition.chain_A})
    if (!(threshold_A > 0.0 && threshold_A <= farthest_A))
      fail<UsageError>("--tune hcp-thresholds: ", threshold_A, " A is not a distance; 10,70 was published");
  if (!(partition.complex_A >= 0.0 && partition.complex_A <= farthest_A))
    fail<UsageError>("--tune hcp-thresholds: ", partition.complex_A,
                     " A is not a distance; leave the third one out");
  if (partition.charges != 1 && partition.charges != 2)
    fail<UsageError>("--tune hcp-charges is ", partition.charges, "; it must be 1 or 2");
}

PointSum sum_at_points(const SoluteParts& solute, std::span<const Vec3<double>> points_A,
                       const PairPotential& pair, const PointSumOptions& options, const Progress& progress,
                       const WorkSaving& saving) {
  validate(options);
  if (points_A.empty() || solute.charges.empty())
    return {.potential_kT_e = std::vector<double>(points_A.size()),
            .method = PointMethod::direct,
            .is_exact = true};
  return PointSummation(solute, points_A, pair, options, progress, saving).sum();
}

bool has_point_sum(const SavedState& state) {
  return state.has(saved_method);
}

}  // namespace ionwell
