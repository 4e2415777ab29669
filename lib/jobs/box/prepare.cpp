// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/box/prepare.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/chemistry/extra_particles.hpp"
#include "core/periodic/periodic_cell_list.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "jobs/box/ions_at_sites.hpp"

namespace ionwell {
namespace {

/// What solvation made of the solute: those of the files that are in the box, then ions at sites, which act,
/// and the waters around them and those added, which stay.
System system_in_box(const System& files, const PreparedBox& prepared) {
  const Solvation& solvation = prepared.solvation;
  const std::vector<std::uint8_t>& in_box = prepared.in_box;
  SystemParts parts{.whole = {.path = files.acting().path,
                              .atoms = {},
                              .composition = files.acting().composition,
                              .cell = solvation.cell}};
  if (!prepared.sites) parts.whole.warnings = files.acting().warnings;  // ions at sites have given them
  std::vector<Atom>& atoms = parts.whole.atoms;
  atoms.reserve(std::size_t(solvation.atoms()));
  atoms = solvation.solute;
  parts.roles.reserve(std::size_t(solvation.atoms()));
  for (std::size_t i = 0; i < in_box.size(); ++i)
    if (in_box[i]) parts.roles.push_back(files.roles()[i]);
  const std::size_t ions = prepared.sites ? prepared.sites->placement.ions.size() : 0;
  parts.roles.resize(prepared.of_files + ions, AtomRole::acts);
  atoms.resize(std::size_t(solvation.atoms()));
  parts.roles.resize(atoms.size(), AtomRole::stays);
  solvation.waters.make_atoms(0, {}, std::span(atoms).subspan(solvation.solute.size()));
  return System(std::move(parts));
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

/// Takes out the waters that ions replaced; those of the solution begin behind `solute` atoms.
void take_replaced(const BoxResult& box, std::size_t solute, RemainingBox& remaining) {
  std::vector<TiledWater>& molecules = remaining.waters.molecules;
  std::vector<std::uint8_t> stays(molecules.size(), 1);
  for (const BoxWater& water : box.replaced) {
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
}

/// Puts the waters around ions at sites in front, in the geometry of the box's water.
void add_shells(const Result& sites, Waters& waters) {
  if (!sites.hydration) return;
  std::vector<TiledWater> shells;
  for (const IonShell& shell : sites.hydration->shells)
    for (const ShellWater& water : shell.waters)
      shells.push_back(waters.tiles.added(water[0], water[1], water[2]));
  waters.molecules.insert(waters.molecules.begin(), shells.begin(), shells.end());
}

}  // namespace

std::vector<std::uint8_t> atoms_in_box(const System& files) {
  return files.has_role({AtomRole::acts, AtomRole::stays});
}

PreparedBox prepare_box(const System& files, const SolvationOptions& options, std::optional<Result> sites) {
  std::vector<std::uint8_t> in_box = atoms_in_box(files);
  const std::int64_t replaced = sites ? take_out_waters_at_sites(files, *sites, in_box) : 0;
  Structure solute{.path = files.acting().path, .atoms = files.atoms_of_files(), .cell = files.acting().cell};
  if (!in_box.empty()) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < in_box.size(); ++i)
      if (in_box[i] != 0) solute.atoms[kept++] = solute.atoms[i];
    solute.atoms.resize(kept);
  }
  SolvationOptions around = options;
  const std::size_t of_files = solute.atoms.size();
  if (sites) {
    if (!options.accept_bulk_water) refuse_bulk_water(solute);
    around.accept_bulk_water = true;  // shells are none
    const std::vector<Atom> added = atoms_at_sites(*sites);
    solute.atoms.insert(solute.atoms.end(), added.begin(), added.end());
  }
  PreparedBox prepared{.solvation = solvate(solute, around, links_of_kept(files.links(), in_box)),
                       .in_box = std::move(in_box),
                       .sites = std::move(sites),
                       .of_files = of_files};
  if (prepared.sites) {
    move_to(std::span(prepared.solvation.solute).subspan(of_files), *prepared.sites);
    if (prepared.sites->hydration)
      prepared.sites->hydration->water = prepared.solvation.waters.tiles.model().name;
  }
  prepared.system = system_in_box(files, prepared);
  prepared.warnings = prepared.solvation.warnings;
  if (replaced > 0)
    prepared.warnings.push_back(note(count_of(replaced, "water") + " of the input " +
                                     (replaced == 1 ? "is" : "are") + " left out, because " +
                                     (replaced == 1 ? "it overlaps" : "they overlap") +
                                     " ions at sites or the waters around them"));
  return prepared;
}

RemainingBox remaining_box(const PreparedBox& prepared, const Result& result) {
  RemainingBox remaining{{}, prepared.solvation.waters};
  if (result.box) take_replaced(*result.box, prepared.solvation.solute.size(), remaining);
  if (prepared.sites) add_shells(*prepared.sites, remaining.waters);
  return remaining;
}

std::vector<std::string> pair_warnings(const PreparedBox& prepared, const Placement& placement) {
  constexpr double touching_A = 4.0;  // contact pairs of ions in water: Na-Cl 2.8 A, K-Cl 3.2, Cs-Cl 3.6
  std::vector<PointIon> ions = ions_among(prepared.system.acting().atoms);
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
