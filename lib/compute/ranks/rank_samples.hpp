// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compute/ranks/rank_orders.hpp"
#include "core/large_array.hpp"
#include "electrostatics/interpolated/interpolation_nodes.hpp"
#include "sampling/first_ions.hpp"
#include "sampling/host_replicas.hpp"

/// Replicas of a sample that ranks share: what they are told, and what ranks other than the first do of it.
namespace ionwell {

/// Replicas of a rank, as even as they come: none of ranks that are too many, one at least of the first.
ReplicaRange replicas_of_rank(int replicas, int rank, int ranks);

enum class SampleStep : std::int32_t {
  start,        // the nodes of the field, where there is one, are sent to all then
  equilibrate,  // `last` sweeps
  begin,
  take,          // samples `first` to `last` - 1 of `all`
  end,           // what is known at the end is noted
  tell_records,  // the reply's text of `rank` has its records, and what its cells have counted since
  tell_state,    // and its replicas
  restore,       // of `rank`: its replicas and records are in the payload behind this
};

/// Begins the payload of RankTask::sample.
struct SampleOrder {
  SampleStep step = SampleStep::start;
  std::int64_t first = 0, last = 0, all = 0;
};

/// What ranks make their replicas from.
struct RankSampleJob {
  /// Of the nodes of the field all but the values, which are sent when the replicas are made.
  struct Nodes {
    LatticeGeometry lattice;
    ForceInterpolation interpolation = ForceInterpolation::trilinear;
    Vec3<std::int64_t> counts{};
    std::size_t values = 0;  // 0: there is no field
  };

  IonModel model;  // whose field, images and solute each rank makes
  Nodes nodes;
  std::vector<SaltBath> baths;
  std::vector<Atom> atoms;
  FirstIons first;
  ObservableOptions observables;
  SampleOptions options;
};

template <typename Message>
void transfer(Message& message, SampledSpecies& one) {
  message(one.ion.name, one.ion.element, one.ion.charge_e, one.radius_A, one.diffusion_A2_ps);
}
template <typename Message>
void transfer(Message& message, AtomGroup& group) {
  message(group.name, group.atoms);
}
template <typename Message>
void transfer(Message& message, RankSampleJob& job) {
  IonModel& model = job.model;
  ObservableOptions& observables = job.observables;
  message(model.species, model.box, model.boundary, model.repulsion, model.pair, model.simd, job.nodes,
          job.baths, job.atoms, job.first.given, job.first.count, observables.density_spacing_A,
          observables.within_A, observables.groups, observables.radial_reach_A, observables.radial_step_A,
          job.options);
}

/// `simd` is what they compute by.
RankSampleJob rank_sample_job(const SampleJob& job, const FirstIons& first, SimdLevel simd);

/// Numbers of a state as a message has them: whole ones, and others.
using StateNumbers = std::pair<std::vector<std::int64_t>, std::vector<double>>;
StateNumbers numbers_of(StateWriter&& state);

class ReceivedState {
 public:
  explicit ReceivedState(MessageReader& message);
  StateReader reader() const { return {saved_, name}; }
  static constexpr const char* name = "state of another rank";

 private:
  SavedState saved_;
};

/// Records of replicas in a state, with what is noted at the end.
void save_records(StateWriter& state, std::span<const ReplicaRecord> records);
void restore_records(StateReader& state, std::span<ReplicaRecord> records, std::size_t species);

/// A rank's replicas, on its processors.
class RankSamples {
 public:
  /// Throws UsageError when this processor lacks the instructions of the first rank's.
  RankSamples(RankGroup& group, RankSampleJob job);
  RankSamples(const RankSamples&) = delete;
  RankSamples& operator=(const RankSamples&) = delete;

  /// What RankTask::sample says, in `order` and in its payload; what it asks for goes to `text`.
  void follow(const RankOrder& order, MessageReader payload, MessageWriter& text);

 private:
  void start();
  void tell_records(MessageWriter& text);
  void tell_state(MessageWriter& text) const;
  void restore(MessageReader& message);

  RankGroup& group_;
  RankSampleJob given_;
  LargeArray<float> nodes_;  // until it starts
  SampleJob job_;            // refers to what was given
  std::optional<Measurements> measurements_;
  std::optional<HostReplicas> replicas_;
  std::vector<ReplicaRecord> records_;
  CellCounts cells_;
};

}  // namespace ionwell
