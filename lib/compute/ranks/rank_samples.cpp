// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_samples.hpp"

#include <algorithm>
#include <utility>

#include "compute/ranks/rank_shares.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "sampling/image_table.hpp"
#include "sampling/lattice_field.hpp"
#include "sampling/solute_spheres.hpp"

namespace ionwell {
namespace {

void write_model(MessageWriter& message, const IonModel& model, SimdLevel simd) {
  message << std::uint64_t(model.species.size());
  for (const SampledSpecies& one : model.species)
    message << one.ion.name << one.ion.element << one.ion.charge_e << one.radius_A << one.diffusion_A2_ps;
  message << model.box << model.boundary << model.repulsion << model.pair << simd;
}

/// All of it but the field, images and solute.
IonModel read_model(MessageReader& message) {
  IonModel model;
  for (auto left = message.value<std::uint64_t>(); left > 0; --left) {
    SampledSpecies& one = model.species.emplace_back();
    one.ion.name = message.text();
    one.ion.element = message.text();
    one.ion.charge_e = message.value<double>();
    one.radius_A = message.value<double>();
    one.diffusion_A2_ps = message.value<double>();
  }
  model.box = message.value<Box>();
  model.boundary = message.value<SampleBoundary>();
  model.repulsion = message.value<Repulsion>();
  model.pair = message.value<PairPotential>();
  model.simd = message.value<SimdLevel>();
  return model;
}

void write_observables(MessageWriter& message, const ObservableOptions& observables) {
  message << observables.density_spacing_A << std::span(observables.within_A)
          << std::uint64_t(observables.groups.size());
  for (const AtomGroup& group : observables.groups) message << group.name << std::span(group.atoms);
  message << observables.radial_reach_A << observables.radial_step_A;
}

ObservableOptions read_observables(MessageReader& message) {
  ObservableOptions observables;
  observables.density_spacing_A = message.value<std::optional<double>>();
  observables.within_A = message.values<double>();
  for (auto left = message.value<std::uint64_t>(); left > 0; --left) {
    AtomGroup& group = observables.groups.emplace_back();
    group.name = message.text();
    group.atoms = message.values<std::uint32_t>();
  }
  observables.radial_reach_A = message.value<double>();
  observables.radial_step_A = message.value<double>();
  return observables;
}

/// Room for the nodes that will be sent.
std::optional<InterpolationNodes> read_node_header(MessageReader& message) {
  if (!message.value<bool>()) return {};
  InterpolationNodes nodes;
  nodes.lattice = message.value<LatticeGeometry>();
  nodes.interpolation = message.value<ForceInterpolation>();
  nodes.counts = message.value<Vec3<std::int64_t>>();
  nodes.values = LargeArray<float>(message.value<std::size_t>());
  return nodes;
}

void write_node_header(MessageWriter& message, const FieldAtPoints* field) {
  message << (field != nullptr);
  if (field == nullptr) return;
  const InterpolationNodes& nodes = *field->nodes();
  message << nodes.lattice << nodes.interpolation << nodes.counts << nodes.values.size();
}

/// Sums in vectors are others on another kind of processor.
void check_instructions(SimdLevel level) {
  const SimdLevel best = best_simd_level();
  if (level > best)
    fail<UsageError>("this processor has no ", to_string(level),
                     " instructions, but that of the first rank does; use --tune simd=", to_string(best),
                     ", so that all ranks compute the same way");
}

double largest_radius_A(const IonModel& model) {
  double largest_A = 0.0;
  for (const SampledSpecies& one : model.species) largest_A = std::max(largest_A, one.radius_A);
  return largest_A;
}

}  // namespace

ReplicaRange replicas_of_rank(int replicas, int rank, int ranks) {
  const auto from = [&](std::int64_t n) {
    return int((std::int64_t(replicas) * n + ranks - 1) / ranks);  // the first has more, where it is uneven
  };
  return {from(rank), from(rank + 1) - from(rank)};
}

MessageWriter& write_sample_job(MessageWriter& message, const SampleJob& job, const FirstIons& first,
                                SimdLevel simd) {
  write_model(message, job.model, simd);
  write_node_header(message, job.model.field.get());
  message << std::span<const SaltBath>(job.baths) << job.atoms << std::span<const MovingIon>(first.given)
          << std::span<const std::int64_t>(first.count);
  write_observables(message, job.observables);
  return message << job.options;
}

MessageWriter& operator<<(MessageWriter& message, StateWriter&& state) {
  SavedState saved;
  const std::string name = ReceivedState::name;
  state.move_to(saved, name);
  return message << std::span(saved.get<std::int64_t>(name + ": whole numbers"))
                 << std::span(saved.get<double>(name + ": numbers"));
}

ReceivedState::ReceivedState(MessageReader& message) {
  saved_.put(std::string(name) + ": whole numbers", message.values<std::int64_t>());
  saved_.put(std::string(name) + ": numbers", message.values<double>());
}

void save_records(StateWriter& state, std::span<const ReplicaRecord> records) {
  for (const ReplicaRecord& record : records) {
    record.save(state);
    save(state, record.tallies);
    state.put(record.steps_A);
    state.put(record.cut_moves);
  }
}

void restore_records(StateReader& state, std::span<ReplicaRecord> records, std::size_t species) {
  for (ReplicaRecord& record : records) {
    record.restore(state, species);
    restore(state, record.tallies);
    record.steps_A = state.numbers();
    record.cut_moves = state.count();
  }
}

RankSamples::RankSamples(RankGroup& group, MessageReader message)
    : group_(group),
      model_(read_model(message)),
      nodes_(read_node_header(message)),
      job_{.model = model_,
           .baths = message.values<SaltBath>(),
           .atoms = {},
           .observables = {},
           .start = [this](int, RandomStream& random) { return first_.in(model_, random); },
           .options = {},
           .should_stop = {},
           .make_chains = {},
           .note_use = {},
           .make_mover = {},
           .saving = {}} {
  check_instructions(model_.simd);
  atoms_ = message.values<Atom>();
  job_.atoms = atoms_;
  first_.given = message.values<MovingIon>();
  first_.count = message.values<std::int64_t>();
  job_.observables = read_observables(message);
  job_.options = message.value<SampleOptions>();
  job_.options.threads = own_threads(job_.options.threads);
}

void RankSamples::start() {
  if (nodes_) {
    group_.broadcast(std::as_writable_bytes(std::span(nodes_->values.data(), nodes_->values.size())));
    model_.field = std::make_shared<LatticeField>(std::move(*nodes_));
    nodes_.reset();
  }
  model_.solute = std::make_shared<SoluteSpheres>(atoms_, model_.box, model_.boundary, model_.repulsion,
                                                  largest_radius_A(model_));
  if (model_.boundary == SampleBoundary::periodic)
    model_.images = std::make_shared<ImageTable>(model_.box, model_.pair, job_.options.threads, model_.simd);
  measurements_.emplace(model_, atoms_, job_.observables);
  const ReplicaRange range = replicas_of_rank(job_.options.replicas, group_.rank(), group_.count());
  records_.assign(std::size_t(range.count), {.observed = Observed(*measurements_, job_.options.blocks)});
  cells_ = measurements_->no_counts();
  replicas_.emplace(job_, *measurements_, range);
}

void RankSamples::tell_records(MessageWriter& text) {
  StateWriter state;
  save_records(state, records_);
  text << std::move(state);
  for (std::vector<std::uint64_t>& counts : cells_) {
    text << std::span<const std::uint64_t>(counts);
    std::fill(counts.begin(), counts.end(), 0);
  }
}

void RankSamples::tell_state(MessageWriter& text) const {
  StateWriter state;
  replicas_->save(state);
  text << std::move(state);
}

void RankSamples::restore(MessageReader& message) {
  const ReceivedState replicas(message), records(message);
  StateReader of_replicas = replicas.reader(), of_records = records.reader();
  replicas_->restore(of_replicas);
  restore_records(of_records, records_, model_.species.size());
}

void RankSamples::follow(const RankOrder& order, MessageReader payload, MessageWriter& text) {
  const auto what = payload.value<SampleOrder>();
  const bool is_for_this = order.rank == group_.rank();
  switch (what.step) {
    case SampleStep::start:
      return start();
    case SampleStep::equilibrate:
      return replicas_->equilibrate(what.last);
    case SampleStep::begin:
      return replicas_->begin_samples(records_);
    case SampleStep::take:
      return replicas_->take_samples(what.first, what.last, what.all, records_, cells_);
    case SampleStep::end:
      return replicas_->end_samples(records_);
    case SampleStep::tell_records:
      if (is_for_this) tell_records(text);
      return;
    case SampleStep::tell_state:
      if (is_for_this) tell_state(text);
      return;
    case SampleStep::restore:
      if (is_for_this) restore(payload);
      return;
  }
}

}  // namespace ionwell
