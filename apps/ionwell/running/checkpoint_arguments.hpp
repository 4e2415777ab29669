// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/outputs.hpp"
#include "compute/checkpoint/checkpoint.hpp"
#include "core/instruction_set.hpp"
#include "core/vec3.hpp"

namespace ionwell {

/// Where a run saves what it has come to, as the command line describes it.
struct CheckpointArguments {
  std::optional<std::string> path, resumed;
  double every_s = CheckpointOptions{}.every_s;
  std::vector<OptionSetting> settings;  // of all options of the command

  bool given() const { return path || resumed; }

  /// The file that is written.
  std::optional<std::string> file() const { return path ? path : resumed; }
};

void add_checkpoint_options(OptionGroup& group, OptionGroup& tuning, CheckpointArguments& arguments);

/// Throws UsageError for an interval that is not positive.
void validate(const CheckpointArguments& arguments);

/// The file that is written, beside a command's other outputs.
RequestedOutput requested_checkpoint(const CheckpointArguments& arguments);

/// What a command's result depends on besides its options.
struct RunInputs {
  std::span<const Atom> atoms;
  std::optional<UnitCell> cell;    // of the structure
  std::vector<std::string> files;  // read besides the structure
  RunIdentity more{};
};

/// The checkpoint that is requested, or null. Options about outputs, and how a run is computed and told of,
/// may differ between the run that is saved and the one that continues. Throws as
/// Checkpoint does, and UsageError for a file that is standard input.
std::unique_ptr<Checkpoint> open_checkpoint(const CheckpointArguments& arguments, const std::string& command,
                                            const RunInputs& inputs);

/// For RunInputs: points, and the instructions that single-precision values depend on.
std::pair<std::string, std::string> identity_of_points(std::span<const Vec3<double>> points_A);
std::pair<std::string, std::string> identity_of_instructions(SimdLevel level);

/// One row of a summary; nothing without a checkpoint.
void print_checkpoint(std::ostream& out, const Checkpoint* checkpoint);

/// What work() gives. When it fails or is interrupted, the message continues with what `saved` says then, and
/// with what is in the checkpoint, which may be null.
template <typename Work>
auto run_noting(const Checkpoint* checkpoint, const std::string& saved, const Work& work) {
  const auto left = [&] { return saved + (checkpoint == nullptr ? std::string() : checkpoint->note()); };
  try {
    return work();
  } catch (const Interrupted& interrupted) {
    if (left().empty()) throw;
    throw Interrupted(interrupted.signal, left());
  } catch (const Error& error) {
    if (left().empty()) throw;
    fail(error.what(), left());
  }
}

}  // namespace ionwell
