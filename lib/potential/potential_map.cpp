// SPDX-License-Identifier: BSD-3-Clause
#include "potential/potential_map.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "potential/request/describe_potential.hpp"

namespace ionwell {
namespace {

std::string solute_potential(const MapSource& from) {
  if (!from.potential.imported)
    return std::string(solute_potential_by) + describe_electrostatics(from.potential.electrostatics);
  if (from.potential.solver) return "the potential of the solute";
  std::string text = "the potential of";
  for (const std::string& path : from.potential.imported->paths)
    text.append(&path == &from.potential.imported->paths.front() ? " " : ", ").append(path);
  return text;
}

/// What a map saved after the placement holds besides the solute's potential.
std::string ions_part(const MapSource& from) {
  if (!from.potential.imported) return " and that of the ions";
  return from.potential.imported->ions_act
             ? " and that of the ions by " + describe_electrostatics(from.potential.electrostatics)
             : "; the ions add no potential";
}

MapHeader header_of(const MapSource& from, MapUnit unit) {
  const std::string what =
      solute_potential(from) + (from.contents == MapContents::solute_and_ions ? ions_part(from) : "");
  return {.lattice = from.potential.lattice,
          .unit = unit,
          .temperature_K = from.potential.electrostatics.temperature_K,
          .provenance = {{"program", "ionwell " + std::string(version())},
                         {"command", from.run.command},
                         {"structure", from.structure.path},
                         {"method", what + "; " + from.method}}};
}

/// What kT/e are in `unit`.
double factor_of(const MapSource& from, MapUnit unit) {
  const double temperature_K = from.potential.electrostatics.temperature_K;
  return unit == MapUnit::kT_e ? 1.0 : volts(MapUnit::kT_e, temperature_K) / volts(unit, temperature_K);
}

void scale(std::span<float> values, double factor) {
  if (factor == 1.0) return;
  for (float& value : values) value = float(factor * double(value));
}

/// Values in another unit.
class ScaledValues final : public LatticeValues {
 public:
  ScaledValues(std::unique_ptr<LatticeValues> values, double factor)
      : values_(std::move(values)), factor_(factor) {}

  void copy(const LatticePart& part, std::span<float> values) override {
    values_->copy(part, values);
    scale(values, factor_);
  }

 private:
  std::unique_ptr<LatticeValues> values_;
  double factor_;
};

}  // namespace

MapSource map_source(const LatticePotential& made) {
  return {made.run, made.structure, made.potential, *made.field, describe_method(made.potential)};
}

ResultMap map_of(const MapSource& from, MapUnit unit) {
  ResultMap map{header_of(from, unit), LargeArray<float>(std::size_t(from.potential.lattice.size()))};
  const std::span<float> all(map.values.data(), map.values.size());
  from.field.copy_values(all);
  scale(all, factor_of(from, unit));
  return map;
}

ResultMapToWrite map_to_write(const MapSource& from, MapUnit unit) {
  if (std::unique_ptr<LatticeValues> values = from.field.values_in_parts())
    return {
        header_of(from, unit), {}, std::make_unique<ScaledValues>(std::move(values), factor_of(from, unit))};
  ResultMap map = map_of(from, unit);
  return {std::move(static_cast<MapHeader&>(map)), std::move(map.values), nullptr};
}

ResultMap map_of(const LatticePotential& made, MapUnit unit) {
  return map_of(map_source(made), unit);
}

ResultMapToWrite map_to_write(const LatticePotential& made, MapUnit unit) {
  return map_to_write(map_source(made), unit);
}

DeviceResultMap device_map_of(const LatticePotential& made, MapUnit unit) {
  const MapSource from = map_source(made);
  DeviceResultMap map{header_of(from, unit), from.field.map_on_device(factor_of(from, unit))};
  if (map.values) return map;
  fail("the lattice is not in the memory of one GPU, but ",
       from.run.lattice_on == LatticeOn::devices ? "divided among several GPUs" : "in host memory",
       ", so the map cannot stay there; use a larger --spacing or a smaller --border, or keep the map on the "
       "host");
}

}  // namespace ionwell
