// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads bytes as every format of points and meshes. Returns what is wrong with what came out, or with the
/// message; empty when all is well.
std::string broken_point_invariant(std::string_view bytes);

}  // namespace ionwell::test
