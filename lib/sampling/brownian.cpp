// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/brownian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"

namespace ionwell {
namespace {

constexpr double longest_move_A = 0.5;

void check_model(const IonModel& model, const BrownianOptions& options) {
  if (model.repulsion == Repulsion::hard)
    fail<UsageError>(
        "hard spheres have no force, but Brownian dynamics needs one; use --repulsion soft, or --sampler mc");
  for (const SampledSpecies& species : model.species)
    if (!(species.diffusion_A2_ps > 0.0))
      fail<UsageError>("no diffusion constant of ", species.ion.name,
                       " is known; give it in A^2/ps, for example --diffusion ", species.ion.name, ":0.13");
  const double longest_ps = longest_time_step_ps(model);
  if (!(options.time_step_ps > 0.0 && options.time_step_ps <= longest_ps))
    fail<UsageError>(
        "the time step is ", options.time_step_ps, " ps; it must be greater than 0 and at most ", longest_ps,
        " ps, in which two of these ions in contact move half of their distance apart (the default of ",
        BrownianOptions{}.time_step_ps, " ps is safe)");
}

}  // namespace

double longest_time_step_ps(const IonModel& model) {
  double fastest_per_ps = 0.0;
  for (const SampledSpecies& a : model.species)
    for (const SampledSpecies& b : model.species) {
      const double sigma_A = a.radius_A + b.radius_A;
      if (sigma_A == 0.0) continue;
      // Of 4 epsilon (s^12 - s^6) at sigma: 4 (12 13 - 6 7) epsilon / sigma^2.
      const double curvature_kT_A2 = 456.0 * soft_epsilon_kT / (sigma_A * sigma_A);
      fastest_per_ps = std::max(fastest_per_ps, (a.diffusion_A2_ps + b.diffusion_A2_ps) * curvature_kT_A2);
    }
  return fastest_per_ps > 0.0 ? 0.5 / fastest_per_ps : std::numeric_limits<double>::infinity();
}

BrownianDynamics::BrownianDynamics(IonSet ions, const BrownianOptions& options, RandomStream random)
    : ions_(std::move(ions)), options_(options), random_(random), energy_kT_(ions_.energy_kT()) {
  check_model(ions_.model(), options);
}

void BrownianDynamics::save(StateWriter& state) const {
  ionwell::save(state, ions_.ions());
  random_.save(state);
  state.put(energy_kT_);
  state.put(cut_moves_);
}

void BrownianDynamics::restore(StateReader& state) {
  ions_ = IonSet(ions_.model(), restored_ions(state, ions_.model().species.size()));
  random_.restore(state);
  energy_kT_ = state.number();
  cut_moves_ = state.count();
}

void BrownianDynamics::run(std::int64_t steps) {
  const IonModel& model = ions_.model();
  const double dt_ps = options_.time_step_ps;
  for (std::int64_t step = 0; step < steps; ++step) {
    energy_kT_ = ions_.forces(forces_kT_A_);
    for (std::size_t n = 0; n < ions_.size(); ++n) {
      const MovingIon& ion = ions_.ions()[n];
      const double diffusion_A2_ps = model.species[ion.species].diffusion_A2_ps;
      Vec3<double> drift_A = diffusion_A2_ps * dt_ps * forces_kT_A_[n];
      const double length_A = std::sqrt(dot(drift_A, drift_A));
      if (length_A > longest_move_A) {
        drift_A = longest_move_A / length_A * drift_A;
        ++cut_moves_;
      }
      const double noise_A = std::sqrt(2.0 * diffusion_A2_ps * dt_ps);
      const double x = random_.normal(), y = random_.normal(), z = random_.normal();
      ions_.move(n, ions_.in_box(ion.position_A + drift_A + noise_A * Vec3<double>{x, y, z}));
    }
  }
}

}  // namespace ionwell
