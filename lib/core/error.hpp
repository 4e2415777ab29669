// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <stdexcept>

namespace ionwell {

/// The run cannot continue: bad data, a file that cannot be read or written, not enough memory. Exit code 1.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line is invalid. Exit code 2.
struct UsageError : Error {
  using Error::Error;
};

/// Throws a Kind whose message is the parts one after the other, as a stream writes them.
template <typename Kind = Error, typename... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream message;
  (message << ... << parts);
  throw Kind(message.str());
}

}  // namespace ionwell
