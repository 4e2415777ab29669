#include "run/views/coarse_map.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "run/periodic_images.hpp"
#include "run/run.hpp"

namespace ionwell {
namespace {

constexpr double coarse_border_A = 10.0;

std::string why_no_coarse_map(const Job& job) {
  if (job.box || repeats(job)) return "of a periodic box no map is drawn";
  if (std::holds_alternative<PbOptions>(job.source))
    return "of a Poisson-Boltzmann solution no map is drawn; 'ionwell map --pb own' makes one";
  if (std::holds_alternative<SiteOptions>(job.source))
    return "a model of sites goes by more than a potential, and no map is drawn";
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
  FieldOptions field = job.field;
  field.every_point = true;
  try {
    const Result result = run({.structure = job.structure,
                               .ions = {},
                               .source = job.source,
                               .electrostatics = job.electrostatics,
                               .update = job.update,
                               .lattice = {.spacing_A = lattice.spacing_A.x, .border_A = coarse_border_A},
                               .exclusion = {},
                               .backend = job.backend,
                               .field = field,
                               .box = {},
                               .hydration = {}},
                              backends);
    map.lattice = result.lattice;
    map.values_kT_e = result.field->values();
  } catch (const Error& error) {
    map.why_not = error.what();
  }
  return map;
}

}  // namespace ionwell
