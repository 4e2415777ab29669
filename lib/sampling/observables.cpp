// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/observables.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"
#include "sampling/periodic_images.hpp"

namespace ionwell {
namespace {

std::vector<Vec3<double>> observed_points(std::span<const Atom> atoms, std::span<const std::uint32_t> numbers,
                                          const IonModel& model, double reach_A) {
  std::vector<Atom> some;
  some.reserve(numbers.size());
  for (const std::uint32_t n : numbers) some.push_back(atoms[n]);
  std::vector<Vec3<double>> points_A;
  for_each_image(some, model.box, model.boundary, reach_A,
                 [&](std::size_t, const Vec3<double>& at_A) { points_A.push_back(at_A); });
  return points_A;
}

double cell_for(double reach_A) {
  constexpr double smallest_A = 3.0, cells_across = 3.0;
  return std::max(smallest_A, reach_A / cells_across);
}

}  // namespace

LatticeGeometry density_cells(const Box& box, double spacing_A) {
  if (!(spacing_A > 0.0))
    fail<UsageError>("--tune density-spacing is ", spacing_A, " A; it must be greater than 0; 1 is common");
  const Vec3<double> edge_A = box.highest_A - box.lowest_A;
  constexpr double most_cells = 1 << 30;
  const double cells =
      std::ceil(edge_A.x / spacing_A) * std::ceil(edge_A.y / spacing_A) * std::ceil(edge_A.z / spacing_A);
  if (!(cells <= most_cells))
    fail<UsageError>("--tune density-spacing=", spacing_A, " A makes ", cells, " cells of the box ", box,
                     " A; make it larger");
  const auto along = [&](double length_A) {
    constexpr double whole = 1e-9;  // of a quotient that is a rounding above a whole number
    return std::max<std::int64_t>(1, std::int64_t(std::ceil(length_A / spacing_A - whole)));
  };
  LatticeGeometry cells_of_box{{}, {}, {along(edge_A.x), along(edge_A.y), along(edge_A.z)}};
  const auto& [nx, ny, nz] = cells_of_box.counts;
  cells_of_box.spacing_A = {edge_A.x / double(nx), edge_A.y / double(ny), edge_A.z / double(nz)};
  cells_of_box.origin_A = box.lowest_A + 0.5 * cells_of_box.spacing_A;
  return cells_of_box;
}

ObservedPoints::ObservedPoints(std::span<const Atom> atoms, std::span<const std::uint32_t> numbers,
                               const IonModel& model, double reach_A)
    : reach_A_(reach_A),
      points_A_(observed_points(atoms, numbers, model, reach_A)),
      cells_(points_A_, cell_for(reach_A)) {}

Measurements::Measurements(const IonModel& sampled_model, std::span<const Atom> atoms,
                           const ObservableOptions& observables)
    : model(sampled_model), options(observables) {
  if (options.density_spacing_A) cells = density_cells(model.box, *options.density_spacing_A);
  if (!options.within_A.empty() && !atoms.empty()) {
    std::vector<std::uint32_t> all(atoms.size());
    std::iota(all.begin(), all.end(), 0u);
    solute.emplace(atoms, all, model, options.within_A.back());
  } else {
    options.within_A.clear();
  }
  for (const AtomGroup& group : options.groups)
    groups.emplace_back(atoms, group.atoms, model, options.radial_reach_A);
}

CellCounts Measurements::no_counts() const {
  if (!cells) return {};
  return CellCounts(model.species.size(), std::vector<std::uint64_t>(std::size_t(cells->size())));
}

Observed::Observed(const Measurements& measurements, int blocks)
    : count(measurements.model.species.size()),
      within(count.size(), std::vector<std::vector<double>>(measurements.options.within_A.size())),
      radial_samples(std::size_t(blocks)) {
  const std::vector<double> bins(std::size_t(measurements.options.radial_bins()));
  radial.assign(std::size_t(blocks),
                {measurements.groups.size(), std::vector<std::vector<double>>(count.size(), bins)});
}

void Observed::add(const Measurements& measurements, std::span<const MovingIon> ions, double sample_energy_kT,
                   int block, CellCounts& cells) {
  ++samples;
  energy_kT.push_back(sample_energy_kT);
  for (std::vector<double>& series : count) series.push_back(0.0);
  const std::vector<double>& within_A = measurements.options.within_A;
  for (auto& of_species : within)
    for (std::vector<double>& series : of_species) series.push_back(0.0);
  ++radial_samples[std::size_t(block)];
  const double bins_per_A = 1.0 / measurements.options.radial_step_A;
  for (const MovingIon& ion : ions) {
    const Vec3<double>& at_A = ion.position_A;
    count[ion.species].back() += 1.0;
    if (measurements.cells) {
      const LatticeGeometry& lattice = *measurements.cells;
      const auto cell = [](double x_A, double origin_A, double spacing_A, std::int64_t cells_along) {
        return std::clamp<std::int64_t>(std::llround((x_A - origin_A) / spacing_A), 0, cells_along - 1);
      };
      const std::int64_t index =
          lattice.index(cell(at_A.x, lattice.origin_A.x, lattice.spacing_A.x, lattice.counts.x),
                        cell(at_A.y, lattice.origin_A.y, lattice.spacing_A.y, lattice.counts.y),
                        cell(at_A.z, lattice.origin_A.z, lattice.spacing_A.z, lattice.counts.z));
      std::atomic_ref(cells[ion.species][std::size_t(index)]).fetch_add(1, std::memory_order_relaxed);
    }
    if (measurements.solute) {
      double nearest_A = std::numeric_limits<double>::infinity();
      measurements.solute->near(at_A, [&](double r_A) { nearest_A = std::min(nearest_A, r_A); });
      for (std::size_t d = 0; d < within_A.size(); ++d)
        if (nearest_A <= within_A[d]) within[ion.species][d].back() += 1.0;
    }
    for (std::size_t g = 0; g < measurements.groups.size(); ++g) {
      std::vector<double>& bins = radial[std::size_t(block)][g][ion.species];
      measurements.groups[g].near(at_A, [&](double r_A) {
        const auto bin = std::size_t(r_A * bins_per_A);
        if (bin < bins.size()) bins[bin] += 1.0;
      });
    }
  }
}

void Observed::save(StateWriter& state) const {
  state.put(samples);
  state.put(energy_kT);
  for (const std::vector<double>& series : count) state.put(series);
  for (const auto& of_species : within)
    for (const std::vector<double>& series : of_species) state.put(series);
  for (const std::int64_t of_block : radial_samples) state.put(of_block);
  for (const auto& of_block : radial)
    for (const auto& of_group : of_block)
      for (const std::vector<double>& bins : of_group) state.put(bins);
}

void Observed::restore(StateReader& state) {
  samples = state.count();
  const auto length = std::size_t(samples);
  energy_kT = state.numbers(length);
  for (std::vector<double>& series : count) series = state.numbers(length);
  for (auto& of_species : within)
    for (std::vector<double>& series : of_species) series = state.numbers(length);
  for (std::int64_t& of_block : radial_samples) of_block = state.count();
  for (auto& of_block : radial)
    for (auto& of_group : of_block)
      for (std::vector<double>& bins : of_group) bins = state.numbers(bins.size());
}

}  // namespace ionwell
