// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace ionwell {

/// Removes the scratch folders of runs that were killed: see remove_left_folders.
void remove_left_scratch();

/// Whether a folder is there and not empty.
bool has_files(const std::string& folder);

/// Makes a folder for files that stay: `folder`, or a new subfolder (run-1, run-2) where it holds something
/// already, which is neither overwritten nor removed. Returns its path; throws Error, with the reason, when
/// it cannot be made.
std::string make_kept_folder(const std::string& folder);

/// A folder for the files of one step: its own, in TMPDIR, and gone with this object; or `kept`, which
/// make_kept_folder has made and which stays.
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
