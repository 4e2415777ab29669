// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace ionwell::test {

inline void erase_keys(nlohmann::json& json, const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    if (json.is_object()) json.erase(key);
  if (json.is_structured())
    for (nlohmann::json& part : json) erase_keys(part, keys);
}

/// A file without what differs from run to run: times, memory, the date.
inline std::string lasting_part(const std::string& path) {
  if (path.ends_with(".state")) return "";  // has times
  if (path.ends_with(".h5")) return run_ionwell({"convert", path, "-", "--quiet"}).out;
  const std::string text = read_text(path);
  if (!path.ends_with(".json")) return text;
  nlohmann::json json = nlohmann::json::parse(text);
  erase_keys(json, {"timings_s", "refinement_s", "seconds", "memory_bytes", "resumed_frames"});
  return json.dump();
}

/// What is printed, but for the memory that is free just now.
inline std::string lasting_lines(const std::string& printed) {
  std::istringstream lines(printed);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("memory ")) text += line + '\n';
  return text;
}

}  // namespace ionwell::test
