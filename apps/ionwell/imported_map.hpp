#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "maps/map.hpp"
#include "maps/map_interpolation.hpp"
#include "run/report.hpp"

/// Placing in a potential that another program computed.
namespace ionwell {

/// How an ion that was placed in a map acts on those after it.
enum class Update { automatic, debye_hueckel, coulomb, none };

struct MapArguments {
  std::vector<std::string> paths;
  std::optional<MapUnit> unit;
  std::optional<MapInterpolation> interpolation;
  Update update = Update::automatic;
  std::optional<double> update_dielectric;

  bool solved = false;  // the maps are those of a solver that this run starts

  bool given() const { return solved || !paths.empty(); }
};

void add_map_options(OptionGroup& group, MapArguments& map);

/// Throws UsageError for options that do not go with a map, or only with one.
void validate(const MapArguments& map, const ElectrostaticsOptions& electrostatics,
              const MethodArguments& method);

/// What an ion does, as options of a pair potential: Debye-Hueckel with water's dielectric and 0.15 M, or
/// Coulomb with 40, unless told otherwise; nothing for `none`.
std::optional<ElectrostaticsOptions> update_electrostatics(const MapArguments& map,
                                                           const ElectrostaticsOptions& electrostatics);

/// The pair potential of the ions: zero for `none`.
PairPotential update_potential(const std::optional<ElectrostaticsOptions>& update);

/// Maps read and brought to one lattice, in kT/e of the run's temperature.
class ImportedPotential {
 public:
  /// Reads the maps. Throws Error for one that does not say its unit when `arguments` does not either.
  ImportedPotential(const MapArguments& arguments, double temperature_K, int threads);

  /// The lattice that `arguments` ask for: the maps' own when neither spacing, border nor box is given.
  /// Throws Error, with both boxes, when it misses the solute or the maps do.
  LatticeGeometry choose_lattice(const Structure& structure, const LatticeArguments& arguments) const;

  /// The values at the lattice's points, valid while this object lives.
  std::span<const double> values_on(const LatticeGeometry& lattice, int threads);

  /// Warnings of maps that say that they are a solute's potential by another rule than that by which ions are
  /// to act.
  std::vector<std::string> unlike(const ElectrostaticsOptions& acting) const;

  /// Memory that `values_on` will take.
  std::int64_t bytes_for(const LatticeGeometry& lattice) const;

  /// What to tell the user: maps of another temperature, and a solute that reaches out of the maps.
  std::vector<std::string> warnings(const Structure& structure) const;

  /// What to tell the user of the ions: those on the edge of a map, where its values were not solved for.
  std::vector<std::string> warnings(const Placement& placement) const;

  /// What a report says of it.
  ImportedMaps description(const LatticeGeometry& lattice) const;

 private:
  bool is_own(const LatticeGeometry& lattice) const {
    return maps_.size() == 1 && maps_.front().lattice == lattice;
  }

  std::deque<Map> maps_;
  std::vector<std::string> of_other_temperature_;  // a warning for each such map
  std::vector<MapGrid> grids_;
  MapInterpolation interpolation_;
  LargeArray<double> sampled_;
};

}  // namespace ionwell
