#include <array>
#include <boost/program_options.hpp>
#include <csignal>
#include <iomanip>
#include <iostream>
#include <new>

#include "child_process.hpp"
#include "commands.hpp"
#include "core/version.hpp"
#include "io/output_file.hpp"
#include "last_resort.hpp"
#include "nearest_word.hpp"

namespace ionwell {
namespace {

struct Command {
  std::string name;
  const char* summary;
  int (*run)(const std::vector<std::string>& arguments, std::ostream& out);
};

const std::array commands = {
    Command{"place", "put ions where their energy around a charged structure is lowest", place_command},
    Command{"map", "save the electrostatic potential around a structure", map_command},
    Command{"convert", "write a potential map in another format or unit", convert_command},
    Command{"info", "what a structure or a map holds, and the lattice and memory a run needs", info_command},
    Command{"compare", "how near placed ions come to known sites", compare_command},
};

void print_help(std::ostream& out) {
  out << "Usage: ionwell COMMAND ...\n\nPlaces ions around charged biomolecules.\n\nCommands:\n";
  for (const Command& command : commands)
    out << "  " << std::left << std::setw(9) << command.name << command.summary << '\n';
  out << "\n'ionwell COMMAND --help' tells what a command takes; 'ionwell --version' prints the version.\n"
         "\nExit codes: 0 done; 1 the run failed; 2 the command line makes no sense; 3 not all ions found "
         "room.\n";
}

[[noreturn]] void fail_unknown_command(const std::string& typed) {
  std::vector<std::string> words = {"--help", "--version"};
  for (const Command& command : commands) words.push_back(command.name);
  const std::string nearest = nearest_word(typed, words);
  if (!nearest.empty()) fail<UsageError>("there is no command '", typed, "'; did you mean '", nearest, "'?");
  fail<UsageError>("there is no command '", typed, "'; 'ionwell --help' lists the commands");
}

int run(const std::vector<std::string>& words, std::ostream& out) {
  if (words.empty()) fail<UsageError>("no command is given; 'ionwell --help' lists the commands");
  const std::string& first = words.front();
  if (first == "--help" || first == "-h") return print_help(out), done;
  if (first == "--version") return out << "ionwell " << version() << '\n', done;
  for (const Command& command : commands)
    if (first == command.name) return command.run({words.begin() + 1, words.end()}, out);
  fail_unknown_command(first);
}

/// A run that is stopped leaves no file, and the shell sees what stopped it.
void stop(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void clean_up_on_signals() {
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

/// Takes no memory, of which there may be none.
int report(const char* message, ExitCode code) {
  std::cerr << "ionwell: " << message << '\n';
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
    stop(error.signal);
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
