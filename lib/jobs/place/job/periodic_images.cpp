// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/periodic_images.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/error.hpp"
#include "core/lattice_extents.hpp"
#include "solvation/simulation_cell.hpp"

namespace ionwell {
namespace {

/// The option that gives a potential without images; empty where none is given.
std::string option_without_images(const Job& job) {
  if (std::holds_alternative<MapFiles>(job.source)) return "--map";
  if (std::holds_alternative<PbOptions>(job.source)) return "--pb";
  if (std::holds_alternative<SiteOptions>(job.source)) return "--model sites";
  const SummationOptions& sum = std::get<SummationOptions>(job.source);
  if (sum.accuracy) return "--accuracy";
  if (sum.method != Method::automatic) return "--method or an msm key of --tune";
  if (job.field.every_point) return "--save-map";
  if (job.ions_follow) return "a placement in steps";
  return {};
}

/// Whether a solvent fills the cell, also one that is left out of what acts.
bool is_full(const Structure& structure, const PeriodicCell& cell) {
  const bool is_full_of_water =
      structure.composition && fill_cell(structure.composition->water.residues, cell.volume_A3());
  return is_full_of_solvent(structure.atoms, cell.volume_A3()) || is_full_of_water;
}

/// Whether ions on the lattice can come near to images of atoms or of each other.
bool are_images_in_reach(const Job& job, const PeriodicCell& cell) {
  const Box box = extents(choose_lattice(job.structure, job.lattice));
  const double reach_A = std::max(job.exclusion.ion_solute_A, job.exclusion.ion_ion_A);
  const Vec3<double> edges = box.highest_A - box.lowest_A + Vec3<double>{reach_A, reach_A, reach_A};
  const auto& [a, b, c] = cell.reduced();
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        const Vec3<double> shift = double(i) * a + double(j) * b + double(k) * c;
        const bool overlaps =
            std::abs(shift.x) < edges.x && std::abs(shift.y) < edges.y && std::abs(shift.z) < edges.z;
        if (overlaps && (i != 0 || j != 0 || k != 0)) return true;
      }
  return false;
}

/// Whether images matter where nobody says so: not to a solute alone in a large cell.
bool has_images(const Job& job) {
  const std::optional<UnitCell> own = simulation_cell(job.structure);
  if (!own) return false;
  const PeriodicCell cell(*own);
  return is_full(job.structure, cell) || are_images_in_reach(job, cell);
}

}  // namespace

bool repeats(const Job& job) {
  const bool is_asked_for = job.boundary == Boundary::periodic;
  if (job.boundary == Boundary::open || !job.places_ions()) return false;
  if (is_asked_for && !simulation_cell(job.structure)) fail<UsageError>(why_not_periodic(job.structure));
  const std::string option = option_without_images(job);
  if (is_asked_for && !option.empty())
    fail<UsageError>("--boundary periodic cannot be used with ", option,
                     ", whose potential has no periodic images; only the sum that is used without --map, "
                     "--pb, --model sites, --method, --accuracy and --save-map includes them. Leave out ",
                     option,
                     ", or leave out --boundary: distances between ions include periodic images anyway");
  return option.empty() && (is_asked_for || has_images(job));
}

std::optional<PeriodicCell> distance_cell(const Job& job) {
  if (job.boundary == Boundary::open || !job.places_ions()) return std::nullopt;
  const std::optional<UnitCell> own = simulation_cell(job.structure);
  if (!own) return std::nullopt;
  const bool has_own_lattice =
      std::holds_alternative<MapFiles>(job.source) || std::holds_alternative<PbOptions>(job.source);
  if (!has_own_lattice && job.boundary != Boundary::periodic && !has_images(job)) return std::nullopt;
  return PeriodicCell(*own);
}

std::vector<std::string> boundary_warnings(const Job& job) {
  if (job.boundary || !job.places_ions()) return {};
  const std::string option = option_without_images(job);
  if (option.empty() || !has_images(job)) return {};
  return {job.structure.path +
          ": has the cell of a simulation. Distances between ions include its periodic images, but the "
          "potential of " +
          option +
          " does not: near a face of the cell, energies lack the charges beyond it; use --boundary open to "
          "ignore the periodic images without this warning"};
}

}  // namespace ionwell
