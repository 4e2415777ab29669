// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sample/sampling_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/checkpoint/saved_sum.hpp"
#include "compute/hand_over.hpp"
#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "core/text/text_stream.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/sample/computed_sample.hpp"
#include "jobs/sample/sampling_potential.hpp"
#include "jobs/sample/sampling_start.hpp"
#include "parallel/rank_group.hpp"
#include "parallel/thread_count.hpp"
#include "potential/request/temperature_warnings.hpp"
#include "sampling/image_table.hpp"
#include "sampling/solute_spheres.hpp"
#include "structures/selection/selection.hpp"

namespace ionwell {
namespace {

constexpr double units_of_M_per_A3 = avogadro_per_mol * 1e-27;

std::vector<AtomGroup> groups_of(const SamplingJob& job) {
  std::vector<AtomGroup> groups;
  for (const std::string& text : job.around) {
    const std::vector<std::uint8_t> selected = select(job.structure.atoms, text);
    AtomGroup& group = groups.emplace_back(AtomGroup{text, {}});
    for (std::size_t n = 0; n < selected.size(); ++n)
      if (selected[n] != 0) group.atoms.push_back(std::uint32_t(n));
    if (group.atoms.empty())
      fail<UsageError>("--around '", text,
                       "' selects no atom of the solute; 'ionwell info' shows its contents");
  }
  return groups;
}

IonModel model_of(const SamplingJob& job, const SamplingSpecies& species, const SamplingPotential& potential,
                  const PairPotential& pair) {
  IonModel model{.species = species.species,
                 .box = potential.box,
                 .boundary = job.boundary,
                 .repulsion = job.repulsion,
                 .pair = pair,
                 .images = {},
                 .field = potential.field,
                 .solute = {},
                 .simd = job.field.simd};
  validate(model);
  double largest_A = 0.0;
  for (const SampledSpecies& one : model.species) largest_A = std::max(largest_A, one.radius_A);
  model.solute = std::make_shared<SoluteSpheres>(job.structure.atoms, model.box, model.boundary,
                                                 model.repulsion, largest_A);
  if (model.boundary == SampleBoundary::periodic)
    model.images = std::make_shared<ImageTable>(model.box, pair, thread_count(job.field.threads), model.simd);
  return model;
}

/// Where a model is at odds with itself, though it can be sampled.
void warn_of_model(const SamplingJob& job, const SamplingResult& result,
                   const std::optional<ElectrostaticsOptions>& acting, std::vector<std::string>& warnings) {
  double charge_e = net_charge_e(job.structure.atoms);
  for (std::size_t s = 0; s < result.asked.size(); ++s)
    charge_e += double(result.asked[s]) * result.model.species[s].ion.charge_e;
  constexpr double whole_e = 0.01;
  const bool is_screened = acting && acting->ionic_strength_M.value_or(0.0) > 0.0;
  if (std::abs(charge_e) > whole_e && !job.salts.empty() && !is_screened)
    warnings.push_back("solute and ions of --ion have a net charge of " + charge_text(charge_e) +
                       " e, which neutral salt cannot change, so the box is not neutral; add --ion " +
                       (charge_e < 0.0 ? "NA" : "CL") + ":neutralize");
  if (is_screened && !job.salts.empty())
    warnings.push_back(
        "the ions of --salt move, and an ionic strength also screens the charges, so the salt counts twice; "
        "leave --ionic-strength out" +
        std::string(sums_charges(job) ? "" : " or use a potential without salt"));
  constexpr double tolerance_K = 1.0;
  if (job.sample.method == SampleMethod::brownian && job.diffusions_A2_ps.empty() &&
      std::abs(job.electrostatics.temperature_K - room_temperature_K) > tolerance_K)
    warnings.push_back(
        note("the diffusion constants of ions are those at 298.15 K; set others with --diffusion"));
}

/// Formula units of a salt that fill what of the box is not the solute's, by balls of its atoms and ions.
std::int64_t units_in(const IonModel& model, const BulkSalt& salt, std::uint64_t seed) {
  constexpr int trials = 2000;
  constexpr std::uint64_t stream = ~std::uint64_t{0};
  RandomStream random(seed, stream);
  const IonSet nothing(model, {});
  const Vec3<double> edge_A = model.box.highest_A - model.box.lowest_A;
  int open = 0;
  for (int n = 0; n < trials; ++n) {
    const double x = random.uniform(), y = random.uniform(), z = random.uniform();
    const Vec3<double> at_A = model.box.lowest_A + Vec3<double>{x * edge_A.x, y * edge_A.y, z * edge_A.z};
    open += nothing.repulsion_of({salt.anion, at_A}) < 1.0 ? 1 : 0;
  }
  return std::llround(units_of_M_per_A3 * salt.concentration_M * model.volume_A3() * open / trials);
}

void check_memory(const SamplingJob& job, const SamplingResult& result, const RankGroup* group) {
  const auto species = std::int64_t(result.model.species.size());
  std::int64_t cells = 0;
  if (job.observables.density_spacing_A)
    cells = density_cells(result.model.box, *job.observables.density_spacing_A).size();
  const std::int64_t samples = job.sample.length / job.sample.every;
  const std::int64_t series = 1 + species * (1 + std::int64_t(job.observables.within_A.size()));
  std::int64_t bytes =
      species * cells * 12 + 2 * std::int64_t(sizeof(double)) * samples * series * job.sample.replicas;
  if (group != nullptr)  // each has a field and cells
    bytes += (group->count_on_host() - 1) *
             (species * cells * 8 + result.potential.lattice.size() * std::int64_t(sizeof(float)));
  if (bytes > available_memory_bytes())
    fail("samples and densities of ", job.sample.replicas, " replicas take ", describe_bytes(bytes), ", and ",
         describe_bytes(available_memory_bytes()),
         " are free; use fewer --replicas, a larger --tune density-spacing or a larger --sample-every");
}

}  // namespace

std::string_view to_string(SampleStart start) {
  constexpr std::string_view names[] = {"greedy", "random", "file"};
  return names[std::size_t(start)];
}

void validate(const SamplingJob& job) {
  if (job.ions.empty() && job.salts.empty())
    fail<UsageError>(
        "--ion and --salt are missing; say which ions move, for example --ion NA:neutralize or "
        "--salt NaCl:0.15");
  validate(job.sample);
  if (job.sample.method == SampleMethod::brownian && job.repulsion == Repulsion::hard)
    fail<UsageError>(
        "hard spheres have no force, but --sampler bd needs one; use --repulsion soft, or --sampler mc");
  acting_ions(job);
  if (job.boundary == SampleBoundary::periodic) {
    if (!sums_charges(job))
      fail<UsageError>(
          "--boundary periodic sums the charges of the solute over all images; it cannot be used with --map "
          "or --pb");
    if (job.electrostatics.ddd_per_A)
      fail<UsageError>("--ddd cannot be used with --boundary periodic; leave one of them out");
    if (job.lattice.box || job.lattice.border_A)
      fail<UsageError>(job.lattice.box ? "--box" : "--wall-distance",
                       " is for --boundary open; a periodic box is set by --cell A,B,C");
  } else {
    if (job.cell) fail<UsageError>("--cell is for --boundary periodic; add that, or leave it out");
    if (job.lattice.border_A && !(*job.lattice.border_A >= 0.0))
      fail<UsageError>("--wall-distance is ", *job.lattice.border_A, " A; it must not be negative");
    validate(sampling_lattice(job));
  }
  if (job.electrostatics.ddd_per_A && !job.salts.empty())
    fail<UsageError>("--ddd has no solution that --salt could exchange ions with; leave one of them out");
  for (const double distance_A : job.observables.within_A)
    if (!(distance_A > 0.0 && distance_A <= 50.0))
      fail<UsageError>("--within has ", distance_A, " A; distances must be greater than 0 and at most 50");
  if (!(job.observables.radial_step_A > 0.0) ||
      !(job.observables.radial_reach_A >= job.observables.radial_step_A) ||
      !(job.observables.radial_reach_A <= 200.0) ||
      !(job.observables.radial_reach_A / job.observables.radial_step_A <= 1e5))
    fail<UsageError>("--rdf-reach ", job.observables.radial_reach_A, " A with bins of --tune rdf-step ",
                     job.observables.radial_step_A,
                     " A gives no distribution; 20 and 0.25 are common, and the reach is at most 200");
  if (job.bulk.sweeps < 100)
    fail<UsageError>("--tune bulk-sweeps is ", job.bulk.sweeps, "; it must be at least 100");
}

namespace {

SamplingResult sample_once(const SamplingJob& job, Stages& stages, const Backends& backends) {
  const SamplingSpecies species = sampling_species(job);
  const ActingIons acting = acting_ions(job);
  ObservableOptions observables = job.observables;
  observables.groups = groups_of(job);
  const int threads = thread_count(job.field.threads);
  // `run` tells of the structure itself, and of what it makes of the source.
  const bool is_told = job.boundary == SampleBoundary::open && !std::holds_alternative<MapFiles>(job.source);
  std::vector<std::string> warnings = job.warnings, of_potential;
  if (!is_told) {
    of_potential = temperature_warnings(job.electrostatics.temperature_K);
    of_potential.insert(of_potential.end(), job.structure.warnings.begin(), job.structure.warnings.end());
  }
  SamplingPotential potential = sampling_potential(job, stages, backends, of_potential);
  IonModel model = model_of(job, species, potential, acting.pair);
  const SimdLevel simd = model.simd == SimdLevel::automatic ? best_simd_level() : model.simd;
  SamplingResult result{
      .run = {.command = job.command, .device = std::string(to_string(simd)), .threads = threads},
      .structure = job.structure,
      .model = std::move(model),
      .potential = std::move(potential),
      .pair_description = acting.options ? describe_electrostatics(*acting.options) : "none",
      .asked = species.count,
      .salts = job.salts,
      .bulk = {},
      .salt_units_at_start = {},
      .options = job.sample,
      .observables = observables,
      .start = job.start,
      .start_path = job.start_path,
      .sample = {},
      .temperature_K = job.electrostatics.temperature_K};
  check_memory(job, result, backends.free_ranks());
  if (is_told)
    result.run.warnings = of_potential;
  else
    warnings.insert(warnings.begin(), of_potential.begin(), of_potential.end());
  warn_of_model(job, result, acting.options, warnings);
  const std::vector<MovingIon> first = first_ions(job, species, result.potential, stages, backends, warnings);
  warn(result.run, stages.observer(), warnings);

  std::vector<SaltBath> baths;
  if (!species.salts.empty()) {
    BulkOptions bulk = job.bulk;
    bulk.seed = job.sample.seed;
    bulk.threads = threads;
    result.bulk = stages.run("chemical potential", [&](const Progress& progress) {
      return bulk_baths(result.model, species.salts, bulk, progress);
    });
    for (const BulkBath& bath : result.bulk.baths) baths.push_back(bath.bath);
  }
  FirstIons begins{first, species.count};
  for (const BulkSalt& salt : species.salts) {
    const std::int64_t units = units_in(result.model, salt, job.sample.seed);
    result.salt_units_at_start.push_back(units);
    begins.count[salt.cation] += units * salt.cations;
    begins.count[salt.anion] += units * salt.anions;
  }
  SampleOptions options = job.sample;
  options.threads = threads;
  Checkpoint* const checkpoint = stages.checkpoint();
  SampleJob sample_job{.model = result.model,
                       .baths = baths,
                       .atoms = job.structure.atoms,
                       .observables = result.observables,
                       .start = [&](int, RandomStream& random) { return begins.in(result.model, random); },
                       .options = options,
                       .should_stop = job.should_stop,
                       .make_chains = {},
                       .note_use = {},
                       .make_mover = {},
                       .saving = {}};
  if (checkpoint != nullptr) {
    const SavedState* const resumed = checkpoint->resumed();
    if (resumed != nullptr && !is_saved_sum_alone(*resumed)) sample_job.resumed = resumed;
    sample_job.saving = [&](std::function<SavedState()> collect) {
      return std::make_shared<Checkpoint::Part>(checkpoint, std::move(collect), Checkpoint::Ending::by_run);
    };
  }
  ComputedSample computed = stages.run("sample", [&](const Progress& progress) {
    const auto take_samples = [&] {
      return computed_sample(sample_job, begins, job.backend, backends, progress);
    };
    if (checkpoint == nullptr) return take_samples();
    try {
      ComputedSample taken = checkpoint->guarding_resumed(take_samples);
      if (taken.sample.is_interrupted) checkpoint->save();
      return taken;
    } catch (...) {
      checkpoint->save();
      throw;
    }
  });
  if (!computed.warning.empty()) warn(result.run, stages.observer(), {computed.warning});
  result.sample = std::move(computed.sample);
  result.run.backend = computed.backend;
  result.run.backend_reason = std::move(computed.note);
  result.run.device_use = std::move(computed.use);
  result.run.ranks = computed.ranks;
  result.run.device_start_up_s = computed.start_up_s;
  if (result.run.backend != Backend::cpu) result.run.device = std::move(computed.device);
  constexpr double worth_telling = 1e-3;
  if (double(result.sample.cut_moves) > worth_telling * double(result.sample.moves))
    warn(result.run, stages.observer(),
         {grouped(result.sample.cut_moves) + " of " + grouped(result.sample.moves) +
          " moves were limited to 0.5 A because the forces were too strong; use a shorter --time-step"});
  update_costs(result.run, stages);
  return result;
}

}  // namespace

SamplingResult sample_ions(const SamplingJob& job, Stages& stages, const Backends& backends) {
  validate(job);
  return handing_over(job, [&](const SamplingJob& now) { return sample_once(now, stages, backends); });
}

}  // namespace ionwell
