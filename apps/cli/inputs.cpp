// SPDX-License-Identifier: BSD-3-Clause
#include "cli/inputs.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "files/input_file.hpp"

namespace ionwell {

void check_inputs(const std::vector<std::string>& inputs) {
  if (std::count_if(inputs.begin(), inputs.end(), is_standard_input) > 1)
    fail<UsageError>(
        "standard input (-) is given more than once, but can be read only once; give files for the "
        "others");
}

}  // namespace ionwell
