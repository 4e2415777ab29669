// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/solute_pb_on_gpu.hpp"

#include <algorithm>
#include <array>
#include <future>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/surface_maker.hpp"
#include "gpu/electrostatics/poisson_boltzmann/resident_equation.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "parallel/parallel_for.hpp"

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

Box around(const LatticeGeometry& lattice) {
  return extents_of(lattice, all_points(lattice));
}

class SolutePbOnGpu final : public SolutePb {
 public:
  SolutePbOnGpu(int ordinal, const OwnPbCalculation& calculation, std::span<const Atom> atoms)
      : ordinal_(ordinal), options_(calculation.model) {
    check_lies_around(calculation.outer, calculation.lattice);
    std::future<void> copying = std::async([&] {
      constexpr std::size_t usual_ions = 4096;  // for which atoms are not copied again
      atoms_.reserve(atoms.size() + usual_ions);
      atoms_.assign(atoms.begin(), atoms.end());
    });
    const DeviceScope scope(ordinal_, {});
    on_ = std::make_unique<OnDevice>(ordinal, calculation, atoms);
    copying.get();
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
    const std::array both{points_changed_by(added, options_, on_->outer->lattice()),
                          points_changed_by(added, options_, on_->inner->lattice())};
    on_->look_near(on_->outer->lattice(), on_->inner->lattice(), both);
    on_->set_surface();
    on_->coefficients_changed(both);
    on_->outer->add(added);
    on_->inner->add(added);
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
  /// All that is on the device; made and destroyed with it current.
  struct OnDevice {
    Stream stream;
    std::unique_ptr<SurfaceMaker> surface;
    std::unique_ptr<ResidentEquation> outer, inner;

    OnDevice(int ordinal, const OwnPbCalculation& calculation, std::span<const Atom> atoms) {
      const std::array both{std::vector<PointBox>{all_points(calculation.outer)},
                            std::vector<PointBox>{all_points(calculation.lattice)}};
      // The device finds the surface while the host makes the equations, and sets coefficients while it gets
      // charges ready; sums of charges wait for nothing.
      std::future<void> looking = std::async([&] {
        const DeviceScope scope(ordinal, {});
        surface = std::make_unique<SurfaceMaker>(calculation.model, atoms, around(calculation.outer), stream);
        look_near(calculation.outer, calculation.lattice, both);
      });
      outer = std::make_unique<ResidentEquation>(ordinal, calculation.outer, calculation.model,
                                                 calculation.solver);
      inner = std::make_unique<ResidentEquation>(ordinal, calculation.lattice,
                                                 with_boundary(calculation.model, BoundaryKind::focused),
                                                 calculation.solver);
      std::future<void> charging = std::async([&] {
        const DeviceScope scope(ordinal, {});
        const DeviceBuffer<PointCharge> charges = charges_on_device(atoms, inner->arrays().stream);
        inner->charge(atoms, charges);
        outer->charge(atoms, charges);
      });
      looking.get();
      set_surface();
      charging.get();
      coefficients_changed(both);
    }

    /// Of the outer lattice and the inner one.
    using BothBoxes = std::array<std::vector<PointBox>, 2>;

    void look_near(const LatticeGeometry& outer_lattice, const LatticeGeometry& inner_lattice,
                   const BothBoxes& boxes) {
      surface->look_near({{outer_lattice, boxes[0]}, {inner_lattice, boxes[1]}});
    }
    void set_surface() {
      const std::array to{outer->arrays().faces, inner->arrays().faces};
      surface->set(to);
    }
    void coefficients_changed(const BothBoxes& boxes) {
      outer->coefficients_changed(boxes[0]);
      inner->coefficients_changed(boxes[1]);
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
  check_model(calculation.model, atoms);
  if (!is_made_on_device(calculation, atoms)) return nullptr;
  return std::make_unique<SolutePbOnGpu>(ordinal, calculation, atoms);
}

}  // namespace ionwell::gpu
