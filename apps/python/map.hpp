// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <variant>

#include "core/large_array.hpp"
#include "jobs/place/job/result_map.hpp"

namespace ionwell::python {

/// A map as Python holds it: the values stay where the library put them, and arrays look at them there.
struct SharedMap {
  MapHeader header;
  std::variant<LargeArray<float>, LargeArray<double>> values;  // i fastest
  std::string report;                                          // JSON of the run that made it; or empty
};

/// Takes its values.
std::shared_ptr<SharedMap> shared_map(ResultMap&& map);

/// The same where the values stay on a device.
struct SharedDeviceMap {
  MapHeader header;
  std::shared_ptr<MapOnDevice> values;
  std::string report;
};

/// The potential that the field holds now.
std::shared_ptr<SharedDeviceMap> shared_device_map(const LatticePotential& made, MapUnit unit);

/// A report as a dict; None for an empty one.
pybind11::object report_of(const std::string& json);

/// The class Map, and read_map.
void add_map(pybind11::module_& module);

/// The class DeviceMap.
void add_device_map(pybind11::module_& module);

}  // namespace ionwell::python
