// SPDX-License-Identifier: BSD-3-Clause
#include "support/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include "support/program_paths.hpp"

namespace ionwell::test {
namespace {

/// A new terminal, as whoever types on it and looks at it has it.
int make_terminal(unsigned short columns) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
    throw std::runtime_error("cannot make a terminal");
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  ioctl(terminal, TIOCSWINSZ, &size);
  return terminal;
}

}  // namespace

ProgramOnTerminal::ProgramOnTerminal(const std::vector<std::string>& words, unsigned short columns)
    : keyboard_and_screen_(make_terminal(columns)),
      child_(words, [name = std::string(ptsname(keyboard_and_screen_))] {
        setsid();  // the terminal that is opened next is this session's, and its ^C this program's
        const int terminal = open(name.c_str(), O_RDWR);
        if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0) _exit(126);
        for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(terminal, descriptor);
        setenv("TERM", "xterm", 1);
      }) {}

ProgramOnTerminal::~ProgramOnTerminal() {
  close(keyboard_and_screen_);
}

bool ProgramOnTerminal::read_more() {
  char bytes[4096];
  ssize_t count;
  do count = read(keyboard_and_screen_, bytes, sizeof bytes);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return false;  // nobody has the terminal open any more
  screen_.append(bytes, std::size_t(count));
  return true;
}

bool ProgramOnTerminal::shows(const std::string& text) {
  while (screen_.find(text) == std::string::npos)
    if (!read_more()) return false;
  return true;
}

void ProgramOnTerminal::type(const std::string& keys) const {
  if (write(keyboard_and_screen_, keys.data(), keys.size()) != ssize_t(keys.size()))
    throw std::runtime_error("cannot type");
}

ProgramResult ProgramOnTerminal::wait() {
  while (read_more()) {
  }
  ProgramResult result = child_.wait();
  result.out = screen_;
  return result;
}

ProgramResult run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns) {
  std::vector<std::string> words = {program_path()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return ProgramOnTerminal(words, columns).wait();
}

}  // namespace ionwell::test
