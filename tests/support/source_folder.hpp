// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell::test {

/// Where the sources of the project are. Compiled in one file, so that a compiler cache serves every
/// checkout.
std::string source_folder();

}  // namespace ionwell::test
