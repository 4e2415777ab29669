#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "placement/place_ions.hpp"

namespace ionwell {

/// What a report of placed ions (json_report) says, as far as the terminal shows it. All text of it is fit to
/// be shown: control characters are "?".
struct ReportFile {
  std::string version, command, path;  // of the program, as typed, of the structure
  std::int64_t atoms = 0;
  double charge_before_e = 0.0, charge_after_e = 0.0;
  Placement placement;
  Structure neighbours;  // the atoms that are nearest to ions, one for each
  std::vector<std::pair<std::string, double>> timings_s;
  std::vector<std::string> warnings;
};

/// Reads a report; `name` is what messages call it. Keys that are not needed are passed over, since later
/// versions add some. Throws Error for what is not JSON, no report of placed ions, or of a later schema.
ReportFile parse_report(std::string_view text, const std::string& name);

/// The same from a file, or from standard input ("-"); it may be gzipped.
ReportFile read_report(const std::string& path);

}  // namespace ionwell
