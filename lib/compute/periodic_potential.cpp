// SPDX-License-Identifier: BSD-3-Clause
#include "compute/periodic_potential.hpp"

#include "core/error.hpp"

namespace ionwell {

PeriodicPotential periodic_potential(const BackendChoice& choice, const PeriodicCell& cell,
                                     const PairPotential& pair, std::span<const PointCharge> charges,
                                     std::span<const Vec3<double>> points_A,
                                     const PeriodicSumOptions& options, const Progress& progress) {
  PeriodicPotential result;
  if (choice.owner != nullptr && !choice.devices.empty()) {
    bool is_cancelled = false;  // what `progress` throws is no failure of the device
    const auto watched = [&](double part) {
      is_cancelled = true;
      if (progress) progress(part);
      is_cancelled = false;
    };
    try {
      result.values_kT_e = choice.owner->periodic_potential(choice.devices.front().number, cell, pair,
                                                            charges, points_A, options, watched);
      result.computed_on = choice.owner->kind();
      return result;
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      if (is_cancelled) throw;
      result.note = std::string("the periodic potential was summed on the CPU: ") + error.what();
    }
  }
  result.values_kT_e = ionwell::periodic_potential(cell, pair, charges, points_A, options, progress);
  return result;
}

}  // namespace ionwell
