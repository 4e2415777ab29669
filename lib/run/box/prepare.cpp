#include "run/box/prepare.hpp"

#include <cmath>
#include <cstdio>

#include "core/periodic/periodic_cell_list.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

std::string one_decimal(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", x);
  return text;
}

/// What acts, where solvation put it.
Structure acting_structure(const Input& input, const Solvation& solvation) {
  Structure structure = input.structure;
  structure.cell = solvation.cell;
  std::size_t at = 0;
  for (std::size_t i = 0; i < solvation.solute.size(); ++i)
    if (input.acts.empty() || input.acts[i])
      structure.atoms[at++].position_A = solvation.solute[i].position_A;
  return structure;
}

std::vector<std::string> box_warnings(const Solvation& solvation, const PreparationOptions& options) {
  std::vector<std::string> warnings = solvation.warnings;
  if (solvation.own_image_A < options.cutoff_A)
    warnings.push_back("the solute is " + one_decimal(solvation.own_image_A) +
                       " A from its own image, nearer than a cutoff of " + one_decimal(options.cutoff_A) +
                       " A; a larger --padding or --cell keeps them apart");
  const double charge_e = net_charge_e(solvation.solute);
  constexpr double whole_e = 0.01;
  if (std::abs(charge_e - std::round(charge_e)) > whole_e)
    warnings.push_back(
        "the solute's charge of " + charge_text(charge_e) +
        " e is not a whole number, and no ions make the box neutral; are atoms missing, or is an end of a "
        "chain without its terminal residue?");
  return warnings;
}

}  // namespace

PreparedBox prepare_box(const Input& input, const PreparationOptions& options) {
  Structure all;
  all.path = input.structure.path;
  all.atoms.assign(input.all_atoms().begin(), input.all_atoms().end());
  all.cell = input.structure.cell;
  PreparedBox prepared{.solvation = solvate(all, options.solvation)};
  const Solvation& solvation = prepared.solvation;
  prepared.structure = acting_structure(input, solvation);
  prepared.warnings = box_warnings(solvation, options);
  const std::size_t solute = solvation.solute.size();
  prepared.atoms = solvation.solute;
  prepared.atoms.resize(std::size_t(solvation.atoms()));
  solvation.waters.make_atoms(0, {.names = options.water_names}, std::span(prepared.atoms).subspan(solute));
  const WaterModel& model = solvation.waters.tiles.model();
  const std::vector<WaterSite> sites = model.geometry();
  for (std::size_t i = solute; i < prepared.atoms.size(); ++i)
    prepared.atoms[i].charge_e = sites[(i - solute) % sites.size()].charge_e;
  return prepared;
}

std::vector<std::string> pair_warnings(const Placement& placement, const PeriodicCell& cell) {
  constexpr double touching_A = 4.0;  // contact pairs of ions in water: Na-Cl 2.8 A, K-Cl 3.2, Cs-Cl 3.6
  std::vector<Vec3<double>> ions_A;
  for (const PlacedIon& ion : placement.ions) ions_A.push_back(ion.position_A);
  const PeriodicCellList list(cell, ions_A, touching_A);
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < ions_A.size(); ++i)
    list.near(ions_A[i], touching_A, [&](std::uint32_t n, const Vec3<double>&) {
      pairs += n > i && placement.ions[i].species.charge_e * placement.ions[n].species.charge_e < 0.0;
    });
  if (pairs == 0) return {};
  return {count_of(pairs, "pair") + " of ions of opposite charge " + (pairs == 1 ? "is" : "are") +
          " within 4 A, as in a crystal; a larger --ion-ion keeps them apart"};
}

}  // namespace ionwell
