#include "files/new_folder.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <filesystem>

#include "core/error.hpp"
#include "files/output_file.hpp"

namespace ionwell {
namespace {

// For the signal handler, which may not look at what changes meanwhile: the path stands before the mark does.
std::array<char, PATH_MAX> unfinished_folder{};
std::atomic<bool> is_unfinished = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

NewFolder::NewFolder(const std::string& path) {
  if (path.empty()) return;
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) {
    if (!std::filesystem::is_empty(path, problem))
      fail<UsageError>(path,
                       ": holds files already, which stay as they are; name a new folder, or empty this one");
    check_writable((std::filesystem::path(path) / "ionwell").string());
    return;
  }
  if (std::filesystem::exists(path, problem))
    fail(path, ": is a file, and a folder is to be written there; move it");
  if (!std::filesystem::create_directory(path, problem))
    fail(path, ": cannot be made: ", problem.message(), "; check the folder that it is to be in");
  made_ = path;
  if (path.size() >= unfinished_folder.size()) return;
  path.copy(unfinished_folder.data(), path.size());
  unfinished_folder[path.size()] = '\0';
  is_unfinished = true;
}

void NewFolder::keep() {
  is_unfinished = false;
  made_.clear();
}

NewFolder::~NewFolder() {
  is_unfinished = false;
  std::error_code ignored;
  if (!made_.empty()) std::filesystem::remove(made_, ignored);  // which removes none that has files
}

void remove_new_folder() noexcept {
  if (is_unfinished) rmdir(unfinished_folder.data());
}

}  // namespace ionwell
