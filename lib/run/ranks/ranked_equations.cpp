#include "run/ranks/ranked_equations.hpp"

#include <algorithm>
#include <exception>
#include <type_traits>
#include <utility>

#include "electrostatics/poisson_boltzmann/solver/host_vectors.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "run/ranks/rank_equations.hpp"

namespace ionwell {

class RankedPbVectors final : public PbVectors {
 public:
  RankedPbVectors(std::shared_ptr<RankedEquations> equations, PbSystem& system,
                  const PbSolverOptions& options)
      : equations_(std::move(equations)),
        system_(system),
        threads_(thread_count(options.threads)),
        planes_(planes_of_ranks(shares_of_ranks(system.lattice, group().count(), owner()), system.lattice)),
        number_(equations_->made_++) {
    make_parts(options);
    try {
      send_coefficients({0, int(system.lattice.counts.z)});
      vectors_ = together(EquationStep::make_vectors, [&] {
        const bool is_nonlinear = options.equation == PbEquation::nonlinear;
        if (owner() != nullptr)
          return owner()->shared_pb_vectors(equations_->place_.device, system, is_nonlinear, group());
        return shared_host_vectors(system, is_nonlinear, options.simd, thread_count(options.threads), group(),
                                   equations_->workspace_);
      });
    } catch (...) {
      drop();
      throw;
    }
  }

  ~RankedPbVectors() override { drop(); }
  RankedPbVectors(const RankedPbVectors&) = delete;
  RankedPbVectors& operator=(const RankedPbVectors&) = delete;

  void update(const PointBox& changed) override {
    send_coefficients({int(changed.low.z), int(changed.high.z) + 1});
    MessageWriter message;
    message << changed;
    together(
        EquationStep::update, [&] { vectors_->update(changed); }, message.bytes());
  }

  double load() override {
    is_in_fp64_ = false;
    return together(EquationStep::load, [&] {
      for (int rank = 1; rank < group().count(); ++rank) {
        const LevelPlanes& planes = planes_[std::size_t(rank)];
        send(system_.charge_e, {planes.first, planes.first + planes.count}, rank);
        send(system_.boundary_kT_e, {planes.first, planes.first + planes.count}, rank);
      }
      return vectors_->load();
    });
  }

  double compute_residual() override {
    return together(EquationStep::compute_residual, [&] { return vectors_->compute_residual(); });
  }
  void linearise() override {
    together(EquationStep::linearise, [&] { vectors_->linearise(); });
  }
  void start_gradients() override {
    together(EquationStep::start_gradients, [&] { vectors_->start_gradients(); });
  }
  double iterate() override {
    return together(EquationStep::iterate, [&] { return vectors_->iterate(); });
  }
  void add_correction() override {
    together(EquationStep::add_correction, [&] { vectors_->add_correction(); });
  }
  void add_newton_step() override {
    together(EquationStep::add_newton_step, [&] { vectors_->add_newton_step(); });
  }
  std::int64_t points_beyond_cap() override {
    return together(EquationStep::points_beyond_cap, [&] { return vectors_->points_beyond_cap(); });
  }

  void store() override {
    together(EquationStep::store, [&] {
      vectors_->store();
      if (owner() != nullptr) return collect_from_devices();
      for (int rank = 1; rank < group().count(); ++rank)
        group().receive(std::as_writable_bytes(own_planes(std::span(system_.boundary_kT_e), rank)), rank);
    });
  }

  std::span<const double> values_kT_e() const override {
    if (!is_in_fp64_) return {};
    return {equations_->potential_kT_e_.data(), system_.boundary_kT_e.size()};
  }

 private:
  RankGroup& group() const { return equations_->orders_.group(); }
  const DeviceBackend* owner() const { return equations_->place_.owner; }

  /// As one device has it, which is in fp64; the system's is made of that.
  void collect_from_devices() {
    LargeArray<double>& potential_kT_e = equations_->potential_kT_e_;
    const std::size_t size = system_.boundary_kT_e.size();
    if (potential_kT_e.size() < size) {
      potential_kT_e = {};
      potential_kT_e = LargeArray<double>(size);
    }
    const std::span<double> whole(potential_kT_e.data(), size);
    copy_own_planes(*owner(), *vectors_, planes_.front(), own_planes(whole, 0));
    for (int rank = 1; rank < group().count(); ++rank)
      group().receive(std::as_writable_bytes(own_planes(whole, rank)), rank);
    is_in_fp64_ = true;
    parallel_for({threads_}, std::ssize(whole), [&](std::int64_t p) {
      system_.boundary_kT_e[std::size_t(p)] = float(whole[std::size_t(p)]);
    });
  }

