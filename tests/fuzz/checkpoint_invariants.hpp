// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

/// What must hold for checkpoints, whatever is in them. Empty where it does.
namespace ionwell::test {

/// The identity of the run that the seeds in tests/data/fuzz/checkpoints are of.
inline constexpr const char* fuzzed_command = "fuzz";

/// Reads `bytes` as a checkpoint. It may be refused with one line that starts with the path; what is accepted
/// must be the same after being written and read again.
std::string broken_checkpoint_invariant(std::string_view bytes);

/// Takes `bytes` for changes to the state of ions that move and of ions that were placed, twelve bytes each:
/// which array, what to do (set, cut, append, leave out, another type), where (two bytes), with what (eight).
/// Going on from the state may be refused with "the saved ..."; a run that goes on must end with as many
/// samples as one that began anew.
std::string broken_state_invariant(std::string_view bytes);

}  // namespace ionwell::test
