// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace ionwell {

/// While it exists, SIGUSR1, by which batch systems and users ask a program to save what it has done, is
/// noted and does not end this program. One at a time.
class SaveSignal {
 public:
  SaveSignal();
  ~SaveSignal();
  SaveSignal(const SaveSignal&) = delete;
  SaveSignal& operator=(const SaveSignal&) = delete;

  /// Whether it came since the last call of `take`.
  bool came() const;

  /// The same, and forgets it.
  bool take();

 private:
  struct sigaction before_ {};
};

}  // namespace ionwell
