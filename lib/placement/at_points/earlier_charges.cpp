// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/earlier_charges.hpp"

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Pairs that are summed one by one: about what one sum of all at once costs.
constexpr std::size_t single_pairs = 1 << 17;

class EarlierCharges {
 public:
  EarlierCharges(const IonAction& action, std::span<const PointCharge> charges,
                 std::span<const Vec3<double>> points_A, std::span<const std::size_t> before, int threads)
      : action_(action),
        charges_(charges),
        points_A_(points_A),
        before_(before),
        threads_(threads),
        sums_(points_A.size()) {
    if (!points_A.empty()) add(0, points_A.size(), 0);
  }

  std::vector<double> take() { return std::move(sums_); }

 private:
  /// To points [first, last) what charges from number `from` on do.
  void add(std::size_t first, std::size_t last, std::size_t from) {
    const std::size_t points = last - first;
    if (points == 1 || points * (before_[last - 1] - from) <= single_pairs)
      return add_single(first, last, from);
    if (before_[first] > from) {
      const std::vector<double> common = action_.sum(charges_.subspan(from, before_[first] - from),
                                                     points_A_.subspan(first, points), threads_);
      for (std::size_t n = 0; n < points; ++n) sums_[first + n] += common[n];
      from = before_[first];
    }
    const std::size_t middle = first + points / 2;
    add(first, middle, from);
    add(middle, last, from);
  }

  void add_single(std::size_t first, std::size_t last, std::size_t from) {
    parallel_for({threads_, 4}, std::int64_t(last - first), [&](std::int64_t i) {
      const std::size_t point = first + std::size_t(i);
      for (std::size_t n = from; n < before_[point]; ++n)
        sums_[point] += charges_[n].charge_e * action_.at(points_A_[point] - charges_[n].position_A);
    });
  }

  const IonAction& action_;
  std::span<const PointCharge> charges_;
  std::span<const Vec3<double>> points_A_;
  std::span<const std::size_t> before_;
  int threads_;
  std::vector<double> sums_;
};

}  // namespace

std::vector<double> potential_of_earlier(const IonAction& action, std::span<const PointCharge> charges,
                                         std::span<const Vec3<double>> points_A,
                                         std::span<const std::size_t> before, int threads) {
  return EarlierCharges(action, charges, points_A, before, threads).take();
}

}  // namespace ionwell
