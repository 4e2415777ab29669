// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "core/error.hpp"
#include "python/arrays/dlpack_export.hpp"
#include "python/map.hpp"
#include "python/map_properties.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

using DeviceMapPointer = std::shared_ptr<SharedDeviceMap>;

DlpackDevice place_of(const SharedDeviceMap& map) {
  return {cuda_of_dlpack, map.values->ordinal()};
}

py::tuple shape_of_device_map(const SharedDeviceMap& map) {
  const Vec3<std::int64_t>& counts = map.header.lattice.counts;
  return py::make_tuple(counts.x, counts.y, counts.z);
}

/// On the host.
std::shared_ptr<SharedMap> host_map(const SharedDeviceMap& map) {
  const py::gil_scoped_release release;
  const auto size = std::size_t(map.header.lattice.size());
  LargeArray<float> values(size);
  map.values->copy_to({values.data(), size});
  auto copy = std::make_shared<SharedMap>();
  copy->header = map.header;
  copy->values = std::move(values);
  copy->report = map.report;
  return copy;
}

py::capsule dlpack_of_device_map(const DeviceMapPointer& map, const py::object& stream,
                                 const py::object& max_version, const py::object& dl_device,
                                 std::optional<bool> copy) {
  const DlpackRequest request{stream, max_version, dl_device, copy};
  const DlpackDevice device = request.device_or(place_of(*map));
  DlpackValues given{.owner = nullptr,
                     .data = nullptr,
                     .device = device,
                     .value_bytes = sizeof(float),
                     .counts = map->header.lattice.counts,
                     .is_copied = copy.value_or(device == host_of_dlpack)};
  if (device == host_of_dlpack) {
    const std::shared_ptr<SharedMap> on_host = host_map(*map);
    given.data = std::get<LargeArray<float>>(on_host->values).data();
    given.owner = on_host;
  } else {
    std::shared_ptr<MapOnDevice> values = map->values;
    if (given.is_copied) {
      const py::gil_scoped_release release;
      values = values->copy();
    }
    given.data = values->data();
    given.owner = values;
  }
  return dlpack_capsule(given, request);
}

std::string device_map_text(const py::object& self) {
  const auto map = self.cast<DeviceMapPointer>();
  return "<ionwell.DeviceMap " + std::string(py::str(self.attr("shape"))) + ", " +
         std::string(py::str(self.attr("spacing"))) + " A apart, in " +
         std::string(py::str(unit_text(map->header))) + ", on GPU " + std::to_string(place_of(*map).number) +
         '>';
}

}  // namespace

DeviceMapPointer shared_device_map(const LatticePotential& of, MapUnit unit) {
  DeviceResultMap made = device_map_of(of, unit);
  auto map = std::make_shared<SharedDeviceMap>();
  map->header = made;
  map->values = std::move(made.values);
  return map;
}

void add_device_map(py::module_& module) {
  py::class_<SharedDeviceMap, DeviceMapPointer> map(
      module, "DeviceMap",
      R"(A potential on a lattice, its values in the memory of a GPU: what potential(..., keep_on_device=True) gives.

cupy.from_dlpack(map), torch.from_dlpack(map) and the like have the values without a copy, single precision,
(nx, ny, nz) in Fortran's order (i fastest), [i, j, k] at origin + spacing * (i, j, k). They live as long as any
of these arrays, and what is written to them is the map's. to_map() copies them to the host.
)");
  add_map_properties(map);
  map.def("__repr__", device_map_text)
      .def_property_readonly("shape", shape_of_device_map, "Points along x, y and z: (nx, ny, nz).")
      .def("to_map", host_map,
           "The same as a Map in host memory, copied after the pending work of the GPU's default stream.")
      .def("__dlpack__", dlpack_of_device_map, py::kw_only(), "stream"_a = py::none(),
           "max_version"_a = py::none(), "dl_device"_a = py::none(), "copy"_a = py::none(),
           "The values on the GPU for other libraries, by DLPack; with dl_device=(1, 0), a copy on the host. "
           "They are complete, so there is no need to wait for a stream.")
      .def(
          "__dlpack_device__",
          [](const SharedDeviceMap& self) {
            const DlpackDevice device = place_of(self);
            return py::make_tuple(device.type, device.number);
          },
          "The device of the values: (2, number), with the number that CUDA gives the GPU.");
}

}  // namespace ionwell::python
