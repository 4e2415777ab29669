#pragma once

#include <deque>
#include <string>

#include "files/output_file.hpp"

namespace ionwell {

/// Files that take their names together, so that a run that fails leaves none of them.
class OutputFiles {
 public:
  OutputFile& add(const std::string& path) { return files_.emplace_back(path); }

  void commit() {
    for (OutputFile& file : files_) file.finish();
    try {
      for (OutputFile& file : files_) file.commit();
    } catch (...) {
      for (OutputFile& file : files_) file.withdraw();
      throw;
    }
  }

 private:
  std::deque<OutputFile> files_;
};

}  // namespace ionwell
