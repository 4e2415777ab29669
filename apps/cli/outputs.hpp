// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "files/output_files.hpp"

/// The files that a command writes: checked together before the work, written all or none after it.
namespace ionwell {

/// A file that the command line asks for, and the option that does.
struct RequestedOutput {
  std::string option;
  std::optional<std::string> path;
};

/// Throws when an output cannot be written, is one of `inputs`, or is the same file as another output: before
/// hours of computing, not after. Removes what runs that were killed left beside them.
void check_outputs(const std::vector<std::string>& inputs, const std::vector<RequestedOutput>& outputs);

/// Throws when the file that the ions of a run go to when it stops is one of `inputs` or an output.
void check_left_free(const std::string& path, const std::vector<std::string>& inputs,
                     const std::vector<RequestedOutput>& outputs);

/// Where a command tells about its run: `out`, or standard error when one of the files goes to standard
/// output.
std::ostream& summary_stream(const std::vector<RequestedOutput>& outputs, std::ostream& out);

}  // namespace ionwell
