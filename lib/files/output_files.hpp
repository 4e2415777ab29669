// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <filesystem>
#include <string>

#include "files/new_folder.hpp"
#include "files/output_file.hpp"

namespace ionwell {

/// Files that take their names together, so that a run that fails leaves none of them.
class OutputFiles {
 public:
  ~OutputFiles() {
    files_.clear();
    while (!folders_.empty()) folders_.pop_back();  // the folders in others first
  }

  /// Makes the folders of a file that is to lie somewhere below `folder`.
  void make_folders(const std::filesystem::path& folder, const std::filesystem::path& file) {
    std::filesystem::path below = folder;
    std::error_code ignored;
    for (const std::filesystem::path& name : file.parent_path())
      if (!std::filesystem::is_directory(below /= name, ignored)) folders_.emplace_back(below.string());
  }

  OutputFile& add(const std::string& path) { return files_.emplace_back(path); }

  void commit() {
    for (OutputFile& file : files_) file.finish();
    try {
      for (OutputFile& file : files_) file.commit();
      for (NewFolder& folder : folders_) folder.keep();
    } catch (...) {
      for (OutputFile& file : files_) file.withdraw();
      throw;
    }
  }

 private:
  std::deque<NewFolder> folders_;
  std::deque<OutputFile> files_;
};

}  // namespace ionwell
