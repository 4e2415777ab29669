#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

#include "potential/block_field.hpp"

namespace ionwell {

/// Distance that every available point keeps from every one of `charges`: the exclusion's, if they are all
/// among the excluded centres (in their order, as when both were made from one structure).
double CpuField::clearance_A(std::span<const PointCharge> charges) const {
  std::size_t c = 0;
  for (const Vec3<double>& centre : excluded_centres_)
    if (c < charges.size() && charges[c].position_A == centre) ++c;
  return c == charges.size() ? exclusion_A_ : 0.0;
}

/// Bounds on |value - exact| for the direct sum, which rounds relative to the sum of the terms' magnitudes.
/// Neighbouring blocks share one.
void CpuField::bound_rounding_of_solute() {
  constexpr std::int64_t shared = 2;  // blocks to a side
  const auto part_of = [&](std::int64_t block) {
    const Vec3<std::int64_t> p = grid_.first_point(block);
    constexpr std::int64_t edge = shared * block_edge;
    return Vec3<std::int64_t>{p.x / edge * edge, p.y / edge * edge, p.z / edge * edge};
  };
  std::vector<std::size_t> order(blocks_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t slot) {
    const Vec3<std::int64_t> p = part_of(blocks_[slot].number);
    return std::tuple(p.z, p.y, p.x);
  };
  std::erase_if(order, [&](std::size_t slot) { return !available_.any(blocks_[slot].number); });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::size_t> starts;
  for (std::size_t n = 0; n < order.size(); ++n)
    if (n == 0 || key(order[n - 1]) != key(order[n])) starts.push_back(n);
  starts.push_back(order.size());
  const Vec3<double> half_A = (0.5 * (shared * block_edge - 1)) * grid_.lattice.spacing_A;
  const double slack_A = std::sqrt(dot(half_A, half_A));
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t s = 0; s < starts.size() - 1; ++s) {
    const Vec3<std::int64_t> first = part_of(blocks_[order[starts[s]]].number);
    const Vec3<double> centre = grid_.lattice.position_A(first.x, first.y, first.z) + half_A;
    const double centre_A[3] = {centre.x, centre.y, centre.z};
    const double sum = kernels_.magnitude(centre_A, slack_A, std::max(clearance_A_, smallest_distance_A),
                                          solute_.arrays(), pair_);
    for (std::size_t n = starts[s]; n < starts[s + 1]; ++n)
      blocks_[order[n]].error_kT_e += float(rounding_of_direct_sum * sum * (1 + 1e-6));
  }
}

/// For a multilevel sum: the largest |value - exact| at sample points, half of them next to the solute, with
/// room for the points that were not looked at.
void CpuField::measure_error_of_solute() {
  constexpr double pairs = 3e8;  // a fraction of a second
  constexpr double room = 3.0;
  const int samples =
      int(std::clamp(pairs / double(std::max<std::size_t>(solute_.size(), 1)), 256.0, 4096.0));
  std::vector<std::size_t> beside, all;  // blocks cut by the exclusion, and all with an available point
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::uint64_t* bits = available_.of_block(blocks_[b].number);
    if (!available_.any(blocks_[b].number)) continue;
    all.push_back(b);
    if (std::any_of(bits, bits + Availability::words, [](std::uint64_t w) { return ~w != 0; }))
      beside.push_back(b);
  }
  if (all.empty()) return;
  if (beside.empty()) beside = all;
  double largest = 0.0;
#pragma omp parallel for schedule(dynamic, 16) reduction(max : largest)
  for (int n = 0; n < samples; ++n) {
    std::mt19937_64 random(std::uint64_t(n) + 1);
    const std::vector<std::size_t>& from = n % 2 == 0 ? beside : all;
    const std::size_t slot = from[random() % from.size()];
    const std::uint64_t* bits = available_.of_block(blocks_[slot].number);
    int p = int(random() % block_points);
    while (!is_set(bits, p)) p = (p + 1) % block_points;
    const Vec3<double> at = grid_.lattice.position_A(grid_.lattice_index(blocks_[slot].number, p));
    const double position_A[3] = {at.x, at.y, at.z};
    const double exact = kernels_.exact(position_A, solute_.arrays(), pair_) +
                         kernels_.exact(position_A, ions_.arrays(0, blocks_[slot].ions), pair_);
    largest = std::max(largest, std::abs(exact - double(values_[slot].value[p])));
  }
  statistics_.measured_error_kT_e = largest;
  for (Block& block : blocks_) block.error_kT_e += float(room * largest);
}

/// Replaces a block's multilevel values by direct sums, whose error is far smaller.
void CpuField::sum_directly(std::size_t slot) {
  Block& block = blocks_[slot];
  const BlockFrame frame = block_frame(grid_, block.number);
  std::fill_n(values_[slot].value, block_points, 0.0f);
  const Vec3<double> half_A = half_extent_A(block_edge);
  const double slack_A = std::sqrt(dot(half_A, half_A));
  double magnitude = 0.0;
  const auto add = [&](const ChargeArrays& charges, double clearance_A) {
    kernels_.add_charges(frame, charges, pair_, values_[slot].value);
    magnitude += kernels_.magnitude(frame.centre_A, slack_A, std::max(clearance_A, smallest_distance_A),
                                    charges, pair_);
  };
  add(solute_.arrays(), clearance_A_);
  add(ions_.arrays(0, block.ions), ion_clearance_A_);
  block.error_kT_e = float(rounding_of_direct_sum * magnitude * (1 + 1e-6));
  block.direct = true;
  tighten(slot);
}

}  // namespace ionwell
