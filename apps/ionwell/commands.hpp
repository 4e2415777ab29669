// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "core/error.hpp"

/// The commands of the program. Each takes the words after its name, prints results to `out`, and returns the
/// exit code; errors are thrown and shown by main.
namespace ionwell {

enum ExitCode { done = 0, run_failed = 1, wrong_usage = 2, too_few_placed = 3 };

/// No free lattice point was left for some of the ions. Exit code 3.
struct TooFewPlaced : Error {
  using Error::Error;
};

int place_command(const std::vector<std::string>& arguments, std::ostream& out);
int solvate_command(const std::vector<std::string>& arguments, std::ostream& out);
int prepare_command(const std::vector<std::string>& arguments, std::ostream& out);
int average_command(const std::vector<std::string>& arguments, std::ostream& out);
int map_command(const std::vector<std::string>& arguments, std::ostream& out);
int potential_command(const std::vector<std::string>& arguments, std::ostream& out);
int sample_command(const std::vector<std::string>& arguments, std::ostream& out);
int convert_command(const std::vector<std::string>& arguments, std::ostream& out);
int info_command(const std::vector<std::string>& arguments, std::ostream& out);
int compare_command(const std::vector<std::string>& arguments, std::ostream& out);
int completion_command(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace ionwell
