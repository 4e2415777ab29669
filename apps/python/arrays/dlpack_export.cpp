// SPDX-License-Identifier: BSD-3-Clause
#include "python/arrays/dlpack_export.hpp"

#include <array>
#include <type_traits>
#include <utility>

#include "python/errors.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

/// What a consumer gets, with what it points to.
template <typename Managed>
struct Exported {
  Managed managed{};
  std::shared_ptr<void> owner;
  std::array<std::int64_t, 3> shape{}, strides{};
};

template <typename Managed>
void free_capsule(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;  // a consumer has renamed it, and frees it
  auto* const managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}

template <typename Managed>
py::capsule capsule_of(const DlpackValues& values, const char* name, PyCapsule_Destructor destructor) {
  auto exported = std::make_unique<Exported<Managed>>();
  const auto& [nx, ny, nz] = values.counts;
  exported->owner = values.owner;
  exported->shape = {nx, ny, nz};
  exported->strides = {1, nx, nx * ny};
  exported->managed.context = exported.get();
  exported->managed.deleter = [](Managed* managed) {
    delete static_cast<Exported<Managed>*>(managed->context);
  };
  exported->managed.tensor = {values.data,
                              values.device,
                              3,
                              {float_of_dlpack, std::uint8_t(8 * values.value_bytes), 1},
                              exported->shape.data(),
                              exported->strides.data(),
                              0};
  if constexpr (std::is_same_v<Managed, DlpackVersioned>) {
    exported->managed.version = dlpack_version;
    exported->managed.flags = values.is_copied ? copied_flag : 0;
  }
  PyObject* const capsule = PyCapsule_New(&exported->managed, name, destructor);
  if (capsule == nullptr) throw py::error_already_set();
  exported.release();  // the capsule's, or its consumer's
  return py::reinterpret_steal<py::capsule>(capsule);
}

/// A pair of whole numbers.
std::pair<std::int64_t, std::int64_t> pair_in(const py::object& numbers, const char* name,
                                              const char* example) {
  try {
    const py::tuple pair(numbers);
    if (pair.size() == 2)
      return {py::int_(pair[0]).cast<std::int64_t>(), py::int_(pair[1]).cast<std::int64_t>()};
  } catch (const py::error_already_set&) {
  } catch (const py::cast_error&) {
  }
  fail<UsageError>(name, " is ", std::string(py::repr(numbers)), "; it must be a pair such as ", example);
}

/// Throws UsageError for a stream that CUDA has not; with `on_host`, for any.
void check_stream(const py::object& stream, bool on_host) {
  if (stream.is_none()) return;
  if (on_host)
    fail<UsageError>("stream is ", std::string(py::repr(stream)),
                     ", but the values are in host memory, which has no streams; leave it out");
  const long long number = PyIndex_Check(stream.ptr()) != 0 ? py::int_(stream).cast<long long>() : -2;
  if (number < -1 || number == 0)
    fail<UsageError>("stream is ", std::string(py::repr(stream)),
                     "; it must be None, -1, 1, 2 or the address of a CUDA stream");
}

}  // namespace

DlpackDevice DlpackRequest::device_or(DlpackDevice own) const {
  check_stream(stream, own == host_of_dlpack);
  if (device.is_none()) return own;
  const auto [type, number] = pair_in(device, "dl_device", "(1, 0), of the host");
  const DlpackDevice wanted{std::int32_t(type), std::int32_t(number)};
  if (wanted == own) return own;
  if (wanted == host_of_dlpack && copy.value_or(true)) return wanted;
  if (wanted == host_of_dlpack)
    fail<ExportError>(
        "copy is False, but the values are on a GPU and reach the host (dl_device=(1, 0)) only as a copy; "
        "leave one of them out");
  fail<ExportError>("dl_device is (", type, ", ", number, "), but the values are on (", own.type, ", ",
                    own.number, ") and can only be copied to the host, (1, 0); copy them from there");
}

py::capsule dlpack_capsule(const DlpackValues& values, const DlpackRequest& request) {
  const bool is_versioned =
      !request.max_version.is_none() && pair_in(request.max_version, "max_version", "(1, 0)").first >= 1;
  if (is_versioned)
    return capsule_of<DlpackVersioned>(values, versioned_name, [](PyObject* capsule) {
      free_capsule<DlpackVersioned>(capsule, versioned_name);
    });
  return capsule_of<DlpackManaged>(values, unversioned_name, [](PyObject* capsule) {
    free_capsule<DlpackManaged>(capsule, unversioned_name);
  });
}

}  // namespace ionwell::python
