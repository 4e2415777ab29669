#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "electrostatics/poisson_boltzmann/model/segment_share.hpp"

namespace ionwell {
namespace {

constexpr double cell_A = 4.0;  // balls of atoms and probes are about as large
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::int32_t no_part = -1;  // else 2 n for patch n, 2 n + 1 for arc n

std::vector<Vec3<double>> centres_of(const std::vector<AccessiblePatch>& patches) {
  std::vector<Vec3<double>> centres;
  for (const AccessiblePatch& patch : patches) centres.push_back(patch.centre_A);
  return centres;
}

std::vector<Vec3<double>> centres_of(const std::vector<AccessibleArc>& arcs) {
  std::vector<Vec3<double>> centres;
  for (const AccessibleArc& arc : arcs) centres.push_back(arc.around().centre_A);
  return centres;
}

}  // namespace

SolventExcluded::SolventExcluded(std::vector<Ball> balls, double probe_A, const Box& region, double depth_A,
                                 int threads)
    : balls_(std::move(balls)),
      probe_A_(float(probe_A)),
      depth_A_(float(depth_A)),
      list_(ionwell::centres_of(std::span<const Ball>(balls_)), cell_A),
      surface_(accessible_surface(balls_, list_, region, probe_A + depth_A, threads)),
      patch_list_(centres_of(surface_.patches), cell_A),
      arc_list_(centres_of(surface_.arcs), cell_A),
      largest_ball_A_(largest_radius_A(balls_)) {
  for (const AccessibleArc& arc : surface_.arcs)
    largest_arc_A_ = std::max(largest_arc_A_, arc.around().radius_A);
}

void SolventExcluded::Samples::fill(const SolventExcluded& surface, const SampleTile& tile) {
  surface_ = &surface;
  tile_ = &tile;
  patches_.clear();
  arcs_.clear();
  values_A_.assign(std::size_t(tile.size()), -infinity);
  parts_.assign(std::size_t(tile.size()), no_part);
  fill_union();
  add_patches();
  add_arcs();
  if (surface.depth_A_ > surface.probe_A_) add_outer_distances();
  uniform_.reset();
  if (std::all_of(values_A_.begin(), values_A_.end(), [](float v) { return v == infinity; })) uniform_ = true;
  if (std::all_of(values_A_.begin(), values_A_.end(), [](float v) { return v == -infinity; }))
    uniform_ = false;
}

void SolventExcluded::Samples::fill_union() {
  surface_->list_.near(tile_->box(), surface_->largest_ball_A_, [&](std::uint32_t n) {
    const Ball& ball = surface_->balls_[n];
    tile_->rows_within(
        tile_->local_A(ball.centre_A), float(ball.radius_A), [&](int row, int first, int last, float, float) {
          std::fill(values_A_.begin() + row + first, values_A_.begin() + row + last + 1, infinity);
        });
  });
}

void SolventExcluded::Samples::add_patches() {
  const AccessibleSurface& parts = surface_->surface_;
  const float reach = surface_->probe_A_ + surface_->depth_A_;
  const float outer = std::max(0.0f, surface_->depth_A_ - surface_->probe_A_);
  surface_->patch_list_.near(tile_->box(), surface_->largest_ball_A_ + double(outer), [&](std::uint32_t n) {
    const AccessiblePatch& patch = parts.patches[n];
    const SphereCap* const caps = parts.caps.data() + patch.first_cap;
    const int cap_count = int(patch.last_cap - patch.first_cap);
    const Vec3<float> centre = tile_->local_A(patch.centre_A);
    const float radius = float(patch.radius_A), nearest = std::max(0.0f, radius - reach);
    const auto part = std::int32_t(2 * patches_.size());
    patches_.push_back({centre, radius, caps, cap_count});
    tile_->rows_within(centre, radius, [&](int row, int first, int last, float y, float z) {
      const Vec3<float> from{0.0f, y - centre.y, z - centre.z};
      for (int i = first; i <= last; ++i) {
        const Vec3<float> away{tile_->spacing_A.x * float(i) - centre.x, from.y, from.z};
        const float r2 = dot(away, away);
        if (r2 < nearest * nearest) continue;
        const float r = std::sqrt(r2), to = radius - r;
        const auto at = std::size_t(row + i);
        if (to < values_A_[at] && is_open(away, r, caps, cap_count)) {
          values_A_[at] = to;
          parts_[at] = part;
        }
      }
    });
  });
}

void SolventExcluded::Samples::add_arcs() {
  const float reach = surface_->probe_A_ + surface_->depth_A_;
  surface_->arc_list_.near(tile_->box(), surface_->largest_arc_A_ + double(reach), [&](std::uint32_t n) {
    const AccessibleArc& given = surface_->surface_.arcs[n];
    const Ball around = given.around();
    const LocalArc arc = given.local(tile_->origin_A);
    const auto part = std::int32_t(2 * arcs_.size() + 1);
    arcs_.push_back(arc);
    tile_->rows_within(tile_->local_A(around.centre_A), float(around.radius_A) + reach,
                       [&](int row, int first, int last, float y, float z) {
                         for (int i = first; i <= last; ++i) {
                           const auto at = std::size_t(row + i);
                           if (!(values_A_[at] > 0.0f)) continue;
                           const float d2 = arc_distance2_A2(arc, {tile_->spacing_A.x * float(i), y, z});
                           if (d2 < values_A_[at] * values_A_[at]) {
                             values_A_[at] = std::sqrt(d2);
                             parts_[at] = part;
                           }
                         }
                       });
  });
}

void SolventExcluded::Samples::add_outer_distances() {
  const float outer = surface_->depth_A_ - surface_->probe_A_;
  for (std::size_t n = 0; n < patches_.size(); ++n) {
    const LocalPatch& patch = patches_[n];
    tile_->rows_within(
        patch.centre_A, patch.radius_A + outer, [&](int row, int first, int last, float y, float z) {
          for (int i = first; i <= last; ++i) {
            const auto at = std::size_t(row + i);
            if (values_A_[at] > 0.0f) continue;
            const Vec3<float> away = Vec3<float>{tile_->spacing_A.x * float(i), y, z} - patch.centre_A;
            const float to = patch.radius_A - std::sqrt(dot(away, away));
            if (to > values_A_[at]) {
              values_A_[at] = to;
              parts_[at] = std::int32_t(2 * n);
            }
          }
        });
  }
}

float SolventExcluded::Samples::Nearest::distance_A() const {
  if (in_ball) return std::min(patch_A, arc_A);
  return outside_A > -infinity ? outside_A : arc_A;
}

void SolventExcluded::Samples::consider(std::int32_t part, const Vec3<float>& at_A, Nearest* nearest) const {
  if (part == no_part) return;
  if (part % 2 == 1) {
    nearest->arc_A =
        std::min(nearest->arc_A, std::sqrt(arc_distance2_A2(arcs_[std::size_t(part / 2)], at_A)));
    return;
  }
  const LocalPatch& patch = patches_[std::size_t(part / 2)];
  const Vec3<float> away = at_A - patch.centre_A;
  const float r = std::sqrt(dot(away, away)), to = patch.radius_A - r;
  if (to < 0.0f) {
    nearest->outside_A = std::max(nearest->outside_A, to);
    return;
  }
  nearest->in_ball = true;
  if (to < nearest->patch_A && is_open(away, r, patch.caps, patch.cap_count)) nearest->patch_A = to;
}

float SolventExcluded::Samples::cut_share(const Vec3<int>& sample, int axis) const {
  const Vec3<int> way{axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0};
  const Vec3<int> next = sample + way, n = tile_->counts;
  const Vec3<float>& h = tile_->spacing_A;
  const float length = axis == 0 ? h.x : (axis == 1 ? h.y : h.z);
  const int from = tile_->index(sample.x, sample.y, sample.z), to = tile_->index(next.x, next.y, next.z);
  const float f_0 = std::clamp(distance_A(from), -length, length),
              f_1 = std::clamp(distance_A(to), -length, length);
  constexpr Vec3<int> beside[] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0},
                                  {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
  std::array<std::int32_t, 2 * std::size(beside)> parts;
  std::size_t count = 0;
  for (const Vec3<int>& end : {sample, next})
    for (const Vec3<int>& step : beside) {
      const Vec3<int> p = end + step;
      if (p.x < 0 || p.y < 0 || p.z < 0 || p.x >= n.x || p.y >= n.y || p.z >= n.z) continue;
      const std::int32_t part = parts_[std::size_t(tile_->index(p.x, p.y, p.z))];
      const auto last = parts.begin() + std::ptrdiff_t(count);
      if (part != no_part && std::find(parts.begin(), last, part) == last) parts[count++] = part;
    }
  const Vec3<float> start = tile_->position_A(sample.x, sample.y, sample.z);
  const auto distance = [&](float s) {
    const Vec3<float> at = start + s * Vec3<float>{float(way.x), float(way.y), float(way.z)};
    Nearest nearest;
    for (std::size_t p = 0; p < count; ++p) consider(parts[p], at, &nearest);
    return std::clamp(nearest.distance_A() - surface_->probe_A_, -length, length);
  };
  return ionwell::inside_share(distance, length, f_0, f_1);
}

}  // namespace ionwell
