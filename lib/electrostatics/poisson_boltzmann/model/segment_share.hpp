// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/host_device.hpp"

namespace ionwell {

/// Finds the share of a segment of `length` on which f(position along it) > 0, for an f whose slope is
/// nowhere above 1: signed distances, positive inside. f_0 and f_1 are its values at the ends. A change of
/// sign is found by regula falsi with halved ends (Illinois), to about 1e-5 of the interval, in a few steps
/// of at most 12. What is too thin to have a sign at the ends is looked for at one more place, the one where
/// it can be deepest. Asks for one value of f at a time: until is_done(), take(f(position())).
class ShareSearch {
 public:
  IONWELL_HD ShareSearch(float length, float f_0, float f_1)
      : length_(length), f_0_(f_0), f_1_(f_1), inside_0_(f_0 > 0.0f) {
    const float size_0 = std::fabs(f_0), size_1 = std::fabs(f_1);
    if (inside_0_ != (f_1 > 0.0f)) {
      begin(Stage::one_change, 0.0f, f_0, length, f_1);
    } else if (size_0 + size_1 < length) {
      stage_ = Stage::between;
      x_ = 0.5f * (length + size_0 - size_1);
    } else {
      end(inside_0_ ? 1.0f : 0.0f);
    }
  }

  IONWELL_HD bool is_done() const { return stage_ == Stage::done; }
  IONWELL_HD float position() const { return x_; }
  IONWELL_HD float share() const { return share_; }

  IONWELL_HD void take(float f_x) {
    if (stage_ == Stage::between) {
      if ((f_x > 0.0f) == inside_0_) {
        end(inside_0_ ? 1.0f : 0.0f);
      } else {
        between_ = x_;
        f_between_ = f_x;
        begin(Stage::first_change, 0.0f, f_0_, between_, f_between_);
      }
      return;
    }
    if (std::fabs(f_x) < close_) {
      end_change();
      return;
    }
    if ((f_x > 0.0f) == (f_b_ > 0.0f)) {
      f_a_ *= 0.5f;
    } else {
      a_ = b_;
      f_a_ = f_b_;
    }
    b_ = x_;
    f_b_ = f_x;
    constexpr int most_steps = 12;
    if (steps_ < most_steps && std::fabs(b_ - a_) > close_)
      step();
    else
      end_change();
  }

 private:
  enum class Stage { between, one_change, first_change, second_change, done };

  /// Of a search between `a` and `b`, at which f has different signs.
  IONWELL_HD void begin(Stage stage, float a, float f_a, float b, float f_b) {
    stage_ = stage;
    a_ = a;
    f_a_ = f_a;
    b_ = b;
    f_b_ = f_b;
    close_ = 1e-5f * std::fabs(b - a);
    steps_ = 0;
    step();
  }

  IONWELL_HD void step() {
    x_ = (a_ * f_b_ - b_ * f_a_) / (f_b_ - f_a_);
    ++steps_;
  }

  /// f changes its sign at x_.
  IONWELL_HD void end_change() {
    if (stage_ == Stage::one_change) {
      end((inside_0_ ? x_ : length_ - x_) / length_);
    } else if (stage_ == Stage::first_change) {
      first_ = x_;
      begin(Stage::second_change, between_, f_between_, length_, f_1_);
    } else {
      end((inside_0_ ? length_ - (x_ - first_) : x_ - first_) / length_);
    }
  }

  IONWELL_HD void end(float share) {
    share_ = share;
    stage_ = Stage::done;
  }

  float length_, f_0_, f_1_;
  bool inside_0_;
  Stage stage_ = Stage::done;
  int steps_ = 0;
  float a_ = 0.0f, f_a_ = 0.0f, b_ = 0.0f, f_b_ = 0.0f, x_ = 0.0f, close_ = 0.0f;
  float between_ = 0.0f, f_between_ = 0.0f, first_ = 0.0f, share_ = 0.0f;
};

/// The share of a segment on which f > 0: see ShareSearch.
template <typename Function>
inline float inside_share(const Function& f, float length, float f_0, float f_1) {
  ShareSearch search(length, f_0, f_1);
  while (!search.is_done()) search.take(f(search.position()));
  return search.share();
}

/// Dielectric of a face from the share of the segment through it that is inside: the two parts of the
/// segment in series, 1/eps = share/inside + (1 - share)/outside.
IONWELL_HD inline float series_dielectric(float inside_share, float inside, float outside) {
  return inside * outside / (inside_share * outside + (1.0f - inside_share) * inside);
}

}  // namespace ionwell
