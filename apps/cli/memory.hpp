#pragma once

#include <cstdint>

#include "core/available_memory.hpp"

namespace ionwell {

/// Largest resident size of this process so far.
std::int64_t peak_memory_bytes();

/// Throws Error with both numbers, and the options that would help, when a lattice needs more memory than
/// there is.
void require_memory(std::int64_t needed_bytes, std::int64_t points);

}  // namespace ionwell
