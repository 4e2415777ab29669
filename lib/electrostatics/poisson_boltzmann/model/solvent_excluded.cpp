// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "electrostatics/poisson_boltzmann/model/segment_share.hpp"

namespace ionwell {
namespace {

constexpr double cell_A = 4.0;  // balls of atoms and probes are about as large
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float cube_A = 2.5f;  // where segments share a list of parts
constexpr float beyond_probe =
    0.25f;  // in lengths of a segment: so far on either side of the surface distances on it are exact
constexpr double rounding_A = 0.01;  // more than decides whether a part reaches a sample
constexpr int vector_room = 16;      // numbers of the longest vector

static_assert(sizeof(LocalArc) == arc_columns * sizeof(float));
static_assert(sizeof(AroundPart) == ball_columns * sizeof(float));
static_assert(sizeof(SphereCap) == 4 * sizeof(float));

AroundPart around_part(const Vec3<float>& centre_A, float radius_A) {
  return {centre_A.x, centre_A.y, centre_A.z, radius_A};
}

std::vector<Vec3<double>> centres_of(const std::vector<AccessiblePatch>& patches) {
  std::vector<Vec3<double>> centres;
  centres.reserve(patches.size());
  for (const AccessiblePatch& patch : patches) centres.push_back(patch.centre_A);
  return centres;
}

/// Those that have no patch.
std::vector<Ball> without_patches(const std::vector<Ball>& balls,
                                  const std::vector<AccessiblePatch>& patches) {
  std::vector<char> has_patch(balls.size());
  for (const AccessiblePatch& patch : patches) has_patch[patch.ball] = 1;
  std::vector<Ball> left;
  for (std::size_t n = 0; n < balls.size(); ++n)
    if (has_patch[n] == 0) left.push_back(balls[n]);
  return left;
}

std::vector<Ball> balls_around(const std::vector<AccessibleArc>& arcs) {
  std::vector<Ball> balls;
  balls.reserve(arcs.size());
  for (const AccessibleArc& arc : arcs) balls.push_back(arc.around());
  return balls;
}

/// Whether a ball reaches a box.
bool is_near(const Box& box, const Vec3<double>& centre_A, double radius_A) {
  return distance_squared(centre_A, nearest_in(box, centre_A)) <= radius_A * radius_A;
}

std::size_t count_near(const CellList& list, const Box& box, double distance_A) {
  std::size_t count = 0;
  list.near_ranges(box, distance_A, [&](std::size_t first, std::size_t last) { count += last - first; });
  return count;
}

}  // namespace

SolventExcluded::SolventExcluded(std::vector<Ball> balls, double probe_A, const Box& region, double depth_A,
                                 int threads)
    : balls_(std::move(balls)),
      probe_A_(float(probe_A)),
      depth_A_(depth_A),
      list_(ionwell::centres_of(std::span<const Ball>(balls_)), cell_A),
      surface_(accessible_surface(balls_, list_, region, probe_A + depth_A, threads)),
      covered_(without_patches(balls_, surface_.patches)),
      patch_list_(centres_of(surface_.patches), cell_A),
      covered_list_(ionwell::centres_of(std::span<const Ball>(covered_)), cell_A),
      around_arcs_(balls_around(surface_.arcs)),
      arc_list_(ionwell::centres_of(std::span<const Ball>(around_arcs_)), cell_A),
      largest_ball_A_(largest_radius_A(balls_)),
      largest_arc_A_(around_arcs_.empty() ? 0.0 : largest_radius_A(around_arcs_)) {
  cap_stride_ = int(surface_.caps.size()) + vector_room;
  cap_numbers_.resize(4 * std::size_t(cap_stride_));
  for (std::size_t n = 0; n < surface_.caps.size(); ++n) {
    const SphereCap& cap = surface_.caps[n];
    float* to = cap_numbers_.data() + n;
    for (const float number : {cap.axis.x, cap.axis.y, cap.axis.z, cap.cosine}) {
      *to = number;
      to += cap_stride_;
    }
  }
}

void SolventExcluded::Samples::Parts::clear(std::size_t room) {
  count_ = 0;
  stride_ = int(room) + vector_room;
  numbers_.resize(room);
  const std::size_t size = std::size_t(columns_) * std::size_t(stride_);
  if (values_.size() < size) values_.resize(size);
}

void SolventExcluded::Samples::Parts::push_back(const float* values, int number) {
  for (int c = 0; c < columns_; ++c) values_[std::size_t(c * stride_ + count_)] = values[c];
  numbers_[std::size_t(count_++)] = number;
}

void SolventExcluded::Samples::Parts::choose(const Parts& from, const int* chosen, int count) {
  clear(std::size_t(count));
  for (int c = 0; c < columns_; ++c) {
    const float* const column = from.values_.data() + c * from.stride_;
    float* const to = values_.data() + c * stride_;
    for (int n = 0; n < count; ++n) to[n] = column[chosen[n]];
  }
  for (int n = 0; n < count; ++n) numbers_[std::size_t(n)] = from.numbers_[std::size_t(chosen[n])];
  count_ = count;
}

void SolventExcluded::Samples::fill(const SolventExcluded& surface, const SampleTile& tile, double depth_A) {
  local_patches_.resize(surface.surface_.patches.size());
  local_arcs_.resize(surface.surface_.arcs.size());
  surface_ = &surface;
  start(tile, depth_A);
  fill_union();
  add_patches();
  add_arcs();
  if (depth_A_ > surface.probe_A_) add_outer_distances();
  cube_ = -1;
  const auto edge = [](float spacing_A) { return std::max(1, int(std::lround(cube_A / spacing_A))); };
  cube_edge_ = {edge(tile.spacing_A.x), edge(tile.spacing_A.y), edge(tile.spacing_A.z)};
  cube_counts_ = {(tile.counts.x - 1) / cube_edge_.x + 1, (tile.counts.y - 1) / cube_edge_.y + 1,
                  (tile.counts.z - 1) / cube_edge_.z + 1};
  uniform_.reset();
  const auto first = values_A_.begin(), last = first + tile.size();
  if (std::all_of(first, last, [](float v) { return v == infinity; })) uniform_ = true;
  if (std::all_of(first, last, [](float v) { return v == -infinity; })) uniform_ = false;
}

void SolventExcluded::Samples::look_around(const SolventExcluded& surface, const Box& box) {
  surface_ = &surface;
  near_balls_.clear();
  surface.list_.near(box, surface.largest_ball_A_, [&](std::uint32_t n) {
    const Ball& ball = surface.balls_[n];
    if (is_near(box, ball.centre_A, ball.radius_A + rounding_A)) near_balls_.push_back(n);
  });
  near_patches_.clear();
  surface.patch_list_.near(box, surface.largest_ball_A_, [&](std::uint32_t n) {
    const AccessiblePatch& patch = surface.surface_.patches[n];
    if (is_near(box, patch.centre_A, patch.radius_A + rounding_A)) near_patches_.push_back(n);
  });
  near_arcs_.clear();
  const double reach_A = surface.probe_A_ + rounding_A;
  surface.arc_list_.near(box, surface.largest_arc_A_ + reach_A, [&](std::uint32_t n) {
    const Ball& around = surface.around_arcs_[n];
    if (is_near(box, around.centre_A, around.radius_A + reach_A + rounding_A)) near_arcs_.push_back(n);
  });
}

void SolventExcluded::Samples::fill_sides(const SampleTile& tile) {
  const SolventExcluded& surface = *surface_;
  start(tile, std::min(rounding_A, surface.depth_A_));
  for (const std::uint32_t n : near_balls_) fill_ball(surface.balls_[n]);
  const float outside_A = surface.probe_A_;
  for (const std::uint32_t n : near_patches_) {
    const AccessiblePatch& patch = surface.surface_.patches[n];
    add_patch({around_part(tile.local_A(patch.centre_A), float(patch.radius_A)), int(patch.first_cap),
               int(patch.last_cap)},
              outside_A);
  }
  for (const std::uint32_t n : near_arcs_) {
    const Ball& around = surface.around_arcs_[n];
    add_arc(surface.surface_.arcs[n].local(tile.origin_A),
            around_part(tile.local_A(around.centre_A), float(around.radius_A)), outside_A);
  }
}

void SolventExcluded::Samples::start(const SampleTile& tile, double depth_A) {
  depth_A_ = float(depth_A);
  tile_ = &tile;
  values_A_.assign(std::size_t(tile.size()) + vector_room, -infinity);
}

void SolventExcluded::Samples::fill_ball(const Ball& ball) {
  const AroundPart around = around_part(tile_->local_A(ball.centre_A), float(ball.radius_A));
  surface_->kernels_.fill_ball(tile_->box_around(around), around, infinity, values_A_.data());
}

/// Values that are `enough` or less stay.
void SolventExcluded::Samples::add_patch(const LocalPatch& patch, float enough) {
  const std::vector<SphereCap>& caps = surface_->surface_.caps;
  const int count = patch.last_cap - patch.first_cap;
  const float* const first = count > 0 ? &caps[std::size_t(patch.first_cap)].axis.x : nullptr;
  surface_->kernels_.add_patch(tile_->box_around(patch.ball), patch.ball, reach_A(), enough, first, count,
                               values_A_.data());
}

/// `around`: of the arc alone.
void SolventExcluded::Samples::add_arc(const LocalArc& arc, const AroundPart& around, float enough) {
  const AroundPart reached{around.x, around.y, around.z, around.radius + reach_A()};
  surface_->kernels_.add_arc(tile_->box_around(reached), reached, reach_A(), enough, &arc.centre_A.x,
                             values_A_.data());
}

void SolventExcluded::Samples::fill_union() {
  surface_->list_.near(tile_->box(), surface_->largest_ball_A_,
                       [&](std::uint32_t n) { fill_ball(surface_->balls_[n]); });
}

void SolventExcluded::Samples::add_patches() {
  const AccessibleSurface& parts = surface_->surface_;
  const CellList& list = surface_->patch_list_;
  const double distance_A = surface_->largest_ball_A_ + double(reach_A());
  patches_.clear();
  balls_.clear(count_near(list, tile_->box(), distance_A));
  list.near_ranges(tile_->box(), distance_A, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      const AccessiblePatch& patch = parts.patches[list.order()[at]];
      const LocalPatch local{around_part(tile_->local_A(patch.centre_A), float(patch.radius_A)),
                             int(patch.first_cap), int(patch.last_cap)};
      local_patches_[at] = balls_.count();
      balls_.push_back(&local.ball.x, balls_.count());
      patches_.push_back(local);
      add_patch(local, 0.0f);
    }
  });
}

