// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/structure.hpp"
#include "core/unit_cell.hpp"
#include "solvation/cell_shape.hpp"
#include "solvation/fill_with_water.hpp"
#include "solvation/orientation.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// What box of water to put a solute into.
struct SolvationOptions {
  std::string water_model = "tip3p";
  CellShape shape = CellShape::cube;
  double padding_A = 12.0;  // between the solute and each face of the cell: half of what its image keeps
  std::optional<CellParameters> cell;  // instead of shape and padding
  bool orient = false;                 // turn the solute so that the cell becomes as small as it can be
  bool accept_bulk_water = false;      // of the input: it stays, and water is added around it
  double cutoff_A = 12.0;              // of the simulation's pair forces: a warning when an image is nearer
  FillOptions fill;
};

/// A solute in a cell of water.
struct Solvation {
  std::vector<Atom> solute;  // turned and moved to the middle of the cell, in the order of the input
  UnitCell cell;             // of a simulation
  double volume_A3 = 0.0;
  Waters waters;
  FillCounts counts;
  Rotation rotation;              // what was done to the positions of the input, once whole:
  Vec3<double> translation_A;     // rotation(position) + translation
  double own_image_A = 0.0;       // the shortest distance between the solute and its own images
  double solute_volume_A3 = 0.0;  // which no water has
  double density_g_cm3 = 0.0;     // of the water in the rest of the cell
  std::int64_t made_whole = 0;    // atoms that were moved by vectors of the input's own cell
  bool keeps_membrane = false;    // vectors a and b are the input's own, in the plane of its bilayer
  std::vector<std::string> warnings;

  std::int64_t atoms() const;
};

/// Throws Error for a structure that stands in bulk water, with what to do about it.
void refuse_bulk_water(const Structure& structure);

/// Puts the solute into the middle of a periodic cell and fills it with water. Ions and waters of the input
/// are part of the solute and stay. A solute that lies across the boundary of the simulation's cell it came
/// with is made whole first (whole_molecules.hpp), and a bilayer keeps that cell in its plane. `links` are
/// those of a topology. Charges do not matter. Throws UsageError for options that make no cell, Error for a
/// solute without atoms or larger than the cell, for an input that stands in bulk water already, and for more
/// water than there is memory for. The same for any number of threads. 1 s for a million atoms.
Solvation solvate(const Structure& structure, const SolvationOptions& options = {},
                  std::span<const AtomLink> links = {});

}  // namespace ionwell
