// SPDX-License-Identifier: BSD-3-Clause
#include "python/arrays/dlpack_import.hpp"

#include <pybind11/numpy.h>

#include <cstdlib>
#include <span>
#include <vector>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "python/arrays/dlpack.hpp"
#include "python/errors.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

constexpr const char* to_host = "; copy it to the host first, for example by .cpu() or .get()";

/// What another library raises, as a message about the array.
template <typename Call>
auto asked(const std::string& name, const Call& call) {
  try {
    return call();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    fail<ArrayError>(name, " is not available by DLPack: ", std::string(py::str(error.value())),
                     "; give it as a NumPy array");
  }
}

DlpackDevice device_of(const py::object& array, const std::string& name) {
  return asked(name, [&] {
    const py::tuple pair(array.attr("__dlpack_device__")());
    return DlpackDevice{py::int_(pair[0]).cast<std::int32_t>(), py::int_(pair[1]).cast<std::int32_t>()};
  });
}

py::object capsule_of_array(const py::object& array, const std::string& name, bool is_on_device) {
  py::dict arguments("max_version"_a = py::make_tuple(dlpack_version.major, dlpack_version.minor));
  constexpr int default_stream = 1;  // of which copies to the host are part
  if (is_on_device) arguments["stream"] = default_stream;
  return asked(name, [&]() -> py::object {
    const py::object dlpack = array.attr("__dlpack__");
    try {
      return dlpack(**arguments);
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_TypeError)) throw;
    }
    arguments.attr("pop")("max_version");  // a library of before DLPack 1.0
    return dlpack(**arguments);
  });
}

const DlpackTensor& tensor_of(const py::object& capsule, const std::string& name) {
  if (PyCapsule_IsValid(capsule.ptr(), versioned_name) != 0) {
    const auto& managed = *static_cast<DlpackVersioned*>(PyCapsule_GetPointer(capsule.ptr(), versioned_name));
    if (managed.version.major == dlpack_version.major) return managed.tensor;
    fail<ArrayError>(name, " comes with DLPack ", managed.version.major, '.', managed.version.minor,
                     ", but only version 1 is supported; give it as a NumPy array");
  }
  if (PyCapsule_IsValid(capsule.ptr(), unversioned_name) != 0)
    return static_cast<DlpackManaged*>(PyCapsule_GetPointer(capsule.ptr(), unversioned_name))->tensor;
  fail<ArrayError>(name, " has a __dlpack__ that returns ", std::string(py::repr(capsule)),
                   " instead of a DLPack capsule; give it as a NumPy array");
}

py::dtype type_of(const DlpackTensor& tensor, const std::string& name) {
  const auto [code, bits, lanes] = tensor.type;
  const char kind = code == int_of_dlpack        ? 'i'
                    : code == unsigned_of_dlpack ? 'u'
                    : code == float_of_dlpack    ? 'f'
                                                 : ' ';
  const bool is_whole = bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (kind != ' ' && lanes == 1 && is_whole && !(kind == 'f' && bits == 8))
    return py::dtype(kind + std::to_string(bits / 8));
  fail<ArrayError>(name, " has values of the DLPack type (", int(code), ", ", int(bits), ", ", int(lanes),
                   "); it must be real numbers");
}

/// An array in memory, and the bytes before and after its first element that it reaches.
struct Extent {
  std::vector<py::ssize_t> shape, strides;  // in bytes
  std::int64_t before = 0, after = 0;
  bool is_empty = false;
};

Extent extent_of(const DlpackTensor& tensor, py::ssize_t item) {
  Extent extent{.shape = {tensor.shape, tensor.shape + tensor.dimensions},
                .strides = std::vector<py::ssize_t>(std::size_t(tensor.dimensions)),
                .after = item};
  py::ssize_t packed = item;
  for (std::size_t n = extent.shape.size(); n-- > 0;) {
    extent.strides[n] = tensor.strides != nullptr ? item * tensor.strides[n] : packed;
    packed *= extent.shape[n];
    extent.is_empty = extent.is_empty || extent.shape[n] == 0;
    const std::int64_t reach = (extent.shape[n] - 1) * extent.strides[n];
    (reach < 0 ? extent.before : extent.after) += std::abs(reach);
  }
  return extent;
}

/// The array with its memory on the host.
py::object copied_to_host(const DlpackTensor& tensor, const char* data, const py::dtype& type,
                          const Extent& extent) {
  py::array_t<std::uint8_t> bytes(py::ssize_t(extent.before + extent.after));
  const std::span<std::byte> to(reinterpret_cast<std::byte*>(bytes.mutable_data()),
                                std::size_t(bytes.size()));
  {
    const py::gil_scoped_release release;
    gpu_backend().copy_to_host(tensor.device.number, data - extent.before, to);
  }
  return py::array(type, extent.shape, extent.strides, bytes.data() + extent.before, bytes);
}

}  // namespace

bool has_dlpack(const py::object& array) {
  return !py::isinstance<py::array>(array) && py::hasattr(array, "__dlpack__") &&
         py::hasattr(array, "__dlpack_device__");
}

py::object array_of_dlpack(const py::object& array, const std::string& name) {
  const DlpackDevice device = device_of(array, name);
  const bool is_on_device = device.type == cuda_of_dlpack || device.type == cuda_managed_of_dlpack;
  if (!is_on_device && device.type != host_of_dlpack.type && device.type != cuda_host_of_dlpack)
    fail<ArrayError>(name, " is in the memory of a device that is not a CUDA GPU (DLPack type ", device.type,
                     ')', to_host);
  if (is_on_device && gpu_backend().devices().devices.empty())
    fail<ArrayError>(name, " is in the memory of a GPU, but ", gpu_backend().devices().problem, to_host);
  // While the capsule is here its array is, and with it what the capsule is of.
  const py::object capsule = capsule_of_array(array, name, is_on_device);
  const DlpackTensor& tensor = tensor_of(capsule, name);
  const py::dtype type = type_of(tensor, name);
  const Extent extent = extent_of(tensor, type.itemsize());
  if (extent.is_empty) return py::array(type, extent.shape);
  const char* const data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  if (is_on_device) return copied_to_host(tensor, data, type, extent);
  return py::array(type, extent.shape, extent.strides, data, capsule);
}

}  // namespace ionwell::python
