// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/sampling/chains_on_device.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "gpu/electrostatics/forces/packed_nodes.hpp"
#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sampling/chain_kernels.cuh"
#include "parallel/parallel_for.hpp"
#include "sampling/image_table.hpp"
#include "sampling/solute_spheres.hpp"

namespace ionwell::gpu {
namespace {

Vec3<double> middle_of(const Box& box) {
  return 0.5 * (box.lowest_A + box.highest_A);
}

/// The solute's spheres in the order of their cells.
class SpheresOnDevice {
 public:
  SpheresOnDevice(const SoluteSpheres* solute, const Vec3<double>& middle_A, cudaStream_t stream) {
    if (solute == nullptr || solute->spheres().empty()) return;
    std::vector<float4> sorted;
    sorted.reserve(solute->numbers().size());
    for (const std::uint32_t n : solute->numbers()) {
      const SoluteSpheres::Sphere& sphere = solute->spheres()[n];
      const Vec3<double> at_A = sphere.centre_A - middle_A;
      sorted.push_back({float(at_A.x), float(at_A.y), float(at_A.z), float(sphere.radius_A)});
    }
    spheres_ = DeviceBuffer<float4>(sorted, stream, "the solute's spheres");
    first_ = DeviceBuffer<std::uint32_t>(solute->first(), stream, "the solute's spheres");
    check(cudaStreamSynchronize(stream), "copying the solute's spheres");
  }

  void describe(const SoluteSpheres* solute, const Vec3<double>& middle_A, ModelOnDevice* model) const {
    if (first_.size() == 0) return;
    const CellGrid& grid = solute->grid();
    const Vec3<double> low_A = grid.box.lowest_A - middle_A;
    model->spheres = spheres_.data();
    model->first = first_.data();
    const double low[3] = {low_A.x, low_A.y, low_A.z},
                 edge[3] = {grid.edge_A.x, grid.edge_A.y, grid.edge_A.z};
    const std::int64_t counts[3] = {grid.counts.x, grid.counts.y, grid.counts.z};
    for (int axis = 0; axis < 3; ++axis) {
      model->spheres_low_A[axis] = float(low[axis]);
      model->cells_per_A[axis] = float(1.0 / edge[axis]);
      model->cells[axis] = int(counts[axis]);
    }
  }

 private:
  DeviceBuffer<float4> spheres_;
  DeviceBuffer<std::uint32_t> first_;
};

void describe_species(const ChainProblem& problem, ModelOnDevice* model) {
  const double dt_ps = problem.dynamics != nullptr ? problem.dynamics->time_step_ps : 0.0;
  model->species_count = int(problem.model.species.size());
  for (std::size_t s = 0; s < problem.model.species.size(); ++s) {
    const SampledSpecies& species = problem.model.species[s];
    const double drift_A2 = species.diffusion_A2_ps * dt_ps;
    model->species[s] = {float(species.ion.charge_e), float(species.radius_A), float(drift_A2),
                         float(std::sqrt(2.0 * drift_A2))};
  }
  const double volume_A3 = problem.model.volume_A3();
  model->bath_count = int(problem.baths.size());
  for (std::size_t b = 0; b < problem.baths.size(); ++b) {
    const SaltBath& bath = problem.baths[b];
    model->baths[b] = {int(bath.cation),
                       int(bath.anion),
                       bath.cations,
                       bath.anions,
                       std::log(bath.cation_per_A3 * volume_A3),
                       std::log(bath.anion_per_A3 * volume_A3),
                       bath.excess_kT};
  }
}

class ChainsOnDevice final : public DeviceChains {
 public:
  ChainsOnDevice(int ordinal, const ChainProblem& problem)
      : scope_(ordinal, ordinal),
        threads_(problem.threads),
        replicas_(int(problem.starts.size())),
        capacity_(std::max<std::int64_t>(1, chain_capacity(problem))),
        kind_(problem.model.pair.kind),
        is_periodic_(problem.model.images != nullptr),
        is_dynamics_(problem.dynamics != nullptr),
        box_(problem.model.box),
        middle_A_(middle_of(box_)),
        species_(problem.model.species.size()),
        spheres_(problem.model.solute.get(), middle_A_, stream_) {
    constexpr std::int64_t most = 1 << 24;
    if (capacity_ > most) fail("a GPU samples up to ", most, " ions; use --backend cpu");
    describe(problem);
    copy_starts(problem);
    choose_launches();
    scope_.close();
  }
  ~ChainsOnDevice() override { scope_.open_if_possible(); }

