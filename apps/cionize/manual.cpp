// SPDX-License-Identifier: BSD-3-Clause
#include "cionize/manual.hpp"

#include "cionize/arguments.hpp"
#include "cli/man_page.hpp"
#include "cli/shell_completion.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "ionwell/program/program_main.hpp"

namespace ionwell::cionize {

bool print_manual(const std::vector<std::string>& words, std::ostream& out) {
  const bool as_page = words.size() == 1 && words.front() == "--man";
  if (!as_page && (words.empty() || words.front() != "--completion")) return false;
  CommandDescription description = describe([](const std::vector<std::string>& help, std::ostream& notes) {
    Arguments unused;
    parse_arguments(help, unused, notes);
  });
  description.summary = "places ions with scripts of VMD's cionize";
  if (as_page) {
    print_man_page(out, {.version = std::string("ionwell ") + version(),
                         .command = description,
                         .parts = {},
                         .exit_codes = exit_code_texts(),
                         .see_also = {"ionwell", "ionwell-place"}});
    return true;
  }
  if (words.size() != 2)
    fail<UsageError>(
        "--completion needs the name of a shell: bash, zsh or fish; usage: cionize --completion SHELL");
  print_completion(out, words[1], {.name = "cionize", .commands = {description}});
  return true;
}

}  // namespace ionwell::cionize
