#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// Called now and then with the part done so far, 0 to 1, on the thread that called the function it was given
/// to, or one at a time where several devices work. What it throws ends the work and reaches the caller: the
/// way to cancel. The field it was about can only be destroyed then.
using Progress = std::function<void(double)>;

/// A lattice point and the potential there.
struct LowestPoint {
  std::int64_t index = 0;
  double potential_kT_e = 0.0;
};

/// What devices other than the host did for a field.
struct DeviceUse {
  std::vector<std::pair<std::string, double>> stage_s;  // device time, in the order of the stages' first time
  std::int64_t to_device_bytes = 0, to_host_bytes = 0, between_devices_bytes = 0;
  std::int64_t peak_bytes = 0;  // most device memory at one time, of all devices together

  void add_time(const std::string& stage, double seconds) {
    for (auto& [name, sum] : stage_s)
      if (name == stage) {
        sum += seconds;
        return;
      }
    stage_s.emplace_back(stage, seconds);
  }

  /// Of another field, after this one.
  void add(const DeviceUse& other) {
    for (const auto& [stage, seconds] : other.stage_s) add_time(stage, seconds);
    to_device_bytes += other.to_device_bytes;
    to_host_bytes += other.to_host_bytes;
    between_devices_bytes += other.between_devices_bytes;
    peak_bytes = std::max(peak_bytes, other.peak_bytes);
  }
};

/// What the lazy placement did, for the report and the benchmark.
struct FieldStatistics {
  std::int64_t available_points = 0;  // not excluded by the solute
  std::int64_t blocks = 0;            // blocks with at least one such point
  std::int64_t blocks_updated = 0;    // times a block was brought up to date while looking for a lowest point
  std::int64_t candidates = 0;        // points whose exact potential was asked for
  std::int64_t exact_sums = 0;        // of those, sums over all solute charges that had to be done
  double refinement_s = 0.0;          // time in those sums
  double measured_error_kT_e =
      0.0;  // largest |lattice - fp64| at the sample points; multilevel summation only
  DeviceUse device;

  /// Of another field of the same lattice, after this one.
  void add(const FieldStatistics& other) {
    blocks_updated += other.blocks_updated;
    candidates += other.candidates;
    exact_sums += other.exact_sums;
    refinement_s += other.refinement_s;
    device.add(other.device);
  }
};

/// Throws Error for an imported potential of another size than the lattice's.
inline void require_value_for_each_point(const LatticeGeometry& lattice, std::span<const double> values) {
  if (std::int64_t(values.size()) != lattice.size())
    fail("a lattice of ", lattice.size(), " points needs as many values, not ", values.size());
}

/// The potential [kT/e] on one lattice, kept on the host or on a GPU for the whole run: solute charges first,
/// then one ion at a time. Points are numbered as in LatticeGeometry.
class PotentialField {
 public:
  virtual ~PotentialField() = default;

  virtual const LatticeGeometry& lattice() const = 0;

  /// Makes every point unavailable whose distance to one of `centres` is at most `distance_A`
  /// (d^2 <= r^2 + 5e-7 A^2 in fp64: coordinates have three decimals, so no rounding decides).
  /// Before the first charge is added: where no ion can go, no potential need be computed.
  virtual void exclude(std::span<const Vec3<double>> centres, double distance_A) = 0;

  /// values += the potential of `charges`, summed pair by pair; O(points * charges).
  virtual void add_direct(std::span<const PointCharge> charges, const Progress& progress) = 0;

  /// values += the potential of `charges` by multilevel summation. Where an ion can go, the error is measured
  /// against fp64 sums at sample points, and refinement allows for it.
  virtual void add_multilevel(std::span<const PointCharge> charges, const MultilevelOptions& options,
                              const Progress& progress) = 0;

  /// values := an imported potential, one for each point, in place of the solute's charges; NaN, which is
  /// where a map does not reach, makes a point unavailable. After `exclude` and before the first ion.
  /// `values` is not copied and must outlive the field: in fp64 it stands for the solute's sum when an ion's
  /// place is decided.
  virtual void assign(std::span<const double> values) = 0;

  /// The available point where charge_e * V is lowest; of equal values the lowest index. Empty when every
  /// point is excluded. With refinement V is the fp64 sum over all charges and ions, whatever the lattice
  /// rounds.
  virtual std::optional<LowestPoint> lowest_energy_point(double charge_e) = 0;

  /// Adds the potential of an ion and makes every point unavailable that is nearer to it than `distance_A`
  /// (d^2 < r^2 - 5e-7 A^2).
  virtual void add_ion(const PointCharge& ion, double distance_A) = 0;

  /// Writes one value per point to `values`, all ions included; 0 where the field was told not to compute
  /// any.
  virtual void copy_values(std::span<float> values) = 0;

  std::vector<float> values() {
    std::vector<float> all(static_cast<std::size_t>(lattice().size()));
    copy_values(all);
    return all;
  }

  virtual FieldStatistics statistics() const = 0;
};

}  // namespace ionwell
