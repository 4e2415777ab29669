// SPDX-License-Identifier: BSD-3-Clause
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

/// Placing ions and computing potentials from another program: what `ionwell place` and `ionwell map` do with
/// their most common options. The rest of the library is not installed and may change.
namespace ionwell {

class DeviceBackend;

/// The Poisson-Boltzmann equation of the solute, solved by ionwell.
struct PbJob {
  std::vector<std::string> options;  // KEY=VALUE, like --pb-option
  std::optional<int> every;          // ions per solution; not given: as in `ionwell place`
};

/// What to compute. Everything except the structure has a default: the bare Coulomb potential, summed with
/// the faster method, on a lattice of 0.5 A around the structure.
struct LatticeJob {
  const Structure& structure;    // not copied: it must outlive the job
  std::vector<IonRequest> ions;  // in the order of placement
  /// For solute and ions; with `map_paths` or `equation` only its temperature and ionic strength are used.
  ElectrostaticsOptions electrostatics;
  std::vector<std::string> map_paths;  // the potential of the solute, instead of the sum over its charges
  std::optional<PbJob> equation;       // its solution, instead of the sum
  LatticeRequest lattice;
  ExclusionOptions exclusion;  // of ions
  double most_kT =
      std::numeric_limits<double>::infinity();  // stop when the next ion would have a higher energy
  BackendOptions backend;
  int threads = 0;         // 0: one for each core
  bool keeps_map = false;  // fill PlacedIons::map; not with `equation`, which has several solutions
  std::string command;     // the command in the provenance of maps

  /// Called with the fraction done of each stage, 0 to 1. An exception that it throws ends the job and
  /// reaches the caller.
  std::function<void(const std::string& stage, double done)> progress;
};

/// How a job was run.
struct JobSummary {
  Backend backend = Backend::cpu;     // never automatic
  std::string device;                 // the instruction set, or the names of the GPUs
  std::vector<std::string> warnings;  // and notes, which begin with "note: "
};

struct PlacedIons {
  Placement placement;
  std::optional<ResultMap> map;  // of solute and ions [kT/e], if keeps_map is set
  JobSummary summary;
};

struct SoluteMap {
  ResultMap map;  // [kT/e]
  JobSummary summary;
};

/// Places the ions. `gpus`, usually {&gpu_backend()}, are used if the options of the job and the cost model
/// choose them. Throws UsageError and Error, before anything is computed, for a job that is invalid or needs
/// more memory than is free, and Error later if a solver fails.
PlacedIons place(const LatticeJob& job, const std::vector<const DeviceBackend*>& gpus = {});

/// Computes the potential of the structure. Throws as `place`, and UsageError for a job with ions, or with
/// maps instead of a potential.
SoluteMap solute_map(const LatticeJob& job, const std::vector<const DeviceBackend*>& gpus = {});

}  // namespace ionwell
