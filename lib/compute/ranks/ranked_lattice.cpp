// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/ranked_lattice.hpp"

#include <optional>
#include <utility>

#include "compute/ranks/rank_orders.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "core/large_array.hpp"
#include "placement/candidates.hpp"

namespace ionwell {
namespace {

/// The first rank's slab, and what it tells the others.
class RankedParts {
 public:
  RankedParts(std::shared_ptr<RankOrders> orders, const RankLattice& lattice, const BackendChoice& backend)
      : orders_(std::move(orders)), slabs_(rank_slabs(lattice.lattice, orders_->group().count())) {
    orders_->give({.task = RankTask::make_lattice}, lattice);
    const std::vector<RankAnswer> answers =
        orders_->together([&] { slab_.emplace(backend, slabs_[0], lattice.pair, lattice.options); });
    shares_.push_back({0, orders_->group().host(), slab_->computed_on(), slabs_[0].counts.z});
    for (int rank = 1; rank < count(); ++rank) {
      MessageReader text(answers[std::size_t(rank)].text);
      std::string host, computed_on;
      text(host, computed_on);
      shares_.push_back({rank, host, computed_on, slabs_[std::size_t(rank)].counts.z});
    }
  }

  ~RankedParts() { orders_->give_at_end(RankTask::drop_lattice); }
  RankedParts(const RankedParts&) = delete;
  RankedParts& operator=(const RankedParts&) = delete;

  int count() const { return int(slabs_.size()); }
  RankSlab& slab() { return *slab_; }
  RankOrders& orders() { return *orders_; }
  const std::vector<RankShare>& shares() const { return shares_; }
  const LatticeGeometry& slab_of(int rank) const { return slabs_[std::size_t(rank)]; }

  /// A rank's part of values in the order of the lattice.
  template <typename T>
  std::span<T> part_of(std::span<T> values, int rank) const {
    const LatticeGeometry& slab = slab_of(rank);
    return values.subspan(std::size_t(slab.index(0, 0, slab.first_plane)), std::size_t(slab.size()));
  }

 private:
  std::shared_ptr<RankOrders> orders_;
  std::vector<LatticeGeometry> slabs_;
  std::optional<RankSlab> slab_;
  std::vector<RankShare> shares_;
};

/// The values that each rank keeps of its slab.
class RankedValues final : public LatticeValues {
 public:
  explicit RankedValues(std::shared_ptr<RankedParts> parts)
      : parts_(std::move(parts)), mine_(std::size_t(parts_->slab().lattice().size())) {}
  ~RankedValues() override { parts_->orders().give_at_end(RankTask::drop_values); }
  RankedValues(const RankedValues&) = delete;
  RankedValues& operator=(const RankedValues&) = delete;

  /// Once, before anything is copied.
  void collect() {
    parts_->orders().give({.task = RankTask::copy_values});
    parts_->orders().together([&] { parts_->slab().copy_values({mine_.data(), mine_.size()}); });
  }

  void copy(const LatticePart& part, std::span<float> values) override {
    parts_->orders().give({.task = RankTask::send_part}, part);
    for (int rank = 0; rank < parts_->count(); ++rank) {  // one has planes of z behind another's
      const LatticeGeometry& slab = parts_->slab_of(rank);
      const LatticePart there = part_in_slab(slab, part);
      const std::span<float> to = values.first(std::size_t(there.size()));
      if (rank == 0)
        copy_part(slab, {mine_.data(), mine_.size()}, there, to);
      else
        parts_->orders().group().receive(std::as_writable_bytes(to), rank);
      values = values.subspan(to.size());
    }
  }

 private:
  std::shared_ptr<RankedParts> parts_;
  LargeArray<float> mine_;
};

class RankedField final : public PotentialField {
 public:
  RankedField(const LatticeGeometry& lattice, bool refine, std::shared_ptr<RankedParts> parts)
      : lattice_(lattice), refine_(refine), parts_(std::move(parts)) {}

  const LatticeGeometry& lattice() const override { return lattice_; }

