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

  /// Says of which points coefficients are set next, by lattice.
  void take(std::vector<Points> points);

  /// Finds the parts of the surface near these points, which their faces need. May go on beside
  /// set_accessibility, in another thread.
  void look_near();

  /// Sets the coefficients of a lattice's points: where those of all its points are. Faces come after
  /// accessibility, some of which they close. Both return when the device is done.
  void set_accessibility(std::size_t lattice, const FaceArrays& to);
  void set_faces(std::size_t lattice, const FaceArrays& to);

 private:
  void set_faces_of(const LatticeGeometry& lattice, std::span<const PointBox> boxes, const FaceArrays& to);

  PbModelOptions options_;
  /// What is found of the surface all else waits for.
  Stream finding_{Turn::first}, opening_, facing_;
  double probe_A_;
  bool has_surface_, closes_inside_;
  DeviceBuffer<SoluteAtom> first_atoms_;
  BallCells balls_;
  Bricks open_bricks_, bricks_;
  PartsFinder finder_;
  std::vector<Points> points_;
  std::optional<PartsView> parts_;  // near them; none of a smooth surface
  SharpFaces sharp_;
  SideFaces sides_;
  PointShares shares_, smooth_;
};

}  // namespace ionwell::gpu
