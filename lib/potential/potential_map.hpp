// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/large_array.hpp"
#include "maps/map.hpp"
#include "potential/lattice_potential.hpp"

namespace ionwell {

/// What is in a field: before the first ion, or at the end.
enum class MapContents { solute, solute_and_ions };

/// A ResultMap on its way to a file: its values may be where other ranks have them, and come part by part
/// then. The field must not change before it is written.
struct ResultMapToWrite : MapHeader {
  LargeArray<float> here;
  std::unique_ptr<LatticeValues> elsewhere;

  MapValues all() const {
    if (elsewhere) return {*elsewhere, lattice.size()};
    return std::span<const float>(here.data(), here.size());
  }
};

/// The same with its values in the memory of a device.
struct DeviceResultMap : MapHeader {
  std::unique_ptr<MapOnDevice> values;
};

/// A field, and what a map says of its values.
struct MapSource {
  const RunRecord& run;
  const Structure& structure;
  const PotentialRecord& potential;
  PotentialField& field;
  std::string method;  // as describe_method has it
  MapContents contents = MapContents::solute;
};

MapSource map_source(const LatticePotential& made);

/// The potential that the field holds now, in `unit`; O(points). Values are exact to fp32 at every point if
/// the request or the job said every_point. There must be a field.
ResultMap map_of(const MapSource& source, MapUnit unit = MapUnit::kT_e);
ResultMap map_of(const LatticePotential& made, MapUnit unit = MapUnit::kT_e);

/// The same values, bit for bit, in less memory where ranks share the field: write_map writes them.
ResultMapToWrite map_to_write(const MapSource& source, MapUnit unit = MapUnit::kT_e);
ResultMapToWrite map_to_write(const LatticePotential& made, MapUnit unit = MapUnit::kT_e);

/// The same values, bit for bit, left on the device that has the lattice. Throws Error, which says where it
/// is, when it is not on one device.
DeviceResultMap device_map_of(const LatticePotential& made, MapUnit unit = MapUnit::kT_e);

}  // namespace ionwell
