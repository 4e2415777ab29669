// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/box/ions_at_sites.hpp"

#include <algorithm>
#include <cmath>

#include "core/cell_list.hpp"
#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "jobs/place/job/hydration_report.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/run.hpp"
#include "parallel/thread_count.hpp"
#include "solvation/hydration/coordination.hpp"
#include "solvation/hydration/hydrate.hpp"
#include "solvation/water_model.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr std::string_view site_segment = "SITE";  // so that no atom of the files is in their residues

Atom site_atom(std::string_view residue, std::string_view name, std::string_view element, int number,
               const Vec3<double>& at_A, double charge_e) {
  return {.position_A = at_A,
          .charge_e = charge_e,
          .name = name,
          .residue = residue,
          .segment = site_segment,
          .residue_number = number,
          .element = element};
}

/// What is said of salts that have a hydrated ion, too: their ions replace waters, and get no shell.
std::vector<std::string> salt_warnings(const SiteStage& stage) {
  std::vector<std::string> warnings;
  for (const HydrationRequest& request : stage.hydration.requests)
    for (const SaltRequest& salt : stage.salts)
      if (salt.cation.element == request.ion->element)
        warnings.push_back("--hydrate " + request.name + " puts waters around the " + request.name +
                           " at sites only: the " + request.name + " of --salt " + salt.text +
                           " replace waters, and have other waters around them");
  return warnings;
}

/// What keeps a water of the crystal away.
struct Keeper {
  Vec3<double> position_A;
  double from_oxygen_A = 0.0, from_all_A = 0.0;  // nearer, a water is in the way
};

/// A shell is full: what is nearer than its waters and a bit is in their place. A bare ion takes waters of a
/// crystal as its shell.
std::vector<Keeper> keepers_of(const Result& sites) {
  constexpr double beyond_shell_A = 1.0, from_bare_A = 1.9;   // as ShellEnergy has it for cations
  constexpr double oxygen_oxygen_A = 2.43, touching_A = 1.5;  // the first as ShellEnergy has it
  std::vector<Keeper> keepers;
  for (const PlacedIon& ion : sites.placement.ions)
    keepers.push_back({ion.position_A, from_bare_A, from_bare_A});
  if (!sites.hydration) return keepers;
  for (const IonShell& shell : sites.hydration->shells) {
    Keeper& ion = keepers[shell.ion];
    if (const Coordination* const known = coordination_of(sites.placement.ions[shell.ion].species.element))
      ion.from_oxygen_A = known->distance_A + beyond_shell_A;
    for (const ShellWater& water : shell.waters)
      for (std::size_t atom = 0; atom < water.size(); ++atom)
        keepers.push_back({water[atom], atom == 0 ? oxygen_oxygen_A : touching_A, touching_A});
  }
  return keepers;
}

}  // namespace

HydrationOptions shells_at_sites(const std::vector<std::string>& requests,
                                 const std::vector<IonRequest>& at_sites, const std::string& water) {
  constexpr std::size_t rigid_triangle = 3;
  HydrationOptions options;
  const WaterModel& model = water_model(water);
  if (model.sites == rigid_triangle) options.water = model.name;
  for (const std::string& text : requests) {
    options.requests.push_back(parse_hydration_request(text));
    const HydrationRequest& request = options.requests.back();
    const auto is_same = [&](const HydrationRequest& other) { return other.ion == request.ion; };
    if (std::count_if(options.requests.begin(), options.requests.end(), is_same) > 1)
      fail<UsageError>("--hydrate ", text, ": this ion is given twice; give it once");
    if (std::none_of(at_sites.begin(), at_sites.end(), [&](const IonRequest& ion) {
          return ion.species.element == request.ion->element && ion.species.charge_e > 0.0;
        }))
      fail<UsageError>("--hydrate ", text, ": ", request.name,
                       " is not placed by --model sites, and ions that replace waters are surrounded by "
                       "water already; leave it out");
  }
  return options;
}

