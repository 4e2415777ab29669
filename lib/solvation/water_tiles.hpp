// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "solvation/rotation.hpp"
#include "solvation/water_boxes.hpp"
#include "solvation/water_model.hpp"

namespace ionwell {

/// A molecule of a tile: a whole system of waters takes 8 bytes for each.
struct TiledWater {
  std::uint32_t tile = 0, molecule = 0;

  friend constexpr bool operator==(const TiledWater&, const TiledWater&) = default;
};

/// Copies of a periodic box of water side by side over a cell: tile (i,j,k) begins at edge * (i,j,k) from the
/// cell's origin, along axes that may be turned, and i runs fastest in their numbers. They are turned where
/// an image of the cell would be off the tiles by a little: there each molecule would clash with its own
/// image.
class WaterTiles {
 public:
  /// Over a cell and `beyond_A` more on all sides. Throws Error for a cell of more than 2^32 tiles.
  WaterTiles(const WaterModel& model, const WaterBox& box, const PeriodicCell& cell, double beyond_A);

  const WaterModel& model() const { return *model_; }
  const Vec3<std::int64_t>& counts() const { return counts_; }
  double edge_A() const { return edge_A_; }
  std::int64_t molecules() const { return molecules_; }  // of each tile
  double waters_per_A3() const { return double(molecules()) / (edge_A_ * edge_A_ * edge_A_); }

  /// A water that was moved out of its place, as one more molecule of its tile. `rotation` is about the
  /// oxygen.
  TiledWater moved(const TiledWater& water, const Vec3<double>& translation_A, const Rotation& rotation);

  /// A water at any place, as one more molecule of the first tile: the model's own geometry, along the
  /// bisector and in the plane of these three atoms.
  TiledWater added(const Vec3<double>& oxygen_A, const Vec3<double>& first_hydrogen_A,
                   const Vec3<double>& second_hydrogen_A);

  /// The corner where the tile begins.
  Vec3<double> origin_A(std::uint32_t tile) const;

  /// Along the three edges from there, each of the length of an edge.
  CellVectors edges() const;

  Vec3<double> oxygen_A(const TiledWater& water) const {
    return origin_A(water.tile) + oxygens_A_[water.molecule];
  }

  /// A site of the model; 0 is the oxygen.
  Vec3<double> site_A(const TiledWater& water, std::size_t site) const {
    return oxygen_A(water) + sites_A_[water.molecule * model_->sites + site];
  }

 private:
  const WaterModel* model_;
  double edge_A_;
  std::int64_t molecules_ = 0;
  Rotation turn_;  // from the cell's axes to those of the tiles
  Vec3<std::int64_t> first_, counts_;
  // From the tile's origin, along the cell's axes: those of the box, then those that were moved.
  std::vector<Vec3<double>> oxygens_A_;
  std::vector<Vec3<double>> sites_A_;  // from the oxygen, exact as the model has them
};

/// The numbering and the names that waters get in a file.
struct WaterLabels {
  WaterNames names = WaterNames::pdb;
  Label chain = "W";
  int first_residue = 1;
};

/// Waters of a system, whose atoms are made when they are wanted.
struct Waters {
  WaterTiles tiles;
  std::vector<TiledWater> molecules;

  std::int64_t size() const { return std::int64_t(molecules.size()); }
  std::size_t atoms_each() const { return tiles.model().sites; }
  Vec3<double> oxygen_A(std::int64_t n) const { return tiles.oxygen_A(molecules[std::size_t(n)]); }

  /// The atoms of the waters from number `first` on, as many as fit into `atoms`, whose size is a multiple of
  /// atoms_each(). Segments W1, W2 ... hold 10,000 waters each. 20 million atoms a second on one thread.
  void make_atoms(std::int64_t first, const WaterLabels& labels, std::span<Atom> atoms) const;
};

}  // namespace ionwell
