#pragma once

#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"

/// What a command says of its run on the terminal: one row for each thing, label and value.
namespace ionwell {

/// "(0, 0, 0) to (10, 20, 30)".
std::ostream& operator<<(std::ostream& out, const Box& box);

/// Label and value, the latter in a column of its own: in lines that fit a terminal; in one line for a file
/// or a pipe, where scripts look for it.
void print_row_text(std::ostream& out, const std::string& label, const std::string& value);

template <typename... Parts>
void print_row(std::ostream& out, const std::string& label, const Parts&... parts) {
  std::ostringstream value;
  (value << ... << parts);
  print_row_text(out, label, value.str());
}

/// "Coulomb, eps = 1, 298.15 K".
std::string describe_electrostatics(const ElectrostaticsOptions& options);

/// With that after it, what a map of the solute's potential says of itself.
constexpr std::string_view solute_potential_by = "the solute's potential; ";

void print_solute(std::ostream& out, const Structure& structure);
void print_lattice(std::ostream& out, const LatticeGeometry& lattice);

/// The names of the files written, one to a line.
void print_files(std::ostream& out, const std::vector<std::optional<std::string>>& paths);

/// A message for each on standard error, which `err` is, also with --quiet.
void print_warnings(std::ostream& err, const std::vector<std::string>& warnings);

}  // namespace ionwell
