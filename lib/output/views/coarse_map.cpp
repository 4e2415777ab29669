// SPDX-License-Identifier: BSD-3-Clause
#include "output/views/coarse_map.hpp"

#include <algorithm>
#include <cmath>

#include "compute/hand_over.hpp"
#include "core/error.hpp"
#include "jobs/place/job/periodic_images.hpp"
#include "jobs/place/ways/placer.hpp"
#include "potential/lattice_potential.hpp"

namespace ionwell {
namespace {

constexpr double coarse_border_A = 10.0;

std::string why_no_coarse_map(const Job& job) {
  if (job.box || repeats(job)) return "a periodic box has no map on this page";
  if (std::holds_alternative<PbOptions>(job.source))
    return "a solution of the Poisson-Boltzmann equation has no map on this page; 'ionwell map --pb own' "
           "writes one";
  if (std::holds_alternative<SiteOptions>(job.source))
    return "the site model uses more than a potential, so there is no map";
  return {};
}

}  // namespace

LatticeGeometry coarse_lattice(std::span<const Atom> atoms, std::int64_t most_points) {
  const Box box = bounding_box(atoms);
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  const double volume_A3 =
      (extent.x + 2 * coarse_border_A) * (extent.y + 2 * coarse_border_A) * (extent.z + 2 * coarse_border_A);
  constexpr double finest_A = 0.5, step = 1.01;
  double spacing_A = std::max(finest_A, std::cbrt(volume_A3 / double(most_points)));
  for (;; spacing_A *= step) {
    const LatticeGeometry lattice =
        enclosing_lattice(atoms, {.spacing_A = spacing_A, .border_A = coarse_border_A});
    if (lattice.size() <= most_points) return lattice;
  }
}

CoarseMap coarse_map(const Job& job, const Backends& backends) {
  CoarseMap map{.lattice = {}, .values_kT_e = {}, .why_not = why_no_coarse_map(job)};
  if (!map.why_not.empty()) return map;
  const LatticeGeometry lattice = coarse_lattice(job.structure.atoms);
  PotentialRequest request = potential_request(job);
  request.lattice = {.spacing_A = lattice.spacing_A.x, .border_A = coarse_border_A};
  request.field.every_point = true;
  request.solute_distance_A.reset();
  request.added_charges = 0;
  request.map_names.clear();
  try {
    const LatticePotential made = handing_over(request, [&](const PotentialRequest& now) {
      Stages stages;
      return compute_potential(now, stages, backends);
    });
    map.lattice = made.potential.lattice;
    map.values_kT_e = made.field->values();
  } catch (const Error& error) {
    map.why_not = error.what();
  }
  return map;
}

}  // namespace ionwell
