// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.hpp"

/// The command line of cionize.
namespace ionwell::cionize {

/// What -m says. The ions of all but ddd are the same: double-precision sums decide where they go.
enum class Mode { standard, single_precision, double_precision, ddd, multigrid };

struct Arguments {
  std::string structure;
  int processors = 0;  // 0: all there are
  std::optional<std::string> script;
  Mode mode = Mode::standard;
  std::string format;  // that the structure must be read as; empty: what its content says
  BackendArguments backend;
};

/// False if help or the version was requested, and printed. Throws UsageError for invalid arguments.
bool parse_arguments(const std::vector<std::string>& words, Arguments& arguments, std::ostream& out);

}  // namespace ionwell::cionize
