// SPDX-License-Identifier: BSD-3-Clause
#include "programs/scratch_folder.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"
#include "files/left_files.hpp"

namespace ionwell {

namespace fs = std::filesystem;

namespace {

std::string temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? "/tmp" : folder.string();
}

}  // namespace

void remove_left_scratch() {
  remove_left_folders(temporary_folder());
}

bool has_files(const std::string& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !fs::is_empty(folder, error) && !error;
}

std::string make_kept_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    fail("cannot create the folder ", folder, ": ", error ? error.message() : "something else has that name",
         "; choose another one");
  if (!has_files(folder)) return folder;
  for (int run = 1;; ++run) {
    const std::string path = (fs::path(folder) / ("run-" + std::to_string(run))).string();
    if (fs::create_directory(path, error)) return path;
    if (error && error != std::errc::file_exists)
      fail("cannot create the folder ", path, ": ", error.message(), "; choose another one than ", folder);
  }
}

ScratchFolder::ScratchFolder(const std::optional<std::string>& kept) : is_kept_(kept.has_value()) {
  if (is_kept_) {
    path_ = fs::absolute(*kept).string();
    return;
  }
  int reason = EEXIST;
  while (reason == EEXIST) {  // when another run took it for left, before its mark was locked
    path_ = temporary_folder() + "/ionwell-XXXXXX";
    std::string mark = *this / owned_name(mark_ending);  // no memory is wanted once the folder is there
    const bool made = mkdtemp(path_.data()) != nullptr;
    mark.replace(0, path_.size(), path_);
    if (made) mark_ = create_owned_file(mark, 0600);
    if (mark_ >= 0) return;
    reason = errno;
    if (made) rmdir(path_.c_str());
  }
  fail("cannot create a folder for temporary files, ", path_, ": ", std::strerror(reason),
       "; set TMPDIR to a folder that you may write to");
}

ScratchFolder::~ScratchFolder() {
  if (is_kept_) return;
  if (!remove_tree(path_)) remove_tree(path_);  // what wants memory may have it in a moment
  close(mark_);
}

}  // namespace ionwell
