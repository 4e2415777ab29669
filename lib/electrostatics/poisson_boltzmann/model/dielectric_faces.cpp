// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/dielectric_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "electrostatics/poisson_boltzmann/model/segment_share.hpp"
#include "electrostatics/poisson_boltzmann/model/smooth_shares.hpp"
#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

double largest(const Vec3<double>& v) {
  return std::max({v.x, v.y, v.z});
}

Vec3<std::int64_t> unit(int axis) {
  return {axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0};
}

bool takes_averages(const DielectricOptions& options) {
  return !is_smooth(options.surface) && options.faces == FaceRule::averaged_midpoint;
}

double probe_of(const DielectricOptions& options) {
  return options.surface == SoluteSurface::solvent_excluded ? options.probe_A : 0.0;
}

/// How far [A] the surface around an atom can change things.
double dielectric_reach_A(const DielectricOptions& options, double radius_A) {
  if (is_smooth(options.surface)) {
    const SurfaceStep step{options.surface, float(options.window_A), float(options.gaussian_variance)};
    return double(step_reach_A(step, float(radius_A)));
  }
  // A ball takes places from probes; what they reached from there, and nobody else does, is inside now.
  return radius_A + 2.0 * probe_of(options);
}

/// The surface in `region`, a part of `box`: neighbours are gone through in one order for any part of it.
std::shared_ptr<const SolventExcluded> sharp_surface(const DielectricOptions& options,
                                                     std::span<const Atom> atoms, const Box& box,
                                                     const Box& region, double depth_A, int threads) {
  const double probe_A = probe_of(options);
  std::vector<Ball> balls = balls_of(atoms, probe_A);
  // Spheres near the box, those that cut them, and a cell more.
  const double near_A = probe_A + depth_A + 4.0 * largest_radius_A(balls);
  return std::make_shared<const SolventExcluded>(balls_near(std::move(balls), box, near_A), probe_A, region,
                                                 depth_A, threads);
}

/// The smallest box around some tiles, of which there are some.
PointBox around_tiles(std::span<const PointBox> tiles) {
  PointBox around = tiles.front();
  for (const PointBox& tile : tiles) around = joined_points(around, tile);
  return around;
}

/// The dielectric in the middle of the faces of one direction, or one over it, for a tile of points.
struct MiddleTile {
  PointBox range;
  std::vector<float> values;

  /// Those from point (i, j, k) on.
  const float* row(const Vec3<std::int64_t>& p) const {
    const Vec3<std::int64_t> n = counts_of(range), r = p - range.low;
    return values.data() + (r.x + n.x * (r.y + n.y * r.z));
  }
};

class FaceSetter {
 public:
  /// For points of `part`, to the bits that they have when all of `range` are set.
  FaceSetter(const DielectricOptions& options, std::span<const Atom> atoms, const PointBox& range,
             const PointBox& part, int threads, const PbCoefficients& to, const SolventExcluded* surface)
      : options_(options),
        to_(to),
        lattice_(to_.lattice),
        inside_(float(options.solute_dielectric)),
        outside_(float(options.solvent_dielectric)),
        depth_A_(largest(lattice_.spacing_A)),
        sharp_(surface) {
    const Box box = box_of_faces(options, lattice_, range);
    if (is_smooth(options.surface)) {
      std::vector<Ball> balls = balls_of(atoms, 0.0);
      const double reach_A = dielectric_reach_A(options, largest_radius_A(balls));
      smooth_.emplace(balls_near(std::move(balls), box, reach_A));
    } else if (sharp_ == nullptr) {
      own_sharp_ =
          sharp_surface(options, atoms, box, box_of_faces(options, lattice_, part), depth_A_, threads);
      sharp_ = own_sharp_.get();
    }
  }

  /// A face whose segment the surface may cut.
  struct CutFace {
    Vec3<int> sample;
    int axis, cube;
  };

  /// What a thread needs while it works on tiles.
  struct Workspace {
    SolventExcluded::Samples samples;
    std::array<MiddleTile, 3> middles;
    std::vector<CutFace> cut, in_order;
    std::vector<int> rest, begin;
  };

  void set_tile(const PointBox& tile, Workspace& work) const {
    if (!is_smooth(options_.surface) && options_.faces == FaceRule::inside_share)
      return set_by_shares(tile, work);
    if (takes_averages(options_)) return set_by_averages(tile, work);
    if (!smooth_) work.samples.look_around(*sharp_, box_of_middles(tile));
    for (int axis = 0; axis < 3; ++axis) {
      const MiddleTile& middle = work.middles[std::size_t(axis)];
      fill_middles(axis, tile, inside_, outside_, work);
      visit_rows(axis, tile, [&](const Vec3<std::int64_t>& first, int count, float* eps) {
        std::copy_n(middle.row(first), count, eps);
      });
    }
  }

