// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace ionwell {

/// Intrinsic radius of an element, given in upper case: what AMBER's set `bondi` has (H, C, N, O, F, Si, P,
/// S, Cl; LEaP's `set default PBRadii bondi`), the others by A. Bondi, J. Phys. Chem. 68:441, 1964, table I.
/// Nothing for an element that neither has.
std::optional<double> bondi_radius_A(std::string_view element);

}  // namespace ionwell
