// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/plain_sites.hpp"

#include <algorithm>
#include <cmath>

#include "placement/crystal_sites/site_energies.hpp"

namespace ionwell::test {

std::vector<SiteAtom> random_site_atoms(Random& random, const Box& box, int count) {
  std::vector<SiteAtom> atoms;
  while (int(atoms.size()) < count) {
    const SiteAtom atom{random.position_A(box), random.three_decimals(-1.0, 1.0),
                        SiteAtomClass(random.below(site_atom_classes))};
    const bool is_free = std::all_of(atoms.begin(), atoms.end(), [&](const SiteAtom& other) {
      return distance_squared(other.position_A, atom.position_A) > 1.0;
    });
    if (is_free) atoms.push_back(atom);
  }
  return atoms;
}

SiteModel test_site_model() {
  SiteModel model = magnesium_site_model();
  model.terms.push_back({bit_of(SiteAtomClass::n7) | bit_of(SiteAtomClass::carbonyl_oxygen), -1.5, 4.2, 0.4});
  model.terms.push_back({bit_of(SiteAtomClass::phosphorus), 0.3, 0.0, 3.0});
  return model;
}

std::map<std::int64_t, double> plain_energies(const LatticeGeometry& lattice, const SiteModel& model,
                                              const std::vector<SiteAtom>& atoms) {
  std::map<std::int64_t, double> energies_kT;
  for (std::int64_t n = 0; n < lattice.size(); ++n) {
    const Vec3<double> point_A = lattice.position_A(n);
    double nearest2 = 1e300;
    for (const SiteAtom& atom : atoms)
      if (is_heavy(atom.kind)) nearest2 = std::min(nearest2, distance_squared(atom.position_A, point_A));
    if (nearest2 < model.ion_heavy_atom_A * model.ion_heavy_atom_A ||
        nearest2 > model.cutoff_A * model.cutoff_A)
      continue;
    const PairPotential pair = pair_potential_of(model);
    double energy_kT = 0.0;
    for (const SiteAtom& atom : atoms) {
      const double r2 = distance_squared(atom.position_A, point_A), r = std::sqrt(r2);
      energy_kT += model.charge_e * atom.charge_e * pair.prefactor * std::exp(-pair.kappa_per_A * r) / r;
      if (r >= model.cutoff_A) continue;
      for (const SiteTerm& term : model.terms)
        if (term.atoms & bit_of(atom.kind))
          energy_kT += term.energy_kT * std::exp(-(r - term.centre_A) * (r - term.centre_A) /
                                                 (2 * term.width_A * term.width_A));
    }
    energies_kT[n] = energy_kT;
  }
  return energies_kT;
}

std::map<std::int64_t, double> plain_basins(const LatticeGeometry& lattice,
                                            const std::map<std::int64_t, double>& energies_kT,
                                            double width_A) {
  std::vector<double> weights(std::size_t(lattice.size()), 0.0);
  for (const auto& [n, energy_kT] : energies_kT) weights[std::size_t(n)] = std::exp(-energy_kT);
  const auto reach = [&](double spacing_A) { return std::int64_t(std::ceil(4 * width_A / spacing_A)); };
  const auto gauss = [&](double x_A) { return std::exp(-0.5 * x_A * x_A / (width_A * width_A)); };
  const Vec3<double>& h = lattice.spacing_A;
  const Vec3<std::int64_t> r{reach(h.x), reach(h.y), reach(h.z)};
  std::vector<double> kernel;
  double norm = 0.0;
  for (std::int64_t k = -r.z; k <= r.z; ++k)
    for (std::int64_t j = -r.y; j <= r.y; ++j)
      for (std::int64_t i = -r.x; i <= r.x; ++i) {
        kernel.push_back(gauss(double(i) * h.x) * gauss(double(j) * h.y) * gauss(double(k) * h.z));
        norm += kernel.back();
      }
  std::map<std::int64_t, double> basins_kT;
  for (const auto& [n, unused] : energies_kT) {
    double sum = 0.0;
    const Vec3<std::int64_t> p = lattice.point(n);
    auto weight = kernel.begin();
    for (std::int64_t k = -r.z; k <= r.z; ++k)
      for (std::int64_t j = -r.y; j <= r.y; ++j)
        for (std::int64_t i = -r.x; i <= r.x; ++i, ++weight) {
          const Vec3<std::int64_t> q = p + Vec3<std::int64_t>{i, j, k}, &counts = lattice.counts;
          const bool is_inside =
              q.x >= 0 && q.y >= 0 && q.z >= 0 && q.x < counts.x && q.y < counts.y && q.z < counts.z;
          if (is_inside) sum += *weight * weights[std::size_t(lattice.index(q.x, q.y, q.z))];
        }
    basins_kT[n] = -std::log(sum / norm);
  }
  return basins_kT;
}

}  // namespace ionwell::test
