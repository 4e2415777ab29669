// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <vector>

#include "placement/crystal_sites/basins.hpp"
#include "placement/crystal_sites/site_model.hpp"
#include "support/cases.hpp"

/// Site models written down as their equations, point by point in double precision.
namespace ionwell::test {

/// Atoms of all classes, at least 1 A apart, with charges from -1 to 1 e.
std::vector<SiteAtom> random_site_atoms(Random& random, const Box& box, int count);

/// A model with a term of each kind: densities, a well, classes of their own.
SiteModel test_site_model();

/// E at the points where a site can be, by lattice index.
std::map<std::int64_t, double> plain_energies(const LatticeGeometry& lattice, const SiteModel& model,
                                              const std::vector<SiteAtom>& atoms);

/// F at the same points.
std::map<std::int64_t, double> plain_basins(const LatticeGeometry& lattice,
                                            const std::map<std::int64_t, double>& energies_kT,
                                            double width_A);

}  // namespace ionwell::test
