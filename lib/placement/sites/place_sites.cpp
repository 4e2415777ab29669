#include "placement/sites/place_sites.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

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

  /// The lowest that is not gone, if any.
  template <typename IsGone>
  std::optional<std::uint32_t> front(const IsGone& is_gone) {
    for (;;) {
      for (; at_ < sorted_; ++at_)
        if (!is_gone(order_[at_])) return order_[at_];
      if (bin_ == ends_.size()) return {};
      const auto point = [&](std::size_t n) { return order_.begin() + std::ptrdiff_t(n); };
      at_ = bin_ == 0 ? 0 : ends_[bin_ - 1];
      const auto last = std::remove_if(point(at_), point(ends_[bin_]), is_gone);
      std::sort(point(at_), last, [&](std::uint32_t a, std::uint32_t b) {
        return energies_kT_[a] != energies_kT_[b] ? energies_kT_[a] < energies_kT_[b] : a < b;
      });
      sorted_ = std::size_t(last - order_.begin());
      ++bin_;
    }
  }

  /// After `front` found one.
  void pop() { ++at_; }

 private:
  std::span<const double> energies_kT_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> ends_;  // of the bins in `order_`
  std::size_t bin_ = 0, at_ = 0, sorted_ = 0;
};

/// A point in the running: its energy with the first `ions` of those placed.
struct RankedPoint {
  double energy_kT;
  std::uint32_t point;
  std::uint32_t ions;
};

/// For a heap whose front is the lowest; of equal ones the first point.
bool is_behind(const RankedPoint& a, const RankedPoint& b) {
  return a.energy_kT != b.energy_kT ? a.energy_kT > b.energy_kT : a.point > b.point;
}

}  // namespace

SitePlacement place_sites(const LatticeGeometry& lattice, const SiteModel& model, const BasinPoints& points,
                          const IonRequest& request, double most_kT,
                          const std::function<void(std::int64_t)>& progress) {
  const PairPotential pair = pair_potential_of(model);
  const double repulsion = model.charge_e * model.charge_e, far_A = screened_out_A(pair);
  TakenPoints taken(lattice, model.ion_ion_A);
  const auto is_gone = [&](std::uint32_t point) { return taken.contains(points.index[point]); };
  RisingPoints rising(points.basin_kT);
  std::vector<RankedPoint> heap;  // of points that were looked at
  SitePlacement result;
  std::vector<PlacedIon>& ions = result.placement.ions;
  result.placement.requested = request.count;
  // Ions of one kind repel each other, so that energies only rise: what is lowest once it is up to date is
  // so.
  while (std::ssize(ions) < request.count) {
    if (const auto first = rising.front(is_gone);
        first && (heap.empty() || is_behind(heap.front(), {points.basin_kT[*first], *first, 0}))) {
      heap.push_back({points.basin_kT[*first], *first, 0});
      std::push_heap(heap.begin(), heap.end(), is_behind);
      rising.pop();
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
    const Vec3<double> position_A = lattice.position_A(points.index[lowest.point]);
    if (lowest.ions < ions.size()) {
      for (; lowest.ions < ions.size(); ++lowest.ions) {
        const double r2 = distance_squared(ions[lowest.ions].position_A, position_A);
        if (r2 < far_A * far_A) lowest.energy_kT += repulsion * pair.at(r2);
      }
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
    if (progress) progress(std::ssize(ions));
  }
  return result;
}

}  // namespace ionwell
