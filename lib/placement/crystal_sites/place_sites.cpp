// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/place_sites.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/cell_grid.hpp"
#include "core/lattice_extents.hpp"
#include "core/periodic/images_near_box.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

/// Which points of a lattice are too near to an ion.
class TakenPoints {
 public:
  TakenPoints(const LatticeGeometry& lattice, double distance_A)
      : lattice_(lattice),
        limit_A2_(ion_limit_A2(distance_A)),
        words_(std::size_t(lattice.size() / word_bits + 1)) {}

  bool contains(std::int64_t index) const {
    return (words_[std::size_t(index / word_bits)] >> (index % word_bits) & 1) != 0;
  }

  void take_around(const Vec3<double>& ion_A) {
    if (!(limit_A2_ >= 0.0)) return;
    const double reach_A = std::sqrt(limit_A2_);
    const Vec3<double>&origin = lattice_.origin_A, &h = lattice_.spacing_A;
    const Range x = range(ion_A.x - origin.x, reach_A, h.x, lattice_.counts.x),
                y = range(ion_A.y - origin.y, reach_A, h.y, lattice_.counts.y),
                z = range(ion_A.z - origin.z, reach_A, h.z, lattice_.counts.z);
    for (std::int64_t k = z.first; k <= z.last; ++k)
      for (std::int64_t j = y.first; j <= y.last; ++j)
        for (std::int64_t i = x.first; i <= x.last; ++i) {
          if (distance_squared(ion_A, lattice_.position_A(i, j, k)) > limit_A2_) continue;
          const std::int64_t index = lattice_.index(i, j, k);
          words_[std::size_t(index / word_bits)] |= std::uint64_t(1) << (index % word_bits);
        }
  }

 private:
  static constexpr std::int64_t word_bits = 64;

  struct Range {
    std::int64_t first, last;
  };
  /// Points along an axis, one more at each end than are within reach.
  static Range range(double at_A, double reach_A, double spacing_A, std::int64_t count) {
    return {std::max<std::int64_t>(0, std::int64_t(std::floor((at_A - reach_A) / spacing_A)) - 1),
            std::min(count - 1, std::int64_t(std::ceil((at_A + reach_A) / spacing_A)) + 1)};
  }

  LatticeGeometry lattice_;
  double limit_A2_;
  std::vector<std::uint64_t> words_;
};

/// For every cube of space the ions that reach into it, to find those that act on a point by more than a
/// little: in one list, since far more points are asked for than ions are added.
class IonsInReach {
 public:
  struct Ion {
    Vec3<double> position_A;
    std::uint32_t number;
  };

  IonsInReach(const LatticeGeometry& lattice, double reach_A)
      : reach_A_(reach_A),
        grid_(cells_around(std::array{lattice.origin_A, lattice.position_A(lattice.size() - 1)},
                           reach_A / 2.0)),
        cells_(std::size_t(grid_.size())) {}

  void add(const Ion& ion) {
    const CellRange range = grid_.within({ion.position_A, ion.position_A}, reach_A_);
    for (std::int64_t k = range.first.z; k <= range.last.z; ++k)
      for (std::int64_t j = range.first.y; j <= range.last.y; ++j)
        for (std::int64_t i = range.first.x; i <= range.last.x; ++i)
          cells_[std::size_t(cell_number(grid_.counts, {i, j, k}))].push_back(ion);
  }

  /// Those within reach of a point, and others, from number `first` on; until an ion is added.
  std::span<const Ion> near(const Vec3<double>& point_A, std::uint32_t first) const {
    const std::vector<Ion>& ions = cells_[std::size_t(grid_.cell_of(point_A))];
    return {std::lower_bound(ions.begin(), ions.end(), first,
                             [](const Ion& ion, std::uint32_t number) { return ion.number < number; }),
            ions.end()};
  }

 private:
  double reach_A_;
  CellGrid grid_;
  std::vector<std::vector<Ion>> cells_;
};

/// Points in rising order of their energies, of equal ones in that of their numbers: cut into bins, which are
/// sorted when they are come to. Most points are gone by then.
class RisingPoints {
 public:
  explicit RisingPoints(std::span<const double> energies_kT)
      : energies_kT_(energies_kT), order_(energies_kT.size()) {
    if (energies_kT.empty()) return;
    const auto [lowest, highest] = std::minmax_element(energies_kT.begin(), energies_kT.end());
    const std::size_t bins = std::clamp<std::size_t>(energies_kT.size() / 64, 1, std::size_t(1) << 16);
    const double lowest_kT = *lowest, range_kT = *highest - *lowest;
    const auto bin_of = [&](double energy_kT) {
      if (!(range_kT > 0.0)) return std::size_t(0);
      return std::min(bins - 1, std::size_t((energy_kT - lowest_kT) / range_kT * double(bins)));
    };
    ends_.resize(bins + 1);
    for (const double energy_kT : energies_kT) ++ends_[bin_of(energy_kT) + 1];
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    for (std::size_t n = 0; n < energies_kT.size(); ++n)
      order_[ends_[bin_of(energies_kT[n])]++] = std::uint32_t(n);
    ends_.pop_back();  // each is its own bin's end now
  }

  struct Point {
    double energy_kT;
    std::uint32_t number;
  };

