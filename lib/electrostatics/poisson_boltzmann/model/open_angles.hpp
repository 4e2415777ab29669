// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace ionwell {

/// The parts of a circle that are left when intervals of it are taken away.
class OpenAngles {
 public:
  static constexpr double turn = 6.283185307179586476925;

  /// Takes [middle - half, middle + half] away, 0 < half < pi.
  void cover(double middle, double half) {
    if (!cut_) {
      cut_ = true;
      start_ = middle + half;
      open_.assign(1, {0.0, turn - 2 * half});
      return;
    }
    double from = std::fmod(middle - half - start_, turn);
    if (from < 0.0) from += turn;
    take(from, from + 2 * half);
    take(from - turn, from + 2 * half - turn);
  }

  /// Calls visit(middle, half) for each part that is left of a circle that is not whole; for none of a whole
  /// one.
  template <typename Visit>
  void visit_open(const Visit& visit) const {
    for (const auto& [from, to] : open_) visit(start_ + 0.5 * (from + to), 0.5 * (to - from));
  }

 private:
  void take(double from, double to) {
    for (std::size_t n = 0; n < open_.size();) {
      const auto [left, right] = open_[n];
      if (to <= left || from >= right) {
        ++n;
        continue;
      }
      if (from > left && to < right) {
        open_[n].second = from;
        open_.insert(open_.begin() + std::ptrdiff_t(n) + 1, {to, right});
        n += 2;
      } else if (from > left) {
        open_[n++].second = from;
      } else if (to < right) {
        open_[n++].first = to;
      } else {
        open_.erase(open_.begin() + std::ptrdiff_t(n));
      }
    }
  }

  bool cut_ = false;
  double start_ = 0.0;
  std::vector<std::pair<double, double>> open_;  // counted from start_
};

}  // namespace ionwell
