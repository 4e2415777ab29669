#include "ionwell/output/new_folder.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "files/output_file.hpp"

namespace ionwell {

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
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!made_.empty()) std::filesystem::remove(made_, ignored);  // which removes none that has files
}

}  // namespace ionwell
