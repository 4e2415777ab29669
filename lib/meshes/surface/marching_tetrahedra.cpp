// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/surface/marching_tetrahedra.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "meshes/mesh_files.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

using Offset = Vec3<int>;

constexpr float least_share = 0.05f;  // of an edge, from a point to its ends

// Edges that belong to the cell of corner (i,j,k): from the corner and from the centre to the next ones along
// x, y, z, and from the centre to the eight corners around it.
constexpr int corner_edges = 0, centre_edges = 3, mixed_edges = 6;

constexpr Offset axis_offset(int axis) {
  return {axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0};
}
constexpr Offset mixed_offset(int n) {
  return {n & 1, n >> 1 & 1, n >> 2 & 1};
}

/// A corner of a tetrahedron: of which kind, and where from the cell it belongs to.
struct TetrahedronPoint {
  bool is_centre;
  Offset offset;
};
using Tetrahedron = std::array<TetrahedronPoint, 4>;

/// The twelve of a cell: those of the faces towards x, y and z. All of positive volume.
constexpr std::array<Tetrahedron, 12> tetrahedra_of_cell() {
  std::array<Tetrahedron, 12> all{};
  std::size_t count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Offset e = axis_offset(axis), u = axis_offset((axis + 1) % 3), v = axis_offset((axis + 2) % 3);
    const std::array<Offset, 4> corners = {e, e + u, e + u + v, e + v};
    for (std::size_t n = 0; n < 4; ++n)
      all[count++] = {{{true, {0, 0, 0}}, {true, e}, {false, corners[n]}, {false, corners[(n + 1) % 4]}}};
  }
  return all;
}

/// An edge by the cell that it belongs to, from here, and its number there.
struct CellEdge {
  Offset cell;
  int number;
};

constexpr int axis_of(const Offset& d) {
  return d.x != 0 ? 0 : d.y != 0 ? 1 : 2;
}

constexpr CellEdge edge_between(const TetrahedronPoint& a, const TetrahedronPoint& b) {
  if (a.is_centre != b.is_centre) {
    const TetrahedronPoint &centre = a.is_centre ? a : b, &corner = a.is_centre ? b : a;
    const Offset d = corner.offset - centre.offset;
    return {centre.offset, mixed_edges + d.x + 2 * d.y + 4 * d.z};
  }
  const Offset d = b.offset - a.offset;
  const bool forward = d.x + d.y + d.z > 0;
  return {forward ? a.offset : b.offset, (a.is_centre ? centre_edges : corner_edges) + axis_of(d)};
}

/// The edges of all tetrahedra, by tetrahedron and the numbers of their ends.
struct TetrahedronEdges {
  std::array<std::array<std::array<CellEdge, 4>, 4>, 12> all{};

  constexpr TetrahedronEdges() {
    const std::array<Tetrahedron, 12> tetrahedra = tetrahedra_of_cell();
    for (std::size_t t = 0; t < 12; ++t)
      for (std::size_t a = 0; a < 4; ++a)
        for (std::size_t b = 0; b < 4; ++b)
          if (a != b) all[t][a][b] = edge_between(tetrahedra[t][a], tetrahedra[t][b]);
  }
};

constexpr std::array<Tetrahedron, 12> tetrahedra = tetrahedra_of_cell();
constexpr TetrahedronEdges tetrahedron_edges;

