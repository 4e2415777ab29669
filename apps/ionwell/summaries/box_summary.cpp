// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/box_summary.hpp"

#include <cstdio>

#include "core/text/count_text.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "solvation/ions/replaceable_waters.hpp"

namespace ionwell {
namespace {

std::string molar_text(double concentration_M) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g mol/L", concentration_M);
  return text;
}

/// "75 NA: 27 there, 48 added, 0.151 mol/L".
std::string describe(const BoxResult& box, const SaltIons& ions) {
  std::string text = grouped(ions.there + ions.added) + ' ' + ions.species.name;
  if (ions.there > 0)
    text += " (" + grouped(ions.there) + " present or requested, " + grouped(ions.added) + " added)";
  if (ions.compartment != Compartment::whole) return text + ' ' + std::string(to_string(ions.compartment));
  return text + ", " + molar_text(box.molarity(ions.there + ions.added));
}

}  // namespace

void print_box_plan(std::ostream& out, const BoxResult& box) {
  std::string text = grouped(box.stays[std::size_t(WaterStays::replaceable)]) + " of " +
                     count_of(box.waters, "water") + " can be replaced";
  for (int reason = 1; reason < stay_reasons; ++reason)
    if (const std::int64_t count = box.stays[std::size_t(reason)]; count > 0)
      text += "; " + grouped(count) + ' ' + std::string(to_string(WaterStays(reason)));
  print_row(out, "places", text);
  if (box.has_membrane) print_row(out, "membrane", "a bilayer across the cell's c");
}

void print_box_result(std::ostream& out, const Result& result) {
  const BoxResult& box = *result.box;
  const std::int64_t replaced = std::ssize(box.replaced);
  print_row(out, "water", count_of(replaced, "water"), " replaced, ", grouped(box.waters - replaced),
            " left");
  std::string label = "salt";
  for (const SaltIons& ions : box.salt.ions) {
    print_row(out, label, describe(box, ions));
    label.clear();
  }
  if (!box.salts.empty())
    print_row(out, "scheme",
              box.salt.neutralized_only ? "neutralized only" : std::string(to_string(box.salt.scheme)),
              box.salt_placement == SaltPlacement::random
                  ? "; bulk salt at random, seed " + std::to_string(box.seed)
                  : std::string("; all by energy"));
}

}  // namespace ionwell
