// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace ionwell {

/// How APBS is run.
struct ApbsOptions {
  std::string program = "apbs";             // name or path
  double timeout_s = 7200.0;                // longest time that one solve may take, 0 for no limit
  std::optional<std::string> keep_scratch;  // folder for the files of the last solve; see make_kept_folder
};

/// Throws UsageError for a time that is negative.
void validate(const ApbsOptions& options);

}  // namespace ionwell
