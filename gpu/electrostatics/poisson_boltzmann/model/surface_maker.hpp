// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/point_shares.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/sharp_faces.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/side_faces.hpp"
#include "gpu/runtime/stream.hpp"

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
  SurfaceMaker(const PbModelOptions& options, const SoluteAtoms& atoms, const Box& within);

  /// These atoms, on the device.
  const DeviceBuffer<SoluteAtom>& first_atoms() const { return first_atoms_; }

  /// Atoms that are added change what is set from now on.
  void add(std::span<const Atom> atoms);

  /// The points whose coefficients are set from now on, by lattice.
  void set_points(std::vector<Points> points);

  /// Finds the parts of the surface near these points, before their faces are set. Another thread may set
  /// accessibility at the same time.
  void look_near();

  /// Sets the coefficients of the points of lattice number `lattice`; `to`: the arrays of all its points.
  /// Faces come after accessibility, which they set to 0 where no probe fits. Both return when the device is
  /// done; several threads may set the faces of a lattice each.
  void set_accessibility(std::size_t lattice, const FaceArrays& to);
  void set_faces(std::size_t lattice, const FaceArrays& to);

 private:
  /// What is needed to set the faces of a lattice.
  struct Faces {
    Stream stream;
    Bricks bricks;
    SharpFaces sharp;
    SideFaces sides;
    PointShares smooth;
  };

  void set_faces_of(const LatticeGeometry& lattice, std::span<const PointBox> boxes, const FaceArrays& to,
                    Faces& by);

  PbModelOptions options_;
  Stream surface_stream_{Turn::first};  // all else waits for the surface
  Stream accessibility_stream_;
  double probe_A_;
  bool has_surface_, closes_inside_;
  DeviceBuffer<SoluteAtom> first_atoms_;
  BallCells balls_;
  Bricks accessibility_bricks_;
  PartsFinder finder_;
  std::vector<Points> points_;
  std::optional<PartsView> parts_;  // near them; none of a smooth surface
  PointShares accessibility_;
  std::deque<Faces> faces_;  // by lattice
};

}  // namespace ionwell::gpu
