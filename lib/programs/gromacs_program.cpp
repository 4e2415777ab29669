// SPDX-License-Identifier: BSD-3-Clause
#include "programs/gromacs_program.hpp"

#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

std::string gromacs_program(const std::string& name, std::string_view purpose, std::string_view other_way) {
  const std::vector<std::string> names =
      name.empty() ? std::vector<std::string>{"gmx", "gmx_mpi", "gmx_d"} : std::vector<std::string>{name};
  for (const std::string& one : names)
    if (const std::string path = find_program(one); !path.empty())
      return std::filesystem::absolute(path).string();
  fail("there is no program ", names.front(), ' ', purpose,
       "; on Debian and Ubuntu install the package gromacs, ", other_way);
}

std::string gromacs_last_words(std::string_view output) {
  std::string_view words;
  bool is_next = false;
  LineScanner lines(output);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || line.find_first_not_of('-') == line.npos) continue;
    words = line;
    if (is_next) break;
    const std::string lower = lower_case(line);
    is_next = lower.ends_with("error:") || lower.ends_with("user input:") ||
              lower.starts_with("error in user input");
  }
  return words.empty() ? std::string() : "; its last output: " + quote(words);
}

}  // namespace ionwell