  std::optional<LowestPoint> lowest_energy_point(double charge_e) override {
    orders().give({.task = RankTask::search, .charge_e = charge_e});
    std::vector<LowestPoint> points;
    std::vector<Candidate> candidates;  // the same points
    std::vector<double> loosest_kT;
    std::vector<int> rank_of;
    for (const RankAnswer& answer : orders().together([&] { return parts_->slab().search(charge_e); })) {
      if (answer.reply.found == 0) continue;
      points.push_back(answer.reply.point);
      candidates.push_back({charge_e * points.back().potential_kT_e, 0.0, points.back().index});
      loosest_kT.push_back(answer.reply.tie_kT);
      rank_of.push_back(answer.reply.rank);
    }
    if (points.empty()) return std::nullopt;
    const auto loosest_tie_kT = [&](std::size_t n) { return loosest_kT[n]; };
    const auto exact_tie_kT = [&](std::size_t n) { return tie_kT(rank_of[n], charge_e, points[n].index); };
    return points[choose_candidate(candidates, loosest_tie_kT, exact_tie_kT)];
  }

  void add_ion(const PointCharge& ion, double distance_A) override {
    orders().give({.task = RankTask::add_ion, .distance_A = distance_A, .ion = ion});
    parts_->slab().add_ion(ion, distance_A);
  }

  void copy_values(std::span<float> values) override {
    values_in_parts()->copy({{0, 0, 0}, lattice_.counts}, values);
  }

  std::unique_ptr<LatticeValues> values_in_parts() override {
    auto values = std::make_unique<RankedValues>(parts_);
    values->collect();
    return values;
  }

  FieldStatistics statistics() const override {
    FieldStatistics sum = parts_->slab().statistics();
    sum.ranks = parts_->shares();
    if (!orders().group().in_step) return sum;
    orders().give({.task = RankTask::statistics});
    for (const RankAnswer& answer : orders().together([] {})) {
      if (answer.text.empty()) continue;
      sum.add_part(MessageReader(answer.text).value<FieldStatistics>());
    }
    return sum;
  }

 private:
  RankOrders& orders() const { return parts_->orders(); }

  /// How near to the energy at a point, which is a rank's, others count as equal.
  double tie_kT(int rank, double charge_e, std::int64_t index) {
    if (!refine_) return 0.0;
    if (rank == 0) return parts_->slab().exact_tie_kT(charge_e, index);
    orders().give({.task = RankTask::exact_tie, .rank = rank, .charge_e = charge_e, .index = index});
    return orders().together([] {})[std::size_t(rank)].reply.tie_kT;
  }

  LatticeGeometry lattice_;
  bool refine_;
  std::shared_ptr<RankedParts> parts_;
};

class MaskedRankedLattice final : public MaskedLattice {
 public:
  MaskedRankedLattice(std::shared_ptr<RankOrders> orders, const RankLattice& lattice,
                      const BackendChoice& backend)
      : lattice_(lattice), parts_(std::make_unique<RankedParts>(std::move(orders), lattice, backend)) {}

  const LatticeGeometry& lattice() const override { return lattice_.lattice; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override {
    parts_->orders().give({.task = RankTask::exclude, .distance_A = distance_A}, centres);
    parts_->slab().exclude(centres, distance_A);
  }

 private:
  std::unique_ptr<PotentialField> fill_with(const SolutePotential& potential,
                                            const Progress& progress) override {
    validate(potential, lattice_.lattice, lattice_.pair);
    SolutePotential mine = potential;
    auto* const map = std::get_if<ImportedMap>(&mine);
    if (map != nullptr && map->in_parts != nullptr)
      mine = ImportedMap{map->in_parts->values_of(parts_->slab_of(0))};
    MessageWriter message;
    write_potential(message, potential);
    parts_->orders().give_with({.task = RankTask::fill}, message.bytes());
    if (map != nullptr && std::get<ImportedMap>(potential).in_parts == nullptr) {
      for (int rank = 1; rank < parts_->count(); ++rank)
        parts_->orders().group().send(std::as_bytes(parts_->part_of(map->values_kT_e, rank)), rank);
      map->values_kT_e = parts_->part_of(map->values_kT_e, 0);
    }
    parts_->orders().together([&] { parts_->slab().fill(mine, progress); });
    return std::make_unique<RankedField>(lattice_.lattice, lattice_.options.refine, std::move(parts_));
  }

  RankLattice lattice_;
  std::unique_ptr<RankedParts> parts_;
};

}  // namespace

std::unique_ptr<MaskedLattice> make_ranked_lattice(std::shared_ptr<RankOrders> orders,
                                                   const RankLattice& lattice, const BackendChoice& backend) {
  return std::make_unique<MaskedRankedLattice>(std::move(orders), lattice, backend);
}

}  // namespace ionwell
