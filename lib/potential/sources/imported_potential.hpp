// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "compute/lattice_request.hpp"
#include "maps/map.hpp"
#include "maps/map_interpolation.hpp"
#include "placement/place_ions.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/source_options.hpp"

namespace ionwell {

/// Maps read and brought to one lattice, in kT/e of the run's temperature.
class ImportedPotential {
 public:
  /// Reads the maps. Throws Error for one that does not say its unit when `files` does not either.
  ImportedPotential(const MapFiles& files, double temperature_K, int threads);

  /// The lattice that `request` asks for: the maps' own when neither spacing, border nor box is given.
  /// Throws Error, with both boxes, when it misses the solute or the maps do.
  LatticeGeometry choose_lattice(const Structure& structure, const LatticeRequest& request) const;

  /// The values at the lattice's points, i fastest, NaN where no map reaches; valid while this object lives.
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
