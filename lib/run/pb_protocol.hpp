#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "placement/place_ions.hpp"
#include "programs/apbs.hpp"
#include "run/ion_update.hpp"
#include "run/lattice_request.hpp"
#include "run/stages.hpp"

/// Placing with a Poisson-Boltzmann solver in the loop: solve, place some ions, solve again with them in it.
namespace ionwell {

// Of the published protocols (Stone et al. 2007): at most 1 A apart, 8 A beyond the solute.
constexpr double published_pb_spacing_A = 1.0, published_pb_border_A = 8.0;

struct PbOptions {
  int every = 5;  // ions that share a map: the published hybrid; 1 is the iterated protocol
  std::vector<std::string> options;  // KEY=VALUE lines for APBS's input, see ApbsCalculation
  std::vector<std::pair<std::string, double>> radius_A;  // by the ion's name, in place of Shannon's
  ApbsOptions apbs;
};

/// Throws UsageError for values out of range.
void validate(const PbOptions& options);

/// Lets ions act in the solution that `pb.options` describe: its ionic strength, and for Debye-Hueckel its
/// dielectric. Throws UsageError when `electrostatics` has an ionic strength as well.
void adopt_solution(const PbOptions& pb, ElectrostaticsOptions& electrostatics, IonUpdate& update);

/// A protocol ready to run: the solver was found, and every ion has a radius.
class PbProtocol {
 public:
  /// Makes the field for one map.
  using FieldMaker = std::function<std::unique_ptr<PotentialField>(const LatticeGeometry&)>;

  /// `structure` is not copied and must outlive this object. Throws Error when the solver is not installed,
  /// with the package that has it; UsageError for an ion without a radius.
  PbProtocol(const PbOptions& options, const Structure& structure, const LatticeRequest& lattice,
             const ElectrostaticsOptions& electrostatics, const std::vector<IonRequest>& requests);

  const ApbsCalculation& calculation() const { return calculation_; }
  std::int64_t solves() const { return (requested_ + options_.every - 1) / options_.every; }

  /// The lattice of the maps, once the first was read.
  const std::optional<LatticeGeometry>& lattice() const { return lattice_; }
  const FieldStatistics& statistics() const { return statistics_; }

  /// Places the ions; `placement` holds those placed so far also when this throws.
  void place(const std::vector<IonRequest>& requests, const ExclusionOptions& exclusion, double most_kT,
             const FieldMaker& make_field, int threads, Stages& stages, Placement& placement);

 private:
  std::vector<Atom> atoms_with(const Placement& placement) const;

  PbOptions options_;
  const Structure& structure_;
  Apbs apbs_;
  ApbsCalculation calculation_;
  std::vector<std::pair<std::string, double>> radius_A_;  // by the ion's name
  std::int64_t requested_ = 0;
  std::optional<LatticeGeometry> lattice_;
  FieldStatistics statistics_;
};

}  // namespace ionwell
