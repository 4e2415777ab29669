#include "placement/sites/place_sites.hpp"

#include <algorithm>
#include <unordered_map>

#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

/// Ions by cubes of space, to ask whether one is near.
class NearIons {
 public:
  explicit NearIons(double distance_A)
      : limit_A2_(ion_limit_A2(distance_A)), edge_A_(std::max(distance_A, 1.0)) {}

  void add(const Vec3<double>& position_A) { cells_[key(cell_of(position_A))].push_back(position_A); }

  bool any(const Vec3<double>& position_A) const {
    const Vec3<std::int64_t> cell = cell_of(position_A);
    for (std::int64_t k = -1; k <= 1; ++k)
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t i = -1; i <= 1; ++i) {
          const auto found = cells_.find(key(cell + Vec3<std::int64_t>{i, j, k}));
          if (found == cells_.end()) continue;
          for (const Vec3<double>& ion_A : found->second)
            if (distance_squared(ion_A, position_A) <= limit_A2_) return true;
        }
    return false;
  }

 private:
  Vec3<std::int64_t> cell_of(const Vec3<double>& p) const {
    return {std::int64_t(std::floor(p.x / edge_A_)), std::int64_t(std::floor(p.y / edge_A_)),
            std::int64_t(std::floor(p.z / edge_A_))};
  }
  static std::uint64_t key(const Vec3<std::int64_t>& cell) {
    constexpr int bits = 21;  // by axis: 2,000,000 cells
    constexpr std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    return (std::uint64_t(cell.x) & mask) | (std::uint64_t(cell.y) & mask) << bits |
           (std::uint64_t(cell.z) & mask) << (2 * bits);
  }

  double limit_A2_, edge_A_;
  std::unordered_map<std::uint64_t, std::vector<Vec3<double>>> cells_;
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
  const PairPotential pair = pair_potential(model);
  const double repulsion = model.charge_e * model.charge_e, far_A = screened_out_A(pair);
  std::vector<RankedPoint> heap(points.index.size());
  for (std::size_t n = 0; n < heap.size(); ++n) heap[n] = {points.basin_kT[n], std::uint32_t(n), 0};
  std::make_heap(heap.begin(), heap.end(), is_behind);
  NearIons near(model.ion_ion_A);
  SitePlacement result;
  std::vector<PlacedIon>& ions = result.placement.ions;
  result.placement.requested = request.count;
  // Ions of one kind repel each other, so that energies only rise: what is lowest once it is up to date is
  // so.
  while (std::ssize(ions) < request.count) {
    if (heap.empty() || heap.front().energy_kT >= points.complete_below_kT) {
      result.complete = heap.empty() && points.complete_below_kT == std::numeric_limits<double>::infinity();
      return result;
    }
    std::pop_heap(heap.begin(), heap.end(), is_behind);
    RankedPoint& lowest = heap.back();
    const Vec3<double> position_A = lattice.position_A(points.index[lowest.point]);
    const bool is_new = lowest.ions == ions.size();
    if (!is_new && near.any(position_A)) {
      heap.pop_back();
      continue;
    }
    if (!is_new) {
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
    near.add(position_A);
    if (progress) progress(std::ssize(ions));
  }
  return result;
}

}  // namespace ionwell
