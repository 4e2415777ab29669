// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/backend.hpp"
#include "compute/ion_update.hpp"
#include "compute/lattice_request.hpp"
#include "compute/run_record.hpp"
#include "compute/stages.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/source_options.hpp"
#include "sampling/bulk_salt.hpp"
#include "sampling/lattice_field.hpp"
#include "sampling/sample.hpp"
#include "solvation/ions/salt.hpp"

/// Ions that move around a solute, from a job to what was seen of them.
namespace ionwell {

/// Where the ions of --ion begin: where placement puts them, at random places, or where a file has them.
/// Those of salts begin at random places.
enum class SampleStart { greedy, random, file };

std::string_view to_string(SampleStart start);

/// A property of an ion by its name, in place of the usual one.
using IonProperties = std::vector<std::pair<std::string, double>>;

constexpr double usual_sampling_border_A = 20.0;
constexpr double usual_density_spacing_A = 1.0;
constexpr std::int64_t usual_sweeps = 20'000, usual_sweeps_apart = 10;
constexpr std::int64_t usual_steps = 200'000, usual_steps_apart = 100;
constexpr std::int64_t usual_equilibration = 2000;  // sweeps
constexpr double usual_within_A[] = {3.0, 5.0, 10.0};

struct SamplingJob {
  const Structure& structure;  // with radii; not copied: it must outlive the result
  std::vector<IonRequest> ions;
  std::vector<SaltRequest> salts;
  SourceOptions source;
  /// Of the solute's charges and of the ions', water's dielectric where nothing is said; where the potential
  /// comes from maps or a solver, as in Job.
  ElectrostaticsOptions electrostatics;
  IonUpdate update;  // how ions act then
  LatticeRequest lattice;
  SampleBoundary boundary = SampleBoundary::open;
  std::optional<CellParameters> cell;  // of a periodic box
  ForceInterpolation interpolation = ForceInterpolation::trilinear;
  Repulsion repulsion = Repulsion::soft;
  IonProperties radii_A, diffusions_A2_ps;
  SampleStart start = SampleStart::greedy;
  std::string start_path;  // of a file
  SampleOptions sample;
  BulkOptions bulk;                 // its seed and threads are the sample's
  ObservableOptions observables;    // without groups
  std::vector<std::string> around;  // selections, a group each
  BackendOptions backend;
  FieldOptions field;
  std::function<bool()> should_stop;
  std::string command;
  std::vector<std::string> warnings;
};

/// The potential that ions move in.
struct SamplingPotential {
  LatticeGeometry lattice;
  Box box;                  // that the ions stay in
  std::string description;  // "Coulomb, eps = 78.54, 298.15 K; multilevel sum ..."
  std::shared_ptr<const LatticeField> field;
  std::optional<PoissonBoltzmann> solver;
};

struct SamplingResult {
  RunRecord run;  // of what moved the ions
  const Structure& structure;
  IonModel model;
  SamplingPotential potential;
  std::string pair_description;     // how ions act on each other
  std::vector<std::int64_t> asked;  // ions of each species at the start, without those of salts
  std::vector<SaltRequest> salts;
  BulkResult bulk;                                // without salts: empty
  std::vector<std::int64_t> salt_units_at_start;  // by salt
  SampleOptions options;
  ObservableOptions observables;
  SampleStart start = SampleStart::greedy;
  std::string start_path;
  SampleResult sample;
  double temperature_K = room_temperature_K;
};

/// Throws UsageError for what can be refused before a file is read.
void validate(const SamplingJob& job);

/// Makes the potential, finds the salts' chemical potential, samples. Throws as `run` does, and UsageError
/// for ions without a known radius or diffusion constant and for a cell that is not rectangular.
SamplingResult sample_ions(const SamplingJob& job, Stages& stages, const Backends& backends = {});

/// JSON, schema version 1. Numbers that are not finite are null.
std::string json_report(const SamplingResult& result);

}  // namespace ionwell
