#pragma once

#include <optional>
#include <string>

namespace ionwell {

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
};

}  // namespace ionwell
