// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "parallel/progress.hpp"
#include "sampling/ion_model.hpp"
#include "sampling/monte_carlo.hpp"

/// The chemical potential of salts in a solution of known concentration, by the ions' own model.
namespace ionwell {

/// A salt of a bath by species of a model.
struct BulkSalt {
  std::uint32_t cation = 0, anion = 0;
  int cations = 1, anions = 1;
  double concentration_M = 0.0;  // of formula units
};

struct BulkOptions {
  std::int64_t ions = 160;  // in the cube, at least; more where a salt would have fewer than 8 formula units
  std::int64_t sweeps = 1000;  // of each replica, a tenth as many before them
  int replicas = 4;
  std::uint64_t seed = 1;
  int threads = 1;
};

/// A bath, and how sure its chemical potential is.
struct BulkBath {
  SaltBath bath;
  double error_kT = 0.0;              // standard error of bath.excess_kT
  double activity_coefficient = 1.0;  // mean ionic: exp(excess / ions of a formula unit)
};

struct BulkResult {
  std::vector<BulkBath> baths;  // by salt
  double edge_A = 0.0;          // of the cube
  std::int64_t ions = 0;
  std::int64_t insertions = 0;  // tried for each salt
};

/// A bulk of the salts together, without solute or field, is sampled by Monte Carlo in a periodic cube at the
/// concentrations requested, and formula units are inserted on trial (Widom, J. Chem. Phys. 39:2808, 1963):
/// mu_ex = -ln <exp(-dU)>. A unit is neutral, so that the images leave an error of the order of 1 in the
/// number of ions only. Of `model` it takes species, repulsion and pair potential. Ions without charge and
/// size give 0. Streams of random numbers from 2^62 on are its own. Throws what `progress` throws, and Error
/// where concentrations are so high that the ions have no room.
BulkResult bulk_baths(const IonModel& model, const std::vector<BulkSalt>& salts, const BulkOptions& options,
                      const Progress& progress = {});

}  // namespace ionwell
