// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "files/output_file.hpp"

namespace ionwell {

/// Appends one number in a format's own way.
using NumberFormat = void (*)(std::string& text, double value);

/// Values in rows, for formats that end a line after every row of the fastest axis, or after every plane.
struct TextRows {
  std::int64_t run = 0;      // values until a line ends anyway
  std::int64_t on_line = 6;  // values to a line
  NumberFormat number = nullptr;
  std::function<std::string(std::int64_t)> before;  // text before run n, none when empty
};

/// Writes `count` values, those of run `first_run` and on, in several threads and in their order; `values`
/// gives some of them, numbered from 0, and is called from all threads. What it throws is thrown here.
void write_rows(OutputFile& file, const TextRows& rows, std::int64_t first_run, std::int64_t count,
                const std::function<void(std::int64_t first, std::int64_t count, double* to)>& values,
                int threads);

}  // namespace ionwell
