// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compute/backend.hpp"
#include "compute/lattice_request.hpp"
#include "compute/run_record.hpp"
#include "compute/stages.hpp"
#include "electrostatics/alpb.hpp"
#include "electrostatics/at_points/point_sum.hpp"
#include "electrostatics/pair_potential.hpp"
#include "jobs/at_points/point_statistics.hpp"
#include "meshes/point_set.hpp"
#include "meshes/surface/surface_measure.hpp"
#include "placement/field_options.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/source_options.hpp"

/// The potential of a structure at given points.
namespace ionwell {

/// The solute's charges, summed: ElectrostaticsOptions say how a charge is screened.
struct SummedCharges {};

/// The solution of the Poisson-Boltzmann equation by the own solver, on a lattice that reaches all points,
/// interpolated.
struct SolvedPb {
  PbOptions pb;
  LatticeRequest lattice;
  MapInterpolation interpolation = MapInterpolation::trilinear;
};

/// Where the potential comes from.
using PointModel = std::variant<SummedCharges, AlpbOptions, MapFiles, SolvedPb>;

struct PointJob {
  const Structure& structure;  // not copied, nor are the points: they must outlive the result
  const PointSet& points;
  PointModel model;
  ElectrostaticsOptions electrostatics;  // of summed charges; otherwise the temperature alone
  PointSumOptions sum;                   // of charges, and of ALPB's Coulomb part
  FieldOptions field;                    // threads and instructions of the solver; of all else sum has them
  BackendOptions backend;                // of sums, and of the solver; maps are interpolated on the CPU
  std::string command;                   // what reports call the run
};

struct PointResult {
  RunRecord run;
  const Structure& structure;
  const PointSet& points;
  ElectrostaticsOptions electrostatics;
  std::string model;                              // "Coulomb, eps = 1, 298.15 K": what the potential is
  std::vector<double> potential_kT_e;             // by point; NaN where a map does not reach
  std::vector<double> areas_A2;                   // by point; empty for points alone
  std::optional<SurfaceMeasure> surface;          // of a surface of the solute, not of the triangles
  std::optional<PointSum> sum;                    // how charges were summed; its values are potential_kT_e
  std::optional<double> alpb_size_A;              // of ALPB's sphere
  std::vector<std::string> maps;                  // the files of a potential that was read
  std::optional<MapInterpolation> interpolation;  // of maps and of a solution
  std::optional<PoissonBoltzmann> solver;
  std::optional<LatticeGeometry> lattice;  // where the equation was solved
  PointStatistics statistics;
  std::int64_t inside_atoms = 0;  // points within the radius of an atom, or 1 A where none has one
};

/// Throws UsageError for options out of range.
void validate(const PointJob& job);

/// A point inside an atom gets what the model gives it (a sum of bare charges rises to that 1e-3 A from a
/// charge, where it ends), and is counted. Sums, and what the solver does, are on the CPU or on what the cost
/// model chooses of `backends`. Throws Error when no point has a value, because the maps lie elsewhere.
PointResult potential_at_points(const PointJob& job, Stages& stages, const Backends& backends = {});

/// The charges of a structure by its residues and chains. A chain ends where its name or its segment's
/// changes, and at TER.
SoluteParts solute_parts(std::span<const Atom> atoms);

/// JSON, schema version 1. Numbers that are not finite are null.
std::string json_report(const PointResult& result);

/// "direct sum in double precision", "charge partitioning (HCP, ...)", "map, trilinear interpolation".
std::string describe_method(const PointResult& result);

}  // namespace ionwell
