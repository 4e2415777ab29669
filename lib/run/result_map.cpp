#include "run/result_map.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "run/report.hpp"

namespace ionwell {
namespace {

std::string solute_potential(const Result& result) {
  if (!result.imported)
    return std::string(solute_potential_by) + describe_electrostatics(result.electrostatics);
  if (result.solver) return "the potential of the solute";
  std::string text = "the potential of";
  for (const std::string& path : result.imported->paths)
    text.append(&path == &result.imported->paths.front() ? " " : ", ").append(path);
  return text;
}

/// What a map saved after the placement holds besides the solute's potential.
std::string ions_part(const Result& result) {
  if (!result.imported) return " and that of the ions";
  return result.imported->ions_act
             ? " and that of the ions by " + describe_electrostatics(result.electrostatics)
             : "; the ions act by nothing";
}

MapHeader header_of(const Result& result, MapContents contents, MapUnit unit) {
  const std::string what =
      solute_potential(result) + (contents == MapContents::solute_and_ions ? ions_part(result) : "");
  return {.lattice = result.lattice,
          .unit = unit,
          .temperature_K = result.electrostatics.temperature_K,
          .provenance = {{"program", "ionwell " + std::string(version())},
                         {"command", result.command},
                         {"structure", result.structure.path},
                         {"method", what + "; " + describe_method(result)}}};
}

/// What kT/e are in `unit`.
double factor_of(const Result& result, MapUnit unit) {
  const double temperature_K = result.electrostatics.temperature_K;
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

ResultMap map_of(const Result& result, MapContents contents, MapUnit unit) {
  ResultMap map{header_of(result, contents, unit), LargeArray<float>(std::size_t(result.lattice.size()))};
  const std::span<float> all(map.values.data(), map.values.size());
  result.field->copy_values(all);
  scale(all, factor_of(result, unit));
  return map;
}

ResultMapToWrite map_to_write(const Result& result, MapContents contents, MapUnit unit) {
  if (std::unique_ptr<LatticeValues> values = result.field->values_in_parts())
    return {header_of(result, contents, unit),
            {},
            std::make_unique<ScaledValues>(std::move(values), factor_of(result, unit))};
  ResultMap map = map_of(result, contents, unit);
  return {std::move(static_cast<MapHeader&>(map)), std::move(map.values), nullptr};
}

DeviceResultMap device_map_of(const Result& result, MapContents contents, MapUnit unit) {
  DeviceResultMap map{header_of(result, contents, unit),
                      result.field->map_on_device(factor_of(result, unit))};
  if (map.values) return map;
  fail("the lattice is not in the memory of one GPU but ",
       result.lattice_on == "devices" ? "divided among several" : "in that of the host",
       ", and cannot be left there; use a larger --spacing or a smaller --border, or have the map on the "
       "host");
}

}  // namespace ionwell
