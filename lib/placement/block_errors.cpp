#include <algorithm>
#include <array>

#include "electrostatics/multilevel/error_samples.hpp"
#include "parallel/parallel_for.hpp"
#include "placement/block_field.hpp"

namespace ionwell {

/// Bounds on |value - exact| for the direct sum, which rounds relative to the sum of the terms' magnitudes.
/// Neighbouring blocks share one.
void CpuField::bound_rounding_of_solute() {
  constexpr std::int64_t shared = 4, parts = node_edge / shared;  // blocks to a side, and parts of a node
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> part_of(blocks_.size(), none);
  std::vector<Vec3<std::int64_t>> first_point;  // of each part
  for (const Node& node : nodes_) {
    std::array<std::size_t, parts * parts * parts> numbers;
    numbers.fill(none);
    for (std::size_t slot = node.first; slot < node.last; ++slot) {
      const std::int64_t block = blocks_[slot].number;
      if (!available_.any(block)) continue;
      constexpr std::int64_t edge = shared * block_edge;
      const Vec3<std::int64_t> point = grid_.first_point(block);
      const Vec3<std::int64_t> p{point.x / edge, point.y / edge, point.z / edge};
      std::size_t& number = numbers[p.x % parts + parts * (p.y % parts + parts * (p.z % parts))];
      if (number == none) {
        number = first_point.size();
        first_point.push_back({edge * p.x, edge * p.y, edge * p.z});
      }
      part_of[slot] = number;
    }
  }
  const Vec3<double> half_A = half_extent_A(shared * block_edge);
  const double slack_A = std::sqrt(dot(half_A, half_A));
  std::vector<double> magnitude_kT_e(first_point.size());
  parallel_for({threads_, 4}, std::ssize(first_point), [&](std::int64_t n) {
    const Vec3<std::int64_t>& p = first_point[std::size_t(n)];
    const Vec3<double> centre = grid_.lattice.position_A(p.x, p.y, p.z) + half_A;
    const double centre_A[3] = {centre.x, centre.y, centre.z};
    magnitude_kT_e[std::size_t(n)] = kernels_.magnitude(
        centre_A, slack_A, std::max(clearance_A_, smallest_distance_A), solute_.arrays(), pair_);
  });
  for (std::size_t slot = 0; slot < blocks_.size(); ++slot)
    if (part_of[slot] != none)
      blocks_[slot].error_kT_e += float(rounding_of_direct_sum * magnitude_kT_e[part_of[slot]] * (1 + 1e-6));
}

/// For a multilevel sum: the largest |value - exact| at sample points, half of them next to the solute, with
/// room for the points that were not looked at.
void CpuField::measure_error_of_solute() {
  std::vector<std::size_t> beside, all;  // blocks cut by the exclusion, and all with an available point
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::uint64_t* bits = available_.of_block(blocks_[b].number);
    if (!available_.any(blocks_[b].number)) continue;
    all.push_back(b);
    if (std::any_of(bits, bits + Availability::words, [](std::uint64_t w) { return ~w != 0; }))
      beside.push_back(b);
  }
  const std::vector<ErrorSample> samples = error_samples(solute_.size(), beside, all);
  std::vector<double> errors_kT_e(samples.size());
  parallel_for({threads_, 16}, std::ssize(samples), [&](std::int64_t n) {
    const ErrorSample& sample = samples[std::size_t(n)];
    const std::size_t slot = sample.slot;
    const std::uint64_t* bits = available_.of_block(blocks_[slot].number);
    int p = sample.point;
    while (!is_set(bits, p)) p = (p + 1) % block_points;
    const Vec3<double> at = grid_.lattice.position_A(grid_.lattice_index(blocks_[slot].number, p));
    const double position_A[3] = {at.x, at.y, at.z};
    const double exact = kernels_.exact(position_A, solute_.arrays(), pair_) +
                         kernels_.exact(position_A, ions_.arrays(0, blocks_[slot].ions), pair_);
    errors_kT_e[std::size_t(n)] = std::abs(exact - double(values_[slot].value[p]));
  });
  const double largest =
      errors_kT_e.empty() ? 0.0 : *std::max_element(errors_kT_e.begin(), errors_kT_e.end());
  statistics_.measured_error_kT_e = largest;
  for (Block& block : blocks_) block.error_kT_e += float(room_for_unseen_errors * largest);
}

/// Replaces a block's multilevel values by direct sums, whose error is far smaller.
void CpuField::sum_directly(std::size_t slot) {
  Block& block = blocks_[slot];
  const BlockFrame frame = wanted_frame(block.number);
  std::fill_n(values_[slot].value, block_points, 0.0f);
  const Vec3<double> half_A = half_extent_A(block_edge);
  const double slack_A = std::sqrt(dot(half_A, half_A));
  double magnitude = 0.0;
  const auto add = [&](const ChargeArrays& charges, double clearance_A) {
    kernels_.add_charges(&frame, 1, charges, pair_, values_[slot].value);
    magnitude += kernels_.magnitude(frame.centre_A, slack_A, std::max(clearance_A, smallest_distance_A),
                                    charges, pair_);
  };
  add(solute_.arrays(), clearance_A_);
  add(ions_.arrays(0, block.ions), ion_clearance_A_);
  block.error_kT_e = float(rounding_of_direct_sum * magnitude * (1 + 1e-6));
  block.direct = true;
  recompute_bounds(slot);
}

}  // namespace ionwell
