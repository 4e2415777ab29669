#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <iostream>
#include <new>

#include "cli/nearest_word.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "core/version.hpp"
#include "files/output_file.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/last_resort.hpp"
#include "ionwell/output/new_folder.hpp"
#include "programs/child_process.hpp"

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

/// Begins the line anew on a terminal that can, over a progress bar and the ^C that the terminal shows; empty
/// elsewhere.
const char* line_start = "";

/// The shell sees what ended this program.
void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A run that is stopped leaves no file, and says so. Nothing here but what a signal handler may do.
void stop(int signal) {
  remove_unfinished_files();
  remove_new_folder();
  if (signal != SIGPIPE) {          // the reader has gone, and knows
    std::signal(SIGPIPE, SIG_IGN);  // of a standard error that nobody reads
    for (const char* const text : {line_start, "ionwell: ", ended_by(signal), no_file_is_left, "\n"})
      if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  end_by(signal);
}

void clean_up_on_signals() {
  if (progress_style(false) == ProgressStyle::bar) line_start = "\r\x1b[K";
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past its limit is a failed write, with a message
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // as nohup asked
    action = {};
    action.sa_handler = stop;
    sigaction(signal, &action, nullptr);
  }
}

/// Takes no memory when there is none.
int report(const char* message, ExitCode code) {
  try {
    print_message(std::cerr, message);
  } catch (const std::bad_alloc&) {
    std::cerr << "ionwell: " << message << '\n';
  }
  return code;
}

}  // namespace
}  // namespace ionwell

int main(int argc, char** argv) {
  using namespace ionwell;
  clean_up_on_signals();
  end_tidily_on_terminate();
  try {
    const int code = run({argv + 1, argv + argc}, std::cout);
    if (!std::cout.flush()) fail("cannot write to standard output; is its disk full, or was it closed?");
    return code;
  } catch (const Interrupted& error) {
    remove_unfinished_files();
    std::cerr << line_start;
    print_message(std::cerr, error.what());
    end_by(error.signal);
    return run_failed;
  } catch (const UsageError& error) {
    return report(error.what(), wrong_usage);
  } catch (const TooFewPlaced& error) {
    return report(error.what(), too_few_placed);
  } catch (const std::bad_alloc&) {
    return report(out_of_memory, run_failed);
  } catch (const std::exception& error) {
    return report(error.what(), run_failed);
  }
}
