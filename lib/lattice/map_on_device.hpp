// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

namespace ionwell {

/// A value for each point of a lattice, in its order (i fastest), in the memory of one device, where other
/// libraries may continue with them; freed with this. They are complete: no stream need be waited for.
class MapOnDevice {
 public:
  virtual ~MapOnDevice() = default;

  /// Of the device, as its driver counts in this process.
  virtual int ordinal() const = 0;

  /// Device memory.
  virtual float* data() = 0;

  /// The same values once more, in memory of their own. Throws Error when there is not enough.
  virtual std::unique_ptr<MapOnDevice> copy() const = 0;

  /// As many values as there are points, after what was asked of the device's default stream. Throws Error
  /// when the device fails.
  virtual void copy_to(std::span<float> host) const = 0;
};

}  // namespace ionwell
