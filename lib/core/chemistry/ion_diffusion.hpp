// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace ionwell {

/// Diffusion constant of an ion in water at 298.15 K and infinite dilution [A^2/ps] (Handbook of Chemistry
/// and Physics, "Ionic conductivity and diffusion at infinite dilution", the Nernst-Einstein value of the
/// limiting conductivity); nothing for others.
std::optional<double> ion_diffusion_A2_ps(std::string_view element, double charge_e);

}  // namespace ionwell
