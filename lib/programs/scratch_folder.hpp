#pragma once

#include <optional>
#include <string>

namespace ionwell {

/// Removes the scratch folders of runs that were killed: see remove_left_folders.
void remove_left_scratch();

/// A folder for the files of one step: its own, in TMPDIR, and gone with this object; or `kept`, which is
/// made where it is not there and stays.
class ScratchFolder {
 public:
  /// Throws Error, with the reason, when it cannot be made.
  explicit ScratchFolder(const std::optional<std::string>& kept);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
  bool is_kept_;
  int mark_ = -1;  // the locked file that tells other runs whose the folder is
};

}  // namespace ionwell
