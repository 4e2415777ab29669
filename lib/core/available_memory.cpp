// SPDX-License-Identifier: BSD-3-Clause
#include "core/available_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <limits>

#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/text_stream.hpp"

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
  for (std::string line; std::getline(in, line);) {
    std::string_view rest = line;
    if (take_token(rest) != "MemAvailable:") continue;
    if (const auto kilobytes = parse_integer<std::int64_t>(take_token(rest))) return 1024 * *kilobytes;
  }
  return std::int64_t{sysconf(_SC_AVPHYS_PAGES)} * sysconf(_SC_PAGESIZE);
}

/// How the kernel shows the memory of control groups.
struct ControlGroups {
  const char *mark, *folder;  // before a process's group in /proc/self/cgroup; where groups are
  const char *limit, *used, *inactive_files, *active_files;
};

constexpr ControlGroups version1 = {":memory:",
                                    "/sys/fs/cgroup/memory",
                                    "/memory.limit_in_bytes",
                                    "/memory.usage_in_bytes",
                                    "total_inactive_file",
                                    "total_active_file"};
constexpr ControlGroups version2 = {"0::",           "/sys/fs/cgroup", "/memory.max", "/memory.current",
                                    "inactive_file", "active_file"};

/// What a group has of files in memory, which it gives back when it wants memory.
std::int64_t cached_files_bytes(const ControlGroups& groups, const std::string& folder) {
  std::ifstream in(folder + "/memory.stat");
  std::int64_t sum = 0, bytes = 0;
  for (std::string name; in >> name >> bytes;)
    if (name == groups.inactive_files || name == groups.active_files) sum += bytes;
  return sum;
}

/// A limit of any group above this process's own counts as well.
std::int64_t free_in_control_group_bytes(const ControlGroups& groups) {
  std::ifstream in("/proc/self/cgroup");
  std::string group;
  for (std::string line; std::getline(in, line);)
    if (const std::size_t at = line.find(groups.mark); at != line.npos)
      group = line.substr(at + std::string_view(groups.mark).size());
  std::int64_t least = unlimited;
  constexpr std::int64_t no_machine_has = std::int64_t{1} << 60;
  for (;;) {
    const std::string folder = groups.folder + group;
    const std::int64_t limit = number_in(folder + groups.limit, unlimited);
    if (limit < no_machine_has)  // version 1 writes a number near the largest one for no limit
      least =
          std::min(least, limit - number_in(folder + groups.used, 0) + cached_files_bytes(groups, folder));
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
  const std::int64_t least = std::min({free_on_machine_bytes(), free_in_control_group_bytes(version1),
                                       free_in_control_group_bytes(version2), free_address_space_bytes()});
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
  TextStream text;
  text << std::setprecision(3) << value << ' ' << units[unit];
  return text.str();
}

}  // namespace ionwell
