// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/trajectory/average_rows.hpp"

#include <iomanip>

#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "jobs/average/average_report.hpp"

namespace ionwell {

void print_plan(std::ostream& out, const AverageResult& planned) {
  const bool is_periodic = planned.potential.is_periodic;
  print_structure(out, planned.preparation->structure(), is_periodic ? CellUse::images : CellUse::unused);
  print_lattice(out, planned.potential.lattice);
  print_electrostatics(out, planned.potential);
  print_row(out, "method", describe_method(planned));
  print_computed_on(out, planned.run, where_the_lattice_is(planned.run.lattice_on));
  print_ranks(out, planned.run, "its own frames");
  out.flush();
}

void print_trajectory(std::ostream& out, const AverageSummary& average) {
  std::string label = "trajectory";
  for (const TrajectoryPart& part : average.files) {
    print_row(out, label, part.path, ", ", count_of(part.frames, "frame"));
    label.clear();
  }
  TextStream step;
  if (average.every > 1) step << ", every " << average.every;
  print_row(out, "frames", grouped(average.chosen), ", from number ", grouped(average.first), step.str());
  if (!average.fit.empty())
    print_row(out, "fit", count_of(average.fitted_atoms, "atom"), " (", average.fit, ") to ",
              average.reference.value_or("the first frame"));
  if (average.resumed_frames > 0)
    print_row(out, "resumed", "behind ", count_of(average.resumed_frames, "frame"));
  out.flush();
}

void print_average(std::ostream& out, const AverageSummary& average) {
  const FrameTallies& tallies = average.tallies;
  TextStream kept;
  if (tallies.bad > 0) kept << "; " << count_of(tallies.bad, "bad frame") << " passed over";
  print_row(out, "averaged", count_of(average.frames, "frame"), kept.str());
  if (!average.fit.empty() && average.frames > 0)
    print_row(out, "rmsd", std::setprecision(3), tallies.lowest_rmsd_A, " to ", tallies.highest_rmsd_A,
              " A, largest in frame ", grouped(tallies.highest_rmsd_frame));
  if (tallies.made_whole > 0)
    print_row(out, "made whole", count_of(tallies.made_whole, "frame"),
              " with molecules across the boundary of the cell");
  if (average.kinds.error)
    print_row(out, "blocks", grouped(average.blocks), " of ", grouped(average.blocks_asked),
              " for the standard error");
  if (!average.changes.empty()) {
    TextStream where;
    if (average.watched_beyond_A > 0.0)
      where << ", " << average.watched_beyond_A << " A or more from the sources";
    print_row(out, "mean changed", "when the frames doubled (rms, kT/e", where.str(), ")");
    for (const MeanChange& change : average.changes)
      print_row(out, "", "at ", count_of(change.frames, "frame"), ": ", std::setprecision(3),
                change.rms_kT_e);
  }
  const std::int64_t now = average.frames - average.resumed_frames;
  if (now > 0 && average.seconds > 0.0)
    print_row(out, "speed", std::setprecision(3), double(now) / average.seconds, " frames/s");
}

}  // namespace ionwell
