// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "core/units.hpp"
#include "parallel/progress.hpp"
#include "placement/place_ions.hpp"
#include "solvation/hydration/coordination.hpp"
#include "solvation/hydration/shell_energy.hpp"

/// First shells of water around ions that were placed.
namespace ionwell {

struct HydrationOptions {
  std::vector<HydrationRequest> requests;  // one for each kind of ion
  std::string_view water = "tip3p";        // geometry and charges: a model of three sites
  int orientations =
      576;  // tried before the best is refined: of the 24 that an octahedron has alike, 10 degrees apart
};

/// The acceptors of the solute that an ion binds are within this of it.
constexpr double inner_sphere_A = 2.6;

/// The shell of one ion.
struct IonShell {
  std::size_t ion = 0;                 // its number among those placed
  int neighbours = 0;                  // asked for
  std::vector<ShellWater> waters;      // neighbours, without the acceptors and without what had no room
  std::vector<std::size_t> acceptors;  // atoms of the solute that bind the ion in their places
  int left_out = 0;                    // waters that had no room
  double energy_kT = 0.0;              // of the orientation: see ShellEnergy
};

struct Hydration {
  std::vector<IonShell> shells;  // in the order of the ions
  std::string_view water;
  std::int64_t waters() const;
  std::int64_t acceptors() const;
  std::int64_t left_out() const;
};

/// Where shells are built.
struct HydrationRun {
  const PeriodicCell* cell = nullptr;  // whose periodic images of atoms, ions and shells are there, too
  double temperature_K = room_temperature_K;
  int threads = 1;
};

/// Builds the shells, one after the other where they are near each other, so that an ion sees the waters of
/// those before it and all other ions; the result does not depend on threads. An orientation is the lowest of
/// all that are tried and better than its neighbours by 0.2 degrees.
Hydration hydrate(std::span<const Atom> solute, std::span<const PlacedIon> ions,
                  const HydrationOptions& options, const HydrationRun& run = {},
                  const Progress& progress = {});

}  // namespace ionwell
