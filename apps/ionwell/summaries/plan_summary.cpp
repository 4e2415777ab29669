// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/plan_summary.hpp"

#include <iomanip>

#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "potential/request/describe_potential.hpp"

namespace ionwell {

std::string command_text(const std::string& command, const std::vector<std::string>& words) {
  std::string text = "ionwell " + command;
  for (const std::string& word : words) text += ' ' + shell_word(word);
  return text;
}

std::string where_the_lattice_is(LatticeOn place) {
  if (place == LatticeOn::host) return ", a part at a time; the lattice is in host memory";
  return place == LatticeOn::devices ? ", each with a part of the lattice" : "";
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

void print_plan(std::ostream& out, const LatticePotential& planned) {
  print_structure(out, planned.structure, CellUse::unused);
  print_lattice(out, planned.potential.lattice);
  print_electrostatics(out, planned.potential);
  print_row(out, "method", describe_method(planned.potential));
  print_computed_on(out, planned.run, where_the_lattice_is(planned.run.lattice_on));
  print_ranks(out, planned.run, "a part of the lattice");
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

}  // namespace ionwell