void SolventExcluded::Samples::add_arcs() {
  const CellList& list = surface_->arc_list_;
  const double distance_A = surface_->largest_arc_A_ + double(reach_A());
  arcs_.clear(count_near(list, tile_->box(), distance_A));
  list.near_ranges(tile_->box(), distance_A, [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
      const AccessibleArc& arc = surface_->surface_.arcs[list.order()[at]];
      const Ball& ball = surface_->around_arcs_[list.order()[at]];
      const LocalArc local = arc.local(tile_->origin_A);
      local_arcs_[at] = arcs_.count();
      arcs_.push_back(&local.centre_A.x, arcs_.count());
      add_arc(local, around_part(tile_->local_A(ball.centre_A), float(ball.radius_A)), 0.0f);
    }
  });
}

void SolventExcluded::Samples::add_outer_distances() {
  const float outer = depth_A_ - surface_->probe_A_;
  for (const LocalPatch& patch : patches_) {
    const Vec3<float> centre{patch.ball.x, patch.ball.y, patch.ball.z};
    tile_->rows_within(
        centre, patch.ball.radius + outer, [&](int row, int first, int last, float y, float z) {
          for (int i = first; i <= last; ++i) {
            const auto at = std::size_t(row) + std::size_t(i);
            if (values_A_[at] > 0.0f) continue;
            const Vec3<float> away = Vec3<float>{tile_->spacing_A.x * float(i), y, z} - centre;
            values_A_[at] = std::max(values_A_[at], patch.ball.radius - std::sqrt(dot(away, away)));
          }
        });
  }
}