  /// The lowest that is not gone, if any.
  template <typename IsGone>
  const Point* front(const IsGone& is_gone) {
    for (;;) {
      for (; at_ < sorted_.size(); ++at_)
        if (!is_gone(sorted_[at_].number)) return &sorted_[at_];
      if (bin_ == ends_.size()) return nullptr;
      sorted_.clear();
      at_ = 0;
      for (std::size_t n = bin_ == 0 ? 0 : ends_[bin_ - 1]; n < ends_[bin_]; ++n)
        if (const std::uint32_t point = order_[n]; !is_gone(point))
          sorted_.push_back({energies_kT_[point], point});
      std::sort(sorted_.begin(), sorted_.end(), [](const Point& a, const Point& b) {
        return a.energy_kT != b.energy_kT ? a.energy_kT < b.energy_kT : a.number < b.number;
      });
      ++bin_;
    }
  }

  /// After `front` found one.
  void pop() { ++at_; }

 private:
  std::span<const double> energies_kT_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> ends_;  // of the bins in `order_`
  std::vector<Point> sorted_;      // of the last bin that was come to
  std::size_t bin_ = 0, at_ = 0;
};

/// A point in the running: no more than its energy with the ions placed.
struct RankedPoint {
  double energy_kT;
  std::uint32_t point;
  std::uint32_t ions = 0;   // that were looked at: what they add, if they are near
  std::uint32_t exact = 0;  // that the energy was exact for
};

/// For a heap whose front is the lowest; of equal ones the first point.
bool is_behind(const RankedPoint& a, const RankedPoint& b) {
  return a.energy_kT != b.energy_kT ? a.energy_kT > b.energy_kT : a.point > b.point;
}

}  // namespace

SitePlacement place_sites(const LatticeGeometry& lattice, const SiteModel& model, const BasinPoints& points,
                          const IonRequest& request, double most_kT,
                          const std::function<void(std::int64_t)>& progress, const PeriodicCell* cell) {
  const PairPotential pair = pair_potential_of(model);
  const double repulsion = model.charge_e * model.charge_e, far_A = screened_out_A(pair);
  TakenPoints taken(lattice, model.ion_ion_A);
  const auto is_gone = [&](std::uint32_t point) { return taken.contains(points.index[point]); };
  RisingPoints rising(points.basin_kT);
  std::vector<RankedPoint> heap;  // of points that were looked at
  SitePlacement result;
  std::vector<PlacedIon>& ions = result.placement.ions;
  result.placement.requested = request.count;
  constexpr double near_debye_lengths = 4.0, usual_A = 8.0;  // smaller cells would be many
  IonsInReach near(lattice, std::max(debye_lengths_A(pair, near_debye_lengths), usual_A));
  // Ions of one kind repel each other, so that energies only rise, and what near ions add is a bound: what is
  // lowest with all of them is lowest.
  const auto added_kT = [&](const Vec3<double>& ion_A, const Vec3<double>& point_A) {
    const double r2 = distance_squared(ion_A, point_A);
    return r2 < far_A * far_A ? repulsion * pair.at(r2) : 0.0;
  };
  const auto look_at_near_ions = [&](RankedPoint& ranked) {
    constexpr double rounding_kT = 1e-11;  // of sums in another order
    const Vec3<double> point_A = lattice.position_A(points.index[ranked.point]);
    double near_kT = 0.0;
    for (const auto& ion : near.near(point_A, ranked.ions)) near_kT += added_kT(ion.position_A, point_A);
    if (near_kT > rounding_kT) ranked.energy_kT += near_kT - rounding_kT;
    ranked.ions = std::uint32_t(ions.size());
  };
  while (std::ssize(ions) < request.count) {
    if (const auto* const first = rising.front(is_gone);
        first != nullptr && (heap.empty() || is_behind(heap.front(), {first->energy_kT, first->number}))) {
      heap.push_back({first->energy_kT, first->number});
      look_at_near_ions(heap.back());
      std::push_heap(heap.begin(), heap.end(), is_behind);
      rising.pop();
      continue;
    }
    if (heap.empty() || heap.front().energy_kT >= points.complete_below_kT) {
      result.complete = heap.empty() && points.complete_below_kT == std::numeric_limits<double>::infinity();
      return result;
    }
    std::pop_heap(heap.begin(), heap.end(), is_behind);
    RankedPoint& lowest = heap.back();
    if (is_gone(lowest.point)) {
      heap.pop_back();
      continue;
    }
    if (lowest.ions < ions.size()) {
      look_at_near_ions(lowest);
      std::push_heap(heap.begin(), heap.end(), is_behind);
      continue;
    }
    const Vec3<double> position_A = lattice.position_A(points.index[lowest.point]);
    if (lowest.exact < ions.size()) {
      lowest.energy_kT = points.basin_kT[lowest.point];
      for (const PlacedIon& ion : ions) lowest.energy_kT += added_kT(ion.position_A, position_A);
      lowest.exact = std::uint32_t(ions.size());
      std::push_heap(heap.begin(), heap.end(), is_behind);
      continue;
    }
    if (lowest.energy_kT > most_kT) {
      result.placement.refused_kT = lowest.energy_kT;
      return result;
    }
    PlacedIon& ion = ions.emplace_back();
    ion.species = request.species;
    ion.lattice_index = points.index[lowest.point];
    ion.position_A = position_A;
    ion.energy_kT = lowest.energy_kT;
    heap.pop_back();
    taken.take_around(position_A);
    if (cell != nullptr)
      for (const PointImage& image :
           images_near_box({&position_A, 1}, *cell, extents(lattice), model.ion_ion_A))
        taken.take_around(image.position_A);
    near.add({position_A, std::uint32_t(ions.size() - 1)});
    if (progress) progress(std::ssize(ions));
  }
  return result;
}

}  // namespace ionwell
