// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/large_array.hpp"

namespace ionwell {

/// Where numbers stand, for messages.
struct NumberSource {
  std::string path;
  std::string_view file;  // the whole text, which `text` below is a part of
  std::string_view hint;  // what to do about a file that is cut or holds something else
};

struct Numbers {
  LargeArray<double> values;
  std::size_t end = 0;  // in `text`, behind the last of them
};

/// The first `count` numbers of `text`, which blanks and line ends separate, each as parse_any_number reads
/// it; a piece of the text for each thread that is free. Throws Error, with the line, when there are fewer or
/// one of them is not a number.
Numbers parse_numbers(std::string_view text, std::int64_t count, int threads, const NumberSource& source);

}  // namespace ionwell