  void equilibrate(std::int64_t sweeps) override {
    const DeviceScope scope = scope_.enter();
    StageTimer timer("equilibration", stream_);
    launch_monte_carlo({.each = 1, .samples = int(sweeps), .adapts = true});
    timer.stop();
    check_room();
  }

  std::vector<ChainSnapshot> now() override {
    const DeviceScope scope = scope_.enter();
    launch_monte_carlo({.each = 0, .samples = 0, .adapts = false});
    const std::vector<float4> ions = ions_.to_host(stream_);
    const std::vector<ChainState> states = states_.to_host(stream_);
    std::vector<ChainSnapshot> snapshots(states.size());
    for (std::size_t r = 0; r < states.size(); ++r)
      snapshots[r] = {ions_of(&ions[r * std::size_t(capacity_)], states[r].ions), states[r].energy_kT,
                      states[r].energy_kT - states[r].bath_kT};
    return snapshots;
  }

  void start_samples(int samples, std::int64_t every) override {
    const DeviceScope scope = scope_.enter();
    const std::size_t count = std::size_t(samples) * std::size_t(replicas_);
    if (counts_.size() < count) {
      sampled_ions_ = DeviceBuffer<float4>();  // first, so that both need not fit
      sampled_ions_ = DeviceBuffer<float4>(count * std::size_t(capacity_), "samples");
      counts_ = DeviceBuffer<int>(count, "samples");
      energies_kT_ = DeviceBuffer<double2>(count, "samples");
    }
    started_ = count;
    timer_.emplace("samples", stream_);
    const ChainPlan plan{.each = every, .samples = samples, .adapts = false};
    if (is_dynamics_)
      launch_dynamics(plan);
    else
      launch_monte_carlo(plan);
  }

  void collect(std::vector<ChainSnapshot>& to) override {
    const DeviceScope scope = scope_.enter();
    timer_->stop();
    timer_.reset();
    std::vector<float4> ions(started_ * std::size_t(capacity_));
    std::vector<int> counts(started_);
    std::vector<double2> energies_kT(started_);
    sampled_ions_.copy_to(ions, stream_);
    counts_.copy_to(counts, stream_);
    energies_kT_.copy_to(energies_kT, stream_);
    check_room();
    to.resize(started_);
    parallel_for({threads_}, std::int64_t(started_), [&](std::int64_t sample) {
      const auto n = std::size_t(sample);
      to[n] = {ions_of(&ions[n * std::size_t(capacity_)], counts[n]), energies_kT[n].x, energies_kT[n].y};
    });
  }

  std::vector<ChainCounts> counts() override {
    const DeviceScope scope = scope_.enter();
    std::vector<ChainCounts> counts;
    for (const ChainState& state : states_.to_host(stream_)) {
      ChainCounts& of_replica = counts.emplace_back();
      for (std::size_t m = 0; m < move_kinds; ++m)
        of_replica.tallies[m] = {state.tried[m], state.accepted[m]};
      of_replica.steps_A.assign(state.step_A, state.step_A + species_);
      of_replica.cut_moves = state.cut_moves;
      of_replica.largest_drift_kT = state.drift_kT;
    }
    return counts;
  }

  std::vector<std::int64_t> state() override {
    const DeviceScope scope = scope_.enter();
    const std::vector<ChainState> states = states_.to_host(stream_);
    const std::vector<float4> ions = ions_.to_host(stream_);
    std::vector<std::int64_t> words(state_words());
    std::memcpy(words.data(), states.data(), states.size() * sizeof(ChainState));
    std::memcpy(words.data() + states.size() * chain_words, ions.data(), ions.size() * sizeof(float4));
    return words;
  }

  void restore(const std::vector<std::int64_t>& state) override {
    if (state.size() != state_words()) fail<DamagedState>("the saved state of replicas has another size");
    std::vector<ChainState> states(std::size_t(replicas_), ChainState{});
    std::vector<float4> ions(ions_.size());
    std::memcpy(states.data(), state.data(), states.size() * sizeof(ChainState));
    std::memcpy(ions.data(), state.data() + states.size() * chain_words, ions.size() * sizeof(float4));
    check_restored(states, ions);
    const DeviceScope scope = scope_.enter();
    states_.copy_from(states, stream_);
    ions_.copy_from(ions, stream_);
    check(cudaStreamSynchronize(stream_), "copying ions");
  }

  DeviceUse use() const override { return scope_.meter()->use(); }

 private:
  static constexpr std::size_t chain_words = sizeof(ChainState) / sizeof(std::int64_t),
                               ion_words = sizeof(float4) / sizeof(std::int64_t);
  static_assert(sizeof(ChainState) % sizeof(std::int64_t) == 0);

