// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"

namespace ionwell {

/// The solvent-excluded surface of atoms: what no probe of a given radius reaches is inside (Richards, Annu.
/// Rev. Biophys. Bioeng. 6:151, 1977). A position is outside when the centre of some probe can be within the
/// probe's radius of it; so its distance to the surface where centres can be, less the probe's radius, is its
/// distance to this surface. All parts are exact, re-entrant ones and those where three atoms are touched
/// too; with radius 0 it is the van der Waals surface.
class SolventExcluded {
 public:
  /// For samples in `region` that are `depth_A` or less from the surface. `balls` are the atoms, larger by
  /// `probe_A`.
  SolventExcluded(std::vector<Ball> balls, double probe_A, const Box& region, double depth_A, int threads);

  /// Where the centre of a probe can be, near the region.
  const AccessibleSurface& accessible() const { return surface_; }

  /// Values at the samples of a tile; one for each thread, used again and again.
  class Samples {
   public:
    /// Fills in the values of a tile, up to `depth_A` from the surface, which is no more than the surface was
    /// made for. O(samples near the surface, times the parts of it nearby).
    void fill(const SolventExcluded& surface, const SampleTile& tile, double depth_A);
    void fill(const SolventExcluded& surface, const SampleTile& tile) {
      fill(surface, tile, surface.depth_A_);
    }

    /// Looks for what is near a box, whose tiles are then requested their sides.
    void look_around(const SolventExcluded& surface, const Box& box);

    /// On which side of the surface each sample of a tile is, and nothing else: for is_inside.
    void fill_sides(const SampleTile& tile);
    bool is_inside(int sample) const { return distance_A(sample) > 0.0f; }

    /// Signed distance [A] to the surface, positive inside: exact up to depth_A, beyond that infinite inside
    /// and at most -depth_A outside.
    float distance_A(int sample) const { return values_A_[std::size_t(sample)] - surface_->probe_A_; }

    /// The share that is inside of the segment from a sample, number i, j, k by axis, to the next one along
    /// `axis`, which must not be longer than depth_A.
    float inside_share(const Vec3<int>& sample, int axis);

    /// For the segments along `axis` from `count` samples of a row, `first` and those after it: out =
    /// `inside` or `outside` where a share is 1 or 0 by the distances of its ends. Writes the others, counted
    /// from `first`, to `rest`, where there must be room for 16 more; returns how many.
    int decide_row(const Vec3<int>& first, int axis, int count, float inside, float outside, float* out,
                   int* rest) const;

    /// Cubes of samples that share what is worked out for cut segments: those of one cube are best requested
    /// together.
    int cube_of(const Vec3<int>& sample) const {
      return sample.x / cube_edge_.x +
             cube_counts_.x * (sample.y / cube_edge_.y + cube_counts_.y * (sample.z / cube_edge_.z));
    }
    int cubes() const { return cube_counts_.x * cube_counts_.y * cube_counts_.z; }

    /// Whether all samples have the same medium, far from the surface.
    std::optional<bool> all_inside() const { return uniform_; }

   private:
    /// Columns of numbers of parts, and their numbers among those near the tile.
    class Parts {
     public:
      explicit Parts(int columns) : columns_(columns) {}
      int count() const { return count_; }
      int number(int n) const { return numbers_[std::size_t(n)]; }
      NumberColumns columns() const { return {values_.data(), stride_}; }

      /// Room for so many; what was there is lost.
      void clear(std::size_t room);
      void push_back(const float* values, int number);
      /// Those of `from` whose numbers are in `chosen`; `number` of each is kept.
      void choose(const Parts& from, const int* chosen, int count);

     private:
      int columns_, count_ = 0, stride_ = 0;
      std::vector<float> values_;
      std::vector<int> numbers_;
    };
    struct LocalPatch {
      AroundPart ball;
      int first_cap, last_cap;
    };

    float cut_share(const Vec3<int>& sample, int axis);
    void find_parts_near(const Vec3<int>& sample);
    float distance_A(const Vec3<float>& at_A, bool is_in_union);
    bool is_in_covered_ball(const Vec3<float>& at_A);
    void start(const SampleTile& tile, double depth_A);
    void fill_union();
    void add_patches();
    void add_arcs();
    void add_outer_distances();
    void fill_ball(const Ball& ball);
    void add_patch(const LocalPatch& patch, float enough);
    void add_arc(const LocalArc& arc, const AroundPart& around, float enough);
    float reach_A() const { return surface_->probe_A_ + depth_A_; }

    const SolventExcluded* surface_ = nullptr;
    const SampleTile* tile_ = nullptr;
    float depth_A_ = 0.0f;
    std::vector<float> values_A_;  // distance to where probes can be, negative among them; room for a vector
    std::optional<bool> uniform_;

    std::vector<std::uint32_t> near_balls_, near_patches_, near_arcs_;  // where sides are asked for

    std::vector<LocalPatch> patches_;                // near the tile, as the list has them
    Parts balls_{ball_columns}, arcs_{arc_columns};  // of them, and all arcs near the tile
    std::vector<int> local_patches_, local_arcs_;    // their numbers here, by their places in the lists
    Vec3<int> cube_edge_, cube_counts_;
    int cube_ = -1;                                                  // of which there are
    Parts balls_of_cube_{ball_columns}, arcs_of_cube_{arc_columns};  // that can be nearest to something there
    Box cube_box_;
    std::optional<std::vector<AroundPart>> covered_of_cube_;  // balls that reach it, once asked for
    Parts balls_of_segment_{ball_columns}, arcs_of_segment_{arc_columns};
    std::vector<int> chosen_;
    std::vector<float> depths_A_;
  };

 private:
  NumberColumns cap_columns() const { return {cap_numbers_.data(), cap_stride_}; }

  std::vector<Ball> balls_;
  float probe_A_;
  double depth_A_;
  CellList list_;
  AccessibleSurface surface_;
  std::vector<Ball> covered_;  // balls of which nothing is on the surface
  CellList patch_list_, covered_list_;
  std::vector<Ball> around_arcs_;
  CellList arc_list_;
  double largest_ball_A_, largest_arc_A_;
  std::vector<float> cap_numbers_;  // the surface's, in columns
  int cap_stride_ = 0;
  const SurfaceKernels& kernels_ = surface_kernels(SimdLevel::automatic);
};

}  // namespace ionwell
