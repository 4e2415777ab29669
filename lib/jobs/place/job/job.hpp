// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/ion_update.hpp"
#include "compute/lattice_request.hpp"
#include "core/structure.hpp"
#include "placement/field.hpp"
#include "placement/field_options.hpp"
#include "placement/place_ions.hpp"
#include "potential/request/source_options.hpp"
#include "solvation/hydration/hydrate.hpp"
#include "solvation/ions/box_options.hpp"

namespace ionwell {

struct Result;
struct Solvation;

/// A box of water that a job's ions go into.
struct SolvatedBoxJob {
  std::span<const Atom> atoms;  // all that is in it; the job's structure is what acts
  BoxOptions options;
  /// Where the waters of the box begin: those in front of this atom are the crystal's. Not given: by
  /// themselves.
  std::optional<std::size_t> first_of_box{};
  const Solvation* solvation = nullptr;  // that made it, for the report; must outlive the result
  /// Ions at the sites of crystals, which are among `atoms` and act: for the report; must outlive the result.
  const Result* sites = nullptr;
  /// Where the waters around these begin, which no ion may replace, up to first_of_box. Not given: none.
  std::optional<std::size_t> first_of_shells{};
};

/// What to compute. All but the structure has a default: the bare Coulomb potential, summed by the faster
/// method, on a lattice of 0.5 A.
struct Job {
  const Structure& structure;    // not copied: it must outlive the run and its result
  std::vector<IonRequest> ions;  // in the order of placement; none: only the potential is made
  bool ions_follow = false;      // none is in `ions`, and they come in steps: StepwiseRun
  /// A run that has placed ions at sites of crystals around this structure, on this lattice: they act, keep
  /// the others away, and come first in the result. Must outlive the run. For SummationOptions, without a
  /// box.
  const Result* sites = nullptr;
  SourceOptions source;  // of the solute
  /// Of solute and ions; where the solute's potential comes from maps or a solver, its temperature and ionic
  /// strength only, and `update` says how ions act.
  ElectrostaticsOptions electrostatics;
  IonUpdate update;
  LatticeRequest lattice;
  ExclusionOptions exclusion;
  /// Of ions on a lattice: whether the images of the structure's cell act and keep ions away, too. Not given:
  /// they do where that is a simulation's (jobs/place/job/periodic_images.hpp).
  std::optional<Boundary> boundary;
  double most_kT = std::numeric_limits<double>::infinity();  // stop before an ion of a higher energy
  BackendOptions backend;
  FieldOptions field;                  // every_point: for maps of more than the points where ions can go
  std::optional<SolvatedBoxJob> box;   // ions take the places of its waters, and there is no lattice
  HydrationOptions hydration;          // shells of water for ions on a lattice, once all are placed
  std::string command;                 // what reports and maps call the run
  std::vector<std::string> warnings;   // to be told and kept with those of the run: IonRequests has some
  std::vector<std::string> map_names;  // that its maps will be written under; none: values are wanted here
  bool hands_over = true;              // what a device fails to do; or else DeviceFailure is thrown

  /// Whether the solute keeps ions away, now or later.
  bool places_ions() const { return !ions.empty() || ions_follow; }
};

/// Throws UsageError, or Error for a structure that is none, for what can be refused before anything is read
/// or computed; the messages name the options of the program.
void validate(const Job& job);

/// Throws UsageError for ions that cannot be placed.
void validate_ions(const std::vector<IonRequest>& ions);

}  // namespace ionwell
