// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sample/sampling_start.hpp"

#include <algorithm>

#include "core/chemistry/ion_diffusion.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/run.hpp"
#include "jobs/sample/sampling_potential.hpp"
#include "structures/formats/pdb_sites.hpp"

namespace ionwell {
namespace {

/// The same ion under two names is one species.
bool is_same(const IonSpecies& a, const IonSpecies& b) {
  if (a.charge_e != b.charge_e) return false;
  return a.element.empty() ? a.name == b.name : a.element == b.element;
}

bool is_named(const IonSpecies& ion, const std::string& name) {
  if (ion.name == name) return true;
  const KnownIon* const known = find_ion(name);
  return known != nullptr && known->element == ion.element && known->charge_e == ion.charge_e;
}

std::optional<double> property_of(const IonSpecies& ion, const IonProperties& properties) {
  for (const auto& [name, value] : properties)
    if (is_named(ion, name)) return value;
  return {};
}

void check_names(const char* option, const IonProperties& properties,
                 const std::vector<SampledSpecies>& species) {
  for (const auto& [name, value] : properties)
    if (std::none_of(species.begin(), species.end(),
                     [&name = name](const SampledSpecies& one) { return is_named(one.ion, name); }))
      fail<UsageError>(option, ' ', name, ':', value, ": there is no ion ", name,
                       " in this run; leave it out, or request it with --ion or --salt");
}

std::uint32_t species_number(const IonSpecies& ion, SamplingSpecies& all) {
  const auto found = std::find_if(all.species.begin(), all.species.end(),
                                  [&](const SampledSpecies& species) { return is_same(species.ion, ion); });
  if (found == all.species.end()) {
    all.species.push_back({ion});
    all.count.push_back(0);
    return std::uint32_t(all.species.size() - 1);
  }
  return std::uint32_t(found - all.species.begin());
}

std::vector<MovingIon> placed_ions(const SamplingJob& job, const SamplingSpecies& species,
                                   const SamplingPotential& potential, Stages& stages,
                                   const Backends& backends, std::vector<std::string>& warnings) {
  std::vector<IonRequest> requests;
  for (std::size_t s = 0; s < species.species.size(); ++s)
    if (species.count[s] > 0) requests.push_back({species.species[s].ion, species.count[s]});
  if (requests.empty()) return {};
  SourceOptions source = job.source;
  // One solution for all of them: this is where they begin, and no more.
  if (auto* pb = std::get_if<PbOptions>(&source)) pb->every = 1'000'000;
  IonUpdate update = job.update;
  if (update.rule == Update::automatic) update.rule = Update::debye_hueckel;
  LatticeRequest lattice{.spacing_A = potential.lattice.spacing_A.x, .border_A = {}, .box = potential.box};
  if (std::holds_alternative<MapFiles>(job.source)) lattice = job.lattice;
  Job start{.structure = job.structure,
            .ions = requests,
            .source = source,
            .electrostatics = sums_charges(job) ? summed_electrostatics(job) : job.electrostatics,
            .update = update,
            .lattice = lattice,
            .exclusion = {},
            .backend = job.backend,
            .field = job.field,
            .box = {},
            .hydration = {},
            .command = job.command,
            .warnings = {},
            .map_names = {},
            .hands_over = false};
  if (job.boundary == SampleBoundary::open) start.boundary = Boundary::open;
  start.field.refine = repeats(start);  // sums over images are in double precision anyway
  // Its warnings are those of the potential, which was told of.
  Stages quiet(RunObserver{.stage = stages.observer().stage});
  const Result placed = stages.run("start", [&](const Progress&) { return run(start, quiet, backends); });
  std::vector<MovingIon> ions;
  for (const PlacedIon& ion : placed.placement.ions)
    for (std::size_t s = 0; s < species.species.size(); ++s)
      if (is_same(species.species[s].ion, ion.species)) ions.push_back({std::uint32_t(s), ion.position_A});
  if (std::ssize(ions) < placed.placement.requested)
    warnings.push_back(note(count_of(placed.placement.requested - std::ssize(ions), "ion") + " of " +
                            grouped(placed.placement.requested) +
                            " could not be placed by energy and started at random positions"));
  return ions;
}

std::vector<MovingIon> ions_of_file(const SamplingJob& job, SamplingSpecies species, const Box& box) {
  std::vector<MovingIon> ions;
  // All atoms: those that are no ions may be a solute's.
  const PdbSites file = read_pdb_sites(job.start_path, SiteChoice::all);
  for (const PdbSite& site : file.sites) {
    const std::string name(site.residue.view());
    const auto found = std::find_if(species.species.begin(), species.species.end(),
                                    [&](const SampledSpecies& one) { return is_named(one.ion, name); });
    if (found == species.species.end() && find_ion(name) == nullptr) continue;
    if (found == species.species.end())
      fail(job.start_path, ": there is a ", name,
           " in it, but this run has no such ion; request it with --ion or --salt, or remove it from the "
           "file");
    const Vec3<double>& p = site.position_A;
    const bool is_inside = !(extended(box, p) != box);
    if (!is_inside && job.boundary == SampleBoundary::open)
      fail(job.start_path, ": ", name, ' ', site.residue_number, " is at ", p.x, ' ', p.y, ' ', p.z,
           " A, outside the box ", box, " A; give a larger --wall-distance or --box");
    ions.push_back({std::uint32_t(found - species.species.begin()), p});
  }
  if (ions.empty())
    fail(job.start_path, ": holds ", count_of(std::ssize(file.sites), "atom"),
         " and no ion of this run; give a PDB file of ions from 'ionwell place' or 'ionwell sample'");
  for (std::size_t s = 0; s < species.species.size(); ++s) {
    const auto there =
        std::count_if(ions.begin(), ions.end(), [s](const MovingIon& ion) { return ion.species == s; });
    if (there > species.count[s] && job.salts.empty())
      fail(job.start_path, ": there are ", there, ' ', species.species[s].ion.name,
           " in it, but --ion requests ", species.count[s], "; use the same number in both");
  }
  return ions;
}

}  // namespace

SamplingSpecies sampling_species(const SamplingJob& job) {
  SamplingSpecies all;
  for (const IonRequest& request : job.ions) {
    const std::uint32_t s = species_number(request.species, all);
    all.count[s] += request.count;
  }
  for (const SaltRequest& salt : job.salts) {
    const std::uint32_t cation = species_number(salt.cation, all), anion = species_number(salt.anion, all);
    all.salts.push_back({cation, anion, salt.cations, salt.anions, salt.concentration_M});
  }
  check_names("--ion-radius", job.radii_A, all.species);
  check_names("--diffusion", job.diffusions_A2_ps, all.species);
  for (SampledSpecies& species : all.species) {
    const IonSpecies& ion = species.ion;
    const std::optional<double> radius_A = property_of(ion, job.radii_A),
                                known_A = ionic_radius_A(ion.element, ion.charge_e);
    if (!radius_A && !known_A)
      fail<UsageError>("the radius of ", ion.name, " is not known; give it in A, for example --ion-radius ",
                       ion.name, ":2.0");
    species.radius_A = radius_A ? *radius_A : *known_A;
    species.diffusion_A2_ps = property_of(ion, job.diffusions_A2_ps)
                                  .value_or(ion_diffusion_A2_ps(ion.element, ion.charge_e).value_or(0.0));
  }
  return all;
}

std::vector<MovingIon> first_ions(const SamplingJob& job, const SamplingSpecies& species,
                                  const SamplingPotential& potential, Stages& stages,
                                  const Backends& backends, std::vector<std::string>& warnings) {
  switch (job.start) {
    case SampleStart::greedy:
      return placed_ions(job, species, potential, stages, backends, warnings);
    case SampleStart::file:
      return ions_of_file(job, species, potential.box);
    default:
      return {};
  }
}

}  // namespace ionwell
