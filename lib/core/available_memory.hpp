// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace ionwell {

/// Memory that this process may still take: what the machine has free, the control group's limit and the
/// address space limit, whichever is least; at least 0. Reads /proc and /sys: some 0.1 ms.
std::int64_t available_memory_bytes();

/// Largest resident size of this process so far.
std::int64_t peak_memory_bytes();

/// "1.25 GB": three digits, decimal units.
std::string describe_bytes(std::int64_t bytes);

}  // namespace ionwell
