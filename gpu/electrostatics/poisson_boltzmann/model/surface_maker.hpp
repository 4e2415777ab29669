// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/point_shares.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/sharp_faces.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/side_faces.hpp"

namespace ionwell::gpu {

/// Whether a SurfaceMaker makes what these options ask for.
bool has_device_surface(const PbModelOptions& options);

/// Sets dielectric and accessibility on the current device, as set_dielectric and set_accessibility (lib's)
/// do: for lattices that have one solute, all of it there.
class SurfaceMaker {
 public:
  /// Points of a lattice.
  struct Points {
    LatticeGeometry lattice;
    std::vector<PointBox> boxes;
  };

  /// For options of which has_device_surface is true, and atoms some of which have a radius. `within`: a box
  /// that has the lattices in it.
  SurfaceMaker(const PbModelOptions& options, std::span<const Atom> atoms, const Box& within,
               cudaStream_t stream);

  /// Atoms that are added change what is set from now on.
  void add(std::span<const Atom> atoms);

  /// Finds the parts of the surface that are near some points, which are those that are set next.
  void look_near(std::vector<Points> points);

  /// Sets coefficients: for each of the lattices, where those of all its points are. Returns when the device
  /// is done.
  void set(std::span<const FaceArrays> to);

 private:
  void set_part(const LatticeGeometry& lattice, std::span<const PointBox> boxes, double depth_A,
                const FaceArrays& to);

  PbModelOptions options_;
  cudaStream_t stream_;
  double probe_A_;
  bool has_surface_, closes_inside_;
  BallCells balls_;
  Bricks bricks_;
  PartsFinder finder_;
  std::vector<Points> points_;
  std::optional<PartsView> parts_;  // near them; none of a smooth surface
  SharpFaces sharp_;
  SideFaces sides_;
  PointShares shares_;
};

}  // namespace ionwell::gpu
