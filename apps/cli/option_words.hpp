// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "chemistry/decisions/chemistry_choices.hpp"
#include "compute/backend_options.hpp"
#include "compute/ion_update.hpp"
#include "compute/summation_options.hpp"
#include "core/boundary.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/instruction_set.hpp"
#include "electrostatics/at_points/point_method.hpp"
#include "electrostatics/interpolated/interpolation_nodes.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "jobs/average/lattice_frames.hpp"
#include "maps/map_interpolation.hpp"
#include "potential/request/source_options.hpp"
#include "programs/pdb2pqr.hpp"
#include "sampling/ion_model.hpp"
#include "sampling/sample_method.hpp"
#include "solvation/cell_shape.hpp"
#include "solvation/ions/box_options.hpp"
#include "solvation/ions/salt.hpp"
#include "structures/input_water.hpp"

/// The words of options whose value is one of a few: the command line and the keywords of Python read them
/// here.
namespace ionwell {

template <typename T>
using OptionWords = std::vector<std::pair<std::string, T>>;

inline OptionWords<Method> method_words() {
  return {{"auto", Method::automatic}, {"direct", Method::direct}, {"msm", Method::multilevel}};
}

/// Of a sum at points.
inline OptionWords<PointMethod> point_method_words() {
  return {{"auto", PointMethod::automatic},
          {"direct", PointMethod::direct},
          {"hcp", PointMethod::hcp},
          {"msm", PointMethod::multilevel}};
}

inline OptionWords<MultilevelBasis> basis_words() {
  return {{"cubic", MultilevelBasis::cubic},
          {"bspline4", MultilevelBasis::bspline4},
          {"bspline6", MultilevelBasis::bspline6},
          {"bspline8", MultilevelBasis::bspline8}};
}

inline OptionWords<Backend> backend_words() {
  return {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"gpu", Backend::gpu}};
}

inline OptionWords<SimdLevel> simd_words() {
  return {{"auto", SimdLevel::automatic},
          {"baseline", SimdLevel::baseline},
          {"avx2", SimdLevel::avx2},
          {"avx512", SimdLevel::avx512}};
}

/// Who solves the Poisson-Boltzmann equation.
inline OptionWords<PbSolvedBy> solver_words() {
  return {{"own", PbSolvedBy::own}, {"apbs", PbSolvedBy::apbs}};
}

inline OptionWords<Update> update_words() {
  return {{"debye-hueckel", Update::debye_hueckel}, {"coulomb", Update::coulomb}, {"none", Update::none}};
}

inline OptionWords<MapInterpolation> map_interpolation_words() {
  return {{"trilinear", MapInterpolation::trilinear}, {"tricubic", MapInterpolation::tricubic}};
}

inline OptionWords<Boundary> boundary_words() {
  return {{"periodic", Boundary::periodic}, {"open", Boundary::open}};
}

/// Of a box that ions move in.
inline OptionWords<SampleBoundary> sample_boundary_words() {
  return {{"periodic", SampleBoundary::periodic}, {"open", SampleBoundary::open}};
}

inline OptionWords<SampleMethod> sampler_words() {
  return {{"mc", SampleMethod::monte_carlo}, {"bd", SampleMethod::brownian}};
}

inline OptionWords<Repulsion> repulsion_words() {
  return {{"soft", Repulsion::soft}, {"hard", Repulsion::hard}};
}

inline OptionWords<ForceInterpolation> interpolation_words() {
  return {{"trilinear", ForceInterpolation::trilinear}, {"bspline", ForceInterpolation::cubic_spline}};
}

inline OptionWords<LatticeFrames> lattice_from_words() {
  return {{"first", LatticeFrames::first}, {"all", LatticeFrames::all}};
}

inline OptionWords<CellShape> cell_shape_words() {
  return {{"cube", CellShape::cube},
          {"rectangular", CellShape::rectangular},
          {"dodecahedron", CellShape::dodecahedron},
          {"octahedron", CellShape::octahedron},
          {"hexagonal", CellShape::hexagonal}};
}

inline OptionWords<SaltScheme> scheme_words() {
  return {{"split", SaltScheme::split}, {"sltcap", SaltScheme::sltcap}, {"add", SaltScheme::add}};
}

inline OptionWords<SaltPlacement> salt_by_words() {
  return {{"random", SaltPlacement::random}, {"energy", SaltPlacement::energy}};
}

inline OptionWords<IonNaming> ion_names_words() {
  return {{"pdb", IonNaming::pdb},
          {"charmm", IonNaming::charmm},
          {"amber", IonNaming::amber},
          {"gromacs", IonNaming::gromacs}};
}

inline OptionWords<ChargeForceField> charges_words() {
  return {{"amber", ChargeForceField::amber},   {"charmm", ChargeForceField::charmm},
          {"parse", ChargeForceField::parse},   {"tyl06", ChargeForceField::tyl06},
          {"peoepb", ChargeForceField::peoepb}, {"swanson", ChargeForceField::swanson}};
}

inline OptionWords<FivePhosphate> five_phosphate_words() {
  return {{"remove", FivePhosphate::remove}, {"keep", FivePhosphate::keep}};
}

inline OptionWords<CrystalIons> crystal_ions_words() {
  return {{"keep", CrystalIons::keep}, {"ignore", CrystalIons::ignore}};
}

inline OptionWords<GapEnds> gap_ends_words() {
  return {{"charged", GapEnds::charged}, {"capped", GapEnds::capped}};
}

/// Of what no ion takes the place of a water in.
inline OptionWords<InputWater> input_water_words() {
  return {{"ignore", InputWater::ignore}, {"solute", InputWater::solute}};
}

}  // namespace ionwell
