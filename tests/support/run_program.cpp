#include "support/run_program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace ionwell::test {
namespace {

constexpr unsigned longest_run_s = 120;  // a program that hangs must fail its test, not stop all tests

std::string temporary_name(const std::string& stem) {
  std::string name = (std::filesystem::temp_directory_path() / (stem + "-XXXXXX")).string();
  const int file = mkstemp(name.data());
  if (file < 0) throw std::runtime_error("cannot make a temporary file " + name);
  close(file);
  return name;
}

void redirect(int descriptor, const std::string& path, int how = O_WRONLY | O_CREAT | O_TRUNC) {
  const int file = open(path.c_str(), how, 0600);
  if (file < 0) _exit(126);
  dup2(file, descriptor);
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& words, const RunSettings& settings)
    : out_path_(temporary_name("ionwell-out")), err_path_(temporary_name("ionwell-err")) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start " + words.at(0));
  if (process_ > 0) return;
  if (settings.standard_input) redirect(STDIN_FILENO, *settings.standard_input, O_RDONLY);
  redirect(STDOUT_FILENO, settings.standard_output.value_or(out_path_));
  redirect(STDERR_FILENO, err_path_);
  if (settings.largest_file_bytes) {
    const rlimit limit{*settings.largest_file_bytes, *settings.largest_file_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  alarm(longest_run_s);
  execv(arguments[0], arguments.data());
  _exit(127);
}

RunningProgram::~RunningProgram() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  std::filesystem::remove(out_path_);
  std::filesystem::remove(err_path_);
}

void RunningProgram::send(int signal) const {
  kill(process_, signal);
}

std::string RunningProgram::err_so_far() const {
  return read_text(err_path_);
}

ProgramResult RunningProgram::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  ProgramResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = read_text(out_path_);
  result.err = read_text(err_path_);
  return result;
}

ProgramResult run_ionwell(const std::vector<std::string>& arguments, const RunSettings& settings) {
  std::vector<std::string> words = {IONWELL_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return RunningProgram(words, settings).wait();
}

}  // namespace ionwell::test
