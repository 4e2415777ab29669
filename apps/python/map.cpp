// SPDX-License-Identifier: BSD-3-Clause
#include "python/map.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>

#include "core/error.hpp"
#include "files/output_file.hpp"
#include "maps/map_file.hpp"
#include "maps/map_header.hpp"
#include "python/arrays/arrays.hpp"
#include "python/arrays/dlpack_export.hpp"
#include "python/choices.hpp"
#include "python/errors.hpp"
#include "python/following.hpp"
#include "python/map_properties.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

using MapPointer = std::shared_ptr<SharedMap>;

std::vector<py::ssize_t> shape_of(const SharedMap& map) {
  const Vec3<std::int64_t>& counts = map.header.lattice.counts;
  return {counts.x, counts.y, counts.z};
}

/// Fortran's order: the lattice has i fastest.
template <typename T>
std::vector<py::ssize_t> strides_of(const std::vector<py::ssize_t>& shape) {
  const auto size = py::ssize_t(sizeof(T));
  return {size, size * shape[0], size * shape[0] * shape[1]};
}

py::array values_of(const py::object& self) {
  const auto map = self.cast<MapPointer>();
  const std::vector<py::ssize_t> shape = shape_of(*map);
  return std::visit(
      [&](auto& values) {
        using T = std::remove_reference_t<decltype(values[0])>;
        return py::array(py::dtype::of<T>(), shape, strides_of<T>(shape), values.data(), self);
      },
      map->values);
}

MapValues map_values(const SharedMap& map) {
  return std::visit([](const auto& values) -> MapValues { return std::span(values.data(), values.size()); },
                    map.values);
}

/// What files cannot hold: single precision is what most of them have.
void check_finite_values(const SharedMap& map) {
  const LatticeGeometry& lattice = map.header.lattice;
  map_values(map).visit([&](const auto& values) {
    for (std::size_t n = 0; n < values.size(); ++n) {
      if (std::isfinite(float(values[n]))) continue;
      const Vec3<std::int64_t> at = lattice.point(std::int64_t(n));
      fail<ArrayError>("values[", at.x, ", ", at.y, ", ", at.z, "] is ", values[n],
                       "; it must be finite in single precision");
    }
  });
}

template <typename T>
LargeArray<T> copied(const py::array& array) {
  LargeArray<T> values(std::size_t(array.size()));
  const std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
  const py::array target(py::dtype::of<T>(), shape, strides_of<T>(shape), values.data(), py::none());
  py::module_::import("numpy").attr("copyto")(target, array, "casting"_a = "unsafe");
  return values;
}

MapPointer map_of_array(const py::object& values, const py::object& origin, const py::object& spacing,
                        const std::optional<std::string>& unit, std::optional<double> temperature) {
  const py::array array = real_array(values, "values");
  if (array.ndim() != 3 || array.size() == 0)
    fail<ArrayError>("values has the shape ", std::string(py::str(array.attr("shape"))),
                     "; it must be (nx, ny, nz), with none of them 0");
  const auto map = std::make_shared<SharedMap>();
  map->header.lattice = {vector_in(origin, "origin"),
                         vector_in(spacing, "spacing"),
                         {array.shape(0), array.shape(1), array.shape(2)}};
  check_geometry(map->header.lattice, "the map");
  if (unit) map->header.unit = unit_of(*unit);
  map->header.temperature_K = temperature;
  if (array.dtype().is(py::dtype::of<float>()) || array.itemsize() < py::ssize_t(sizeof(float)))
    map->values = copied<float>(array);
  else
    map->values = copied<double>(array);
  const py::gil_scoped_release release;
  check_finite_values(*map);
  return map;
}

MapPointer read_map_file(const std::string& path, int threads, const py::object& progress) {
  Following following(progress);
  return following.run([&] {
    const Progress shown = following.observer().stage("read", "read");
    Map map = read_map(path, threads);
    auto shared = std::make_shared<SharedMap>();
    shared->header = map;
    shared->values = std::move(map.values);
    return shared;
  });
}

void save(const SharedMap& map, const std::filesystem::path& name, int threads, const py::object& progress) {
  const std::string path = name.string();
  check_map_name(path);
  Following following(progress);
  following.run([&] {
    const Progress shown = following.observer().stage("write", "write");
    check_finite_values(map);
    OutputFile file(path);
    write_map(file, map.header, map_values(map), threads, shown);
    file.commit();
    return 0;
  });
}

