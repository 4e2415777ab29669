// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/solvation_summary.hpp"

#include <cmath>
#include <iomanip>

#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/run_summary.hpp"

namespace ionwell {
namespace {

std::string three(const Vec3<double>& v, int decimals, std::string_view between) {
  return fixed_text(v.x, decimals) + std::string(between) + fixed_text(v.y, decimals) + std::string(between) +
         fixed_text(v.z, decimals);
}

std::string describe_left_out(const FillCounts& counts) {
  std::string text = grouped(counts.overlapping) + " overlapping the solute";
  if (counts.among_tails > 0) text += ", " + grouped(counts.among_tails) + " among lipid tails";
  if (counts.in_cavities > 0) text += ", " + grouped(counts.in_cavities) + " in small cavities";
  return text;
}

}  // namespace

std::string fixed_text(double number, int decimals) {
  TextStream text;
  text << std::fixed << std::setprecision(decimals) << number;
  return text.str();
}

void print_solvation_cell(std::ostream& out, const SolvationOptions& options, const Solvation& solvation) {
  const std::string shape = options.cell               ? ""
                            : solvation.keeps_membrane ? "that of the bilayer in its plane, "
                                                       : std::string(to_string(options.shape)) + ", ";
  print_row(out, "cell", shape, three(lengths_A(solvation.cell), 3, " x "), " A, angles ",
            three(angles_deg(solvation.cell), 2, ", "), " degrees, ",
            grouped(std::llround(solvation.volume_A3)), " A^3");
}

void print_solvation(std::ostream& out, const Solvation& solvation) {
  const WaterModel& model = solvation.waters.tiles.model();
  print_row(out, "own image", fixed_text(solvation.own_image_A, 2), " A from the solute");
  print_row(out, "water", model.full_name, ", ", count_of(solvation.waters.size(), "molecule"), ", ",
            fixed_text(solvation.density_g_cm3, 4), " g/cm^3");
  print_row(out, "left out", describe_left_out(solvation.counts));
}

}  // namespace ionwell
