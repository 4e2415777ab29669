// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/child.hpp"
#include "support/temporary_folder.hpp"

/// The program as a user meets it: words in, exit code and text out.
namespace ionwell::test {

struct RunSettings {
  std::optional<std::string> standard_input;        // a file, or a pipe with a name
  std::optional<std::string> standard_output;       // a file in place of the captured text
  std::optional<unsigned long> largest_file_bytes;  // as `ulimit -f` sets
};

/// A program whose output and errors go to files.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& words, const RunSettings& settings = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  void send(int signal) const { child_.send(signal); }
  std::string err_so_far() const;
  ProgramResult wait();

 private:
  std::string out_path_, err_path_;
  Child child_;
};

/// Runs `ionwell` with `arguments` to its end.
ProgramResult run_ionwell(const std::vector<std::string>& arguments, const RunSettings& settings = {});

}  // namespace ionwell::test
