#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "io/output_file.hpp"

/// The files that a command writes: checked together before the work, written all or none after it.
namespace ionwell {

/// A file that the command line asks for, and the option that does.
struct RequestedOutput {
  std::string option;
  std::optional<std::string> path;
};

/// Throws when an output cannot be written, is one of `inputs`, or is the same file as another output: before
/// hours of computing, not after.
void check_outputs(const std::vector<std::string>& inputs, const std::vector<RequestedOutput>& outputs);

/// Files that take their names together, so that a run that fails leaves none of them.
class OutputFiles {
 public:
  OutputFile& add(const std::string& path) { return files_.emplace_back(path); }

  void commit() {
    for (OutputFile& file : files_) file.commit();
  }

 private:
  std::deque<OutputFile> files_;
};

}  // namespace ionwell
