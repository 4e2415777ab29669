#include <array>

#include "cli/nearest_word.hpp"
#include "cli/terminal.hpp"
#include "core/version.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/program/program_main.hpp"

namespace ionwell {
namespace {

struct Command {
  std::string name;
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments, std::ostream& out);
};

const std::array commands = {
    Command{"place", "put ions where their energy around a charged structure is lowest", place_command},
    Command{"solvate", "put a structure into a periodic cell of water", solvate_command},
    Command{"prepare", "charges, water, counter-ions and salt in one go, and files to simulate",
            prepare_command},
    Command{"map", "save the electrostatic potential around a structure", map_command},
    Command{"average", "the mean electrostatic potential over a trajectory", average_command},
    Command{"potential", "the electrostatic potential at points, or on a surface", potential_command},
    Command{"sample", "ions that move around a structure: Monte Carlo and Brownian dynamics", sample_command},
    Command{"convert", "write a potential map in another format or unit", convert_command},
    Command{"info", "what a structure or a map holds, and the lattice and memory a run needs", info_command},
    Command{"view", "show the ions of a report, as a table", view_command},
    Command{"compare", "how near placed ions come to known sites", compare_command},
};

void print_help(std::ostream& out) {
  const std::size_t columns = output_columns(), summary_column = 13;
  out << "Usage: ionwell COMMAND ...\n\nPlaces ions around charged biomolecules.\n\nCommands:\n";
  for (const Command& command : commands) {
    std::string line = "  " + command.name;
    line.resize(summary_column, ' ');
    out << wrapped(line + command.summary, {.columns = columns, .indent = summary_column}) << '\n';
  }
  out << '\n'
      << wrapped(
             "'ionwell help COMMAND' or 'ionwell COMMAND --help' tells what a command takes; 'ionwell "
             "--version' prints the version.",
             {.columns = columns})
      << "\n\nExit codes:\n"
         "  0  done\n"
         "  1  the run failed\n"
         "  2  the command line makes no sense\n"
         "  3  not all ions found room\n";
}

[[noreturn]] void fail_unknown_command(const std::string& typed) {
  std::vector<std::string> words = {"help", "--help", "--version"};
  for (const Command& command : commands) words.push_back(command.name);
  const std::string nearest = nearest_word(typed, words);
  if (!nearest.empty()) fail<UsageError>("there is no command '", typed, "'; did you mean '", nearest, "'?");
  fail<UsageError>("there is no command '", typed, "'; 'ionwell --help' lists the commands");
}

const Command& command_named(const std::string& name) {
  for (const Command& command : commands)
    if (name == command.name) return command;
  fail_unknown_command(name);
}

/// `ionwell help` alone or with a command, the word itself among `words` as well.
int help(const std::vector<std::string>& words, std::ostream& out) {
  if (words.size() > 2)
    fail<UsageError>("'", words[2], "' is one word too many; usage: ionwell help [COMMAND]");
  if (words.size() == 2 && words[1] != words[0]) return command_named(words[1]).run({"--help"}, out);
  print_help(out);
  return done;
}

int run(const std::vector<std::string>& words, std::ostream& out) {
  if (words.empty()) fail<UsageError>("no command is given; 'ionwell --help' lists the commands");
  const std::string& first = words.front();
  if (first == "help" || first == "--help" || first == "-h") return help(words, out);
  if (first == "--version") return out << "ionwell " << version() << '\n', done;
  return command_named(first).run({words.begin() + 1, words.end()}, out);
}

}  // namespace
}  // namespace ionwell

int main(int argc, char** argv) {
  using namespace ionwell;
  return program_main({.name = "ionwell", .run = run}, argc, argv);
}
