// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ionwell {

/// A cube of liquid water at 298.15 K and 1 bar, equilibrated and periodic in all three directions.
/// `examples/water` says how it was made, and what was measured of it.
struct WaterBox {
  std::string_view model;  ///< key: tip3p, tips3p, spce, opc, tip4pew, tip4p2005, tip5p
  std::int64_t molecules;
  double edge_A;  ///< of the cube; a multiple of 0.001 A
  /// Nine numbers a molecule: x, y, z of O, H1 and H2 [0.001 A]. The oxygen is in [0, edge), and the molecule
  /// is whole. Rounding leaves bonds and angles 0.001 A and 0.1 degrees from the model's: who wants them
  /// exact keeps the oxygen, the bisector and the plane. Massless sites are not stored.
  std::span<const std::int16_t> coordinates_mA;
};

/// The box of a water model. Throws Error, which names the models there are, for a key that is none of them.
const WaterBox& water_box(std::string_view model);

/// All boxes there are.
std::span<const WaterBox> water_boxes();

}  // namespace ionwell
