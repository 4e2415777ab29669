// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/geometry/lattice_values.hpp"
#include "core/large_array.hpp"
#include "core/lattice.hpp"
#include "maps/map_unit.hpp"

namespace ionwell {

/// The header of a map: everything except its values.
struct MapHeader {
  LatticeGeometry lattice;
  std::optional<MapUnit> unit;          // none: the file does not say
  std::optional<double> temperature_K;  // of the kT in kT/e
  /// The provenance of the map, in order: "program", "command", "structure", "method", and "comment" for
  /// lines of other programs. Names and values contain no line ends.
  std::vector<std::pair<std::string, std::string>> provenance;
};

/// Values on a lattice, i fastest: in single precision if computed here, in double precision if read, or
/// outside of memory in single precision.
class MapValues {
 public:
  MapValues(std::span<const float> values) : single_(values) {}   // NOLINT: either is a map's values
  MapValues(std::span<const double> values) : double_(values) {}  // NOLINT

  /// `size` values that are not in memory, for which only size, is_single and elsewhere work.
  MapValues(LatticeValues& elsewhere, std::int64_t size)
      : elsewhere_(&elsewhere), elsewhere_size_(std::size_t(size)) {}

  std::size_t size() const { return single_.size() + double_.size() + elsewhere_size_; }
  bool is_single() const { return double_.empty(); }

  /// Null if the values are in memory.
  LatticeValues* elsewhere() const { return elsewhere_; }

  /// Calls use(span) with the values in their type.
  template <typename Use>
  decltype(auto) visit(const Use& use) const {
    return is_single() ? use(single_) : use(double_);
  }

 private:
  std::span<const float> single_;
  std::span<const double> double_;
  LatticeValues* elsewhere_ = nullptr;
  std::size_t elsewhere_size_ = 0;
};

/// A map as read: finite values, in the unit that the header names.
struct Map : MapHeader {
  std::string path;
  std::string format;         // "OpenDX text", "CCP4", ...: for a report
  LargeArray<double> values;  // i fastest

  std::span<const double> all() const { return {values.data(), values.size()}; }
};

/// A map of a potential that was computed here.
struct ResultMap : MapHeader {
  LargeArray<float> values;  // i fastest

  std::span<const float> all() const { return {values.data(), values.size()}; }
};

/// The fraction done, 0 to 1.
using MapProgress = std::function<void(double)>;

}  // namespace ionwell
