#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "compute/backend_options.hpp"
#include "compute/lattice_request.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "maps/map.hpp"
#include "placement/ion.hpp"
#include "placement/placement.hpp"

/// Placing ions and computing potentials from another program: what `ionwell place` and `ionwell map` do, by
/// the options that are used most. The rest of the library is not installed, and may change.
namespace ionwell {

class DeviceBackend;

/// The Poisson-Boltzmann equation of the solute, which ionwell solves.
struct PbJob {
  std::vector<std::string> options;  // KEY=VALUE, as of --pb-option
  std::optional<int> every;          // ions that share a solution; not given: as `ionwell place`
};

/// What to compute. All but the structure has a default: the bare Coulomb potential, summed by the faster
/// method, on a lattice of 0.5 A around the structure.
struct LatticeJob {
  const Structure& structure;    // not copied: it must outlive the job
  std::vector<IonRequest> ions;  // in the order of placement
  /// Of solute and ions; with `map_paths` or `equation` only its temperature and ionic strength.
  ElectrostaticsOptions electrostatics;
  std::vector<std::string> map_paths;  // the solute's potential, in place of the sum over its charges
  std::optional<PbJob> equation;       // its solution, in place of the sum
  LatticeRequest lattice;
  ExclusionOptions exclusion;                                // of ions
  double most_kT = std::numeric_limits<double>::infinity();  // stop before an ion of a higher energy
  BackendOptions backend;
  int threads = 0;         // 0: all there are
  bool keeps_map = false;  // PlacedIons::map is wanted; not with `equation`, which has several solutions
  std::string command;     // what maps call the run

  /// Gets the part done of each stage, 0 to 1. What it throws ends the job and reaches the caller.
  std::function<void(const std::string& stage, double done)> progress;
};

/// How a job went.
struct JobSummary {
  Backend backend = Backend::cpu;  // never automatic
  std::string device;              // the instruction set, or the names of the GPUs
  std::vector<std::string> warnings;
};

struct PlacedIons {
  Placement placement;
  std::optional<ResultMap> map;  // of solute and ions [kT/e], where the job keeps it
  JobSummary summary;
};

struct SoluteMap {
  ResultMap map;  // [kT/e]
  JobSummary summary;
};

/// Places the ions. `gpus` are used where the job's options and the cost model say so: {&gpu_backend()}.
/// Throws UsageError and Error, before anything is computed, for a job that cannot be done or needs more
/// memory than there is; later Error when a solver fails.
PlacedIons place(const LatticeJob& job, const std::vector<const DeviceBackend*>& gpus = {});

/// Computes the potential of the structure. Throws as `place`, and UsageError for a job with ions, or with
/// maps in place of a potential.
SoluteMap solute_map(const LatticeJob& job, const std::vector<const DeviceBackend*>& gpus = {});

}  // namespace ionwell
