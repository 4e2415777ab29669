// SPDX-License-Identifier: BSD-3-Clause
#include "placement/host_field.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "electrostatics/multilevel/error_samples.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "placement/best_first_search.hpp"

namespace ionwell {
namespace {

/// What a lattice in host memory and its field have in common.
struct HostSetup {
  PairPotential pair;
  FieldOptions options;
  int threads;
};

/// Takes away the points where a map does not reach.
void keep_known_points(HostStore& store, std::span<const double> values, int threads) {
  parallel_for({threads}, store.grid().size(), [&](std::int64_t block) {
    if (!store.mask().any(block)) return;
    const std::uint64_t* const bits = store.mask().of_block(block);
    std::uint64_t known[mask_words] = {};
    for (int p = 0; p < block_points; ++p)
      if (is_set(bits, p) && !std::isnan(values[std::size_t(store.grid().lattice_index(block, p))]))
        known[p / 64] |= std::uint64_t(1) << (p % 64);
    store.mask().keep(block, known);
  });
}

class HostField final : public PotentialField {
 public:
  HostField(const HostSetup& setup, std::unique_ptr<HostStore> store, const SolutePotential& potential,
            double clearance_A, const SourceFactory& make_source, const Progress& progress)
      : setup_(setup),
        store_(std::move(store)),
        pool_(setup.threads),
        solute_(setup_.pair),
        ions_(setup_.pair),
        terms_{setup_.pair, solute_,     values_of(potential),
               ions_,       clearance_A, std::holds_alternative<MultilevelSum>(potential)},
        choice_(store_->grid().lattice, terms_, direct_kernels(setup.options.simd), pool_) {
    solute_.append(charges_of(potential));
    const auto* multilevel = std::get_if<MultilevelSum>(&potential);
    const bool short_range =
        setup_.options.every_point || multilevel == nullptr || clearance_A < multilevel->options.cutoff_A;
    source_ = make_source(
        potential, {store_->grid(), setup_.pair, solute_, short_range, setup_.options.simd, setup_.threads},
        progress);
    store_->make_blocks();
    if (store_->size() > 0) source_->add_to(store_->blocks(), progress);
    if (!setup_.options.every_point) prepare_search();
  }

  const LatticeGeometry& lattice() const override { return store_->grid().lattice; }

  std::optional<LowestPoint> lowest_energy_point(double charge_e) override {
    if (!(std::isfinite(charge_e) && charge_e != 0.0))
      fail("an ion of charge ", charge_e, " e has no point of lowest energy");
    prepare_search();
    return search_->lowest_energy_point(charge_e);
  }

  void add_ion(const PointCharge& ion, double distance_A) override {
    const double limit_A2 = ion_limit_A2(distance_A);
    const bool has_charge = ions_.append(ion, limit_A2);
    store_->mask().exclude({&ion.position_A, 1}, limit_A2);
    if (search_ && !has_charge) search_->take_points_away(ion.position_A, distance_A);
  }

  void copy_values(std::span<float> values) override {
    if (ions_.size() > 0) {
      blocks().add_all_ions_to_values();
      if (search_) search_->recompute_nodes();
    }
    store_->copy_values(values);
  }

  double loosest_tie_kT(double charge_e, const LowestPoint& lowest) override {
    if (!setup_.options.refine) return 0.0;
    return choice_.loosest_tie_kT(charge_e, {charge_e * lowest.potential_kT_e, 0.0, lowest.index});
  }

  double exact_tie_kT(double charge_e, std::int64_t index) override {
    return setup_.options.refine ? choice_.exact_tie_kT(charge_e, index) : 0.0;
  }

  FieldStatistics statistics() const override {
    FieldStatistics result = solute_statistics_;
    choice_.report(result);
    if (search_) result.blocks_updated = search_->blocks_updated();
    result.device = source_->device_use();
    return result;
  }

 private:
  BoundedBlocks& blocks() {
    if (!blocks_)
      blocks_.emplace(*store_, terms_, setup_.options.refine, setup_.options.simd, setup_.threads);
    return *blocks_;
  }

  /// Where a map is wanted this waits for the first search: it may never come.
  void prepare_search() {
    if (search_) return;
    blocks().prepare();
    search_.emplace(*store_, blocks(), choice_, terms_, setup_.options.refine, setup_.options.simd, pool_,
                    setup_.threads);
    const Mask& mask = store_->mask();
    for (std::size_t slot = 0; slot < store_->size(); ++slot)
      solute_statistics_.blocks += mask.any(store_->number(slot));
    solute_statistics_.available_points = mask.count();
    solute_statistics_.measured_error_kT_e = blocks().measured_error_kT_e();
  }

  HostSetup setup_;
  std::unique_ptr<HostStore> store_;
  ThreadPool pool_;  // for the short rounds of a search
  ChargeTable solute_;
  IonList ions_;
  ExactTerms terms_;
  ExactChoice choice_;
  std::unique_ptr<PotentialSource> source_;
  std::optional<BoundedBlocks> blocks_;
  std::optional<BestFirstSearch> search_;
  FieldStatistics solute_statistics_;
};

class MaskedHostLattice final : public MaskedLattice {
 public:
  MaskedHostLattice(const LatticeGeometry& lattice, const PairPotential& pair, const FieldOptions& options,
                    SourceFactory source)
      : setup_{pair, options, thread_count(options.threads)},
        store_(std::make_unique<HostStore>(lattice, options.every_point, options.simd, setup_.threads)),
        source_(std::move(source)) {}

  const LatticeGeometry& lattice() const override { return store_->grid().lattice; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override {
    store_->mask().exclude(centres, solute_limit_A2(distance_A));
    excluded_centres_.assign(centres.begin(), centres.end());
    exclusion_A_ = distance_A;
  }

 private:
  std::unique_ptr<PotentialField> fill_with(const SolutePotential& potential,
                                            const Progress& progress) override {
    validate(potential, lattice(), setup_.pair);
    if (std::holds_alternative<ImportedMap>(potential))
      keep_known_points(*store_, values_of(potential), setup_.threads);
    const double clearance_A = ionwell::clearance_A(charges_of(potential), excluded_centres_, exclusion_A_);
    return std::make_unique<HostField>(setup_, std::move(store_), potential, clearance_A, source_, progress);
  }

  HostSetup setup_;
  std::unique_ptr<HostStore> store_;
  SourceFactory source_;
  std::vector<Vec3<double>> excluded_centres_;
  double exclusion_A_ = 0.0;
};

}  // namespace

std::int64_t host_field_bytes(const LatticeGeometry& lattice, std::size_t charges) {
  const std::int64_t blocks = BlockGrid(lattice).size();
  constexpr std::int64_t bytes_per_charge = 120;  // fp64 arrays, cells, and the structure they come from
  constexpr std::size_t bounds_bytes = std::size_t(CubeMember::count) * sizeof(float);
  constexpr std::size_t state_bytes = 32;  // number, error, ions, where the bounds are
  constexpr std::size_t growth = 2;        // of vectors that are appended to
  return blocks * std::int64_t(sizeof(BlockValues) + mask_words * sizeof(std::uint64_t) +
                               growth * (state_bytes + bounds_bytes)) +
         std::int64_t(charges) * bytes_per_charge;
}

std::unique_ptr<MaskedLattice> make_host_lattice(const LatticeGeometry& lattice, const PairPotential& pair,
                                                 const FieldOptions& options, SourceFactory source) {
  return std::make_unique<MaskedHostLattice>(lattice, pair, options, std::move(source));
}

}  // namespace ionwell
