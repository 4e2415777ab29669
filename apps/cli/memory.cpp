#include "cli/memory.hpp"

#include <sys/resource.h>

#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024 * std::int64_t{usage.ru_maxrss};  // Linux counts it in KiB
}

void require_memory(std::int64_t needed_bytes, std::int64_t points) {
  const std::int64_t available = available_memory_bytes();
  if (needed_bytes > available)
    fail("a lattice of ", count_of(points, "point"), " needs ", describe_bytes(needed_bytes),
         " of memory, but only ", describe_bytes(available),
         " are free; use a larger --spacing, a smaller --border or a smaller --box");
}

}  // namespace ionwell
