#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "electrostatics/poisson_boltzmann/model/segment_share.hpp"

namespace ionwell {
namespace {

constexpr double cell_A = 4.0;  // balls of atoms and probes are about as large
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float part_cell_A = 2.5f;    // where segments share a list of parts
constexpr float beyond_probe = 0.25f;  // in lengths of a segment: so far beyond the probe distances are exact

std::vector<Vec3<double>> centres_of(const std::vector<AccessiblePatch>& patches) {
  std::vector<Vec3<double>> centres;
  centres.reserve(patches.size());
  for (const AccessiblePatch& patch : patches) centres.push_back(patch.centre_A);
  return centres;
}

std::vector<Vec3<double>> centres_of(const std::vector<AccessibleArc>& arcs) {
  std::vector<Vec3<double>> centres;
  centres.reserve(arcs.size());
  for (const AccessibleArc& arc : arcs) centres.push_back(arc.around().centre_A);
  return centres;
}

}  // namespace

SolventExcluded::SolventExcluded(std::vector<Ball> balls, double probe_A, const Box& region, double depth_A,
                                 int threads)
    : balls_(std::move(balls)),
      probe_A_(float(probe_A)),
      depth_A_(depth_A),
      list_(ionwell::centres_of(std::span<const Ball>(balls_)), cell_A),
      surface_(accessible_surface(balls_, list_, region, probe_A + depth_A, threads)),
      patch_list_(centres_of(surface_.patches), cell_A),
      arc_list_(centres_of(surface_.arcs), cell_A),
      largest_ball_A_(largest_radius_A(balls_)) {
  for (const AccessibleArc& arc : surface_.arcs)
    largest_arc_A_ = std::max(largest_arc_A_, arc.around().radius_A);
}

void SolventExcluded::Samples::fill(const SolventExcluded& surface, const SampleTile& tile, double depth_A) {
  surface_ = &surface;
  depth_A_ = float(depth_A);
  tile_ = &tile;
  patches_.clear();
  arcs_.clear();
  local_patches_.resize(surface.surface_.patches.size());
  local_arcs_.resize(surface.surface_.arcs.size());
  values_A_.assign(std::size_t(tile.size()), -infinity);
  const auto edge = [](float spacing_A) { return std::max(1, int(std::lround(part_cell_A / spacing_A))); };
  cell_edge_ = {edge(tile.spacing_A.x), edge(tile.spacing_A.y), edge(tile.spacing_A.z)};
  cell_counts_ = {tile.counts.x / cell_edge_.x + 1, tile.counts.y / cell_edge_.y + 1,
                  tile.counts.z / cell_edge_.z + 1};
  cells_.resize(std::size_t(cell_counts_.x) * std::size_t(cell_counts_.y) * std::size_t(cell_counts_.z));
  for (NearParts& cell : cells_) cell.is_known = false;
  fill_union();
  add_patches();
  add_arcs();
  if (depth_A_ > surface.probe_A_) add_outer_distances();
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
  const float reach = surface_->probe_A_ + depth_A_;
  surface_->patch_list_.near(tile_->box(), surface_->largest_ball_A_ + double(reach), [&](std::uint32_t n) {
    const AccessiblePatch& patch = parts.patches[n];
    const SphereCap* const caps = parts.caps.data() + patch.first_cap;
    const int cap_count = int(patch.last_cap - patch.first_cap);
    const Vec3<float> centre = tile_->local_A(patch.centre_A);
    const float radius = float(patch.radius_A), nearest = std::max(0.0f, radius - reach);
    local_patches_[n] = std::int32_t(patches_.size());
    patches_.push_back({centre, radius, caps, cap_count});
    tile_->rows_within(centre, radius, [&](int row, int first, int last, float y, float z) {
      const Vec3<float> from{0.0f, y - centre.y, z - centre.z};
      for (int i = first; i <= last; ++i) {
        const Vec3<float> away{tile_->spacing_A.x * float(i) - centre.x, from.y, from.z};
        const float r2 = dot(away, away);
        if (r2 < nearest * nearest) continue;
        const float r = std::sqrt(r2), to = radius - r;
        const auto at = std::size_t(row) + std::size_t(i);
        if (to < values_A_[at] && is_open(away, r, caps, cap_count)) values_A_[at] = to;
      }
    });
  });
}

void SolventExcluded::Samples::add_arcs() {
  const float reach = surface_->probe_A_ + depth_A_;
  surface_->arc_list_.near(tile_->box(), surface_->largest_arc_A_ + double(reach), [&](std::uint32_t n) {
    const AccessibleArc& given = surface_->surface_.arcs[n];
    const Ball around = given.around();
    const LocalArc arc = given.local(tile_->origin_A);
    local_arcs_[n] = std::int32_t(arcs_.size());
    arcs_.push_back(arc);
    tile_->rows_within(tile_->local_A(around.centre_A), float(around.radius_A) + reach,
                       [&](int row, int first, int last, float y, float z) {
                         for (int i = first; i <= last; ++i) {
                           const auto at = std::size_t(row) + std::size_t(i);
                           if (!(values_A_[at] > 0.0f)) continue;
                           const float limit2 = std::min(reach * reach, values_A_[at] * values_A_[at]);
                           const Vec3<float> position{tile_->spacing_A.x * float(i), y, z};
                           const float d2 = arc_distance2_A2(arc, position, limit2);
                           if (d2 < limit2) values_A_[at] = std::sqrt(d2);
                         }
                       });
  });
}

void SolventExcluded::Samples::add_outer_distances() {
  const float outer = depth_A_ - surface_->probe_A_;
  for (const LocalPatch& patch : patches_) {
    tile_->rows_within(
        patch.centre_A, patch.radius_A + outer, [&](int row, int first, int last, float y, float z) {
          for (int i = first; i <= last; ++i) {
            const auto at = std::size_t(row) + std::size_t(i);
            if (values_A_[at] > 0.0f) continue;
            const Vec3<float> away = Vec3<float>{tile_->spacing_A.x * float(i), y, z} - patch.centre_A;
            values_A_[at] = std::max(values_A_[at], patch.radius_A - std::sqrt(dot(away, away)));
          }
        });
  }
}

/// All parts that a probe's centre on a segment, begun in the cell of a sample, can be nearest to.
const SolventExcluded::Samples::NearParts& SolventExcluded::Samples::parts_near(const Vec3<int>& sample) {
  const Vec3<int> cell{sample.x / cell_edge_.x, sample.y / cell_edge_.y, sample.z / cell_edge_.z};
  NearParts& parts = cells_[std::size_t(cell.x + cell_counts_.x * (cell.y + cell_counts_.y * cell.z))];
  if (parts.is_known) return parts;
  parts.is_known = true;
  parts.patches.clear();
  parts.arcs.clear();
  const Vec3<int> last{std::min(tile_->counts.x - 1, (cell.x + 1) * cell_edge_.x),
                       std::min(tile_->counts.y - 1, (cell.y + 1) * cell_edge_.y),
                       std::min(tile_->counts.z - 1, (cell.z + 1) * cell_edge_.z)};
  const Vec3<float> from = tile_->position_A(cell.x * cell_edge_.x, cell.y * cell_edge_.y,
                                             cell.z * cell_edge_.z),
                    to = tile_->position_A(last.x, last.y, last.z), half = 0.5f * (to - from),
                    middle = from + half;
  const Vec3<float>& h = tile_->spacing_A;
  const float reach = surface_->probe_A_ + beyond_probe * std::max({h.x, h.y, h.z}),
              around = reach + std::sqrt(dot(half, half));
  const Box box{tile_->origin_A + Vec3<double>{from.x, from.y, from.z},
                tile_->origin_A + Vec3<double>{to.x, to.y, to.z}};
  surface_->patch_list_.near(box, surface_->largest_ball_A_ + double(reach), [&](std::uint32_t n) {
    const std::int32_t local = local_patches_[n];
    if (is_near(patches_[std::size_t(local)], middle, around)) parts.patches.push_back(local);
  });
  surface_->arc_list_.near(box, surface_->largest_arc_A_ + double(reach), [&](std::uint32_t n) {
    const std::int32_t local = local_arcs_[n];
    if (arc_distance2_A2(arcs_[std::size_t(local)], middle, around * around) < around * around)
      parts.arcs.push_back(local);
  });
  return parts;
}

/// To where probes can be, from a position on the segment; negative where no ball is.
float SolventExcluded::Samples::distance_A(const Vec3<float>& at_A, bool is_in_union) const {
  float inside_A = infinity, outside_A = -infinity;
  for (const std::int32_t n : patches_of_segment_) {
    const LocalPatch& patch = patches_[std::size_t(n)];
    const Vec3<float> away = at_A - patch.centre_A;
    const float r = std::sqrt(dot(away, away)), to = patch.radius_A - r;
    if (to < 0.0f) {
      outside_A = std::max(outside_A, to);
      continue;
    }
    is_in_union = true;
    if (to < inside_A && is_open(away, r, patch.caps, patch.cap_count)) inside_A = to;
  }
  if (!is_in_union && outside_A > -infinity) return outside_A;
  float nearest2 = inside_A * inside_A;
  for (const std::int32_t n : arcs_of_segment_)
    nearest2 = std::min(nearest2, arc_distance2_A2(arcs_[std::size_t(n)], at_A, nearest2));
  return std::sqrt(nearest2);
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
  const NearParts& near = parts_near(sample);
  const float reach = surface_->probe_A_ + (0.5f + beyond_probe) * length, reach2 = reach * reach;
  arcs_of_segment_.clear();
  for (const std::int32_t n : near.arcs)
    if (arc_distance2_A2(arcs_[std::size_t(n)], middle, reach2) < reach2) arcs_of_segment_.push_back(n);
  patches_of_segment_.clear();
  for (const std::int32_t n : near.patches)
    if (is_near(patches_[std::size_t(n)], middle, reach)) patches_of_segment_.push_back(n);
  // Within an end's distance from it no end of the union is met.
  const float in_union_0 = values_A_[std::size_t(from)], in_union_1 = values_A_[std::size_t(to)];
  const auto distance = [&](float s) {
    const float to_A = distance_A(start + s * along, s < in_union_0 || length - s < in_union_1);
    return std::clamp(to_A - surface_->probe_A_, -length, beyond_probe * length);
  };
  return ionwell::inside_share(distance, length, f_0, f_1);
}

}  // namespace ionwell