  std::size_t state_words() const { return std::size_t(replicas_) * chain_words + ions_.size() * ion_words; }

  /// What kernels use as numbers of something must be some.
  void check_restored(const std::vector<ChainState>& states, const std::vector<float4>& ions) const {
    const auto require = [](bool is_fine) {
      if (!is_fine) fail<DamagedState>("the saved state of replicas is invalid");
    };
    for (std::size_t r = 0; r < states.size(); ++r) {
      const ChainState& state = states[r];
      require(state.ions >= 0 && state.ions <= capacity_ && state.moves_a_sweep > 0);
      std::vector<int> seen(species_);
      for (int n = 0; n < state.ions; ++n) {
        const int species = std::bit_cast<int>(ions[r * std::size_t(capacity_) + std::size_t(n)].w);
        require(species >= 0 && std::size_t(species) < species_);
        ++seen[std::size_t(species)];
      }
      require(std::equal(seen.begin(), seen.end(), state.count_of));
    }
  }

  void describe(const ChainProblem& problem) {
    const IonModel& model = problem.model;
    model_.is_soft = model.repulsion == Repulsion::soft;
    if (model.field) {
      const InterpolationNodes& nodes = *model.field->nodes();
      field_ = PackedNodes({nodes.values.data(), nodes.values.size()}, nodes.counts, stream_);
      model_.field = field_.quads();
      model_.frame = cell_frame(nodes.lattice);
      model_.is_cubic = nodes.interpolation == ForceInterpolation::cubic_spline;
    }
    const Vec3<double> half_A = model.box.highest_A - middle_A_;
    const double half[3] = {half_A.x, half_A.y, half_A.z},
                 middle[3] = {middle_A_.x, middle_A_.y, middle_A_.z};
    for (int axis = 0; axis < 3; ++axis) {
      model_.half_A[axis] = float(half[axis]);
      model_.middle_A[axis] = middle[axis];
      model_.image_points_per_A[axis] = float((image_points - 1) / half[axis]);
    }
    if (is_periodic_) {
      images_ = PackedNodes(model.images->values_kT_e(), {image_points, image_points, image_points}, stream_);
      model_.images = images_.quads();
      model_.own_images_kT_e = float(model.images->of_own_images_kT_e());
    }
    spheres_.describe(model.solute.get(), middle_A_, &model_);
    model_.prefactor = float(model.pair.prefactor);
    model_.kappa_per_A = float(model.pair.kappa_per_A);
    model_.seed[0] = std::uint32_t(problem.seed);
    model_.seed[1] = std::uint32_t(problem.seed >> 32);
    describe_species(problem, &model_);
  }

  void copy_starts(const ChainProblem& problem) {
    const float longest_A = std::min({model_.half_A[0], model_.half_A[1], model_.half_A[2]});
    std::vector<float4> ions(std::size_t(replicas_) * std::size_t(capacity_));
    std::vector<ChainState> states(problem.starts.size());
    const auto inside = [](double x_A, float half_A) { return std::clamp(float(x_A), -half_A, half_A); };
    for (std::size_t r = 0; r < states.size(); ++r) {
      const std::vector<MovingIon>& start = problem.starts[r];
      ChainState& state = states[r];
      state.ions = int(start.size());
      state.moves_a_sweep = std::max(1, state.ions);
      std::fill_n(state.step_A, species_, std::min(2.0f, longest_A));
      for (std::size_t n = 0; n < start.size(); ++n) {
        const Vec3<double> at_A = start[n].position_A - middle_A_;
        float4& ion = ions[r * std::size_t(capacity_) + n];
        ion = {inside(at_A.x, model_.half_A[0]), inside(at_A.y, model_.half_A[1]),
               inside(at_A.z, model_.half_A[2]), std::bit_cast<float>(int(start[n].species))};
        ++state.count_of[start[n].species];
      }
    }
    ions_ = DeviceBuffer<float4>(ions, stream_, "ions");
    states_ = DeviceBuffer<ChainState>(states, stream_, "ions");
    check(cudaStreamSynchronize(stream_), "copying ions");
  }

