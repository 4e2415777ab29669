#include "bench/measure.hpp"

#include <omp.h>

#include <fstream>
#include <string>

#include "core/error.hpp"
#include "core/version.hpp"

namespace ionwell {
namespace {

/// As the kernel names it; Arm processors have no such line.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unnamed processor";
}

}  // namespace

void add_measure_options(OptionGroup& group, MeasureOptions& measure) {
  group.add("threads", measure.threads, "N", "threads to compute with, 0 for all of them");
  group.add_choice("simd", measure.simd,
                   {{"auto", SimdLevel::automatic},
                    {"baseline", SimdLevel::baseline},
                    {"avx2", SimdLevel::avx2},
                    {"avx512", SimdLevel::avx512}},
                   "instruction set");
  group.add("repeats", measure.repeats, "N", "how often to measure; the median counts");
}

void resolve(MeasureOptions& measure) {
  if (measure.threads == 0) measure.threads = omp_get_max_threads();
  if (measure.simd == SimdLevel::automatic) measure.simd = best_simd_level();
  require_positive("--threads", measure.threads);
  require_positive("--repeats", measure.repeats);
}

void require_positive(const char* option, int number) {
  if (number < 1) fail<UsageError>(option, " is ", number, "; it must be at least 1");
}

void print_machine(std::ostream& out, const MeasureOptions& measure) {
  out << "ionwell " << version() << ", " << processor() << ", " << to_string(measure.simd) << ", "
      << measure.threads << (measure.threads == 1 ? " thread" : " threads") << "\n\n";
}

}  // namespace ionwell
