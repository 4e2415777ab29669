// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/site_energies.hpp"

#include <algorithm>
#include <cmath>

#include "core/cell_list.hpp"
#include "electrostatics/block_columns.hpp"
#include "electrostatics/simd/kernel_tables.hpp"
#include "parallel/parallel_for.hpp"
#include "placement/crystal_sites/simd/site_kernels.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

/// The terms that have the same atoms, ready for the kernels.
struct TermGroup {
  SiteAtomClasses atoms = 0;
  std::vector<RadialGaussian> densities, shells;
};

std::vector<TermGroup> groups_of(const std::vector<SiteTerm>& terms) {
  std::vector<TermGroup> groups;
  for (const SiteTerm& term : terms) {
    const auto is_full = [](const TermGroup& group) { return group.densities.size() == most_gaussians; };
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const TermGroup& one) { return one.atoms == term.atoms && !is_full(one); });
    if (group == groups.end()) group = groups.insert(groups.end(), TermGroup{.atoms = term.atoms});
    (term.centre_A > 0.0 ? group->shells : group->densities)
        .push_back({term.energy_kT, term.centre_A, term.width_A});
  }
  return groups;
}

/// Leaves the points that are neither too near to a heavy atom nor too far from all.
void choose_points(HostStore& store, const SiteModel& model, std::span<const Vec3<double>> heavy_A,
                   const SiteFieldOptions& options) {
  Mask beyond(store.grid(), options.simd, options.threads);
  beyond.exclude(heavy_A, model.cutoff_A * model.cutoff_A);
  store.mask().exclude(heavy_A, ion_limit_A2(model.ion_heavy_atom_A));
  parallel_for({options.threads}, store.grid().size(), [&](std::int64_t block) {
    std::uint64_t within[mask_words];
    for (int w = 0; w < mask_words; ++w) within[w] = ~beyond.of_block(block)[w];
    store.mask().keep(block, within);
  });
}

/// values = scale * values + the terms.
void add_terms(HostStore& store, const SiteModel& model, std::span<const SiteAtom> atoms,
               const SiteFieldOptions& options, const Progress& progress) {
  const SiteKernels& kernels = site_kernels(options.simd);
  struct Group {
    TermGroup terms;
    std::vector<Vec3<double>> atoms_A;
    CellList cells;
  };
  constexpr double cell_A = 4.0;
  std::vector<Group> groups;
  for (const TermGroup& terms : groups_of(model.terms)) {
    std::vector<Vec3<double>> atoms_A = positions_of(atoms, terms.atoms);
    CellList cells(atoms_A, cell_A);
    groups.push_back({terms, std::move(atoms_A), std::move(cells)});
  }
  const auto scale = float(model.charge_e);
  for_each_column(store.blocks(), 1, options.threads, progress, 0.0, [&](const BlockColumn& column) {
    thread_local std::vector<double> near_A;
    const std::size_t slot = column.first;
    float* const values = store.values(slot);
    for (int p = 0; p < block_points; ++p) values[p] *= scale;
    const BlockFrame frame = store.frame(slot);
    const Box box = store.grid().box(store.number(slot));
    for (const Group& group : groups) {
      near_A.clear();
      group.cells.near(box, model.cutoff_A, [&](std::uint32_t n) {
        const Vec3<double>& atom_A = group.atoms_A[n];
        if (distance_range(box, atom_A).nearest_A < model.cutoff_A)
          near_A.insert(near_A.end(), {atom_A.x, atom_A.y, atom_A.z});
      });
      const std::size_t count = near_A.size() / 3;
      if (!group.terms.densities.empty())
        kernels.add_densities(frame, near_A.data(), count, group.terms.densities.data(),
                              int(group.terms.densities.size()), model.cutoff_A, values);
      for (const RadialGaussian& shell : group.terms.shells)
        kernels.add_shell(frame, near_A.data(), count, shell, model.cutoff_A, values);
    }
  });
}

}  // namespace

