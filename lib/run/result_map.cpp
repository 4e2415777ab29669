#include "run/result_map.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "run/report.hpp"

namespace ionwell {
namespace {

/// A field, and what is said of its values.
struct Source {
  const RunRecord& run;
  const Structure& structure;
  const PotentialRecord& potential;
  PotentialField& field;
  std::string method;
};

Source source_of(const LatticePotential& made) {
  return {made.run, made.structure, made.potential, *made.field, describe_method(made.potential)};
}

Source source_of(const Result& result) {
  return {result.run, result.structure, result.potential, *result.field, describe_method(result)};
}

std::string solute_potential(const Source& from) {
  if (!from.potential.imported)
    return std::string(solute_potential_by) + describe_electrostatics(from.potential.electrostatics);
  if (from.potential.solver) return "the potential of the solute";
  std::string text = "the potential of";
  for (const std::string& path : from.potential.imported->paths)
    text.append(&path == &from.potential.imported->paths.front() ? " " : ", ").append(path);
  return text;
}

/// What a map saved after the placement holds besides the solute's potential.
std::string ions_part(const Source& from) {
  if (!from.potential.imported) return " and that of the ions";
  return from.potential.imported->ions_act
             ? " and that of the ions by " + describe_electrostatics(from.potential.electrostatics)
             : "; the ions act by nothing";
}

MapHeader header_of(const Source& from, MapContents contents, MapUnit unit) {
  const std::string what =
      solute_potential(from) + (contents == MapContents::solute_and_ions ? ions_part(from) : "");
  return {.lattice = from.potential.lattice,
          .unit = unit,
          .temperature_K = from.potential.electrostatics.temperature_K,
          .provenance = {{"program", "ionwell " + std::string(version())},
                         {"command", from.run.command},
                         {"structure", from.structure.path},
                         {"method", what + "; " + from.method}}};
}

/// What kT/e are in `unit`.
double factor_of(const Source& from, MapUnit unit) {
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

ResultMap host_map(const Source& from, MapContents contents, MapUnit unit) {
  ResultMap map{header_of(from, contents, unit),
                LargeArray<float>(std::size_t(from.potential.lattice.size()))};
  const std::span<float> all(map.values.data(), map.values.size());
  from.field.copy_values(all);
  scale(all, factor_of(from, unit));
  return map;
}

ResultMapToWrite map_in_parts(const Source& from, MapContents contents, MapUnit unit) {
  if (std::unique_ptr<LatticeValues> values = from.field.values_in_parts())
    return {header_of(from, contents, unit),
            {},
            std::make_unique<ScaledValues>(std::move(values), factor_of(from, unit))};
  ResultMap map = host_map(from, contents, unit);
  return {std::move(static_cast<MapHeader&>(map)), std::move(map.values), nullptr};
}

DeviceResultMap device_map(const Source& from, MapContents contents, MapUnit unit) {
  DeviceResultMap map{header_of(from, contents, unit), from.field.map_on_device(factor_of(from, unit))};
  if (map.values) return map;
  fail("the lattice is not in the memory of one GPU but ",
       from.run.lattice_on == LatticeOn::devices ? "divided among several" : "in that of the host",
       ", and cannot be left there; use a larger --spacing or a smaller --border, or have the map on the "
       "host");
}

}  // namespace

ResultMap map_of(const LatticePotential& made, MapUnit unit) {
  return host_map(source_of(made), MapContents::solute, unit);
}

ResultMap map_of(const Result& result, MapContents contents, MapUnit unit) {
  return host_map(source_of(result), contents, unit);
}

ResultMapToWrite map_to_write(const LatticePotential& made, MapUnit unit) {
  return map_in_parts(source_of(made), MapContents::solute, unit);
}

ResultMapToWrite map_to_write(const Result& result, MapContents contents, MapUnit unit) {
  return map_in_parts(source_of(result), contents, unit);
}

DeviceResultMap device_map_of(const LatticePotential& made, MapUnit unit) {
  return device_map(source_of(made), MapContents::solute, unit);
}

}  // namespace ionwell
