// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>

namespace ionwell {

/// A stream to a string that throws std::bad_alloc where std::ostringstream would leave text out: a line of
/// an output file is whole, or there is no file.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios_base::badbit); }
};

}  // namespace ionwell
