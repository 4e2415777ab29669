#include "scratch_folder.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/error.hpp"

namespace ionwell {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::optional<std::string>& kept) : is_kept_(kept.has_value()) {
  std::error_code error;
  if (is_kept_) {
    path_ = fs::absolute(*kept).string();
    fs::create_directories(path_, error);
    if (error || !fs::is_directory(path_))
      fail("cannot make the folder ", *kept, ": ", error ? error.message() : "something else has its name",
           "; choose another one");
    return;
  }
  const fs::path folder = fs::temp_directory_path(error);
  path_ = ((error ? fs::path("/tmp") : folder) / "ionwell-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr)
    fail("cannot make a folder for temporary files, ", path_, ": ", std::strerror(errno),
         "; set TMPDIR to a folder that you may write to");
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!is_kept_) fs::remove_all(path_, ignored);
}

}  // namespace ionwell
