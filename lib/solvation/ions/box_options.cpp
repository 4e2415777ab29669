// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/ions/box_options.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/selection/selection.hpp"

namespace ionwell {

NearRegion parse_near_region(const std::string& option, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::optional<double> distance =
      colon == text.npos ? std::nullopt : parse_number(std::string_view(text).substr(colon + 1));
  if (!distance || !(*distance > 0.0) || trim(std::string_view(text).substr(0, colon)).empty())
    fail<UsageError>(option, ' ', quote(text), " is not a selection and a distance in A; write for example ",
                     option, " 'nucleic:12'");
  const NearRegion region{text.substr(0, colon), *distance};
  parse_selection(region.selection);
  return region;
}

HeightRange parse_height_range(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon != text.npos) {
    const auto from = parse_number(std::string_view(text).substr(0, colon)),
               to = parse_number(std::string_view(text).substr(colon + 1));
    if (from && to && *from < *to) return {*from, *to};
  }
  fail<UsageError>(option, ' ', quote(text), " is not a range of z in A; write for example ", option,
                   " 20:35");
}

void validate(const BoxOptions& options) {
  const WaterChoice& choice = options.choice;
  if (!(choice.keep_water_A >= 0.0 && std::isfinite(choice.keep_water_A)))
    fail<UsageError>("--tune keep-water is ", choice.keep_water_A,
                     " A (a distance must not be negative); 3.5 is common, and 0 keeps none");
  const auto& distance = options.salt.salt_solute_A;
  if (distance && !(*distance >= 0.0 && std::isfinite(*distance)))
    fail<UsageError>("--tune salt-solute is ", *distance, " A (a distance must not be negative)");
  for (const std::string& text : choice.near) parse_near_region("--near", text);
  for (const std::string& text : choice.not_near) parse_near_region("--not-near", text);
  if (options.salt.placement == SaltPlacement::energy)
    for (const SaltRequest& salt : options.salt.salts)
      if (salt.compartment != Compartment::whole)
        fail<UsageError>("--salt ", salt.text,
                         " is for one side of a membrane, but --salt-by energy places ions anywhere by their "
                         "energy; leave one of them out");
}

}  // namespace ionwell
