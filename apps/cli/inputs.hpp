// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace ionwell {

/// Throws UsageError when more than one of the files to read is standard input, which can be read only once.
void check_inputs(const std::vector<std::string>& inputs);

}  // namespace ionwell
