// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/solute_pb_on_gpu.hpp"

#include <algorithm>
#include <array>
#include <future>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/surface_maker.hpp"
#include "gpu/electrostatics/poisson_boltzmann/resident_equation.hpp"
#include "gpu/placement/layout.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/memory_arena.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell::gpu {
namespace {

PbModelOptions with_boundary(PbModelOptions options, BoundaryKind boundary) {
  options.boundary = boundary;
  return options;
}

bool has_inner_points(const LatticeGeometry& lattice) {
  return std::min({lattice.counts.x, lattice.counts.y, lattice.counts.z}) > 2;
}

bool is_made_on_device(const OwnPbCalculation& calculation, std::span<const Atom> atoms) {
  const PbModelOptions& model = calculation.model;
  return has_device_surface(model) && model.charges != ChargeAssignment::regularized &&
         (model.boundary == BoundaryKind::multiple_debye_hueckel || model.boundary == BoundaryKind::zero) &&
         has_inner_points(calculation.lattice) && has_inner_points(calculation.outer) && !atoms.empty();
}

/// Of all arrays while the equation is made: of most structures, for how many parts a surface has is not
/// known before.
std::size_t usual_bytes(const OwnPbCalculation& calculation, std::size_t atoms) {
  const bool is_nonlinear = calculation.solver.equation == PbEquation::nonlinear;
  std::int64_t bytes = pb_other_bytes + pb_bytes_per_atom * std::int64_t(atoms);
  for (const LatticeGeometry& lattice : {calculation.outer, calculation.lattice})
    bytes += device_vectors_bytes(lattice, is_nonlinear) + pb_making_bytes_per_point * lattice.size();
  return std::size_t(bytes);
}

Box around(const LatticeGeometry& lattice) {
  return extents_of(lattice, all_points(lattice));
}

class SolutePbOnGpu final : public SolutePb {
 public:
  SolutePbOnGpu(int ordinal, const OwnPbCalculation& calculation, std::span<const Atom> atoms)
      : ordinal_(ordinal), options_(calculation.model) {
    check_lies_around(calculation.outer, calculation.lattice);
    const DeviceScope scope(ordinal_, {});
    on_ = std::make_unique<OnDevice>(ordinal, calculation, atoms, [&] {
      constexpr std::size_t usual_ions = 4096;  // for which atoms are not copied again
      atoms_.reserve(atoms.size() + usual_ions);
      atoms_.assign(atoms.begin(), atoms.end());
    });
  }
  ~SolutePbOnGpu() override {
    try {
      const DeviceScope scope(ordinal_, {});
      on_.reset();
    } catch (const std::exception&) {
      // A device that has failed for good: there is nothing left on it to free.
    }
  }

  void add(std::span<const Atom> added) override {
    if (added.empty()) return;
    const DeviceScope scope(ordinal_, {});
    on_->surface->add(added);
    atoms_.insert(atoms_.end(), added.begin(), added.end());
    const SoluteAtoms joining = solute_atoms(added, 1);
    on_->outer->add(joining);
    on_->inner->add(joining);
    on_->set_surface({points_changed_by(added, options_, on_->outer->lattice()),
                      points_changed_by(added, options_, on_->inner->lattice())});
  }

  PbConvergence solve(const Progress& progress, const TellResidual& residual) override {
    const double outer_points = double(on_->outer->lattice().size()),
                 outer_part = outer_points / (outer_points + double(on_->inner->lattice().size()));
    const PbConvergence first =
        on_->outer->solve([&](double part) { progress(outer_part * part); }, residual);
    {
      const DeviceScope scope(ordinal_, {});
      on_->inner->focus(*on_->outer);
    }
    PbConvergence both =
        on_->inner->solve([&](double part) { progress(outer_part + (1.0 - outer_part) * part); }, residual);
    both.residual = std::max(both.residual, first.residual);
    both.iterations += first.iterations;
    both.newton_steps += first.newton_steps;
    return both;
  }

  ImportedMap potential(bool may_stay_on_device, int threads, HostWorkspace& room) override {
    if (may_stay_on_device) return {.values_kT_e = {}, .on_device = on_->inner->solution_on_device()};
    const LargeArray<float> values_kT_e = values(PbArray::potential);
    room.fit(on_->inner->lattice().counts);
    double* const to_kT_e = room.potential().data();
    parallel_for({threads}, std::int64_t(values_kT_e.size()),
                 [&](std::int64_t p) { to_kT_e[p] = double(values_kT_e.data()[p]); });
    return {.values_kT_e = {to_kT_e, values_kT_e.size()}};
  }

  const PbSystem& system() const override { return on_->inner->system(); }

  LargeArray<float> values(PbArray which) override {
    const DeviceScope scope(ordinal_, {});
    LargeArray<float> all(std::size_t(on_->inner->lattice().size()));
    const std::span<float> to(all.data(), all.size());
    const ResidentArrays& arrays = on_->inner->arrays();
    check(cudaStreamSynchronize(arrays.stream), "waiting for an equation");
    const auto copy = [&](const float* from) {
      check(cudaMemcpy(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost), "a copy from the device");
    };
    switch (which) {
      case PbArray::eps_x:
        copy(arrays.faces.eps_x);
        break;
      case PbArray::eps_y:
        copy(arrays.faces.eps_y);
        break;
      case PbArray::eps_z:
        copy(arrays.faces.eps_z);
        break;
      case PbArray::accessibility:
        copy(arrays.faces.accessibility);
        break;
      case PbArray::charge:
        copy(arrays.charge_e);
        break;
      case PbArray::potential:
        on_->inner->copy_solution(to);
        break;
    }
    return all;
  }

