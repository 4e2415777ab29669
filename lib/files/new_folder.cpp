// SPDX-License-Identifier: BSD-3-Clause
#include "files/new_folder.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "files/output_file.hpp"

namespace ionwell {
namespace {

// For the signal handler, which may not look at what changes meanwhile: the path stands before the mark does.
struct Unfinished {
  std::array<char, PATH_MAX> path{};
  std::atomic<bool> is_there = false;
};
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<Unfinished, 16>
    unfinished;  // a folder, and those in it; only a signal would leave one more behind

/// The place of its mark, or the end.
std::size_t mark_unfinished(const std::string& path) {
  if (path.size() >= PATH_MAX) return unfinished.size();
  std::size_t place = 0;
  while (place < unfinished.size() && unfinished[place].is_there) ++place;
  if (place == unfinished.size()) return place;
  path.copy(unfinished[place].path.data(), path.size());
  unfinished[place].path[path.size()] = '\0';
  unfinished[place].is_there = true;
  return place;
}

}  // namespace

NewFolder::NewFolder(const std::string& path) {
  if (path.empty()) return;
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) {
    if (!std::filesystem::is_empty(path, problem))
      fail<UsageError>(
          path,
          ": already contains files, which ionwell does not touch; name a new folder, or empty this one");
    check_writable((std::filesystem::path(path) / "ionwell").string());
    return;
  }
  if (std::filesystem::exists(path, problem))
    fail(path, ": is a file, but a folder of that name is needed; move the file");
  std::string name = path;  // before the folder is there: a copy needs memory
  if (!std::filesystem::create_directory(path, problem))
    fail(path, ": cannot be created: ", problem.message(), "; check the folder that contains it");
  made_ = std::move(name);
  mark_ = mark_unfinished(path);
}

void NewFolder::keep() {
  if (!made_.empty() && mark_ < unfinished.size()) unfinished[mark_].is_there = false;
  made_.clear();
}

NewFolder::~NewFolder() {
  if (!made_.empty() && mark_ < unfinished.size()) unfinished[mark_].is_there = false;
  std::error_code ignored;
  if (!made_.empty()) std::filesystem::remove(made_, ignored);  // which removes none that has files
}

void remove_new_folder() noexcept {
  for (std::size_t place = unfinished.size(); place-- > 0;)  // the folders in others first
    if (unfinished[place].is_there) rmdir(unfinished[place].path.data());
}

}  // namespace ionwell