  void make_parts(const PbSolverOptions& options) {
    RankEquation equation;
    equation.system.lattice = system_.lattice;
    equation.system.ions = system_.ions;
    equation.system.bjerrum_A = system_.bjerrum_A;
    equation.solver = options;
    equation.backend = equations_->place_.options;
    equation.backend.backend = owner() != nullptr ? owner()->kind() : Backend::cpu;
    MessageWriter message;
    message << equation;
    equations_->orders_.give({.task = RankTask::make_equation, .index = number_}, message.bytes());
    equations_->orders_.together([] {});
  }

  void give(EquationStep step, std::span<std::byte> payload = {}) {
    equations_->orders_.give({.task = RankTask::equation_step, .rank = std::int32_t(step), .index = number_},
                             payload);
  }

  /// work(), while the others do the same step. What fails in the middle of one leaves them waiting.
  template <typename Work>
  std::invoke_result_t<Work> together(EquationStep step, const Work& work,
                                      std::span<std::byte> payload = {}) {
    give(step, payload);
    try {
      return work();
    } catch (...) {
      group().in_step = false;
      throw;
    }
  }

  template <typename T>
  std::span<T> planes_of(std::span<T> array, const PlaneSpan& planes) const {
    const std::int64_t plane = system_.lattice.index(0, 0, 1);
    return array.subspan(std::size_t(planes.begin * plane), std::size_t(planes.count() * plane));
  }
  template <typename T>
  std::span<T> own_planes(std::span<T> array, int rank) const {
    const LevelPlanes& planes = planes_[std::size_t(rank)];
    return planes_of(array, {planes.first + planes.own.begin, planes.first + planes.own.end});
  }

  void send(std::vector<float>& array, const PlaneSpan& planes, int rank) {
    group().send(std::as_bytes(planes_of(std::span(array), planes)), rank);
  }

  /// Dielectric and accessibility of these planes to whom has some of them.
  void send_coefficients(const PlaneSpan& changed) {
    MessageWriter message;
    message << changed;
    const auto send_all = [&] {
      for (int rank = 1; rank < group().count(); ++rank) {
        const LevelPlanes& here = planes_[std::size_t(rank)];
        const PlaneSpan sent{std::max(changed.begin, here.first),
                             std::min(changed.end, here.first + here.count)};
        if (sent.begin >= sent.end) continue;
        for (std::vector<float>* array :
             {&system_.eps_x, &system_.eps_y, &system_.eps_z, &system_.accessibility})
          send(*array, sent, rank);
      }
    };
    together(EquationStep::receive_coefficients, send_all, message.bytes());
  }

  void drop() noexcept {
    if (!group().in_step) return;
    try {
      give(EquationStep::drop);
    } catch (const std::exception&) {
      group().in_step = false;  // found out at the end
    }
  }

  std::shared_ptr<RankedEquations> equations_;
  PbSystem& system_;
  int threads_;
  std::vector<LevelPlanes> planes_;  // by rank
  std::int64_t number_;
  std::unique_ptr<PbVectors> vectors_;
  bool is_in_fp64_ = false;  // the last solution
};

bool RankedEquations::can_share(const LatticeGeometry& lattice) const {
  return shares_of_ranks(lattice, orders_.group().count(), place_.owner).shared_levels() > 0;
}

bool RankedEquations::is_to_be_shared(const LatticeGeometry& lattice) const {
  return are_to_be_shared(shares_of_ranks(lattice, orders_.group().count(), place_.owner), place_.owner);
}

std::unique_ptr<PbVectors> RankedEquations::vectors(const std::shared_ptr<RankedEquations>& equations,
                                                    PbSystem& system, const PbSolverOptions& options) {
  return std::make_unique<RankedPbVectors>(equations, system, options);
}

}  // namespace ionwell
