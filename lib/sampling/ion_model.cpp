// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/ion_model.hpp"

#include <cmath>

#include "core/error.hpp"

namespace ionwell {

std::string_view to_string(Repulsion repulsion) {
  return repulsion == Repulsion::soft ? "soft" : "hard";
}

std::string_view to_string(SampleBoundary boundary) {
  return boundary == SampleBoundary::open ? "open" : "periodic";
}

void validate(const IonModel& model) {
  const Vec3<double> edge_A = model.box.highest_A - model.box.lowest_A;
  constexpr double longest_A = 1e5;
  for (const double length_A : {edge_A.x, edge_A.y, edge_A.z})
    if (!(length_A > 0.0 && length_A <= longest_A))
      fail<UsageError>("the box of the ions is ", model.box,
                       " A; each of its edges must be longer than 0 and "
                       "at most ",
                       longest_A, " A");
  constexpr double largest_A = 20.0;
  for (const SampledSpecies& species : model.species) {
    if (!(species.radius_A >= 0.0 && species.radius_A <= largest_A))
      fail<UsageError>("the radius of ", species.ion.name, " is ", species.radius_A,
                       " A; it must be from 0 to ", largest_A, " A");
    if (model.boundary == SampleBoundary::periodic &&
        4.0 * species.radius_A > std::fmin(edge_A.x, std::fmin(edge_A.y, edge_A.z)))
      fail<UsageError>("the box ", model.box, " A is so small that ", species.ion.name,
                       " touches its own images; give a larger one");
    if (!(species.diffusion_A2_ps >= 0.0 && std::isfinite(species.diffusion_A2_ps)))
      fail<UsageError>("the diffusion constant of ", species.ion.name, " is ", species.diffusion_A2_ps,
                       " A^2/ps; it must not be negative");
  }
}

}  // namespace ionwell
