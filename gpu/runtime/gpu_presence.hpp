// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell {

/// Whether CUDA could find a GPU: false in a build without CUDA, and where the kernel shows no device that
/// CUDA knows. Reads no more than names in /dev and /proc, in no time, and starts nothing. `root` is for
/// tests.
bool may_have_gpu(const std::string& root = "");

}  // namespace ionwell
