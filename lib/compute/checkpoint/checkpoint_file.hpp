// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/state/saved_state.hpp"
#include "files/output_file.hpp"

namespace ionwell {

/// All that a run's result depends on, name and value: its state is another's only where all are the same.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;

/// Writes identity and state in HDF5, with a fingerprint of the state; the caller commits. Throws Error for a
/// full disk.
void write_checkpoint(OutputFile& file, const RunIdentity& identity, const SavedState& state);

/// Takes a state up again. Throws Error for a file that is not a checkpoint, is truncated or damaged, and for
/// one of another run, with what differs.
SavedState read_checkpoint(const std::string& path, const RunIdentity& identity);

}  // namespace ionwell