  Solutions solutions_kT_e() override {
    const DeviceScope scope(ordinal_, {});
    Solutions both{std::vector<float>(std::size_t(on_->outer->lattice().size())),
                   std::vector<float>(std::size_t(on_->inner->lattice().size()))};
    on_->outer->copy_solution(both.outer);
    on_->inner->copy_solution(both.inner);
    return both;
  }

  void start_from(Solutions solutions_kT_e) override {
    const DeviceScope scope(ordinal_, {});
    on_->outer->start_from(solutions_kT_e.outer);
    on_->inner->start_from(solutions_kT_e.inner);
  }

  double charge_energy_kT() override {
    const DeviceScope scope(ordinal_, {});
    const std::vector<double> potential_kT_e = on_->inner->potential_at(atoms_);
    double sum = 0.0;
    std::size_t n = 0;
    for (const Atom& atom : atoms_)
      if (atom.charge_e != 0.0) sum += atom.charge_e * potential_kT_e[n++];
    return 0.5 * sum;
  }

  std::span<const Atom> atoms() const override { return atoms_; }

 private:
  /// Points of the outer lattice and of the inner one.
  using BothBoxes = std::array<std::vector<PointBox>, 2>;

  /// All that is on the device; made and destroyed with it current.
  struct OnDevice {
    int ordinal;
    MemoryArena arena;
    std::unique_ptr<SurfaceMaker> surface;
    std::unique_ptr<ResidentEquation> outer, inner;

    /// `meanwhile`: what the host can do while the device is at work.
    template <typename Meanwhile>
    OnDevice(int ordinal_number, const OwnPbCalculation& calculation, std::span<const Atom> atoms,
             const Meanwhile& meanwhile)
        : ordinal(ordinal_number), arena(usual_bytes(calculation, atoms.size())) {
      const MemoryArena::Scope in_arena(arena);
      const SoluteAtoms solute = solute_atoms(atoms, thread_count(calculation.solver.threads));
      surface = std::make_unique<SurfaceMaker>(calculation.model, solute, around(calculation.outer));
      surface->set_points({{calculation.outer, {all_points(calculation.outer)}},
                           {calculation.lattice, {all_points(calculation.lattice)}}});
      std::future<void> looking = on_thread([&] { surface->look_near(); });
      outer = std::make_unique<ResidentEquation>(ordinal, calculation.outer, calculation.model,
                                                 calculation.solver);
      inner = std::make_unique<ResidentEquation>(ordinal, calculation.lattice,
                                                 with_boundary(calculation.model, BoundaryKind::focused),
                                                 calculation.solver);
      std::future<void> accessibility = on_thread([&] { set_accessibility(); });
      inner->charge(solute, surface->first_atoms());
      outer->charge(solute, surface->first_atoms());
      std::future<void> copying = std::async(meanwhile);
      looking.get();
      accessibility.get();
      set_faces({std::vector{all_points(calculation.outer)}, std::vector{all_points(calculation.lattice)}});
      copying.get();
    }

    /// Of what has changed.
    void set_surface(const BothBoxes& boxes) {
      surface->set_points({{outer->lattice(), boxes[0]}, {inner->lattice(), boxes[1]}});
      std::future<void> accessibility = on_thread([&] { set_accessibility(); });
      surface->look_near();
      accessibility.get();
      set_faces(boxes);
    }

   private:
    template <typename Work>
    std::future<void> on_thread(const Work& work) {
      return std::async([this, work] {
        const DeviceScope scope(ordinal, {});
        const MemoryArena::Scope in_arena(arena);
        work();
      });
    }
    void set_accessibility() {
      surface->set_accessibility(0, outer->arrays().faces);
      surface->set_accessibility(1, inner->arrays().faces);
    }
    /// Of both lattices at once, and before the outer equation is solved: its kernels would wait for those of
    /// faces, thread block by thread block.
    void set_faces(const BothBoxes& boxes) {
      std::future<void> of_inner = on_thread([&] {
        surface->set_faces(1, inner->arrays().faces);
        inner->coefficients_changed(boxes[1]);
      });
      surface->set_faces(0, outer->arrays().faces);
      outer->coefficients_changed(boxes[0]);
      of_inner.get();
    }
  };

  int ordinal_;
  PbModelOptions options_;
  std::vector<Atom> atoms_;
  std::unique_ptr<OnDevice> on_;
};

}  // namespace

std::unique_ptr<SolutePb> solute_pb_on_gpu(int ordinal, const OwnPbCalculation& calculation,
                                           std::span<const Atom> atoms) {
  check_model(calculation.model, atoms, thread_count(calculation.solver.threads));
  if (!is_made_on_device(calculation, atoms)) return nullptr;
  return std::make_unique<SolutePbOnGpu>(ordinal, calculation, atoms);
}

}  // namespace ionwell::gpu
