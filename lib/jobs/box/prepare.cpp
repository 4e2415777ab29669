#include "jobs/box/prepare.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/chemistry/extra_particles.hpp"
#include "core/periodic/periodic_cell_list.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

/// What solvation made of the solute, which is those of the files that are `in_box`, and the waters added,
/// which stay.
System system_in_box(const System& files, std::span<const std::uint8_t> in_box, const Solvation& solvation) {
  SystemParts parts{.whole = {.path = files.acting().path,
                              .atoms = {},
                              .warnings = files.acting().warnings,
                              .composition = files.acting().composition,
                              .cell = solvation.cell}};
  std::vector<Atom>& atoms = parts.whole.atoms;
  atoms.reserve(std::size_t(solvation.atoms()));
  atoms = solvation.solute;
  parts.roles.reserve(std::size_t(solvation.atoms()));
  for (std::size_t i = 0; i < in_box.size(); ++i)
    if (in_box[i]) parts.roles.push_back(files.roles()[i]);
  parts.roles.resize(atoms.size(), AtomRole::acts);
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

}  // namespace

std::vector<std::uint8_t> atoms_in_box(const System& files) {
  return files.has_role({AtomRole::acts, AtomRole::stays});
}

PreparedBox prepare_box(const System& files, const SolvationOptions& options) {
  const std::vector<std::uint8_t> in_box = atoms_in_box(files);
  Structure solute{.path = files.acting().path, .atoms = files.atoms_of_files(), .cell = files.acting().cell};
  if (!in_box.empty())
    solute.atoms = atoms_with(solute.atoms, files.roles(), {AtomRole::acts, AtomRole::stays});
  Solvation solvation = solvate(solute, options, links_of_kept(files.links(), in_box));
  System system = system_in_box(files, in_box, solvation);
  std::vector<std::string> warnings = solvation.warnings;
  return {std::move(solvation), std::move(system), std::move(warnings)};
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
