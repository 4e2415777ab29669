// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/units.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_stages.hpp"
#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(PbTransferKernels, pb_transfer_kernels)

namespace {

/// Points of an axis at one level, and how far apart they are.
struct AxisPoints {
  int count;
  double spacing, last_spacing;
};

AxisCoarsening coarsen_axis(AxisPoints& axis) {
  AxisCoarsening to{.fine = axis.count, .coarse = axis.count / 2 + 1, .halved = true};
  if (axis.count % 2 == 1) {
    to.last_weight = float(axis.last_spacing / (axis.spacing + axis.last_spacing));
    axis.last_spacing += axis.spacing;
  }
  axis.spacing *= 2;
  axis.count = to.coarse;
  return to;
}

}  // namespace

std::vector<std::array<AxisCoarsening, 3>> plan_coarsening(const Vec3<std::int64_t>& counts,
                                                           const Vec3<double>& spacing_A) {
  std::vector<std::array<AxisCoarsening, 3>> plan;
  if (std::min({counts.x, counts.y, counts.z}) < 3) return plan;
  constexpr int smallest = 3;  // points of an axis with one inner one
  // Gauss and Seidel leave errors that are smooth only along axes with weak conductances; 1.5 apart they are
  // 2.25 times as weak, and the next level has them nearly equal.
  constexpr double similar = 1.5;
  std::array<AxisPoints, 3> axes{AxisPoints{int(counts.x), spacing_A.x, spacing_A.x},
                                 AxisPoints{int(counts.y), spacing_A.y, spacing_A.y},
                                 AxisPoints{int(counts.z), spacing_A.z, spacing_A.z}};
  while (true) {
    double closest = std::numeric_limits<double>::infinity();
    for (const AxisPoints& axis : axes)
      if (axis.count > smallest) closest = std::min(closest, axis.spacing);
    if (std::isinf(closest)) return plan;
    std::array<AxisCoarsening, 3> step;
    for (int a = 0; a < 3; ++a)
      step[a] = axes[a].count > smallest && axes[a].spacing <= similar * closest
                    ? coarsen_axis(axes[a])
                    : AxisCoarsening{.fine = axes[a].count, .coarse = axes[a].count};
    plan.push_back(step);
  }
}

PointBox coarse_box(const std::array<AxisCoarsening, 3>& axes, const PointBox& fine) {
  const auto along = [](const AxisCoarsening& axis, std::int64_t& low, std::int64_t& high) {
    if (axis.halved) {
      low = (low - 2) / 2;
      high = (high + 2) / 2;
    } else {
      low -= 1;
      high += 1;
    }
    low = std::max<std::int64_t>(low, 0);
    high = std::min<std::int64_t>(high, axis.coarse - 1);
  };
  PointBox box = fine;
  along(axes[0], box.low.x, box.high.x);
  along(axes[1], box.low.y, box.high.y);
  along(axes[2], box.low.z, box.high.z);
  return box;
}

double linear_reaction_per_A2(const PbSystem& system) {
  constexpr double per_A3_of_M = 1e-27 * avogadro_per_mol;
  double sum = 0.0;
  for (const MobileIon& ion : system.ions)
    sum += ion.concentration_M * per_A3_of_M * ion.charge_e * ion.charge_e;
  return 4.0 * std::numbers::pi * system.bjerrum_A * sum;
}

PbLevel finest_level(const PbSystem& system) {
  const Vec3<std::int64_t>& n = system.lattice.counts;
  const Vec3<double>& h = system.lattice.spacing_A;
  return {.nx = int(n.x),
          .ny = int(n.y),
          .nz = int(n.z),
          .face_x = system.eps_x.data(),
          .face_y = system.eps_y.data(),
          .face_z = system.eps_z.data(),
          .reaction = system.accessibility.data(),
          .factor_x = float(h.y * h.z / h.x),
          .factor_y = float(h.x * h.z / h.y),
          .factor_z = float(h.x * h.y / h.z),
          .reaction_factor = float(linear_reaction_per_A2(system) * h.x * h.y * h.z)};
}

PbLevels::PbLevels(const PbSystem& system, SimdLevel simd, ThreadPool& pool, RankGroup* group)
    : coarsenings_(plan_coarsening(system.lattice.whole().counts, system.lattice.spacing_A)),
      planes_(system.lattice.whole().counts, coarsenings_, group),
      coarsenings_here_(coarsenings_),
      kernels_(pb_transfer_kernels(simd)),
      pool_(pool) {
  const Vec3<std::int64_t> n = system.lattice.whole().counts;
  if (std::min({n.x, n.y, n.z}) < 3) return;
  levels_.push_back(finest_level(system));
  levels_[0].nz = planes_.at(0).count;
  for (std::size_t fine = 0; fine < coarsenings_.size(); ++fine) {
    const auto& axes = coarsenings_[fine];
    AxisCoarsening& along_z = coarsenings_here_[fine][2];
    along_z.fine -= planes_.at(fine).first;
    along_z.coarse -= axes[2].coarse_below(planes_.at(fine).first);
    PbLevel level{.nx = axes[0].coarse, .ny = axes[1].coarse, .nz = planes_.at(fine + 1).count};
    const std::size_t size = std::size_t(level.size());
    arrays_.push_back(
        {LargeArray<float>(size), LargeArray<float>(size), LargeArray<float>(size), LargeArray<float>(size)});
    Arrays& arrays = arrays_.back();
    for (LargeArray<float>* array : {&arrays.face_x, &arrays.face_y, &arrays.face_z, &arrays.reaction})
      for_ranges(pool, level.size(), level.size(), [&](std::int64_t first, std::int64_t last) {
        std::fill(array->data() + first, array->data() + last, 0.0f);
      });
    level.face_x = arrays.face_x.data();
    level.face_y = arrays.face_y.data();
    level.face_z = arrays.face_z.data();
    level.reaction = arrays.reaction.data();
    levels_.push_back(level);
  }
  update({{0, 0, 0}, {n.x - 1, n.y - 1, n.z - 1}});
}

