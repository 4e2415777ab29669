// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/water_boxes.hpp"

#include <string>

#include "core/error.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t numbers_per_molecule = 9;

constexpr std::int16_t tip3p_mA[] = {
#include "solvation/water_boxes/tip3p.inc"
};

constexpr std::int16_t tips3p_mA[] = {
#include "solvation/water_boxes/tips3p.inc"
};

constexpr std::int16_t spce_mA[] = {
#include "solvation/water_boxes/spce.inc"
};

constexpr std::int16_t opc_mA[] = {
#include "solvation/water_boxes/opc.inc"
};

constexpr std::int16_t tip4pew_mA[] = {
#include "solvation/water_boxes/tip4pew.inc"
};

constexpr std::int16_t tip4p2005_mA[] = {
#include "solvation/water_boxes/tip4p2005.inc"
};

constexpr std::int16_t tip5p_mA[] = {
#include "solvation/water_boxes/tip5p.inc"
};

template <std::size_t count>
constexpr WaterBox box(std::string_view model, double edge_A, const std::int16_t (&coordinates_mA)[count]) {
  static_assert(count % numbers_per_molecule == 0, "a molecule is incomplete");
  return {model, std::int64_t(count) / numbers_per_molecule, edge_A, coordinates_mA};
}

constexpr WaterBox boxes[] = {
    box("tip3p", 30.111, tip3p_mA),     box("tips3p", 29.805, tips3p_mA),
    box("spce", 30.006, spce_mA),       box("opc", 29.990, opc_mA),
    box("tip4pew", 30.012, tip4pew_mA), box("tip4p2005", 30.020, tip4p2005_mA),
    box("tip5p", 30.139, tip5p_mA),
};

}  // namespace

const WaterBox& water_box(std::string_view model) {
  std::string known;
  for (const WaterBox& candidate : boxes) {
    if (candidate.model == model) return candidate;
    known += (known.empty() ? "" : ", ") + std::string(candidate.model);
  }
  fail("there is no box of the water model '", model, "'; there are ", known);
}

std::span<const WaterBox> water_boxes() {
  return boxes;
}

}  // namespace ionwell
