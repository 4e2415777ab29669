// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "core/error.hpp"

/// The commands of the program. Each takes the words after its name and what it can compute on, prints
/// results to `out`, and returns the exit code; errors are thrown and shown by main.
namespace ionwell {

enum ExitCode { done = 0, run_failed = 1, wrong_usage = 2, too_few_placed = 3 };

/// No free lattice point was left for some of the ions. Exit code 3.
struct TooFewPlaced : Error {
  using Error::Error;
};

int place_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int solvate_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int prepare_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int average_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int map_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int potential_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int sample_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int convert_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int info_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int compare_command(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
int completion_command(const std::vector<std::string>& arguments, std::ostream& out,
                       const Backends& backends);

}  // namespace ionwell