  /// How many threads work for a replica, and where its ions are meanwhile.
  void choose_launches() {
    int device = 0, most_shared = 0;
    check(cudaGetDevice(&device), "asking for the device");
    check(cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "asking for the memory of a thread block");
    shared_limit_ = std::size_t(most_shared) - sizeof(ChainShared) - 1024;
    const auto most_ions = double(capacity_);
    while (monte_carlo_threads_ < most_monte_carlo_threads && 4 * monte_carlo_threads_ < most_ions)
      monte_carlo_threads_ *= 2;
    if (!is_dynamics_) return;
    constexpr double enough_threads = 300'000;  // to fill a large device
    while (lanes_ < 32 && 2.0 * lanes_ * most_ions * replicas_ <= enough_threads) lanes_ *= 2;
    dynamics_threads_ =
        int(std::clamp<std::int64_t>((capacity_ * lanes_ + 31) / 32 * 32, 32, most_chain_threads));
    if (2 * ion_bytes() > shared_limit_) next_ions_ = DeviceBuffer<float4>(ions_.size(), "ions");
  }

  std::size_t ion_bytes() const { return std::size_t(capacity_) * sizeof(float4); }

  template <typename Kernel, typename... Arguments>
  void launch(Kernel* kernel, int threads, std::size_t bytes, ChainPlan plan, Arguments... arguments) {
    plan.capacity = int(capacity_);
    plan.in_shared = bytes <= shared_limit_;
    plan.lanes = lanes_;
    const std::size_t shared_bytes = plan.in_shared ? bytes : 0;
    constexpr std::size_t usual_bytes = 32 << 10;
    if (shared_bytes > usual_bytes)
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared_bytes)),
            "asking for shared memory");
    kernel<<<unsigned(replicas_), unsigned(threads), shared_bytes, stream_>>>(
        model_, plan, states_.data(), ions_.data(), arguments...,
        SamplesOnDevice{sampled_ions_.data(), counts_.data(), energies_kT_.data()});
    check_launch("moving ions");
  }

  void launch_monte_carlo(const ChainPlan& plan) {
    visit([&]<Kind kind, bool periodic>() {
      launch(run_monte_carlo<kind, periodic>, monte_carlo_threads_, ion_bytes(), plan);
    });
  }

  void launch_dynamics(const ChainPlan& plan) {
    visit([&]<Kind kind, bool periodic>() {
      launch(run_dynamics<kind, periodic>, dynamics_threads_, 2 * ion_bytes(), plan, next_ions_.data());
    });
  }

  /// Calls use with the kind of pair potential and whether the box is periodic, as template arguments.
  template <typename Use>
  void visit(const Use& use) {
    const auto with = [&]<Kind kind>() {
      if (is_periodic_)
        use.template operator()<kind, true>();
      else
        use.template operator()<kind, false>();
    };
    if (kind_ == Kind::coulomb)
      with.template operator()<Kind::coulomb>();
    else if (kind_ == Kind::distance_dependent)
      use.template operator()<Kind::distance_dependent, false>();  // which is not periodic
    else
      with.template operator()<Kind::debye_hueckel>();
  }

  void check_room() {
    for (const ChainState& state : states_.to_host(stream_))
      if (state.is_full)
        fail("a replica came to ", capacity_,
             " ions, more than twice as many as at the start, and the GPU has no room for more; use "
             "--backend cpu");
  }

  std::vector<MovingIon> ions_of(const float4* from, int count) const {
    std::vector<MovingIon> ions(std::size_t(std::max(count, 0)));
    for (std::size_t n = 0; n < ions.size(); ++n)
      ions[n] = {std::bit_cast<std::uint32_t>(from[n].w),
                 nearest_in(box_, middle_A_ + Vec3<double>{from[n].x, from[n].y, from[n].z})};
    return ions;
  }

  FieldScope scope_;
  Stream stream_;
  int threads_, replicas_;
  std::int64_t capacity_;  // of each replica
  Kind kind_;
  bool is_periodic_, is_dynamics_;
  Box box_;
  Vec3<double> middle_A_;
  std::size_t species_;
  SpheresOnDevice spheres_;
  PackedNodes field_, images_;
  ModelOnDevice model_{};
  DeviceBuffer<float4> ions_, next_ions_;
  DeviceBuffer<ChainState> states_;
  std::size_t shared_limit_ = 0;
  int monte_carlo_threads_ = 32, dynamics_threads_ = 32, lanes_ = 1;
  DeviceBuffer<float4> sampled_ions_;
  DeviceBuffer<int> counts_;
  DeviceBuffer<double2> energies_kT_;
  std::size_t started_ = 0;  // samples of all replicas
  std::optional<StageTimer> timer_;
};

}  // namespace

std::unique_ptr<DeviceChains> chains_on_device(int ordinal, ChainProblem problem) {
  check_for_device(problem);
  return std::make_unique<ChainsOnDevice>(ordinal, problem);
}

}  // namespace ionwell::gpu
