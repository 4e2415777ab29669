#include "jobs/box/prepare.hpp"

#include <algorithm>
#include <cstdint>

#include "core/chemistry/extra_particles.hpp"
#include "core/periodic/periodic_cell_list.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

/// What acts, where solvation put it.
Structure acting_structure(const Input& input, const std::vector<std::uint8_t>& in_box,
                           const Solvation& solvation) {
  Structure structure = input.structure;
  structure.cell = solvation.cell;
  std::size_t acting = 0, placed = 0;
  for (std::size_t i = 0; i < in_box.size(); ++i) {
    if (input.acts.empty() || input.acts[i])
      structure.atoms[acting++].position_A = solvation.solute[placed].position_A;
    placed += in_box[i];
  }
  return structure;
}

struct PointIon {
  Vec3<double> position_A;
  double charge_e = 0.0;
};

/// Those of one atom.
std::vector<PointIon> ions_among(const std::vector<Atom>& atoms) {
  std::vector<PointIon> ions;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const std::span<const Atom> members = std::span(atoms).subspan(begin, residue.end - begin);
    if (residue.kind == ResidueKind::ion && is_one_atom(members))
      ions.push_back({atoms[begin].position_A, net_charge_e(members)});
    begin = residue.end;
  }
  return ions;
}

}  // namespace

std::vector<std::uint8_t> atoms_in_box(const Input& input) {
  const std::span<const Atom> atoms = input.all_atoms();
  std::vector<std::uint8_t> in_box(atoms.size(), 1);
  for (std::size_t i = 0; i < input.ignored.size(); ++i) in_box[i] = !input.ignored[i];
  if (input.replaces_water) return in_box;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    for (; begin < residue.end; ++begin) in_box[begin] &= residue.kind != ResidueKind::water;
  }
  return in_box;
}

PreparedBox prepare_box(const Input& input, const SolvationOptions& options) {
  const std::vector<std::uint8_t> in_box = atoms_in_box(input);
  Structure all;
  all.path = input.structure.path;
  for (std::size_t i = 0; i < in_box.size(); ++i)
    if (in_box[i]) all.atoms.push_back(input.all_atoms()[i]);
  all.cell = input.structure.cell;
  Solvation solvation = solvate(all, options, links_of_kept(input.links, in_box));
  Structure structure = acting_structure(input, in_box, solvation);
  std::vector<Atom> atoms = solvation.solute;
  atoms.resize(std::size_t(solvation.atoms()));
  solvation.waters.make_atoms(0, {}, std::span(atoms).subspan(solvation.solute.size()));
  std::vector<std::string> warnings = solvation.warnings;
  return {std::move(solvation), std::move(atoms), std::move(structure), std::move(warnings)};
}

RemainingBox remaining_box(const PreparedBox& prepared, const Result& result) {
  const std::size_t solute = prepared.solvation.solute.size();
  RemainingBox remaining{{}, prepared.solvation.waters};
  if (!result.box) return remaining;
  std::vector<TiledWater>& molecules = remaining.waters.molecules;
  std::vector<std::uint8_t> stays(molecules.size(), 1);
  for (const BoxWater& water : result.box->replaced) {
    if (water.begin < solute)
      remaining.replaced.push_back({water.begin, water.end});
    else
      stays[(water.begin - solute) / remaining.waters.atoms_each()] = 0;
  }
  std::sort(remaining.replaced.begin(), remaining.replaced.end(),
            [](const AtomRange& a, const AtomRange& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (std::size_t n = 0; n < molecules.size(); ++n)
    if (stays[n]) molecules[kept++] = molecules[n];
  molecules.resize(kept);
  return remaining;
}

std::vector<std::string> pair_warnings(const PreparedBox& prepared, const Placement& placement) {
  constexpr double touching_A = 4.0;  // contact pairs of ions in water: Na-Cl 2.8 A, K-Cl 3.2, Cs-Cl 3.6
  std::vector<PointIon> ions = ions_among(prepared.structure.atoms);
  for (const PlacedIon& ion : placement.ions) ions.push_back({ion.position_A, ion.species.charge_e});
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(ions.size());
  for (const PointIon& ion : ions) positions_A.push_back(ion.position_A);
  const PeriodicCellList list(PeriodicCell(prepared.solvation.cell), positions_A, touching_A);
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < ions.size(); ++i)
    list.near(positions_A[i], touching_A, [&](std::uint32_t n, const Vec3<double>&) {
      pairs += n > i && ions[i].charge_e * ions[n].charge_e < 0.0;
    });
  if (pairs == 0) return {};
  return {count_of(pairs, "pair") + " of ions of opposite charge " + (pairs == 1 ? "is" : "are") +
          " within 4 A, as in a crystal; a larger --ion-ion keeps them apart"};
}

}  // namespace ionwell
