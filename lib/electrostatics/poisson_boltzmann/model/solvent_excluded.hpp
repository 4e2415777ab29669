#pragma once

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

  /// Values at the samples of a tile; one for each thread, used again and again.
  class Samples {
   public:
    /// Fills in the values of a tile. O(samples near the surface, times the parts of it nearby).
    void fill(const SolventExcluded& surface, const SampleTile& tile);

    /// Signed distance [A] to the surface, positive inside: exact up to depth_A, beyond that infinite inside
    /// and at most -depth_A outside.
    float distance_A(int sample) const { return values_A_[std::size_t(sample)] - surface_->probe_A_; }

    /// The share that is inside of the segment from a sample, number i, j, k by axis, to the next one along
    /// `axis`. Where it leaves the surface's inside is found among the parts of the surface that are nearest
    /// to either end and to the samples beside these.
    float inside_share(const Vec3<int>& sample, int axis) const {
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
    /// What some parts say of a position: distances [A] to where probes can be.
    struct Nearest {
      bool in_ball = false;                                       // one of the patches' balls holds it
      float patch_A = std::numeric_limits<float>::infinity();     // of these, those that are open there
      float outside_A = -std::numeric_limits<float>::infinity();  // of balls that do not hold it: negative
      float arc_A = std::numeric_limits<float>::infinity();
      float distance_A() const;
    };
    void consider(std::int32_t part, const Vec3<float>& at_A, Nearest* nearest) const;
    float cut_share(const Vec3<int>& sample, int axis) const;
    void fill_union();
    void add_patches();
    void add_arcs();
    void add_outer_distances();

    const SolventExcluded* surface_ = nullptr;
    const SampleTile* tile_ = nullptr;
    std::vector<float> values_A_;      // distance to where probes can be, negative among them
    std::vector<std::int32_t> parts_;  // the part that is nearest: see local_
    std::optional<bool> uniform_;

    struct LocalPatch {
      Vec3<float> centre_A;
      float radius_A;
      const SphereCap* caps;
      int cap_count;
    };
    std::vector<LocalPatch> patches_;
    std::vector<LocalArc> arcs_;
  };

 private:
  std::vector<Ball> balls_;
  float probe_A_, depth_A_;
  CellList list_;
  AccessibleSurface surface_;
  CellList patch_list_, arc_list_;
  double largest_ball_A_ = 0.0, largest_arc_A_ = 0.0;
};

}  // namespace ionwell
