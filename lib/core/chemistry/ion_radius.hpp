// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace ionwell {

/// Effective ionic radius of a monatomic ion with six neighbours (R. D. Shannon, Acta Cryst. A32:751, 1976,
/// table 1; high spin where it matters); nothing for others, and for complexes.
std::optional<double> ionic_radius_A(std::string_view element, double charge_e);

}  // namespace ionwell
