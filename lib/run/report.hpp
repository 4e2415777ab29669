#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/pair_potential.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

/// The potential came from files.
struct ImportedMaps {
  std::vector<std::string> paths;
  bool interpolated = false;  // the lattice is not a map's own
  bool tricubic = false;
  bool ions_act = true;  // by RunReport::electrostatics
};

/// The potential came from a solver, again after every few ions.
struct PoissonBoltzmann {
  std::string program;
  int every = 1;  // ions that share a map
  std::int64_t solves = 0;
  double ionic_strength_M = 0.0;
  std::vector<std::string> options;
};

/// What one run did. `structure` is not copied and must outlive the report.
struct RunReport {
  std::string command;  // as typed
  const Structure& structure;
  LatticeGeometry lattice;
  ElectrostaticsOptions electrostatics;
  std::optional<ExclusionOptions> exclusion;  // none when only a map is made
  std::string method = "direct";
  std::optional<MultilevelOptions> multilevel;  // when the method is "msm"
  bool refined = true;                          // positions were decided by fp64 sums
  std::optional<ImportedMaps> imported;         // when the method is "map"
  std::optional<PoissonBoltzmann> solver;       // when it is "apbs"
  std::string backend = "cpu";
  std::string device;               // the instruction set, or the names of the GPUs
  std::string lattice_on = "host";  // or "device", or "devices", each of which has a part
  int threads = 1;
  std::vector<std::pair<std::string, double>>
      timings_s;  // read, potential, exclusion, placement, write, total
  std::int64_t host_peak_bytes = 0;
  std::optional<DeviceUse> device_use;  // of the GPUs
  double device_start_up_s = 0.0;       // until the first kernel could run
  Placement placement;
  std::optional<FieldStatistics> statistics;
  std::vector<std::string> warnings;
};

/// JSON, schema version 1; later versions only add. Numbers that are not finite are null.
std::string json_report(const RunReport& report);

/// "Coulomb, eps = 1, 298.15 K".
std::string describe_electrostatics(const ElectrostaticsOptions& options);

/// With that after it, what a map of the solute's potential says of itself.
constexpr std::string_view solute_potential_by = "the solute's potential; ";

/// "direct sum", or multilevel summation with its options: how the potential was computed.
std::string describe_method(const RunReport& report);

/// The same of a run that placed ions in it, and whether their positions are approximate.
std::string describe_placement(const RunReport& report);

/// Paragraphs for the top of a PDB file: version, protocol, net charge before and after.
std::vector<std::string> protocol_remarks(const RunReport& report);

}  // namespace ionwell
