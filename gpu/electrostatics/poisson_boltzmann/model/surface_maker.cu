// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/surface_maker.hpp"

#include <algorithm>
#include <utility>

#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr std::int64_t surface_points_at_once = std::int64_t{1}
                                                << 28;  // whose lists of parts are in memory together

__global__ void fill_faces_kernel(BricksView bricks, float value, FaceArrays to) {
  const BrickPlace place = bricks.at(blockIdx.x);
  const int edge = bricks.edge;
  for (int n = int(threadIdx.x); n < edge * edge * edge; n += int(blockDim.x)) {
    const int i = place.first[0] + n % edge, j = place.first[1] + n / edge % edge,
              k = place.first[2] + n / (edge * edge);
    if (!place.has(i, j, k)) continue;
    const std::int64_t p = bricks.index(i, j, k);
    to.eps_x[p] = to.eps_y[p] = to.eps_z[p] = value;
  }
}

/// The same points in boxes of so many points at most, or of planes as few as there can be.
std::vector<PointBox> in_slabs(const PointBox& box) {
  const Vec3<std::int64_t> n = counts_of(box);
  constexpr std::int64_t edge = 8;  // slabs of whole bricks
  const std::int64_t planes = std::max(edge, surface_points_at_once / (n.x * n.y) / edge * edge);
  std::vector<PointBox> slabs;
  for (std::int64_t k = box.low.z; k <= box.high.z; k += planes)
    slabs.push_back(
        {{box.low.x, box.low.y, k}, {box.high.x, box.high.y, std::min(k + planes - 1, box.high.z)}});
  return slabs;
}

/// Calls work(boxes) for all of these boxes, as many together as there is memory for.
template <typename Work>
void for_each_part(const std::vector<PointBox>& boxes, const Work& work) {
  std::vector<PointBox> small;
  for (const PointBox& box : boxes) {
    if (size_of(box) <= surface_points_at_once) {
      small.push_back(box);
      continue;
    }
    for (const PointBox& slab : in_slabs(box)) work(std::span(&slab, 1));
  }
  if (!small.empty()) work(std::span(small));
}

double largest_spacing_A(const LatticeGeometry& lattice) {
  return std::max({lattice.spacing_A.x, lattice.spacing_A.y, lattice.spacing_A.z});
}

}  // namespace

bool has_device_surface(const PbModelOptions& options) {
  const DielectricOptions& dielectric = options.dielectric;
  return dielectric.solute_dielectric != dielectric.solvent_dielectric ||
         !fit_where_no_probe_does(options.accessibility, dielectric);
}

SurfaceMaker::SurfaceMaker(const PbModelOptions& options, const SoluteAtoms& atoms, const Box& within)
    : options_(options),
      probe_A_(options.dielectric.surface == SoluteSurface::solvent_excluded ? options.dielectric.probe_A
                                                                             : 0.0),
      has_surface_(options.dielectric.solute_dielectric != options.dielectric.solvent_dielectric),
      closes_inside_(fit_where_no_probe_does(options.accessibility, options.dielectric)),
      first_atoms_(atoms.span(), surface_stream_, "the solute"),
      balls_(atoms, first_atoms_, within, surface_stream_) {
  check(cudaStreamSynchronize(surface_stream_), "sorting balls");
}

void SurfaceMaker::add(std::span<const Atom> atoms) {
  balls_.add(balls_of(atoms, 0.0), surface_stream_);
  check(cudaStreamSynchronize(surface_stream_), "sorting balls");
}

void SurfaceMaker::set_points(std::vector<Points> points) {
  points_ = std::move(points);
  while (faces_.size() < points_.size()) faces_.emplace_back();
}

void SurfaceMaker::look_near() {
  parts_.reset();
  if (!has_surface_ || is_smooth(options_.dielectric.surface)) return;
  std::vector<Box> near;
  double depth_A = 0.0;
  for (const auto& [lattice, boxes] : points_) {
    const int edge = Bricks::edge_for(lattice.spacing_A);
    for (const PointBox& box : boxes)
      near.push_back(box_of_faces(options_.dielectric, lattice, Bricks::all_of_bricks(box, edge)));
    depth_A = std::max(depth_A, largest_spacing_A(lattice));
  }
  parts_ = finder_.find(balls_.larger_by(probe_A_), near, probe_A_ + depth_A, surface_stream_);
  check(cudaStreamSynchronize(surface_stream_), "finding the surface");
}

void SurfaceMaker::set_accessibility(std::size_t lattice, const FaceArrays& to) {
  for_each_part(points_[lattice].boxes, [&](std::span<const PointBox> boxes) {
    const BricksView bricks =
        accessibility_bricks_.cut(points_[lattice].lattice, boxes, accessibility_stream_);
    accessibility_.set_accessibility(bricks, balls_, options_.accessibility, to, accessibility_stream_);
  });
  check(cudaStreamSynchronize(accessibility_stream_), "the accessibility of points");
}

void SurfaceMaker::set_faces(std::size_t lattice, const FaceArrays& to) {
  Faces& by = faces_[lattice];
  for_each_part(points_[lattice].boxes, [&](std::span<const PointBox> boxes) {
    set_faces_of(points_[lattice].lattice, boxes, to, by);
  });
  check(cudaStreamSynchronize(by.stream), "the dielectric of faces");
}

void SurfaceMaker::set_faces_of(const LatticeGeometry& lattice, std::span<const PointBox> boxes,
                                const FaceArrays& to, Faces& by) {
  const BricksView bricks = by.bricks.cut(lattice, boxes, by.stream);
  if (!has_surface_) {
    fill_faces_kernel<<<unsigned(bricks.count), usual_threads, 0, by.stream>>>(
        bricks, float(options_.dielectric.solvent_dielectric), to);
    check_launch("the dielectric of faces");
  } else if (parts_ && options_.dielectric.faces != FaceRule::inside_share) {
    by.sides.set(bricks, *parts_, options_.dielectric, probe_A_, closes_inside_, to, by.stream);
  } else if (parts_) {
    by.sharp.set(bricks, *parts_, options_.dielectric, probe_A_, largest_spacing_A(lattice), closes_inside_,
                 to, by.stream);
  } else {
    by.smooth.set_smooth_faces(bricks, balls_, options_.dielectric, to, by.stream);
  }
}

}  // namespace ionwell::gpu