// Even permutations that bring a point, or two, to the front.
constexpr std::size_t one_first[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
constexpr std::size_t two_first[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                         {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};

class TetrahedraMarcher {
 public:
  TetrahedraMarcher(const BodyCentredValues& values, const std::string& path, int threads)
      : values_(values),
        n_(values.lattice.counts),
        path_(path),
        threads_(threads),
        cut_edges_(std::size_t(values.lattice.size())),
        first_point_(std::size_t(values.lattice.size())) {}

  PointSet march() {
    PointSet surface;
    surface.path = path_;
    surface.format = PointFormat::ply;
    count_points(surface);
    parallel_for({threads_, 1}, n_.z, [&](std::int64_t k) { place_points(k, surface.positions_A); });
    std::vector<std::vector<Triangle>> of_planes(std::size_t(n_.z));
    parallel_for({threads_, 1}, n_.z - 1,
                 [&](std::int64_t k) { add_triangles(k, of_planes[std::size_t(k)]); });
    std::size_t triangles = 0;
    for (const std::vector<Triangle>& some : of_planes) triangles += some.size();
    surface.triangles.reserve(triangles);
    for (std::vector<Triangle>& some : of_planes) {
      surface.triangles.insert(surface.triangles.end(), some.begin(), some.end());
      some = {};
    }
    return surface;
  }

 private:
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return values_.lattice.index(i, j, k);
  }
  bool has(std::int64_t i, std::int64_t j, std::int64_t k, const Offset& by) const {
    return i + by.x < n_.x && j + by.y < n_.y && k + by.z < n_.z;
  }
  std::int64_t step(const Offset& by) const { return by.x + n_.x * (by.y + n_.y * std::int64_t{by.z}); }

  /// Calls use(edge, value at its begin, value at its end, offset of its end) for the edges of a cell.
  template <typename Use>
  void for_each_edge(std::int64_t i, std::int64_t j, std::int64_t k, const Use& use) const {
    const auto at = std::size_t(index(i, j, k));
    for (int axis = 0; axis < 3; ++axis) {
      const Offset by = axis_offset(axis);
      if (!has(i, j, k, by)) continue;
      const std::size_t to = at + std::size_t(step(by));
      use(corner_edges + axis, values_.corners[at], values_.corners[to], by);
      use(centre_edges + axis, values_.centres[at], values_.centres[to], by);
    }
    for (int n = 0; n < 8; ++n) {
      const Offset by = mixed_offset(n);
      if (has(i, j, k, by))
        use(mixed_edges + n, values_.centres[at], values_.corners[at + std::size_t(step(by))], by);
    }
  }

  void count_points(PointSet& surface) {
    std::vector<std::int64_t> of_planes(std::size_t(n_.z));
    parallel_for({threads_, 1}, n_.z, [&](std::int64_t k) {
      std::int64_t count = 0;
      for (std::int64_t j = 0; j < n_.y; ++j)
        for (std::int64_t i = 0; i < n_.x; ++i) {
          unsigned cut = 0;
          for_each_edge(i, j, k, [&](int edge, float from, float to, const Offset&) {
            if ((from > 0.0f) != (to > 0.0f)) cut |= 1U << edge;
          });
          cut_edges_[std::size_t(index(i, j, k))] = std::uint16_t(cut);
          count += std::popcount(cut);
        }
      of_planes[std::size_t(k)] = count;
    });
    std::int64_t points = 0;
    for (std::int64_t& count : of_planes) points += std::exchange(count, points);
    require_mesh_memory(points, 4 * points, path_);  // two to a point, and once more while they are joined
    parallel_for({threads_, 1}, n_.z, [&](std::int64_t k) {
      auto next = std::uint32_t(of_planes[std::size_t(k)]);
      const std::int64_t first = index(0, 0, k), last = first + n_.x * n_.y;
      for (std::int64_t p = first; p < last; ++p) {
        first_point_[std::size_t(p)] = next;
        next += std::uint32_t(std::popcount(cut_edges_[std::size_t(p)]));
      }
    });
    surface.positions_A.resize(std::size_t(points));
  }

  void place_points(std::int64_t k, std::vector<Vec3<double>>& positions_A) const {
    const Vec3<double>& h = values_.lattice.spacing_A;
    for (std::int64_t j = 0; j < n_.y; ++j)
      for (std::int64_t i = 0; i < n_.x; ++i) {
        const auto at = std::size_t(index(i, j, k));
        if (cut_edges_[at] == 0) continue;
        const Vec3<double> corner_A = values_.lattice.position_A(i, j, k), centre_A = corner_A + 0.5 * h;
        for_each_edge(i, j, k, [&](int edge, float from, float to, const Offset& by) {
          if ((cut_edges_[at] >> edge & 1) == 0) return;
          const Vec3<double> begin_A = edge < centre_edges ? corner_A : centre_A;
          const Vec3<double> moved{h.x * by.x, h.y * by.y, h.z * by.z};
          const Vec3<double> end_A =
              (edge < centre_edges || edge >= mixed_edges ? corner_A : centre_A) + moved;
          const float share = share_of_edge(from, to);
          positions_A[point_of(at, edge)] = begin_A + double(share) * (end_A - begin_A);
        });
      }
  }

  static float share_of_edge(float from, float to) {
    // What is far inside may be infinite, but not both ends of an edge that is cut.
    const float share = from / (from - to);
    return share >= least_share ? std::min(share, 1.0f - least_share) : least_share;
  }

  std::size_t point_of(std::size_t cell, int edge) const {
    const unsigned before = cut_edges_[cell] & ((1U << edge) - 1U);
    return first_point_[cell] + std::size_t(std::popcount(before));
  }

  void add_triangles(std::int64_t k, std::vector<Triangle>& triangles) const {
    for (std::int64_t j = 0; j + 1 < n_.y; ++j)
      for (std::int64_t i = 0; i + 1 < n_.x; ++i) {
        const std::int64_t at = index(i, j, k);
        for (std::size_t t = 0; t < tetrahedra.size(); ++t) add_of_tetrahedron(at, t, triangles);
      }
  }

  void add_of_tetrahedron(std::int64_t cell, std::size_t t, std::vector<Triangle>& triangles) const {
    unsigned inside = 0;
    for (std::size_t p = 0; p < 4; ++p) {
      const auto at = std::size_t(cell + step(tetrahedra[t][p].offset));
      const float value = tetrahedra[t][p].is_centre ? values_.centres[at] : values_.corners[at];
      inside |= unsigned(value > 0.0f) << p;
    }
    if (inside == 0 || inside == 15) return;
    const auto point = [&](std::size_t a, std::size_t b) {
      const CellEdge& edge = tetrahedron_edges.all[t][a][b];
      return std::uint32_t(point_of(std::size_t(cell + step(edge.cell)), edge.number));
    };
    const int count = std::popcount(inside);
    if (count == 2) {
      for (const auto& order : two_first) {
        const auto [a, b, c, d] = std::array{order[0], order[1], order[2], order[3]};
        if (inside != (1U << a | 1U << b)) continue;
        const std::array<std::uint32_t, 4> quad = {point(a, c), point(a, d), point(b, d), point(b, c)};
        triangles.push_back({quad[0], quad[1], quad[2]});
        triangles.push_back({quad[0], quad[2], quad[3]});
      }
      return;
    }
    const unsigned alone = count == 1 ? inside : 15U ^ inside;
    const auto& order = one_first[std::countr_zero(alone)];
    Triangle triangle = {point(order[0], order[1]), point(order[0], order[2]), point(order[0], order[3])};
    if (count == 3) std::swap(triangle[1], triangle[2]);
    triangles.push_back(triangle);
  }

  const BodyCentredValues& values_;
  Vec3<std::int64_t> n_;
  const std::string& path_;
  int threads_;
  LargeArray<std::uint16_t> cut_edges_;    // a bit for each edge of a cell
  LargeArray<std::uint32_t> first_point_;  // of a cell's edges
};

}  // namespace

PointSet marching_tetrahedra(const BodyCentredValues& values, const std::string& path, int threads) {
  return TetrahedraMarcher(values, path, threads).march();
}

}  // namespace ionwell
