// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace ionwell {

/// A folder for files that a run writes: made when it is not there, and gone again with the run that fails.
class NewFolder {
 public:
  /// Nothing for an empty name. Throws Error when it cannot be made, or is a file, and UsageError when it is
  /// there and not empty.
  explicit NewFolder(const std::string& path);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  /// The run has succeeded.
  void keep();

 private:
  std::string made_;      // the folder, when this made it
  std::size_t mark_ = 0;  // for signal handlers
};

/// Removes the folders that a run made and has not kept, when they are empty. For signal handlers.
void remove_new_folder() noexcept;

}  // namespace ionwell
