// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/structure.hpp"
#include "files/input_file.hpp"
#include "structures/input_water.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell {

/// What to do with parts of a file.
struct ReadOptions {
  InputWater water = InputWater::solute_with_warning;
  ChargeDecimals decimals = ChargeDecimals::of_file;
};

/// Reads a PQR file, also gzipped ("-" is standard input); input/read_input.hpp reads all formats. Nothing is
/// returned that a potential cannot be made of: Error for no atoms and for charges that are all zero; what is
/// merely suspicious is in `warnings`. Atoms come in the order of the file, in A and e. On one thread, 2
/// million atoms a second; several files may be read at the same time.
Structure read_structure(const std::string& path, const ReadOptions& options = {});
Structure read_structure(InputFile file, const ReadOptions& options = {});

/// The same from unpacked text; `path` is for messages and the extension.
Structure read_structure_text(std::string_view text, const std::string& path,
                              const ReadOptions& options = {});

/// Its atoms alone: nobody has looked at their waters and charges. Throws Error for what is no PQR file.
Structure read_pqr_file(InputFile file);

}  // namespace ionwell
