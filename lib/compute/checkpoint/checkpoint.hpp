// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "compute/checkpoint/checkpoint_file.hpp"
#include "programs/child_process.hpp"
#include "programs/save_signal.hpp"

namespace ionwell {

struct CheckpointOptions {
  std::string path;                 // of the file that is written
  double every_s = 600.0;           // between two of them; SIGUSR1 asks for one at once
  std::optional<std::string> from;  // of the one that the run goes on from
};

/// Throws UsageError for an interval that is not positive.
void validate(const CheckpointOptions& options);

/// A long run's state in a file, from which another run of the same identity continues to the same result.
/// The file is written beside and renamed: at any moment there is the old one or the new one. One at a time,
/// and for one thread.
class Checkpoint {
 public:
  /// Reads the file that the run continues from. Throws UsageError for an interval that is not positive, and
  /// Error for a file of another run, with what differs.
  Checkpoint(CheckpointOptions options, const RunIdentity& identity);
  /// Saves where an exception ends the run, which may be while its results are written.
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  const CheckpointOptions& options() const { return options_; }

  /// Null where the run begins anew.
  const SavedState* resumed() const { return resumed_ ? &*resumed_ : nullptr; }

  /// What work() gives, which reads the resumed state. Throws Error with the file's name when that makes no
  /// sense.
  template <typename Work>
  auto guarding_resumed(const Work& work) const {
    try {
      return work();
    } catch (const DamagedState& error) {
      fail(*options_.from, ": ", error.what(), "; start again without --resume");
    }
  }

  /// read(state) of the resumed state, or nothing where the run begins anew.
  template <typename Read>
  auto read_resumed(const Read& read) const -> decltype(read(std::declval<const SavedState&>())) {
    if (!resumed_) return {};
    return guarding_resumed([&] { return read(*resumed_); });
  }

  /// Who ends a run that a signal asks to end: `tick`, by an exception, or the run, which looks for signals
  /// itself and continues to what it can tell so far.
  enum class Ending { by_tick, by_run };

  /// What has ended before the parts that come: it is saved with each of them, and by itself between them.
  void keep(SavedState ended);

  /// The parts that come begin anew, whatever was read.
  void forget_resumed() { resumed_.reset(); }

  /// The part of a run that can be saved: while it exists, signals that ask the program to end are noted, and
  /// `collect` tells the state whenever `tick` or `save` is called. What it told last stays, unless that is
  /// nothing.
  class Part {
   public:
    Part(Checkpoint* checkpoint, std::function<SavedState()> collect, Ending ending = Ending::by_tick);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Checkpoint* checkpoint_;  // null: nothing is saved
    std::function<SavedState()> collect_;
  };

  /// Saves when it is time or was requested. Throws Interrupted when a signal asked the program to end; what
  /// catches that saves. What cannot be saved is told to `warn`, and the run continues.
  void tick();

  /// Saves now, if there is anything new; for a run that ends early. Nothing is thrown.
  void save() noexcept;

  /// Who is told, once each, of checkpoints that cannot be written.
  void tell_failures_to(std::function<void(const std::string&)> warn) { warn_ = std::move(warn); }

  /// For the message of a run that ended early: "; FILE has what was done: --resume FILE continues from
  /// there".
  std::string note() const;

 private:
  using Clock = std::chrono::steady_clock;

  void write();
  void tell_failure(const std::exception& error) noexcept;

  CheckpointOptions options_;
  int exceptions_ = std::uncaught_exceptions();
  RunIdentity identity_;
  std::optional<SavedState> resumed_;
  const std::function<SavedState()>* collect_ = nullptr;  // of the part that there is
  Ending ending_ = Ending::by_tick;
  std::optional<SavedState> last_;  // of one that has ended
  SavedState kept_;
  Clock::time_point saved_ = Clock::now();
  bool has_file_ = false, has_failed_ = false;
  std::function<void(const std::string&)> warn_;
  SaveSignal save_signal_;
  std::optional<SignalNotes> notes_;  // from the first part on
};

}  // namespace ionwell
