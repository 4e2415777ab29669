// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Numbers of things, as every message and table writes them.
namespace ionwell {

/// With its thousands divided: "1,119,195".
std::string grouped(std::int64_t number);

/// "1 ion", "1,200 ions"; for words that take an s.
std::string count_of(std::int64_t number, std::string_view one);

}  // namespace ionwell