IONWELL_KERNEL_TABLES(SiteKernels, site_kernels)

PairPotential pair_potential_of(const SiteModel& model) {
  return pair_potential(
      ElectrostaticsOptions{.dielectric = model.dielectric, .ionic_strength_M = model.ionic_strength_M});
}

double debye_lengths_A(const PairPotential& pair, double lengths) {
  constexpr double farthest_A = 1e6;
  return std::min(lengths / pair.kappa_per_A, farthest_A);
}

std::vector<Vec3<double>> positions_of(std::span<const SiteAtom> atoms, SiteAtomClasses classes) {
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(atoms.size());
  for (const SiteAtom& atom : atoms)
    if (classes & bit_of(atom.kind)) positions_A.push_back(atom.position_A);
  return positions_A;
}

std::vector<PointCharge> charges_of(std::span<const SiteAtom> atoms) {
  std::vector<PointCharge> charges;
  charges.reserve(atoms.size());
  for (const SiteAtom& atom : atoms)
    if (atom.charge_e != 0.0) charges.push_back({atom.position_A, atom.charge_e});
  return charges;
}

std::unique_ptr<HostStore> site_energies(const LatticeGeometry& lattice, const SiteModel& model,
                                         std::span<const SiteAtom> atoms, const SiteFieldOptions& options,
                                         const Progress& progress) {
  auto store = std::make_unique<HostStore>(lattice, false, options.simd, options.threads);
  choose_points(*store, model, positions_of(atoms, heavy_atoms), options);
  store->make_blocks();
  if (store->size() == 0) return store;

  const PairPotential pair = pair_potential_of(model);
  const std::vector<PointCharge> charges = charges_of(atoms);
  ChargeTable table(pair);
  table.append(charges);
  SolutePotential potential = DirectSum{charges};
  if (options.multilevel) potential = MultilevelSum{charges, {}};
  constexpr double summed = 0.7;  // of the time, by then
  const auto source =
      make_cpu_source(potential, {store->grid(), pair, table, true, options.simd, options.threads}, {});
  source->add_to(store->blocks(), [&](double done) {
    if (progress) progress(summed * done);
  });
  add_terms(*store, model, atoms, options, [&](double done) {
    if (progress) progress(summed + (1.0 - summed) * done);
  });
  return store;
}

SiteEnergy::SiteEnergy(const SiteModel& model, std::span<const SiteAtom> atoms)
    : model_(model),
      pair_(pair_potential_of(model)),
      far_A_(std::max(debye_lengths_A(pair_, most_debye_lengths), model.cutoff_A)),
      cells_(positions_of(atoms, ~SiteAtomClasses(0)), far_A_ / 8.0) {
  atoms_.reserve(atoms.size());
  for (const std::uint32_t atom : cells_.order()) atoms_.push_back(atoms[atom]);
}

double SiteEnergy::at(const Vec3<double>& point_A) const {
  double potential_kT_e = 0.0, terms_kT = 0.0;
  const auto add = [&](const SiteAtom& atom) {
    const double r2 = distance_squared(atom.position_A, point_A);
    if (r2 > far_A_ * far_A_) return;
    if (atom.charge_e != 0.0) potential_kT_e += atom.charge_e * pair_.at(r2);
    if (r2 >= model_.cutoff_A * model_.cutoff_A) return;
    for (const SiteTerm& term : model_.terms) {
      if ((term.atoms & bit_of(atom.kind)) == 0) continue;
      const double u = (std::sqrt(r2) - term.centre_A) / term.width_A;
      terms_kT += term.energy_kT * std::exp(-0.5 * u * u);
    }
  };
  cells_.near_ranges({point_A, point_A}, far_A_, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) add(atoms_[n]);
  });
  return model_.charge_e * potential_kT_e + terms_kT;
}

}  // namespace ionwell
