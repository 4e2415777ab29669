#include "support/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace ionwell::test {
namespace {

constexpr unsigned longest_run_s = 120;  // a program that hangs must fail its test, not stop all tests

}  // namespace

ProgramOnTerminal::ProgramOnTerminal(const std::vector<std::string>& words, unsigned short columns)
    : keyboard_and_screen_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  if (keyboard_and_screen_ < 0 || grantpt(keyboard_and_screen_) != 0 || unlockpt(keyboard_and_screen_) != 0)
    throw std::runtime_error("cannot make a terminal");
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  ioctl(keyboard_and_screen_, TIOCSWINSZ, &size);
  const std::string name = ptsname(keyboard_and_screen_);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start " + words.at(0));
  if (process_ > 0) return;
  setsid();  // the terminal that is opened next is this session's, and its ^C this program's
  const int terminal = open(name.c_str(), O_RDWR);
  if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0) _exit(126);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(terminal, descriptor);
  setenv("TERM", "xterm", 1);
  alarm(longest_run_s);
  execv(arguments[0], arguments.data());
  _exit(127);
}

ProgramOnTerminal::~ProgramOnTerminal() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
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
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  ProgramResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = screen_;
  return result;
}

ProgramResult run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns) {
  std::vector<std::string> words = {IONWELL_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return ProgramOnTerminal(words, columns).wait();
}

}  // namespace ionwell::test