int PbLevels::first_coarse_plane(std::size_t n) const {
  return coarsenings_[n][2].coarse_below(planes_.at(n).first) - planes_.at(n + 1).first;
}

void PbLevels::update(const PointBox& changed) {
  PointBox box = changed;
  for (std::size_t n = 0; n < coarsenings_.size(); ++n) {
    box = coarse_box(coarsenings_[n], box);
    coarsen(n, box, Parts::all);
  }
}

void PbLevels::set_reaction(float* reaction, float factor) {
  if (levels_.empty()) return;
  planes_.fill_ghosts(0, reaction, levels_[0].plane_stride(), most_ghosts(0));
  levels_[0].reaction = reaction;
  levels_[0].reaction_factor = factor;
  for (std::size_t n = 0; n < coarsenings_.size(); ++n) {
    const auto& axes = coarsenings_[n];
    coarsen(n, {{0, 0, 0}, {axes[0].coarse - 1, axes[1].coarse - 1, axes[2].coarse - 1}}, Parts::reaction);
  }
}

void PbLevels::coarsen(std::size_t n, const PointBox& box, Parts parts) {
  PointBox made = box;
  const PlaneSpan here = planes_.made_here(n + 1);
  made.low.z = std::max<std::int64_t>(made.low.z, here.begin);
  made.high.z = std::min<std::int64_t>(made.high.z, here.end - 1);
  if (made.low.z <= made.high.z) coarsen_here(n, made, parts);
  Arrays& arrays = arrays_[n];
  const std::int64_t plane = levels_[n + 1].plane_stride();
  for (LargeArray<float>* array : {&arrays.reaction, &arrays.face_x, &arrays.face_y, &arrays.face_z}) {
    planes_.fill_ghosts(n + 1, array->data(), plane, most_ghosts(n + 1));
    if (n + 1 == planes_.shared_levels()) planes_.gather_made(array->data(), plane);
    if (parts == Parts::reaction) return;
  }
}

void PbLevels::coarsen_here(std::size_t n, const PointBox& box, Parts parts) {
  const PbLevel& fine = levels_[n];
  const PbLevel& coarse = levels_[n + 1];
  Arrays& to = arrays_[n];
  const AxisCoarsening* const axes = coarsenings_here_[n].data();
  const int first = int(std::max<std::int64_t>(box.low.x, 1));
  const int last = int(std::min<std::int64_t>(box.high.x, coarse.nx - 2)) + 1;
  if (first >= last) return;
  const int last_plane = coarsenings_[n][2].coarse - 1, first_stored = planes_.at(n + 1).first,
            first_along_z = first_stored + first_coarse_plane(n);
  const std::int64_t points =
      (box.high.x - box.low.x + 1) * (box.high.y - box.low.y + 1) * (box.high.z - box.low.z + 1);
  constexpr int fine_points = 8;  // read for a coarse one
  for_ranges(
      pool_, fine_points * points, box.high.z - box.low.z + 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> workspace(coarsening_rows * std::size_t(fine.nx));
        const auto run = [&](PbTransferKernels::CoarsenRow kernel, int j, int k, LargeArray<float>& array) {
          kernel(fine, axes, j, k - first_along_z, first, last,
                 array.data() + (k - first_stored) * coarse.plane_stride() + j * coarse.row_stride(),
                 workspace.data());
        };
        for (int k = int(box.low.z + begin); k < int(box.low.z + end); ++k)
          for (int j = int(box.low.y); j <= int(box.high.y); ++j) {
            const bool inner_j = j > 0 && j<coarse.ny - 1, inner_k = k> 0 && k < last_plane;
            if (inner_j && inner_k) run(kernels_.coarsen_reaction, j, k, to.reaction);
            if (parts == Parts::reaction) continue;
            if (inner_j && inner_k) run(kernels_.coarsen_faces_x, j, k, to.face_x);
            if (inner_k && j < coarse.ny - 1) run(kernels_.coarsen_faces_y, j, k, to.face_y);
            if (inner_j && k < last_plane) run(kernels_.coarsen_faces_z, j, k, to.face_z);
          }
      });
}

}  // namespace ionwell
