#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "ionwell/imported_map.hpp"
#include "ionwell/stages.hpp"
#include "placement/place_ions.hpp"
#include "programs/apbs_files.hpp"
#include "programs/child_process.hpp"

/// Placing with a Poisson-Boltzmann solver in the loop: solve, place some ions, solve again with them in it.
namespace ionwell {

enum class PbSolver { none, apbs };

struct PbArguments {
  PbSolver solver = PbSolver::none;
  int every = 5;  // ions that share a map: the published hybrid; 1 is the iterated protocol
  std::vector<std::string> options;  // for APBS's input
  std::vector<std::string> radii;    // NAME:R
  double timeout_s = 7200.0;
  std::string program = "apbs";
  std::optional<std::string> keep_scratch;

  bool given() const { return solver != PbSolver::none; }
};

void add_pb_options(OptionGroup& group, PbArguments& pb);

/// Throws UsageError for values out of range, and for options given without --pb.
void validate(const PbArguments& pb);

/// Lets ions act in the solution that --pb-option describes: its ionic strength, and for Debye-Hueckel its
/// dielectric. Throws UsageError when --ionic-strength is given as well.
void adopt_solution(const PbArguments& pb, ElectrostaticsOptions& electrostatics, MapArguments& map);

/// How ions act until the next solve: as `update_electrostatics`, but Coulomb with 40 when nothing is said,
/// as the published hybrid has it.
MapArguments with_hybrid_default(MapArguments map);

/// A protocol ready to run: the solver was found, and every ion has a radius.
class PbProtocol {
 public:
  /// Throws Error when the solver is not installed, with the package that has it; UsageError for an ion
  /// without a radius.
  PbProtocol(const PbArguments& arguments, const Structure& structure, const LatticeArguments& lattice,
             const ElectrostaticsOptions& electrostatics, const std::vector<IonRequest>& requests);

  const ApbsCalculation& calculation() const { return calculation_; }
  std::int64_t solves() const { return (requested_ + arguments_.every - 1) / arguments_.every; }

  /// The lattice of the maps, once the first was read.
  const std::optional<LatticeGeometry>& lattice() const { return lattice_; }
  const FieldStatistics& statistics() const { return statistics_; }

  /// Places the ions; `placement` holds those placed so far also when this throws.
  void place(const std::vector<IonRequest>& requests, const ExclusionOptions& exclusion, double most_kT,
             const PairPotential& pair, const BackendChoice& backend, const FieldOptions& field,
             Stages& stages, Placement& placement);

 private:
  Map solve(const Placement& placement, std::int64_t number, int threads, const SignalNotes& notes,
            const Progress& progress);
  std::vector<Atom> atoms_with(const Placement& placement) const;

  const PbArguments& arguments_;
  const Structure& structure_;
  ApbsCalculation calculation_;
  std::string program_;
  std::vector<std::pair<std::string, double>> radius_A_;  // by the ion's name
  std::int64_t requested_ = 0;
  double solve_s_;  // the last one's, or what is expected of the first
  std::optional<LatticeGeometry> lattice_;
  FieldStatistics statistics_;
};

}  // namespace ionwell
