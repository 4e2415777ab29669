// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/surface/molecular_surface.hpp"

#include <algorithm>
#include <cmath>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/text_stream.hpp"
#include "meshes/surface/gaussian_density.hpp"
#include "meshes/surface/marching_tetrahedra.hpp"
#include "meshes/surface/surface_projection.hpp"
#include "meshes/surface/surface_values.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr double usual_edge_A = 0.5;
// Of a lattice of spacing h the triangles' edges have this mean length, in h, and there are so many points on
// h^2 (measured on balls and proteins; the test of densities holds them to a tenth).
constexpr double edge_of_spacing = 0.42, points_on_spacing2 = 6.5;

double spacing_of(const SurfaceOptions& options) {
  if (options.density_per_A2) return std::sqrt(points_on_spacing2 / *options.density_per_A2);
  return options.edge_A.value_or(usual_edge_A) / edge_of_spacing;
}

/// How far the surface may be from an atom's centre, in its radii and beyond them.
double reach_A(const SurfaceOptions& options, double radius_A) {
  if (options.kind == SurfaceKind::gaussian) return gaussian_reach * radius_A;
  return radius_A + (options.kind == SurfaceKind::vdw ? 0.0 : options.probe_A);
}

/// What messages and reports call the surface.
std::string name_of(const SurfaceOptions& options) {
  TextStream name;
  name << to_string(options.kind) << " surface";
  if (options.kind == SurfaceKind::ses || options.kind == SurfaceKind::sas)
    name << " (probe " << options.probe_A << " A)";
  return name.str();
}

LatticeGeometry lattice_for(std::span<const Atom> atoms, const SurfaceOptions& options) {
  const double h = spacing_of(options);
  std::optional<Box> box;
  for (const Atom& atom : atoms) {
    if (!(atom.radius_A > 0.0)) continue;
    const double reach = reach_A(options, atom.radius_A) + 2.0 * h;
    const Vec3<double> by{reach, reach, reach}, low = atom.position_A - by, high = atom.position_A + by;
    box = extended(extended(box.value_or(Box{low, high}), low), high);
  }
  if (!box) fail("no atom of the solute has a radius, so it has no surface; give a PQR file with radii");
  const Vec3<double> extent = box->highest_A - box->lowest_A;
  const double points = (extent.x / h + 2.0) * (extent.y / h + 2.0) * (extent.z / h + 2.0);
  constexpr double bytes_per_point = 14.0;
  if (bytes_per_point * points > double(available_memory_bytes()))
    fail("the lattice for the surface has ", points, " points and needs more memory than the ",
         describe_bytes(available_memory_bytes()),
         " that are free; give a longer --edge-length, or a smaller --vertex-density");
  // Not to learn it after minutes: a protein's atoms have 2 A^2 of its surface each, and more by themselves.
  constexpr double area_of_atom_A2 = 2.0, bytes_of_point = sizeof(Vec3<double>) + 4 * sizeof(Triangle);
  const double surface_points = points_on_spacing2 / (h * h) * area_of_atom_A2 * double(atoms.size());
  if (bytes_of_point * surface_points > double(available_memory_bytes()))
    fail("the surface has about ", surface_points, " points and needs more memory than the ",
         describe_bytes(available_memory_bytes()),
         " that are free; give a longer --edge-length, or a smaller --vertex-density");
  const auto count = [h](double length_A) { return std::int64_t(std::ceil(length_A / h)) + 1; };
  return {box->lowest_A, {h, h, h}, {count(extent.x), count(extent.y), count(extent.z)}};
}

}  // namespace

std::string_view to_string(SurfaceKind kind) {
  switch (kind) {
    case SurfaceKind::vdw:
      return "vdw";
    case SurfaceKind::sas:
      return "sas";
    case SurfaceKind::ses:
      return "ses";
    case SurfaceKind::gaussian:
      return "gaussian";
  }
  return "unknown";
}

void validate(const SurfaceOptions& options) {
  if (options.edge_A && options.density_per_A2)
    fail<UsageError>(
        "--edge-length and --vertex-density are both given, but each determines the other; leave one out");
  if (options.edge_A && !(*options.edge_A >= 0.05 && *options.edge_A <= 20.0))
    fail<UsageError>("--edge-length is ", *options.edge_A, " A; it must be from 0.05 to 20 A");
  if (options.density_per_A2 && !(*options.density_per_A2 >= 0.003 && *options.density_per_A2 <= 500.0))
    fail<UsageError>("--vertex-density is ", *options.density_per_A2,
                     " points per square Angstrom; it must be from 0.003 to 500");
  if (!(options.probe_A >= 0.0 && options.probe_A <= 20.0))
    fail<UsageError>("--probe is ", options.probe_A, " A; it must be from 0 to 20 A");
}

PointSet molecular_surface(std::span<const Atom> atoms, const SurfaceOptions& options,
                           const Progress& progress) {
  return measured_surface(atoms, options, progress).points;
}

MeasuredSurface measured_surface(std::span<const Atom> atoms, const SurfaceOptions& options,
                                 const Progress& progress) {
  validate(options);
  const LatticeGeometry lattice = lattice_for(atoms, options);
  const SurfaceValues values = surface_values(atoms, options, lattice, progress);
  PointSet surface = marching_tetrahedra(values.distances_A, name_of(options), options.threads);
  if (surface.triangles.empty())
    fail("the ", to_string(options.kind),
         " surface has no triangle at this --edge-length; give a shorter one");
  const double h = lattice.spacing_A.x;
  const AccessibleSurface none, &accessible = values.surface ? values.surface->accessible() : none;
  const SurfaceProjection project(atoms, options, accessible, h);
  const bool is_of_balls = options.kind == SurfaceKind::ses && options.probe_A == 0.0;  // that of vdw
  const bool has_creases =
      options.kind == SurfaceKind::vdw || options.kind == SurfaceKind::sas || is_of_balls;
  std::vector<Vec3<double>> normals(has_creases ? 0 : surface.positions_A.size());
  parallel_for({options.threads, 1024}, std::ssize(surface.positions_A), [&](std::int64_t p) {
    const SurfacePlace place = project(surface.positions_A[std::size_t(p)]);
    surface.positions_A[std::size_t(p)] = place.position_A;
    if (!has_creases) normals[std::size_t(p)] = place.normal;
  });
  const SurfaceMeasure measure =
      has_creases ? measure_of_balls(accessible, options.threads) : measure_of_smooth(surface, normals);
  return {std::move(surface), measure};
}

}  // namespace ionwell
