// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/program/program_main.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <iostream>
#include <new>

#include "cli/pending_messages.hpp"
#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "files/new_folder.hpp"
#include "files/output_file.hpp"
#include "gpu/backend.hpp"
#include "ionwell/commands.hpp"
#include "programs/child_process.hpp"

namespace ionwell {
namespace {

/// Begins the line anew on a terminal that can, over a progress bar and the ^C that the terminal shows; empty
/// elsewhere.
const char* line_start = "";

/// What messages begin with.
const char* running_program = "ionwell";

/// The shell sees what ended this program.
void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A run that is stopped leaves no file, and says so. Nothing here but what a signal handler may do.
void stop_on_signal(int signal) {
  remove_unfinished_files();
  remove_new_folder();
  if (signal != SIGPIPE) {          // the reader has gone, and knows
    std::signal(SIGPIPE, SIG_IGN);  // of a standard error that nobody reads
    for (const char* const text :
         {line_start, pending_messages(), running_program, ": ", ended_by(signal), no_file_is_left, "\n"})
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
    action.sa_handler = stop_on_signal;
    sigaction(signal, &action, nullptr);
  }
}

/// Needs no memory when there is none.
int report_failure(const char* message, ExitCode code) {
  try {
    show_messages();
    print_message(std::cerr, message, running_program);
  } catch (const std::bad_alloc&) {
    std::cerr << running_program << ": " << message << '\n';
  }
  return code;
}

}  // namespace

std::span<const ExitCodeText> exit_code_texts() {
  static constexpr std::array<ExitCodeText, 4> texts = {{{done, "done"},
                                                         {run_failed, "the run failed"},
                                                         {wrong_usage, "the command line is invalid"},
                                                         {too_few_placed, "there was no room for all ions"}}};
  return texts;
}

int program_main(const Program& program, int argc, char** argv, RankGroup* ranks) {
  running_program = program.name;
  clean_up_on_signals();
  end_tidily_on_terminate(program.name, program.without_memory);
  try {
    const int code = program.run({argv + 1, argv + argc}, std::cout, {{&gpu_backend()}, ranks});
    if (!std::cout.flush()) fail("cannot write to standard output; is its disk full, or was it closed?");
    show_messages();
    return code;
  } catch (const Interrupted& error) {
    remove_unfinished_files();
    std::cerr << line_start;
    show_messages();
    print_message(std::cerr, error.what(), running_program);
    end_by(error.signal);
    return run_failed;
  } catch (const UsageError& error) {
    return report_failure(error.what(), wrong_usage);
  } catch (const TooFewPlaced& error) {
    return report_failure(error.what(), too_few_placed);
  } catch (const std::bad_alloc&) {
    return report_failure(program.without_memory, run_failed);
  } catch (const std::exception& error) {
    return report_failure(error.what(), run_failed);
  }
}

}  // namespace ionwell
