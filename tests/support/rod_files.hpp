// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_program.hpp"

namespace ionwell::test {

/// A line of a PQR file.
inline std::string pqr_line(const char* name, const char* residue, int number, double x, double y, double z,
                            double e) {
  char line[96];
  std::snprintf(line, sizeof line, "ATOM %d %s %s A %d %.3f %.3f %.3f %.3f 1.70\n", number, name, residue,
                number, x, y, z, e);
  return line;
}

/// A folder with a rod of six charges of -1 e, to be prepared.
struct RodFiles {
  TemporaryFolder folder;
  std::string rod = folder / "rod.pqr", out = folder / "system.pdb", report = folder / "run.json";

  /// Folders for AMBER and CHARMM take whole residues only, such as an ion ("CL").
  explicit RodFiles(const char* atom = "P", const char* residue = "U") {
    std::string text;
    for (int i = 0; i < 6; ++i) text += pqr_line(atom, residue, i + 1, 5.0 * i, 0.0, 0.0, -1.0);
    write_text(rod, text);
  }

  ProgramResult prepare(std::vector<std::string> more) const {
    more.insert(more.begin(), {"prepare", rod, "--padding", "9"});
    return run_ionwell(more);
  }

  nlohmann::json told() const { return nlohmann::json::parse(read_text(report)); }
};

inline std::int64_t count_in(const std::string& text, const std::string& part) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace ionwell::test
