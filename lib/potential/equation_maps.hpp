// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/large_array.hpp"
#include "maps/map.hpp"
#include "potential/lattice_potential.hpp"

namespace ionwell {

/// What a Poisson-Boltzmann equation is made of, to look at or to compare with other programs.
enum class EquationPart { dielectric, kappa, charge };

/// "eps,kappa,charge", any of them; throws UsageError for other words.
std::vector<EquationPart> parse_equation_parts(std::string_view text);

/// One array of an equation as a map, in numbers without a unit of potential.
struct EquationMap : MapHeader {
  std::string name;          // eps_x, eps_y, eps_z, kappa, charge: for the file's name
  LargeArray<float> values;  // i fastest
};

/// Calls visit(map) for each part of the equation that a result's own solver solved on the result's lattice,
/// one after the other, so that one of them is in memory at a time. Dielectrics are those of the faces
/// between a point and the next along one axis, each a map of its own whose points are in the middle of the
/// faces, as in APBS's maps dielx, diely and dielz. kappa: 4 pi l sum_i c_i z_i^2 [1/A^2] times the share of
/// a point that ions can enter, APBS's kappa. Charge: [e] at each point. The potential must have an equation.
void for_each_equation_map(const LatticePotential& made, const std::vector<EquationPart>& parts,
                           const std::function<void(EquationMap&&)>& visit);

/// The name of the file beside `path` that a part goes to: eps_x of pot.dx.gz is pot.eps_x.dx.gz.
std::string equation_map_path(const std::string& path, std::string_view name);

/// All files that parts are written to, in the order of for_each_equation_map.
std::vector<std::string> equation_map_paths(const std::string& path, const std::vector<EquationPart>& parts);

}  // namespace ionwell
