// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/placement_summary.hpp"

#include <unistd.h>

#include <cmath>

#include "cli/progress_bar.hpp"
#include "cli/terminal.hpp"
#include "core/available_memory.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/summaries/box_summary.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "jobs/place/job/likely_ions.hpp"
#include "jobs/place/job/report.hpp"
#include "potential/request/describe_potential.hpp"
#include "programs/apbs_files.hpp"

namespace ionwell {
namespace {

CellUse cell_use(const Result& planned) {
  if (planned.potential.is_periodic) return CellUse::images;
  if (planned.distances_repeat) return CellUse::distances;
  if (!planned.box) return CellUse::unused;
  return planned.box->boundary == Boundary::periodic ? CellUse::periodic : CellUse::open;
}

void print_solver(std::ostream& out, const PotentialRecord& planned) {
  const double seconds = apbs_seconds(planned.lattice) * double(planned.solver->solves);
  print_row(out, "solver", describe_bytes(apbs_bytes(planned.lattice)), " of memory, about ",
            describe_duration(seconds), " on two cores");
}

}  // namespace

void print_plan(std::ostream& out, const Result& planned) {
  const PotentialRecord& potential = planned.potential;
  print_structure(out, planned.structure, cell_use(planned));
  if (planned.box)
    print_box_plan(out, *planned.box);
  else
    print_lattice(out, potential.lattice);
  print_electrostatics(out, potential);
  if (potential.imported && planned.exclusion)
    print_row(out, "ions act by",
              potential.imported->ions_act ? describe_electrostatics(potential.electrostatics)
                                           : "nothing: they only keep their distances");
  print_row(out, "method", planned.exclusion ? describe_placement(planned) : describe_method(planned));
  print_computed_on(out, planned.run, planned.box ? "" : where_the_lattice_is(planned.run.lattice_on));
  print_ranks(out, planned.run, "a part of the lattice");
  if (potential.solver && potential.solver->solved_by == PbSolvedBy::apbs) print_solver(out, potential);
  out.flush();
}

void print_plan_around_sites(std::ostream& out, const Result& planned) {
  print_row(out, "other ions", describe_electrostatics(planned.potential.electrostatics));
  print_row(out, "method", describe_method(planned.potential),
            planned.refined ? "" : ", not refined: positions are approximate");
  out.flush();
}

void print_expected_sites(std::ostream& out, const Result& result) {
  const std::optional<ExpectedSites> expected = expected_sites(result);
  if (!expected) return;
  const auto percent = [](double probability) {
    return std::to_string(std::lround(100.0 * probability)) + " %";
  };
  if (expected->ions == 0) {
    print_row(out, "expected", "no ", result.sites->model.ion,
              ": the first would be near a site with a probability of ",
              percent(*expected->next_probability));
    return;
  }
  print_row(out, "expected", std::round(10.0 * expected->near_site) / 10.0, " of ",
            count_of(expected->ions, "ion"), " within 3 A of a site (", percent(expected->precision), ")",
            expected->next_probability ? "; for the next ion " + percent(*expected->next_probability) : "");
  if (expected->recall)
    print_row(out, "recall", percent(*expected->recall),
              " of the sites of other crystals, with ions down to this probability");
}

void print_hydration(std::ostream& out, const Hydration& hydration) {
  print_row(out, "hydration", count_of(hydration.waters(), "water"), " around ",
            count_of(std::ssize(hydration.shells), "ion"), "; ", count_of(hydration.acceptors(), "acceptor"),
            " of the solute instead of waters; ", grouped(hydration.left_out()),
            " left out for lack of room");
}

TableStyle output_table_style() {
  const auto columns = terminal_columns(STDOUT_FILENO);
  return {.terminal_columns = columns,
          .colours = shows_colours(STDOUT_FILENO),
          .utf8 = columns.has_value() && reads_utf8()};
}

}  // namespace ionwell
