// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "compute/run_record.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "core/text/text_stream.hpp"

/// What a command says of its run on the terminal: one row for each thing, label and value.
namespace ionwell {

/// Label and value, the latter in a column of its own: in lines that fit a terminal; in one line for a file
/// or a pipe, where scripts look for it.
void print_row_text(std::ostream& out, const std::string& label, const std::string& value);

template <typename... Parts>
void print_row(std::ostream& out, const std::string& label, const Parts&... parts) {
  TextStream value;
  (value << ... << parts);
  print_row_text(out, label, value.str());
}

void print_solute(std::ostream& out, const Structure& structure);
void print_lattice(std::ostream& out, const LatticeGeometry& lattice);

/// The threads or the devices that computed; `behind` follows the devices.
void print_computed_on(std::ostream& out, const RunRecord& run, const std::string& behind = {});

/// Of all stages.
void print_times(std::ostream& out, const RunRecord& run);

/// The names of the files written, one to a line.
void print_files(std::ostream& out, const std::vector<std::optional<std::string>>& paths);

}  // namespace ionwell
