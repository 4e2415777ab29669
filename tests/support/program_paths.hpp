// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell::test {

/// Where `ionwell` and `cionize` were built.
std::string program_path();
std::string cionize_path();

}  // namespace ionwell::test
