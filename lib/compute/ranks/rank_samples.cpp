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

RankSampleJob rank_sample_job(const SampleJob& job, const FirstIons& first, SimdLevel simd) {
  RankSampleJob of_ranks{.model = job.model,
                         .nodes = {},
                         .baths = job.baths,
                         .atoms = {job.atoms.begin(), job.atoms.end()},
                         .first = first,
                         .observables = job.observables,
                         .options = job.options};
  of_ranks.model.simd = simd;
  if (job.model.field == nullptr) return of_ranks;
  const InterpolationNodes& nodes = *job.model.field->nodes();
  of_ranks.nodes = {nodes.lattice, nodes.interpolation, nodes.counts, nodes.values.size()};
  return of_ranks;
}

StateNumbers numbers_of(StateWriter&& state) {
  SavedState saved;
  const std::string name = ReceivedState::name;
  state.move_to(saved, name);
  return {saved.get<std::int64_t>(name + ": whole numbers"), saved.get<double>(name + ": numbers")};
}

ReceivedState::ReceivedState(MessageReader& message) {
  auto numbers = message.value<StateNumbers>();
  saved_.put(std::string(name) + ": whole numbers", std::move(numbers.first));
  saved_.put(std::string(name) + ": numbers", std::move(numbers.second));
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

RankSamples::RankSamples(RankGroup& group, RankSampleJob job)
    : group_(group),
      given_(std::move(job)),
      job_{.model = given_.model,
           .baths = given_.baths,
           .atoms = given_.atoms,
           .observables = given_.observables,
           .start = [this](int, RandomStream& random) { return given_.first.in(given_.model, random); },
           .options = given_.options,
           .should_stop = {},
           .make_chains = {},
           .note_use = {},
           .make_mover = {},
           .saving = {}} {
  check_instructions(given_.model.simd);
  nodes_ = LargeArray<float>(given_.nodes.values);
  job_.options.threads = own_threads(job_.options.threads);
}

void RankSamples::start() {
  IonModel& model = given_.model;
  if (nodes_.size() > 0) {
    group_.broadcast(std::as_writable_bytes(std::span(nodes_.data(), nodes_.size())));
    const RankSampleJob::Nodes& nodes = given_.nodes;
    model.field = std::make_shared<LatticeField>(
        InterpolationNodes{nodes.lattice, nodes.interpolation, nodes.counts, std::move(nodes_)});
  }
  model.solute = std::make_shared<SoluteSpheres>(given_.atoms, model.box, model.boundary, model.repulsion,
                                                 largest_radius_A(model));
  if (model.boundary == SampleBoundary::periodic)
    model.images = std::make_shared<ImageTable>(model.box, model.pair, job_.options.threads, model.simd);
  measurements_.emplace(model, given_.atoms, job_.observables);
  const ReplicaRange range = replicas_of_rank(job_.options.replicas, group_.rank(), group_.count());
  records_.assign(std::size_t(range.count), {.observed = Observed(*measurements_, job_.options.blocks)});
  cells_ = measurements_->no_counts();
  replicas_.emplace(job_, *measurements_, range);
}

void RankSamples::tell_records(MessageWriter& text) {
  StateWriter state;
  save_records(state, records_);
  text(numbers_of(std::move(state)));
  for (std::vector<std::uint64_t>& counts : cells_) {
    text(counts);
    std::fill(counts.begin(), counts.end(), 0);
  }
}

void RankSamples::tell_state(MessageWriter& text) const {
  StateWriter state;
  replicas_->save(state);
  text(numbers_of(std::move(state)));
}

void RankSamples::restore(MessageReader& message) {
  const ReceivedState replicas(message), records(message);
  StateReader of_replicas = replicas.reader(), of_records = records.reader();
  replicas_->restore(of_replicas);
  restore_records(of_records, records_, given_.model.species.size());
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
