// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// Of the published protocols (Stone et al. 2007): at most 1 A apart, 8 A beyond the solute.
constexpr double published_pb_spacing_A = 1.0, published_pb_border_A = 8.0;

}  // namespace ionwell
