#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/pair_potential.hpp"
#include "placement/place_ions.hpp"
#include "run/average/average_summary.hpp"
#include "run/box/box_result.hpp"
#include "run/observer.hpp"
#include "run/source_options.hpp"
#include "solvation/hydration/hydrate.hpp"

namespace ionwell {

class PbArrays;

/// The potential came from files.
struct ImportedMaps {
  std::vector<std::string> paths;
  bool interpolated = false;  // the lattice is not a map's own
  bool tricubic = false;
  bool ions_act = true;  // by Result::electrostatics
};

/// What the solves of ionwell's own solver took, together.
struct PbConvergenceSum {
  int iterations = 0;
  double residual = 0.0;  // the largest that was left, of the right side
  double seconds = 0.0;   // with the making of the equations
};

/// The potential came from a solver, again after every few ions.
struct PoissonBoltzmann {
  std::string program;  // "ionwell" for its own, or APBS as it was called
  int every = 1;        // ions that share a map
  std::int64_t solves = 0;
  double ionic_strength_M = 0.0;
  std::vector<std::string> options;
  PbSolvedBy solved_by = PbSolvedBy::own;
  std::optional<PbConvergenceSum> convergence;  // of its own solver

  /// Of the charges when they come from a medium of the solute's dielectric, without salt, into the solution:
  /// of the solute, and with the placed ions. When asked for.
  std::optional<double> solvation_energy_kJ_mol, solvation_energy_with_ions_kJ_mol;

  /// What its own solver solved on the result's lattice; null of another solver, and with ions.
  std::shared_ptr<PbArrays> equation;
};

/// Ions were placed by a site model.
struct SiteResult {
  SiteModel model;
  std::string path;  // of the file it came from; empty: built in
};

/// What one run did. `structure` is not copied and must outlive the result.
struct Result {
  std::string command;  // as typed
  const Structure& structure;
  LatticeGeometry lattice;  // without points where ions went into a box
  ElectrostaticsOptions electrostatics;
  std::optional<ExclusionOptions> exclusion;  // none when only a map is made
  std::string method = "direct";
  std::optional<MultilevelOptions> multilevel;  // when the method is "msm"
  bool refined = true;                          // positions were decided by fp64 sums
  bool is_periodic = false;                     // ions on a lattice, and all images of the structure's cell
  bool distances_repeat = false;                // ions on a lattice keep their distance from images, too
  std::optional<ImportedMaps> imported;         // when the method is "map", "pb" or "apbs"
  std::optional<BoxResult> box;                 // when ions took the places of waters: without a lattice
  std::optional<PoissonBoltzmann> solver;       // when it is "pb" or "apbs"
  std::optional<SiteResult> sites;              // when it is "sites"
  std::optional<AverageSummary> average;        // when maps of frames were averaged
  std::string backend = "cpu";
  std::string backend_reason;       // why no GPU is used, though one was not ruled out; may be empty
  std::string device;               // the instruction set, or the names of the GPUs
  std::string lattice_on = "host";  // or "device", or "devices", each of which has a part
  int threads = 1;                  // of the CPU, of one rank
  int ranks = 1;                    // processes that shared the lattice
  std::vector<std::pair<std::string, double>>
      timings_s;  // read, potential, exclusion, placement, write, total
  std::int64_t host_peak_bytes = 0;
  std::optional<DeviceUse> device_use;  // of the GPUs
  double device_start_up_s = 0.0;       // until the first kernel could run
  Placement placement;
  std::optional<Hydration> hydration;  // when it was asked for
  std::optional<FieldStatistics> statistics;
  std::vector<std::string> warnings;

  /// The potential of solute and ions on the lattice [kT/e], for maps; null when a solver made several.
  std::shared_ptr<PotentialField> field;
};

/// Adds warnings to the result and tells the observer.
void warn(Result& result, const RunObserver& observer, const std::vector<std::string>& warnings);

}  // namespace ionwell