Result place_at_sites(const Structure& acting, const SiteStage& stage, Stages& stages,
                      const Backends& backends) {
  SiteOptions sites = stage.sites;
  sites.method = Method::multilevel;  // what is written does not depend on which method is faster here
  const Job job{.structure = acting,
                .ions = stage.ions,
                .source = sites,
                .electrostatics = {},
                .update = {},
                .lattice = {},
                .exclusion = {},
                .backend = stage.backend,
                .field = stage.field,
                .box = {},
                .command = stage.command};
  Result result = run(job, stages, backends);
  if (stage.hydration.requests.empty()) return result;
  result.hydration = stages.run("hydration", [&](const Progress& progress) {
    const std::optional<PeriodicCell> cell = distance_cell(job);
    return hydrate(acting.atoms, result.placement.ions, stage.hydration,
                   {.cell = cell ? &*cell : nullptr, .threads = thread_count(job.field.threads)}, progress);
  });
  warn(result.run, stages.observer(), hydration_warnings(*result.hydration, {}));
  warn(result.run, stages.observer(), salt_warnings(stage));
  return result;
}

std::optional<std::string> too_few_at_sites(const Result& sites) {
  const std::int64_t placed = std::ssize(sites.placement.ions);
  if (placed == sites.placement.requested) return {};
  return "only " + grouped(placed) + " of " + count_of(sites.placement.requested, "ion") +
         " could be placed at sites; request fewer";
}

std::vector<Atom> atoms_at_sites(const Result& sites) {
  std::vector<Atom> atoms;
  int number = 0;
  for (const PlacedIon& ion : sites.placement.ions) {
    const std::string& name = ion.species.element.empty() ? ion.species.name : ion.species.element;
    atoms.push_back(
        site_atom(name, name, ion.species.element, ++number, ion.position_A, ion.species.charge_e));
  }
  if (!sites.hydration) return atoms;
  const WaterModel& model = water_model(sites.hydration->water);
  for (const IonShell& shell : sites.hydration->shells)
    for (const ShellWater& water : shell.waters) {
      ++number;
      atoms.push_back(site_atom("HOH", "O", "O", number, water[0], -2.0 * model.hydrogen_e));
      atoms.push_back(site_atom("HOH", "H1", "H", number, water[1], model.hydrogen_e));
      atoms.push_back(site_atom("HOH", "H2", "H", number, water[2], model.hydrogen_e));
    }
  return atoms;
}

void move_to(std::span<const Atom> atoms, Result& sites) {
  auto atom = atoms.begin();
  for (PlacedIon& ion : sites.placement.ions) ion.position_A = (atom++)->position_A;
  if (!sites.hydration) return;
  for (IonShell& shell : sites.hydration->shells)
    for (ShellWater& water : shell.waters)
      for (Vec3<double>& position_A : water) position_A = (atom++)->position_A;
}

std::int64_t take_out_waters_at_sites(const System& files, const Result& sites,
                                      std::vector<std::uint8_t>& in_box) {
  if (in_box.empty()) return 0;
  const std::vector<Keeper> keepers = keepers_of(sites);
  std::vector<Vec3<double>> positions_A;
  double reach_A = 0.0;
  for (const Keeper& keeper : keepers) {
    positions_A.push_back(keeper.position_A);
    reach_A = std::max({reach_A, keeper.from_oxygen_A, keeper.from_all_A});
  }
  const CellList list(positions_A, reach_A);
  const auto is_in_the_way = [&](const Atom& atom) {
    const bool is_oxygen = element_of(atom) == "O";
    bool found = false;
    list.near({atom.position_A, atom.position_A}, reach_A, [&](std::uint32_t n) {
      const double limit_A = is_oxygen ? keepers[n].from_oxygen_A : keepers[n].from_all_A;
      found = found || distance_squared(keepers[n].position_A, atom.position_A) < limit_A * limit_A;
    });
    return found;
  };
  std::int64_t taken = 0;
  const std::vector<Atom> atoms = files.atoms_of_files();
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const auto stays = [&](std::size_t i) { return files.roles()[i] == AtomRole::stays && in_box[i] != 0; };
    if (residue.kind == ResidueKind::water && stays(residue.begin) &&
        std::any_of(atoms.begin() + std::ptrdiff_t(residue.begin),
                    atoms.begin() + std::ptrdiff_t(residue.end), is_in_the_way)) {
      std::fill(in_box.begin() + std::ptrdiff_t(residue.begin), in_box.begin() + std::ptrdiff_t(residue.end),
                std::uint8_t(0));
      ++taken;
    }
    begin = residue.end;
  }
  return taken;
}

}  // namespace ionwell