/// All parts that a probe's centre on a segment, begun in the cube of a sample, can be nearest to.
void SolventExcluded::Samples::find_parts_near(const Vec3<int>& sample) {
  const Vec3<int> begin{sample.x / cube_edge_.x * cube_edge_.x, sample.y / cube_edge_.y * cube_edge_.y,
                        sample.z / cube_edge_.z * cube_edge_.z};
  const int number = cube_of(sample);
  if (number == cube_) return;
  cube_ = number;
  const Vec3<int> end{std::min(tile_->counts.x - 1, begin.x + cube_edge_.x),
                      std::min(tile_->counts.y - 1, begin.y + cube_edge_.y),
                      std::min(tile_->counts.z - 1, begin.z + cube_edge_.z)};
  const Vec3<float> from = tile_->position_A(begin.x, begin.y, begin.z),
                    to = tile_->position_A(end.x, end.y, end.z), half = 0.5f * (to - from),
                    middle = from + half;
  const Vec3<float>& h = tile_->spacing_A;
  const float reach = surface_->probe_A_ + beyond_probe * std::max({h.x, h.y, h.z}),
              around = reach + std::sqrt(dot(half, half));
  const Box box{tile_->origin_A + Vec3<double>{from.x, from.y, from.z},
                tile_->origin_A + Vec3<double>{to.x, to.y, to.z}};
  cube_box_ = box;
  covered_of_cube_.reset();
  const SurfaceKernels& kernels = surface_->kernels_;
  const auto find = [&](const CellList& list, double distance_A, const Parts& of_tile,
                        const std::vector<int>& local, const auto& within, Parts* found) {
    chosen_.resize(std::size_t(of_tile.count()) + vector_room);
    int count = 0;
    list.near_ranges(box, distance_A, [&](std::size_t first, std::size_t last) {
      if (first == last) return;
      const int begin_here = local[first], end_here = begin_here + int(last - first);
      count += within(of_tile.columns(), begin_here, end_here, &middle.x, around, chosen_.data() + count);
    });
    found->choose(of_tile, chosen_.data(), count);
  };
  find(surface_->patch_list_, surface_->largest_ball_A_ + double(reach), balls_, local_patches_,
       kernels.spheres_within, &balls_of_cube_);
  find(surface_->arc_list_, surface_->largest_arc_A_ + double(reach), arcs_, local_arcs_, kernels.arcs_within,
       &arcs_of_cube_);
}

