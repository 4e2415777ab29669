// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace ionwell {

/// "A, B": of more than twelve the first, "and 12 more".
std::string first_names(const std::vector<std::string>& names);

}  // namespace ionwell
