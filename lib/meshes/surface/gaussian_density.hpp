// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Sum exp(-B (d^2/R^2 - 1)), whose value 1 makes SurfaceKind::gaussian.
namespace ionwell {

constexpr double gaussian_blobbiness = 2.0;  // B: as usual for smooth molecular surfaces

/// In radii: farther away a term is below 1e-5 of its value at the radius.
constexpr double gaussian_reach = 2.6;

}  // namespace ionwell
