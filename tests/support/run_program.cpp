// SPDX-License-Identifier: BSD-3-Clause
#include "support/run_program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "support/program_paths.hpp"

namespace ionwell::test {
namespace {

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
    : out_path_(temporary_name("ionwell-out")), err_path_(temporary_name("ionwell-err")), child_(words, [&] {
        if (settings.standard_input) redirect(STDIN_FILENO, *settings.standard_input, O_RDONLY);
        redirect(STDOUT_FILENO, settings.standard_output.value_or(out_path_));
        redirect(STDERR_FILENO, err_path_);
        if (!settings.largest_file_bytes) return;
        const rlimit limit{*settings.largest_file_bytes, *settings.largest_file_bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
      }) {}

RunningProgram::~RunningProgram() {
  std::filesystem::remove(out_path_);
  std::filesystem::remove(err_path_);
}

std::string RunningProgram::err_so_far() const {
  return read_text(err_path_);
}

ProgramResult RunningProgram::wait() {
  ProgramResult result = child_.wait();
  result.out = read_text(out_path_);
  result.err = read_text(err_path_);
  return result;
}

ProgramResult run_ionwell(const std::vector<std::string>& arguments, const RunSettings& settings) {
  std::vector<std::string> words = {program_path()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return RunningProgram(words, settings).wait();
}

}  // namespace ionwell::test