 private:
  /// The values of that axis from a point on.
  float* faces(int axis, const Vec3<std::int64_t>& p) const {
    return (axis == 0 ? to_.eps_x : (axis == 1 ? to_.eps_y : to_.eps_z)) + to_.index(p.x, p.y, p.z);
  }

  bool has_face(int axis, const Vec3<std::int64_t>& p) const {
    const Vec3<std::int64_t>& n = lattice_.counts;
    return axis == 0 ? p.x + 1 < n.x : (axis == 1 ? p.y + 1 < n.y : p.z + 1 < n.z);
  }

  /// Calls set(first, count, eps) for each row of a tile with the faces along `axis` that the lattice has,
  /// `eps` being that of the first; the others are the solvent's.
  template <typename Set>
  void visit_rows(int axis, const PointBox& tile, const Set& set) const {
    const int n = int(counts_of(tile).x);
    for (std::int64_t k = tile.low.z; k <= tile.high.z; ++k) {
      if (!to_.has_plane(k)) continue;
      for (std::int64_t j = tile.low.y; j <= tile.high.y; ++j) {
        const Vec3<std::int64_t> first{tile.low.x, j, k};
        float* const eps = faces(axis, first);
        const bool is_behind = !has_face(axis, axis == 0 ? tile.high : first);
        const int count = !is_behind ? n : (axis == 0 ? n - 1 : 0);
        std::fill(eps + count, eps + n, outside_);
        if (count > 0) set(first, count, eps);
      }
    }
  }

  void set_by_shares(const PointBox& tile, Workspace& work) const {
    SolventExcluded::Samples& samples = work.samples;
    const PointBox with_ends =
        common_points(all_points(lattice_), {tile.low, tile.high + Vec3<std::int64_t>{1, 1, 1}});
    const SampleTile positions(lattice_, with_ends, {0, 0, 0});
    samples.fill(*sharp_, positions, depth_A_);
    if (const std::optional<bool> all_inside = samples.all_inside()) {
      for (int axis = 0; axis < 3; ++axis)
        visit_rows(axis, tile, [&](const Vec3<std::int64_t>&, int count, float* eps) {
          std::fill_n(eps, count, *all_inside ? inside_ : outside_);
        });
      return;
    }
    work.cut.clear();
    for (int axis = 0; axis < 3; ++axis) decide_rows(axis, tile, work);
    sort_by_cube(work);
    for (const CutFace& face : work.in_order) {
      const Vec3<std::int64_t> p = tile.low + Vec3<std::int64_t>{face.sample.x, face.sample.y, face.sample.z};
      *faces(face.axis, p) =
          series_dielectric(samples.inside_share(face.sample, face.axis), inside_, outside_);
    }
  }

  /// Sets all faces of a tile that the distances at the samples decide, and notes the others.
  void decide_rows(int axis, const PointBox& tile, Workspace& work) const {
    constexpr std::size_t vector_room = 16;
    work.rest.resize(std::size_t(counts_of(tile).x) + vector_room);
    visit_rows(axis, tile, [&](const Vec3<std::int64_t>& first, int count, float* eps) {
      const int j = int(first.y - tile.low.y), k = int(first.z - tile.low.z);
      const int cut =
          work.samples.decide_row({0, j, k}, axis, count, inside_, outside_, eps, work.rest.data());
      for (int c = 0; c < cut; ++c) {
        const Vec3<int> sample{work.rest[std::size_t(c)], j, k};
        work.cut.push_back({sample, axis, work.samples.cube_of(sample)});
      }
    });
  }

  static void sort_by_cube(Workspace& work) {
    work.begin.assign(std::size_t(work.samples.cubes()) + 1, 0);
    for (const CutFace& face : work.cut) ++work.begin[std::size_t(face.cube) + 1];
    std::partial_sum(work.begin.begin(), work.begin.end(), work.begin.begin());
    work.in_order.resize(work.cut.size());
    for (const CutFace& face : work.cut)
      work.in_order[std::size_t(work.begin[std::size_t(face.cube)]++)] = face;
  }

  /// Where the middles of all faces of some points lie.
  Box box_of_middles(const PointBox& range) const {
    Box box = extents_of(lattice_, range);
    box.highest_A = box.highest_A + 0.5 * lattice_.spacing_A;
    return box;
  }

