// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell {

/// The file residues.txt of this folder, built into the library by cmake/embed.cmake.
std::string residue_text();

}  // namespace ionwell
