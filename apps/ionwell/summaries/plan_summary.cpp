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
#include "jobs/average/average_report.hpp"
#include "jobs/place/job/report.hpp"
#include "programs/apbs_files.hpp"

namespace ionwell {
namespace {

/// What there is to say of it: nothing when it is on one GPU.
std::string where_the_lattice_is(LatticeOn place) {
  if (place == LatticeOn::host) return ", a part at a time; the lattice is in host memory";
  return place == LatticeOn::devices ? ", each with a part of the lattice" : "";
}

CellUse cell_use(const Result& planned) {
  if (planned.potential.is_periodic) return CellUse::images;
  if (planned.distances_repeat) return CellUse::distances;
  if (!planned.box) return CellUse::unused;
  return planned.box->boundary == Boundary::periodic ? CellUse::periodic : CellUse::open;
}

void print_solver(std::ostream& out, const PotentialRecord& planned) {
  const double seconds = apbs_seconds(planned.lattice) * double(planned.solver->solves);
  print_row(out, "solver", describe_bytes(apbs_bytes(planned.lattice)), " of memory, perhaps ",
            describe_duration(seconds), " on two cores");
}

void print_electrostatics(std::ostream& out, const PotentialRecord& planned) {
  if (planned.imported)
    for (const std::string& path : planned.imported->paths) print_row(out, "potential", path);
  else
    print_row(out, "electrostatics", describe_electrostatics(planned.electrostatics));
}

void print_ranks(std::ostream& out, const RunRecord& planned, const std::string& what_each_has) {
  if (planned.ranks > 1) print_row(out, "ranks", planned.ranks, " like this one, each with ", what_each_has);
}

}  // namespace

std::string command_text(const std::string& command, const std::vector<std::string>& words) {
  std::string text = "ionwell " + command;
  for (const std::string& word : words) text += ' ' + shell_word(word);
  return text;
}

void print_plan(std::ostream& out, const LatticePotential& planned) {
  print_structure(out, planned.structure, CellUse::unused);
  print_lattice(out, planned.potential.lattice);
  print_electrostatics(out, planned.potential);
  print_row(out, "method", describe_method(planned.potential));
  print_computed_on(out, planned.run, where_the_lattice_is(planned.run.lattice_on));
  print_ranks(out, planned.run, "a part of the lattice");
  out.flush();
}

void print_plan(std::ostream& out, const AverageResult& planned) {
  const bool is_periodic = planned.potential.is_periodic;
  print_structure(out, planned.preparation->structure(), is_periodic ? CellUse::images : CellUse::unused);
  print_lattice(out, planned.potential.lattice);
  print_electrostatics(out, planned.potential);
  print_row(out, "method", describe_method(planned));
  print_computed_on(out, planned.run, where_the_lattice_is(planned.run.lattice_on));
  print_ranks(out, planned.run, "frames of its own");
  out.flush();
}

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
                                           : "nothing, but keep their distance");
  print_row(out, "method", planned.exclusion ? describe_placement(planned) : describe_method(planned));
  print_computed_on(out, planned.run, planned.box ? "" : where_the_lattice_is(planned.run.lattice_on));
  print_ranks(out, planned.run, "a part of the lattice");
  if (potential.solver && potential.solver->solved_by == PbSolvedBy::apbs) print_solver(out, potential);
  out.flush();
}

void print_solvation_energy(std::ostream& out, const PotentialRecord& potential) {
  const std::optional<PoissonBoltzmann>& solver = potential.solver;
  if (!solver || !solver->solvation_energy_kJ_mol) return;
  TextStream text;
  text << std::fixed << std::setprecision(1) << *solver->solvation_energy_kJ_mol << " kJ/mol";
  if (solver->solvation_energy_with_ions_kJ_mol)
    text << ", " << *solver->solvation_energy_with_ions_kJ_mol << " kJ/mol with the ions";
  print_row(out, "solvation", text.str());
}

void print_hydration(std::ostream& out, const Hydration& hydration) {
  print_row(out, "hydration", count_of(hydration.waters(), "water"), " around ",
            count_of(std::ssize(hydration.shells), "ion"), "; ", count_of(hydration.acceptors(), "acceptor"),
            " of the solute in the places of waters; ", grouped(hydration.left_out()),
            " left out for want of room");
}

}  // namespace ionwell
