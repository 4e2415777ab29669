#include "run/checkpoint/saved_ions.hpp"

#include <algorithm>

namespace ionwell {
namespace {

constexpr const char *ion_points = "ions: lattice points", *ion_positions = "ions: positions",
                     *ion_energies = "ions: energies";

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

std::vector<PlacedIon> saved_ions(const SavedState& state, const std::vector<IonRequest>& requests,
                                  const LatticeGeometry& lattice) {
  const auto& points = state.get<std::int64_t>(ion_points);
  const auto& positions_A = state.get<double>(ion_positions, 3 * points.size());
  const auto& energies_kT = state.get<double>(ion_energies, points.size());
  std::vector<PlacedIon> ions;
  for (const IonRequest& request : requests)
    for (std::int64_t i = 0; i < request.count && ions.size() < points.size(); ++i) {
      const std::size_t n = ions.size();
      ions.push_back({.species = request.species,
                      .lattice_index = points[n],
                      .position_A = {positions_A[3 * n], positions_A[3 * n + 1], positions_A[3 * n + 2]},
                      .energy_kT = energies_kT[n]});
    }
  const bool is_off = std::any_of(points.begin(), points.end(),
                                  [&](std::int64_t point) { return point < 0 || point >= lattice.size(); });
  if (is_off || ions.size() < points.size()) SavedState::fail_damaged(ion_points);
  return ions;
}

}  // namespace ionwell