/// To where probes can be, from a position on the segment; negative where no ball is.
float SolventExcluded::Samples::distance_A(const Vec3<float>& at_A, bool is_in_union) {
  const SurfaceKernels& kernels = surface_->kernels_;
  float inside_A =
            std::sqrt(kernels.nearest_arc2(arcs_of_segment_.columns(), arcs_of_segment_.count(), &at_A.x)),
        outside_A = -infinity;
  kernels.depths(balls_of_segment_.columns(), balls_of_segment_.count(), &at_A.x, depths_A_.data());
  for (int n = 0; n < balls_of_segment_.count(); ++n) {
    const float depth_A = depths_A_[std::size_t(n)];
    if (depth_A < 0.0f) {
      outside_A = std::max(outside_A, depth_A);
      continue;
    }
    is_in_union = true;
    if (depth_A >= inside_A) continue;
    const LocalPatch& patch = patches_[std::size_t(balls_of_segment_.number(n))];
    const Vec3<float> away = at_A - Vec3<float>{patch.ball.x, patch.ball.y, patch.ball.z};
    if (kernels.is_open(surface_->cap_columns(), patch.first_cap, patch.last_cap, &away.x,
                        patch.ball.radius - depth_A))
      inside_A = depth_A;
  }
  return is_in_union || is_in_covered_ball(at_A) ? inside_A : outside_A;
}

