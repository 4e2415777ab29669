// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compute/backend_options.hpp"
#include "compute/ion_update.hpp"
#include "compute/lattice_request.hpp"
#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "placement/field_options.hpp"
#include "potential/request/source_options.hpp"

namespace ionwell {

/// Where a potential comes from.
using PotentialOrigin = std::variant<SummationOptions, MapFiles, PbOptions>;

/// A potential on a lattice, as one asks for it. All but the structure has a default: the bare Coulomb
/// potential, summed by the faster method, on a lattice of 0.5 A.
struct PotentialRequest {
  const Structure& structure;  // its charges; not copied: it must outlive the potential
  PotentialOrigin origin;
  /// Of the charges; where the potential comes from maps or a solver, its temperature and ionic strength
  /// only.
  ElectrostaticsOptions electrostatics;
  IonUpdate update;  // how charges act that are added to what maps or a solver gave
  LatticeRequest lattice;
  std::optional<double> solute_distance_A;  // points that are no farther from an atom have no value
  std::optional<PeriodicCell>
      distance_cell;               // nor those that are no farther from an atom's image in this cell
  std::int64_t added_charges = 0;  // that will come: what is fastest depends on them
  BackendOptions backend;
  FieldOptions field{.every_point = true};  // false: values where solute_distance_A leaves points
  std::string command;                      // what reports and maps call the run
  std::vector<std::string> warnings;        // to be told and kept with those of the run
  std::vector<std::string> map_names;       // that it will be written under; none: values are wanted here
};

/// Throws UsageError, or Error for a structure that is none, for what can be refused before anything is read
/// or computed; the messages name the options of the program.
void validate(const PotentialRequest& request);

/// Throws UsageError for what cannot be a potential's origin, or charges that cannot act in it.
void validate_origin(const PotentialOrigin& origin, const IonUpdate& update,
                     const ElectrostaticsOptions& electrostatics);

}  // namespace ionwell
