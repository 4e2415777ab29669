// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "support/temporary_folder.hpp"

namespace ionwell::test {

inline nlohmann::json report_of(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

/// The report.json in a folder.
inline nlohmann::json report_of(const TemporaryFolder& folder) {
  return report_of(folder / "report.json");
}

}  // namespace ionwell::test
