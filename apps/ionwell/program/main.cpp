// SPDX-License-Identifier: BSD-3-Clause
#include "cli/man_page.hpp"
#include "cli/nearest_word.hpp"
#include "cli/terminal.hpp"
#include "core/version.hpp"
#include "gpu/backend.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/program/command_list.hpp"
#include "ionwell/program/option_table.hpp"
#include "ionwell/program/program_main.hpp"
#include "ionwell/program/tuning_help.hpp"
#include "mpi/ranks.hpp"

namespace ionwell {
namespace {

void print_help(std::ostream& out) {
  const std::size_t columns = output_columns(), summary_column = 14;
  out << "Usage: ionwell COMMAND ...\n\nPlaces ions around charged biomolecules.\n\nCommands:\n";
  for (const Command& command : all_commands()) {
    std::string line = "  " + command.name;
    line.resize(summary_column, ' ');
    out << wrapped(line + command.summary, {.columns = columns, .indent = summary_column}) << '\n';
  }
  out << '\n'
      << wrapped(
             "'ionwell COMMAND --help' describes the most common options of a command, and 'ionwell COMMAND "
             "--help-all' all of them. 'ionwell help COMMAND' is the same as --help; 'ionwell help --man "
             "COMMAND' prints the manual page, and 'ionwell help --json COMMAND' a table for programs. "
             "'ionwell help tune' describes the keys of --tune, and 'ionwell help chemistry' the options for "
             "PDB entries. 'ionwell --version' prints the version.",
             {.columns = columns})
      << "\n\nExit codes:\n";
  for (const auto& [code, meaning] : exit_code_texts()) out << "  " << code << "  " << meaning << '\n';
}

[[noreturn]] void fail_unknown_command(const std::string& typed) {
  if (typed == "view")
    fail<UsageError>(
        "the command 'view' was removed: 'ionwell place' prints the table of ions, --html writes a page with "
        "them, and --report writes JSON");
  std::vector<std::string> words = {"help", "--help", "--version"};
  for (const Command& command : all_commands()) words.push_back(command.name);
  const std::string nearest = nearest_word(typed, words);
  if (!nearest.empty()) fail<UsageError>("there is no command '", typed, "'; did you mean '", nearest, "'?");
  fail<UsageError>("there is no command '", typed, "'; 'ionwell --help' lists the commands");
}

const Command& command_named(const std::string& name) {
  for (const Command& command : all_commands())
    if (name == command.name) return command;
  fail_unknown_command(name);
}

/// The manual page of a command, or of the program.
void print_manual(const Command* command, std::ostream& out) {
  ManPage page{.version = std::string("ionwell ") + version(),
               .command = command ? described(*command) : described_program(),
               .parts = {},
               .exit_codes = exit_code_texts(),
               .see_also = {}};
  if (command)
    page.see_also = {"ionwell"};
  else
    for (const Command& each : all_commands()) page.parts.push_back(described(each));
  page.see_also.push_back("cionize");
  print_man_page(out, page);
}

/// The manual page of the keys of --tune.
void print_tuning_manual(std::ostream& out) {
  print_man_page(out, {.version = std::string("ionwell ") + version(),
                       .command = described_tuning(),
                       .parts = {},
                       .exit_codes = {},
                       .see_also = {"ionwell"},
                       .name = "ionwell-tune",
                       .is_of_keys = true});
}

/// The manual page of the options about entries of the PDB.
void print_chemistry_manual(std::ostream& out) {
  print_man_page(out, {.version = std::string("ionwell ") + version(),
                       .command = described_chemistry(),
                       .parts = {},
                       .exit_codes = {},
                       .see_also = {"ionwell"},
                       .name = "ionwell-chemistry"});
}

/// `ionwell help [--man|--json] [COMMAND]`, or --help or --help-all in place of help.
int help(std::vector<std::string> words, std::ostream& out) {
  const bool as_manual = std::erase(words, "--man") > 0, as_json = std::erase(words, "--json") > 0;
  const bool is_whole = std::erase(words, "--help-all") > 0;
  std::erase_if(words,
                [](const std::string& word) { return word == "help" || word == "--help" || word == "-h"; });
  if (words.size() > 1)
    fail<UsageError>("'", words[1],
                     "' is one argument too many; usage: ionwell help [--man|--json] [COMMAND]");
  if (as_json && as_manual) fail<UsageError>("--man and --json exclude each other; leave one of them out");
  const bool is_tune = words == std::vector<std::string>{"tune"};
  const bool is_chemistry = words == std::vector<std::string>{"chemistry"};
  if (as_json && (is_tune || is_chemistry))
    return print_shared_option_table(out, is_tune ? SharedOptions::tuning : SharedOptions::chemistry), done;
  if (is_tune) return as_manual ? print_tuning_manual(out) : print_tuning(out), done;
  if (is_chemistry) return as_manual ? print_chemistry_manual(out) : print_chemistry_options(out), done;
  const Command* const command = words.empty() ? nullptr : &command_named(words.front());
  if (as_manual) return print_manual(command, out), done;
  if (as_json) return print_option_table(out, command), done;
  if (command) return command->run({is_whole ? "--help-all" : "--help"}, out, {});
  print_help(out);
  return done;
}

int run(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  if (words.empty()) fail<UsageError>("no command is given; 'ionwell --help' lists the commands");
  const std::string& first = words.front();
  if (first == "help" || first == "--help" || first == "--help-all" || first == "-h") return help(words, out);
  if (first == "--version") {
    const std::string mpi = describe_mpi(backends.ranks());
    return out << "ionwell " << version() << (mpi.empty() ? "" : ", ") << mpi << '\n', done;
  }
  return command_named(first).run({words.begin() + 1, words.end()}, out, backends);
}

}  // namespace
}  // namespace ionwell

int main(int argc, char** argv) {
  using namespace ionwell;
  const auto program = [](int count, char** words, RankGroup* ranks) {
    return program_main({.name = "ionwell", .run = run}, count, words, ranks);
  };
  return run_in_ranks(program, argc, argv, gpu_backend);
}
