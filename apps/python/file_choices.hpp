// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "output/system_output.hpp"

namespace ionwell::python {

/// What `save` needs to write a file or a folder, besides its path.
struct FileChoices {
  std::optional<std::string> engine, ion_names, water_names;
  std::string pdb_serials = "wrapped";
  bool with_solute = false;
};

/// Where a system is saved to, under the names of ions that `naming` says where the call says none. Throws
/// UsageError for words that are not known, and as `validate` does; `what` is for messages.
SystemOutput file_output(const std::string& path, const FileChoices& choices, IonNaming naming,
                         const std::string& what);

}  // namespace ionwell::python
