// SPDX-License-Identifier: BSD-3-Clause
#include "compute/checkpoint/saved_ions.hpp"

namespace ionwell {
namespace {

constexpr const char *ion_points = "ions: lattice points", *ion_positions = "ions: positions",
                     *ion_energies = "ions: energies", *lattice_lengths = "lattice: origin and spacing",
                     *lattice_counts = "lattice: points";

}  // namespace

void save_ions(SavedState& state, std::span<const PlacedIon> ions) {
  std::vector<std::int64_t> points;
  std::vector<double> positions_A, energies_kT;
  for (const PlacedIon& ion : ions) {
    points.push_back(ion.lattice_index);
    positions_A.insert(positions_A.end(), {ion.position_A.x, ion.position_A.y, ion.position_A.z});
    energies_kT.push_back(ion.energy_kT);
  }
  state.put(ion_points, std::move(points));
  state.put(ion_positions, std::move(positions_A));
  state.put(ion_energies, std::move(energies_kT));
}

bool has_saved_ions(const SavedState& state) {
  return state.has(ion_points);
}

std::vector<PlacedIon> saved_ions(const SavedState& state, std::int64_t points) {
  const auto& at = state.get<std::int64_t>(ion_points);
  const auto& positions_A = state.get<double>(ion_positions, 3 * at.size());
  const auto& energies_kT = state.get<double>(ion_energies, at.size());
  std::vector<PlacedIon> ions(at.size());
  for (std::size_t n = 0; n < ions.size(); ++n) {
    if (at[n] < 0 || at[n] >= points) SavedState::fail_damaged(ion_points);
    ions[n].lattice_index = at[n];
    ions[n].position_A = {positions_A[3 * n], positions_A[3 * n + 1], positions_A[3 * n + 2]};
    ions[n].energy_kT = energies_kT[n];
  }
  return ions;
}

std::vector<PlacedIon> saved_ions(const SavedState& state, const std::vector<IonRequest>& requests,
                                  const LatticeGeometry& lattice) {
  std::vector<PlacedIon> ions = saved_ions(state, lattice.size());
  std::size_t n = 0;
  for (const IonRequest& request : requests)
    for (std::int64_t i = 0; i < request.count && n < ions.size(); ++i) ions[n++].species = request.species;
  if (n < ions.size()) SavedState::fail_damaged(ion_points);
  return ions;
}

void save_lattice(SavedState& state, const LatticeGeometry& lattice) {
  const Vec3<double>&origin = lattice.origin_A, &spacing = lattice.spacing_A;
  state.put(lattice_lengths, std::vector{origin.x, origin.y, origin.z, spacing.x, spacing.y, spacing.z});
  state.put(lattice_counts, std::vector{lattice.counts.x, lattice.counts.y, lattice.counts.z});
}

LatticeGeometry saved_lattice(const SavedState& state) {
  const auto& lengths = state.get<double>(lattice_lengths, 6);
  const auto& counts = state.get<std::int64_t>(lattice_counts, 3);
  constexpr std::int64_t most = std::int64_t{1} << 20;  // along an axis
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (counts[axis] < 1 || counts[axis] > most || !(lengths[3 + axis] > 0.0))
      SavedState::fail_damaged(lattice_counts);
  return {.origin_A = {lengths[0], lengths[1], lengths[2]},
          .spacing_A = {lengths[3], lengths[4], lengths[5]},
          .counts = {counts[0], counts[1], counts[2]}};
}

}  // namespace ionwell
