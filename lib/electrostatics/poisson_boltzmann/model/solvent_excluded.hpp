#pragma once

#include <algorithm>
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

    /// Signed distance [A] to the surface, positive inside: exact up to depth_A, beyond that infinite inside
    /// and at most -depth_A outside.
    float distance_A(int sample) const { return values_A_[std::size_t(sample)] - surface_->probe_A_; }

    /// The share that is inside of the segment from a sample, number i, j, k by axis, to the next one along
    /// `axis`, which must not be longer than depth_A.
    float inside_share(const Vec3<int>& sample, int axis) {
      const int at = tile_->index(sample.x, sample.y, sample.z);
      const int stride = axis == 0 ? 1 : tile_->counts.x * (axis == 1 ? 1 : tile_->counts.y);
      const float length = axis == 0   ? tile_->spacing_A.x
                           : axis == 1 ? tile_->spacing_A.y
                                       : tile_->spacing_A.z;
      const float first_A = distance_A(at), last_A = distance_A(at + stride);
      if (first_A + last_A >= length && first_A > 0.0f && last_A > 0.0f) return 1.0f;
      if (first_A + last_A <= -length && first_A <= 0.0f && last_A <= 0.0f) return 0.0f;
      return cut_share(sample, axis);
    }

    /// Whether all samples have the same medium, far from the surface.
    std::optional<bool> all_inside() const { return uniform_; }

   private:
    /// Parts of the surface that can be the nearest to something in a cell of the tile.
    struct NearParts {
      bool is_known = false;
      std::vector<std::int32_t> patches, arcs;
    };
    float cut_share(const Vec3<int>& sample, int axis);
    const NearParts& parts_near(const Vec3<int>& sample);
    float distance_A(const Vec3<float>& at_A, bool is_in_union) const;
    void fill_union();
    void add_patches();
    void add_arcs();
    void add_outer_distances();

    const SolventExcluded* surface_ = nullptr;
    const SampleTile* tile_ = nullptr;
    float depth_A_ = 0.0f;
    std::vector<float> values_A_;  // distance to where probes can be, negative among them
    std::optional<bool> uniform_;

    struct LocalPatch {
      Vec3<float> centre_A;
      float radius_A;
      const SphereCap* caps;
      int cap_count;
    };
    /// Whether some of the sphere is nearer to a position than `reach_A`.
    static bool is_near(const LocalPatch& patch, const Vec3<float>& at_A, float reach_A) {
      const float r2 = distance_squared(patch.centre_A, at_A),
                  least = std::max(0.0f, patch.radius_A - reach_A), most = patch.radius_A + reach_A;
      return r2 < most * most && r2 >= least * least;
    }
    std::vector<LocalPatch> patches_;
    std::vector<LocalArc> arcs_;
    std::vector<std::int32_t> local_patches_, local_arcs_;  // their numbers here, of those near the tile
    std::vector<NearParts> cells_;
    Vec3<int> cell_counts_, cell_edge_;
    std::vector<std::int32_t> patches_of_segment_, arcs_of_segment_;
  };

 private:
  std::vector<Ball> balls_;
  float probe_A_;
  double depth_A_;
  CellList list_;
  AccessibleSurface surface_;
  CellList patch_list_, arc_list_;
  double largest_ball_A_ = 0.0, largest_arc_A_ = 0.0;
};

}  // namespace ionwell
