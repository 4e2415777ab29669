// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `text` as a selection and tries it on some atoms; says what is wrong, empty when nothing is. It may
/// be refused with one line. What it selects must be the same in parentheses, and the rest behind `not`.
std::string broken_selection_invariant(std::string_view text);

}  // namespace ionwell::test
