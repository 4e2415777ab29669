#pragma once

#include <string>
#include <string_view>

namespace ionwell::test {

/// Reads `text` as a report of placed ions and prints its table; says what is wrong, empty when nothing is.
/// It may be refused with one line. A table must have no control characters but line ends, and a row for
/// each ion.
std::string broken_report_invariant(std::string_view text);

}  // namespace ionwell::test
