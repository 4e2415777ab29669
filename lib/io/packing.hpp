#pragma once

#include <string>
#include <string_view>

namespace ionwell {

/// One gzip member; members one after the other are one gzip file.
std::string gzip(std::string_view text);

}  // namespace ionwell
