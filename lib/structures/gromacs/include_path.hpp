// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ionwell {

/// What `#include "x"` or `#include <x>` names, for which GROMACS looks in the same places; empty for a line
/// that includes nothing, and where quotation marks or brackets are missing.
std::string_view included_name(std::string_view line);

/// An included file, and whether it is one of those that GROMACS finds wherever it runs.
struct FoundInclude {
  std::string path;
  bool is_installed = false;  // in GMXLIB, in $GMXDATA/top or where GROMACS installs its own
};

/// Where GROMACS looks for included files: beside the file that includes, in the include folders (-I), then
/// in GMXLIB, in $GMXDATA/top and where GROMACS installs its own. Source: GROMACS 2022,
/// src/gromacs/gmxpreprocess/gmxcpp.cpp.
class GromacsIncludePath {
 public:
  /// Without `with_installed` those of GROMACS are not looked for.
  GromacsIncludePath(const std::vector<std::string>& include_folders, bool with_installed);

  /// The file that `name` in the file `from` means: the first for which `is_there` holds.
  std::optional<FoundInclude> find(std::string_view name, const std::string& from,
                                   const std::function<bool(const std::string&)>& is_there) const;

  /// For messages: ".", "/usr/share/gromacs/top", ...
  std::string describe(const std::string& from) const;

 private:
  std::vector<std::string> folders_;
  std::size_t own_;  // of them are include folders
};

/// Whether there is a file, and not a folder.
bool is_file_on_disk(const std::string& path);

}  // namespace ionwell