bool SolventExcluded::Samples::is_in_covered_ball(const Vec3<float>& at_A) {
  if (!covered_of_cube_) {
    covered_of_cube_.emplace();
    surface_->covered_list_.near(cube_box_, surface_->largest_ball_A_, [&](std::uint32_t n) {
      const Ball& ball = surface_->covered_[n];
      if (is_near(cube_box_, ball.centre_A, ball.radius_A + rounding_A))
        covered_of_cube_->push_back(around_part(tile_->local_A(ball.centre_A), float(ball.radius_A)));
    });
  }
  return std::any_of(covered_of_cube_->begin(), covered_of_cube_->end(), [&](const AroundPart& ball) {
    const Vec3<float> away = at_A - Vec3<float>{ball.x, ball.y, ball.z};
    return dot(away, away) < ball.radius * ball.radius;
  });
}

float SolventExcluded::Samples::inside_share(const Vec3<int>& sample, int axis) {
  float share = 0.0f;
  int rest[1 + vector_room];
  return decide_row(sample, axis, 1, 1.0f, 0.0f, &share, rest) == 0 ? share : cut_share(sample, axis);
}

int SolventExcluded::Samples::decide_row(const Vec3<int>& first, int axis, int count, float inside,
                                         float outside, float* out, int* rest) const {
  const int at = tile_->index(first.x, first.y, first.z),
            stride = axis == 0 ? 1 : tile_->counts.x * (axis == 1 ? 1 : tile_->counts.y);
  const Vec3<float>& h = tile_->spacing_A;
  return surface_->kernels_.decide_segments(values_A_.data() + at, values_A_.data() + at + stride, count,
                                            surface_->probe_A_, axis == 0 ? h.x : (axis == 1 ? h.y : h.z),
                                            inside, outside, out, rest);
}

float SolventExcluded::Samples::cut_share(const Vec3<int>& sample, int axis) {
  const Vec3<int> way{axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0};
  const Vec3<int> next = sample + way;
  const Vec3<float>& h = tile_->spacing_A;
  const float length = axis == 0 ? h.x : (axis == 1 ? h.y : h.z);
  const int from = tile_->index(sample.x, sample.y, sample.z), to = tile_->index(next.x, next.y, next.z);
  const float f_0 = std::clamp(distance_A(from), -length, length),
              f_1 = std::clamp(distance_A(to), -length, length);
  const Vec3<float> start = tile_->position_A(sample.x, sample.y, sample.z),
                    along{float(way.x), float(way.y), float(way.z)}, middle = start + 0.5f * length * along;
  find_parts_near(sample);
  const float reach = surface_->probe_A_ + (0.5f + beyond_probe) * length;
  const SurfaceKernels& kernels = surface_->kernels_;
  const auto find = [&](const Parts& of_cube, const auto& within, Parts* found) {
    chosen_.resize(std::size_t(of_cube.count()) + vector_room);
    const int count = within(of_cube.columns(), 0, of_cube.count(), &middle.x, reach, chosen_.data());
    found->choose(of_cube, chosen_.data(), count);
  };
  find(balls_of_cube_, kernels.spheres_within, &balls_of_segment_);
  find(arcs_of_cube_, kernels.arcs_within, &arcs_of_segment_);
  depths_A_.resize(std::size_t(balls_of_segment_.count()) + vector_room);
  // Within an end's distance from it no end of the union is met.
  const float in_union_0 = values_A_[std::size_t(from)], in_union_1 = values_A_[std::size_t(to)];
  const auto distance = [&](float s) {
    const float to_A = distance_A(start + s * along, s < in_union_0 || length - s < in_union_1);
    return std::clamp(to_A - surface_->probe_A_, -beyond_probe * length, beyond_probe * length);
  };
  return ionwell::inside_share(distance, length, f_0, f_1);
}

}  // namespace ionwell