/// A map of its own with the same values.
MapPointer copy_of(const SharedMap& map) {
  const py::gil_scoped_release release;
  auto copy = std::make_shared<SharedMap>();
  copy->header = map.header;
  std::visit(
      [&](const auto& values) {
        using Values = std::remove_cvref_t<decltype(values)>;
        Values all(values.size());
        std::copy(values.data(), values.data() + values.size(), all.data());
        copy->values = std::move(all);
      },
      map.values);
  return copy;
}

py::capsule dlpack_of(const MapPointer& map, const py::object& stream, const py::object& max_version,
                      const py::object& dl_device, std::optional<bool> copy) {
  const DlpackRequest request{stream, max_version, dl_device, copy};
  request.device_or(host_of_dlpack);
  const bool is_copied = copy.value_or(false);
  const MapPointer given = is_copied ? copy_of(*map) : map;
  return std::visit(
      [&](auto& values) {
        return dlpack_capsule({.owner = given,
                               .data = values.data(),
                               .device = host_of_dlpack,
                               .value_bytes = sizeof(values[0]),
                               .counts = given->header.lattice.counts,
                               .is_copied = is_copied},
                              request);
      },
      given->values);
}

std::string representation(const py::object& self) {
  const auto map = self.cast<MapPointer>();
  const std::string shape = py::str(self.attr("values").attr("shape"));
  return "<ionwell.Map " + shape + ", " + std::string(py::str(self.attr("spacing"))) + " A apart, in " +
         std::string(py::str(unit_text(map->header))) + ">";
}

}  // namespace

MapPointer shared_map(ResultMap&& made) {
  auto map = std::make_shared<SharedMap>();
  map->header = made;
  map->values = std::move(made.values);
  return map;
}

py::object report_of(const std::string& json) {
  if (json.empty()) return py::none();
  return py::module_::import("json").attr("loads")(json);
}

void add_map(py::module_& module) {
  module.def("read_map", read_map_file, "path"_a, py::kw_only(), "threads"_a, "progress"_a);

  py::class_<SharedMap, MapPointer> map(module, "Map", R"(A potential on a lattice.

    Map(values, origin, spacing, unit=None, temperature=None)

values: (nx, ny, nz), copied; origin: where values[0, 0, 0] is, (3,) [A]; spacing: one number or (3,) [A];
unit: 'kT/e', 'kcal/(mol e)', 'kJ/(mol e)', 'mV' or 'V'; temperature: of the kT in kT/e [K].

    >>> import ionwell, numpy
    >>> ionwell.Map(numpy.zeros((4, 3, 2)), origin=(0, 0, 0), spacing=0.5, unit='kT/e')
    <ionwell.Map (4, 3, 2), [0.5 0.5 0.5] A apart, in kT/e>
)");
  add_map_properties(map);
  map.def(py::init(&map_of_array), "values"_a, "origin"_a, "spacing"_a, "unit"_a = py::none(),
          "temperature"_a = py::none())
      .def("__repr__", representation)
      .def_property_readonly(
          "values", values_of,
          "The values, (nx, ny, nz), with values[i, j, k] at origin + spacing * (i, j, k). This is a view "
          "without a copy, in Fortran order (i fastest): single precision if ionwell computed the map, "
          "double if it was read. Writing to it changes the map.")
      .def("__dlpack__", dlpack_of, py::kw_only(), "stream"_a = py::none(), "max_version"_a = py::none(),
           "dl_device"_a = py::none(), "copy"_a = py::none(),
           "The values for other libraries, by DLPack: numpy.from_dlpack(map), torch.from_dlpack(map) and "
           "similar functions return a view without a copy, (nx, ny, nz) in Fortran order, which may be "
           "written to.")
      .def(
          "__dlpack_device__", [](const SharedMap&) { return py::make_tuple(1, 0); },
          "The device of the values: (1, 0), the host.")
      .def(
          "save", &save, "path"_a, "threads"_a = 0, "progress"_a = py::none(),
          R"(Writes the map, in the format that the name of the file asks for: .dx, .dx.gz, .dxbin, .h5, .cmap, .ccp4,
.mrc, .map, .cube, .grd. The file appears when it is complete.)");
}

}  // namespace ionwell::python
