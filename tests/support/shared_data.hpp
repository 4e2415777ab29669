// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/skip.hpp"
#include "support/source_folder.hpp"

namespace ionwell::test {

/// Path of a file in the measurement data, which are not part of the project: in the folder that
/// IONWELL_SHARED_DATA names, or in `shared` beside the source folder. Empty, and the test visibly skipped,
/// where there is none.
inline std::string shared_data(const std::string& name) {
  const char* named = std::getenv("IONWELL_SHARED_DATA");
  const std::filesystem::path folder = named != nullptr
                                           ? std::filesystem::path(named)
                                           : std::filesystem::path(source_folder()).parent_path() / "shared";
  std::error_code ignored;
  if (std::filesystem::exists(folder / name, ignored)) return (folder / name).string();
  skip(name + " is not here; IONWELL_SHARED_DATA may name the folder that has it");
  return {};
}

}  // namespace ionwell::test
