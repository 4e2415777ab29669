// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "input/read_input.hpp"
#include "output/system_output.hpp"

namespace ionwell {

/// Whose names the atoms of the files get when they are written.
SoluteNames solute_names(const Input& input);

/// What one file of atoms and ions is made of.
struct FileContents {
  const Input& input;
  const Structure& structure;  // what acts of it: written where the output is with_solute
  std::vector<EngineIon> ions{};
  std::vector<std::string> remarks{};  // one paragraph each
  std::span<const Atom> behind{};      // written after the ions
};

/// The bytes of the file that the output names: the structure with its cell, or the ions alone.
std::string structure_file(const SystemOutput& output, const FileContents& contents);

/// What to say of it; ready to show.
std::vector<std::string> structure_file_warnings(const SystemOutput& output, const Structure& structure);

}  // namespace ionwell
