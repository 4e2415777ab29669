#include "fuzz/report_invariants.hpp"

#include <algorithm>
#include <sstream>

#include "core/error.hpp"
#include "jobs/place/job/placement_table.hpp"
#include "output/views/report_file.hpp"

namespace ionwell::test {

std::string broken_report_invariant(std::string_view text) {
  try {
    const ReportFile report = parse_report(text, "fuzzed");
    std::ostringstream table;
    print_ion_table(table, report.placement, report.neighbours, {.every_row = true});
    const std::string printed = table.str();
    if (std::any_of(printed.begin(), printed.end(),
                    [](char c) { return c != '\n' && (std::uint8_t(c) < ' ' || c == '\x7f'); }))
      return "the table has control characters";
    const auto rows = std::count(printed.begin(), printed.end(), '\n');
    if (!report.placement.ions.empty() && rows < std::ssize(report.placement.ions) + 1)
      return "not a row for each ion";
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find('\n') != std::string::npos) return "not one line: " + message;
  }
  return {};
}

}  // namespace ionwell::test
