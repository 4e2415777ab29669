// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "parallel/rank_group.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

/// While it exists, the others are waited for though the user wants to end: they come soon, and would be out
/// of step otherwise.
class PatientWait {
 public:
  /// Whatever they take.
  explicit PatientWait(RankGroup& group)
      : group_(group), while_waiting_(std::exchange(group.while_waiting, {})) {}

  /// When the user wants to end, `when_asked` is called once, and Interrupted is thrown where this is still
  /// there, and waiting, some seconds later.
  PatientWait(RankGroup& group, std::function<void()> when_asked) : PatientWait(group) {
    if (!while_waiting_) return;
    group_.while_waiting = [this, when_asked = std::move(when_asked)] {
      constexpr std::chrono::seconds patience{20};
      try {
        while_waiting_();
      } catch (const Interrupted&) {
        const auto now = std::chrono::steady_clock::now();
        if (!asked_) when_asked();
        if (now - asked_.value_or(now) > patience) throw;
        if (!asked_) asked_ = now;
      }
    };
  }

  ~PatientWait() { group_.while_waiting = std::move(while_waiting_); }
  PatientWait(const PatientWait&) = delete;
  PatientWait& operator=(const PatientWait&) = delete;

 private:
  RankGroup& group_;
  std::function<void()> while_waiting_;
  std::optional<std::chrono::steady_clock::time_point> asked_;
};

}  // namespace ionwell
