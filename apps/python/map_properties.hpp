// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>

#include "python/arrays/arrays.hpp"
#include "python/map.hpp"

namespace ionwell::python {

inline pybind11::object unit_text(const MapHeader& header) {
  if (!header.unit) return pybind11::none();
  return pybind11::str(std::string(to_string(*header.unit)));
}

/// What a map says of itself, wherever its values are.
template <typename SomeMap>
void add_map_properties(pybind11::class_<SomeMap, std::shared_ptr<SomeMap>>& map) {
  map.def_property_readonly(
         "origin", [](const SomeMap& self) { return array_of(self.header.lattice.origin_A); },
         "Position of the first point, (3,) [A].")
      .def_property_readonly(
          "spacing", [](const SomeMap& self) { return array_of(self.header.lattice.spacing_A); },
          "Distances between points along x, y and z, (3,) [A].")
      .def_property_readonly(
          "unit", [](const SomeMap& self) { return unit_text(self.header); },
          "The unit, such as 'kT/e'; None if the file does not state it.")
      .def_property_readonly(
          "temperature", [](const SomeMap& self) { return self.header.temperature_K; },
          "The temperature of units of kT [K], or None.")
      .def_property_readonly(
          "provenance",
          [](const SomeMap& self) {
            pybind11::list lines;
            for (const auto& [name, text] : self.header.provenance)
              lines.append(pybind11::make_tuple(name, text));
            return lines;
          },
          "The provenance of the map: pairs such as ('structure', 'rna.pqr').")
      .def_property_readonly(
          "report", [](const SomeMap& self) { return report_of(self.report); },
          "The report of the run that computed the map, a dict as written by --report; None for other maps.");
}

}  // namespace ionwell::python