  /// The middles of a range are `inside` or `outside`; where the surface is sharp, of that around which
  /// samples have looked.
  void fill_middles(int axis, const PointBox& range, float inside, float outside, Workspace& work) const {
    const Vec3<std::int64_t> along = unit(axis);
    const SampleTile positions(lattice_, range,
                               0.5 * Vec3<double>{double(along.x), double(along.y), double(along.z)});
    MiddleTile& middle = work.middles[std::size_t(axis)];
    middle.range = range;
    if (smooth_) {
      const SurfaceStep step{options_.surface, float(options_.window_A), float(options_.gaussian_variance)};
      fill_solvent_shares(*smooth_, step, positions, &middle.values);
      for (float& value : middle.values) value = inside + (outside - inside) * value;
      return;
    }
    work.samples.fill_sides(positions);
    middle.values.resize(std::size_t(positions.size()));
    for (int n = 0; n < positions.size(); ++n)
      middle.values[std::size_t(n)] = work.samples.is_inside(n) ? inside : outside;
  }

  /// The harmonic mean of a face and the eight of the other directions that are half a cell away; of those
  /// that the lattice has.
  void set_by_averages(const PointBox& tile, Workspace& work) const {
    const Vec3<std::int64_t> one{1, 1, 1};
    const PointBox wider{tile.low - one, tile.high + one};
    work.samples.look_around(*sharp_, box_of_middles(wider));
    for (int axis = 0; axis < 3; ++axis) {
      fill_middles(axis, wider, 1.0f / inside_, 1.0f / outside_, work);
      std::vector<float>& values = work.middles[std::size_t(axis)].values;
      // Faces that the lattice lacks add nothing to the sum.
      const std::int64_t n = counts_of(wider).x;
      float* row = values.data();
      for (std::int64_t k = wider.low.z; k <= wider.high.z; ++k)
        for (std::int64_t j = wider.low.y; j <= wider.high.y; ++j, row += n) {
          if (j < 0 || k < 0 || (axis != 0 && !has_face(axis, {0, j, k}))) std::fill_n(row, n, 0.0f);
          if (wider.low.x < 0) row[0] = 0.0f;
          if (axis == 0 && wider.high.x + 1 >= lattice_.counts.x)
            std::fill(row + (lattice_.counts.x - 1 - wider.low.x), row + n, 0.0f);
        }
    }
    for (int axis = 0; axis < 3; ++axis)
      visit_rows(axis, tile, [&](const Vec3<std::int64_t>& first, int count, float* eps) {
        add_up(axis, first, count, work, eps);
        // Only at the ends of the lattice's rows may some be missing.
        const Vec3<std::int64_t> last = first + Vec3<std::int64_t>{count - 1, 0, 0};
        const float of_first = eps[0], of_last = eps[count - 1],
                    usual = float(faces_near(axis, {1, first.y, first.z}));
        for (int i = 0; i < count; ++i) eps[i] = usual / eps[i];
        eps[0] = float(faces_near(axis, first)) / of_first;
        eps[count - 1] = float(faces_near(axis, last)) / of_last;
      });
  }

  /// out = the sum over those faces, of a row from `first` on.
  static void add_up(int axis, const Vec3<std::int64_t>& first, int count, const Workspace& work,
                     float* __restrict out) {
    const MiddleTile& own = work.middles[std::size_t(axis)];
    const Vec3<std::int64_t> n = counts_of(own.range);  // of the others, too
    const std::int64_t at = own.row(first) - own.values.data();
    const std::array<std::int64_t, 3> away{1, n.x, n.x * n.y};
    std::copy_n(own.values.data() + at, count, out);
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == std::size_t(axis)) continue;
      const float *const a = work.middles[other].values.data() + at, *const b = a - away[other],
                         *const c = a + away[std::size_t(axis)], *const d = c - away[other];
      for (int i = 0; i < count; ++i) out[i] = (((out[i] + a[i]) + b[i]) + c[i]) + d[i];
    }
  }

  /// How many of them the lattice has.
  int faces_near(int axis, const Vec3<std::int64_t>& p) const {
    int count = 1;
    for (int other = 0; other < 3; ++other) {
      const std::int64_t at = other == 0 ? p.x : (other == 1 ? p.y : p.z);
      if (other != axis) count += 2 * (int(at > 0) + int(has_face(other, p)));
    }
    return count;
  }

  const DielectricOptions& options_;
  const PbCoefficients to_;
  const LatticeGeometry& lattice_;
  float inside_, outside_;
  double depth_A_;
  std::optional<BallsInCells> smooth_;
  const SolventExcluded* sharp_;  // where the surface is not smooth
  std::shared_ptr<const SolventExcluded> own_sharp_;
};

