// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "structures/formats/file_format.hpp"

namespace ionwell {

/// The topology that atoms come from.
struct TopologyFile {
  std::string path;
  FileFormat format = FileFormat::psf;
  bool has_charmm_names = false;  // of residues and atoms: a PSF, or an AMBER topology of CHAMBER
  bool can_be_reopened = true;    // it is neither a pipe nor standard input
};

/// Nothing for a file of another format.
std::optional<TopologyFile> as_topology(InputFile& file);

/// The topology among the files, by their content and in any order; nothing where there is none. Pipes and
/// standard input, which can be read once only, are not looked at.
std::optional<TopologyFile> find_topology(const std::vector<std::string>& paths);

}  // namespace ionwell
