#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "potential/pair_potential.hpp"

/// What a command says of its run on the terminal: one row for each thing, label and value.
namespace ionwell {

/// The label column; values begin after it.
std::ostream& print_label(std::ostream& out, const std::string& label);

template <typename... Parts>
void print_row(std::ostream& out, const std::string& label, const Parts&... parts) {
  (print_label(out, label) << ... << parts) << '\n';
}

/// "(0, 0, 0) to (10, 20, 30)".
std::ostream& operator<<(std::ostream& out, const Box& box);

/// "Coulomb, eps = 1, 298.15 K".
std::string describe_electrostatics(const ElectrostaticsOptions& options);

/// With that after it, what a map of the solute's potential says of itself.
constexpr std::string_view solute_potential_by = "the solute's potential; ";

void print_solute(std::ostream& out, const Structure& structure);
void print_lattice(std::ostream& out, const LatticeGeometry& lattice);

/// The names of the files written, one to a line.
void print_files(std::ostream& out, const std::vector<std::optional<std::string>>& paths);

/// One line for each, on standard error also with --quiet.
void print_warnings(std::ostream& out, const std::vector<std::string>& warnings);

}  // namespace ionwell