void check_at_least(const char* what, double value, double least, const char* unit) {
  if (!(value >= least && std::isfinite(value)))
    fail<UsageError>(what, " is ", value, unit, " (it must be ", least, " or more); correct it");
}

}  // namespace

Box box_of_faces(const DielectricOptions& options, const LatticeGeometry& lattice, const PointBox& range) {
  const Vec3<double>& h = lattice.spacing_A;
  Box box = extents_of(lattice, range);
  box.highest_A = box.highest_A + h;
  if (takes_averages(options)) box = {box.lowest_A - h, box.highest_A + h};
  return box;
}

void validate(const DielectricOptions& options) {
  check_at_least("the solute's dielectric", options.solute_dielectric, 1.0, "");
  check_at_least("the solvent's dielectric", options.solvent_dielectric, 1.0, "");
  check_at_least("the probe's radius", options.probe_A, 0.0, " A");
  check_at_least("half the width of the spline surface", options.window_A, 1e-3, " A");
  check_at_least("the variance of the Gaussian surface", options.gaussian_variance, 1e-3, "");
}

PointBox dielectric_points(const DielectricOptions& options, const Atom& atom,
                           const LatticeGeometry& lattice) {
  const double reach_A = dielectric_reach_A(options, atom.radius_A);
  const Vec3<double> reach{reach_A, reach_A, reach_A};
  // The face below a point is the point's before it.
  const Vec3<double> below_A = atom.position_A - reach - lattice.spacing_A, above_A = atom.position_A + reach;
  const Vec3<double> beside_A = takes_averages(options) ? lattice.spacing_A : Vec3<double>{};
  return points_around(lattice, {below_A - beside_A, above_A + beside_A});
}

std::shared_ptr<const SolventExcluded> common_surface(const DielectricOptions& options,
                                                      std::span<const Atom> atoms,
                                                      std::span<const LatticeGeometry> lattices,
                                                      int threads) {
  validate(options);
  if (lattices.empty() || is_smooth(options.surface) ||
      options.solute_dielectric == options.solvent_dielectric)
    return nullptr;
  std::optional<Box> around;
  double depth_A = 0.0;
  for (const LatticeGeometry& lattice : lattices) {
    const Box box = box_of_faces(options, lattice, all_points(lattice));
    around = around ? extended(extended(*around, box.lowest_A), box.highest_A) : box;
    depth_A = std::max(depth_A, largest(lattice.spacing_A));
  }
  return sharp_surface(options, atoms, *around, *around, depth_A, threads);
}

std::shared_ptr<const SolventExcluded> surface_at_points(const DielectricOptions& options,
                                                         std::span<const Atom> atoms,
                                                         const LatticeGeometry& lattice,
                                                         const PointBox& range,
                                                         std::span<const PointBox> tiles, int threads) {
  return sharp_surface(options, atoms, extents_of(lattice, range), extents_of(lattice, around_tiles(tiles)),
                       largest(lattice.spacing_A), threads);
}

void set_dielectric(const DielectricOptions& options, std::span<const Atom> atoms, const PointBox& range,
                    std::span<const PointBox> tiles, int threads, const PbCoefficients& to,
                    const SolventExcluded* surface) {
  if (tiles.empty()) return;
  if (options.solute_dielectric == options.solvent_dielectric) {
    for (const PointBox& tile : tiles)
      for (std::int64_t k = tile.low.z; k <= tile.high.z; ++k)
        for (std::int64_t j = tile.low.y; j <= tile.high.y && to.has_plane(k); ++j)
          for (float* const eps : {to.eps_x, to.eps_y, to.eps_z})
            std::fill_n(eps + to.index(tile.low.x, j, k), tile.high.x - tile.low.x + 1,
                        float(options.solvent_dielectric));
    return;
  }
  const FaceSetter setter(options, atoms, range, around_tiles(tiles), threads, to, surface);
  parallel_ranges({threads, 1}, std::ssize(tiles), [&](std::int64_t first, std::int64_t last) {
    FaceSetter::Workspace work;
    for (std::int64_t n = first; n < last; ++n) setter.set_tile(tiles[std::size_t(n)], work);
  });
}

void set_dielectric(const DielectricOptions& options, std::span<const Atom> atoms, const PointBox& range,
                    int threads, PbSystem* system, const SolventExcluded* surface) {
  const PbCoefficients to = coefficients_of(*system);
  set_dielectric(options, atoms, range, tiles_with(to, range), threads, to, surface);
}

}  // namespace ionwell
