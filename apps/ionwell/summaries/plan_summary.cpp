#include "ionwell/summaries/plan_summary.hpp"

#include <iomanip>

#include "cli/progress_bar.hpp"
#include "core/available_memory.hpp"
#include "core/text/count_text.hpp"
#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/box_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "programs/apbs_files.hpp"
#include "run/backend.hpp"
#include "run/report.hpp"

namespace ionwell {
namespace {

/// What there is to say of it: nothing when it is on one GPU.
std::string where_the_lattice_is(const std::string& place) {
  if (place == to_string(LatticeOn::host)) return ", a part at a time; the lattice is in host memory";
  return place == to_string(LatticeOn::devices) ? ", each with a part of the lattice" : "";
}

CellUse cell_use(const Result& planned) {
  if (planned.average && planned.average->boundary == Boundary::periodic) return CellUse::images;
  if (planned.is_periodic) return CellUse::images;
  if (planned.distances_repeat) return CellUse::distances;
  if (!planned.box) return CellUse::unused;
  return planned.box->boundary == Boundary::periodic ? CellUse::periodic : CellUse::open;
}

void print_solver(std::ostream& out, const Result& planned) {
  const double seconds = apbs_seconds(planned.lattice) * double(planned.solver->solves);
  print_row(out, "solver", describe_bytes(apbs_bytes(planned.lattice)), " of memory, perhaps ",
            describe_duration(seconds), " on two cores");
}

}  // namespace

std::string command_text(const std::string& command, const std::vector<std::string>& words) {
  std::string text = "ionwell " + command;
  for (const std::string& word : words) text += ' ' + shell_word(word);
  return text;
}

void print_plan(std::ostream& out, const Result& planned) {
  print_structure(out, planned.structure, cell_use(planned));
  if (planned.box)
    print_box_plan(out, *planned.box);
  else
    print_lattice(out, planned.lattice);
  if (planned.imported)
    for (const std::string& path : planned.imported->paths) print_row(out, "potential", path);
  if (!planned.imported)
    print_row(out, "electrostatics", describe_electrostatics(planned.electrostatics));
  else if (planned.exclusion)
    print_row(out, "ions act by",
              planned.imported->ions_act ? describe_electrostatics(planned.electrostatics)
                                         : "nothing, but keep their distance");
  print_row(out, "method", planned.exclusion ? describe_placement(planned) : describe_method(planned));
  if (planned.backend != to_string(Backend::cpu))
    print_row(out, "computed on", planned.device, where_the_lattice_is(planned.lattice_on));
  else
    print_row(out, "computed on", count_of(planned.threads, "CPU thread"), " with ", planned.device,
              " instructions", planned.backend_reason.empty() ? "" : " (" + planned.backend_reason + ")");
  if (planned.ranks > 1)
    print_row(out, "ranks", planned.ranks, " like this one, each with ",
              planned.average ? "frames of its own" : "a part of the lattice");
  if (planned.solver && planned.solver->solved_by == PbSolvedBy::apbs) print_solver(out, planned);
  out.flush();
}

void print_solvation_energy(std::ostream& out, const Result& result) {
  if (!result.solver || !result.solver->solvation_energy_kJ_mol) return;
  TextStream text;
  text << std::fixed << std::setprecision(1) << *result.solver->solvation_energy_kJ_mol << " kJ/mol";
  if (result.solver->solvation_energy_with_ions_kJ_mol)
    text << ", " << *result.solver->solvation_energy_with_ions_kJ_mol << " kJ/mol with the ions";
  print_row(out, "solvation", text.str());
}

void print_hydration(std::ostream& out, const Hydration& hydration) {
  print_row(out, "hydration", count_of(hydration.waters(), "water"), " around ",
            count_of(std::ssize(hydration.shells), "ion"), "; ", count_of(hydration.acceptors(), "acceptor"),
            " of the solute in the places of waters; ", grouped(hydration.left_out()),
            " left out for want of room");
}

void print_times(std::ostream& out, const Result& result) {
  TextStream text;
  text << std::fixed << std::setprecision(2) << result.timings_s.back().second << " s: ";
  for (std::size_t i = 0; i + 1 < result.timings_s.size(); ++i)
    text << (i == 0 ? "" : ", ") << result.timings_s[i].first << ' ' << result.timings_s[i].second;
  print_row(out, "time", text.str());
}

}  // namespace ionwell
