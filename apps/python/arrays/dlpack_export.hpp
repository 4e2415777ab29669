// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>

#include "core/vec3.hpp"
#include "python/arrays/dlpack.hpp"

/// The values of maps for other libraries, by DLPack.
namespace ionwell::python {

/// The arguments of __dlpack__ that say what a consumer wants.
struct DlpackRequest {
  pybind11::object stream, max_version, device;
  std::optional<bool> copy;

  /// The device requested, or `own`, whose values' copy is to be. Throws ExportError for one that is neither
  /// that nor the host, or the host where no copy is wanted, and UsageError for what is none, and for a
  /// stream that `own` has not.
  DlpackDevice device_or(DlpackDevice own) const;
};

/// Values on a lattice for others to look at, or to write to.
struct DlpackValues {
  std::shared_ptr<void> owner;  // kept until the consumer is done, on any thread and without Python's lock
  void* data;
  DlpackDevice device;
  std::size_t value_bytes;    // of a real number
  Vec3<std::int64_t> counts;  // i fastest
  bool is_copied = false;
};

/// The capsule "dltensor", or "dltensor_versioned" for a consumer that knows it.
pybind11::capsule dlpack_capsule(const DlpackValues& values, const DlpackRequest& request);

}  // namespace ionwell::python
