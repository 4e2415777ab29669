// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/frame_warnings.hpp"

#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "jobs/average/average_summary.hpp"

namespace ionwell {

std::vector<std::string> frame_warnings(const AverageSummary& summary, bool has_box) {
  const FrameTallies& tallies = summary.tallies;
  std::vector<std::string> warnings;
  if (tallies.bad > 0)
    warnings.push_back(count_of(tallies.bad, "frame") + " skipped; the first: " + tallies.first_bad);
  if (tallies.beyond_lattice > 0 && !has_box) {
    TextStream text;
    text << "in " << count_of(tallies.beyond_lattice, "frame")
         << " charges were outside the lattice, by up to " << tallies.farthest_beyond_A
         << " A; they are summed, but the map does not show the potential around them; --lattice-from all "
         << "or a larger --border encloses them";
    if (summary.fit.empty()) text << ", and --fit removes the motion of the solute";
    warnings.push_back(text.str());
  }
  return warnings;
}

}  // namespace ionwell
