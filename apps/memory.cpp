#include "memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>

#include "core/error.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The number in a one-line file of the kernel's; `otherwise` when there is none ("max", no such file).
std::int64_t number_in(const std::string& path, std::int64_t otherwise) {
  std::ifstream in(path);
  std::int64_t number = 0;
  return in >> number ? number : otherwise;
}

std::int64_t free_on_machine_bytes() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("MemAvailable:", 0) == 0) return 1024 * std::stoll(line.substr(line.find(':') + 1));
  return std::int64_t{sysconf(_SC_AVPHYS_PAGES)} * sysconf(_SC_PAGESIZE);
}

/// Version 2 control groups: a limit of any group above this process's own counts as well.
std::int64_t free_in_control_group_bytes() {
  std::ifstream in("/proc/self/cgroup");
  std::string group;
  for (std::string line; std::getline(in, line);)
    if (line.rfind("0::", 0) == 0) group = line.substr(3);
  std::int64_t least = unlimited;
  for (;;) {
    const std::string folder = "/sys/fs/cgroup" + group;
    const std::int64_t limit = number_in(folder + "/memory.max", unlimited);
    if (limit != unlimited) least = std::min(least, limit - number_in(folder + "/memory.current", 0));
    if (group.empty()) return least;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

std::int64_t free_address_space_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::int64_t used = number_in("/proc/self/statm", 0) * sysconf(_SC_PAGESIZE);
  return static_cast<std::int64_t>(limit.rlim_cur) - used;
}

}  // namespace

std::int64_t available_memory_bytes() {
  const std::int64_t least =
      std::min({free_on_machine_bytes(), free_in_control_group_bytes(), free_address_space_bytes()});
  return std::max<std::int64_t>(0, least);
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024 * std::int64_t{usage.ru_maxrss};  // Linux counts it in KiB
}

std::string describe_bytes(std::int64_t bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  double value = double(bytes);
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < std::size(units); ++unit) value /= 1000.0;
  std::ostringstream text;
  text << std::setprecision(3) << value << ' ' << units[unit];
  return text.str();
}

void require_memory(std::int64_t needed_bytes, std::int64_t points) {
  const std::int64_t available = available_memory_bytes();
  if (needed_bytes > available)
    fail("a lattice of ", points, " points needs ", describe_bytes(needed_bytes), " of memory, but only ",
         describe_bytes(available),
         " are free; use a larger --spacing, a smaller --border or a smaller --box");
}

}  // namespace ionwell
