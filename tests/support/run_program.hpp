#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "support/temporary_folder.hpp"

/// The program as a user meets it: words in, exit code and text out.
namespace ionwell::test {

struct ProgramResult {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string out, err;
};

struct RunSettings {
  std::optional<std::string> standard_input;        // a file, or a pipe with a name
  std::optional<std::string> standard_output;       // a file in place of the captured text
  std::optional<unsigned long> largest_file_bytes;  // as `ulimit -f` sets
};

/// A program that was started and goes on until `wait`, at most two minutes.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& words, const RunSettings& settings = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send(int signal) const;
  std::string err_so_far() const;
  ProgramResult wait();

 private:
  pid_t process_ = -1;
  std::string out_path_, err_path_;
};

/// Runs `ionwell` with `arguments` to its end.
ProgramResult run_ionwell(const std::vector<std::string>& arguments, const RunSettings& settings = {});

}  // namespace ionwell::test
