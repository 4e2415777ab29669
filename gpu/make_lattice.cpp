// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/make_lattice.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "electrostatics/multilevel/error_samples.hpp"
#include "gpu/electrostatics/distribute.hpp"
#include "gpu/placement/split_field.hpp"
#include "gpu/runtime/stage_timer.hpp"
#include "parallel/on_threads.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell::gpu {
namespace {

/// Sums charges for blocks in host memory: they go through the devices, some at a time.
class DeviceSource final : public PotentialSource {
 public:
  /// `layout` has devices as CUDA counts.
  DeviceSource(const FieldLayout& layout, const SolutePotential& potential, const SourceContext& context)
      : layout_(layout),
        context_(context),
        charges_(counted(context.pair, charges_of(potential))),
        meter_(std::make_shared<FieldMeter>(layout.devices.front())) {
    if (const auto* sum = std::get_if<MultilevelSum>(&potential))
      plan_ = multilevel_plan(context.grid.lattice.whole(), sum->charges, context.pair, sum->options);
  }

  /// As many charges at a time as the devices hold; both sums are linear in them.
  void add_to(const HostBlocks& blocks, const Progress& progress) override {
    const DeviceScope scope(layout_.devices.front(), meter_);
    const std::size_t all = charges_.size();
    const std::size_t at_once = layout_.charges_at_once > 0 ? std::size_t(layout_.charges_at_once) : all;
    for (std::size_t first = 0; first < all; first += at_once) {
      const ChargeSum part{.pair = context_.pair,
                           .charges = std::span(charges_).subspan(first, std::min(at_once, all - first)),
                           .plan = plan_ ? &*plan_ : nullptr,
                           .short_range = context_.short_range};
      distribute(blocks, layout_.blocks_at_once, layout_.devices, part, [&](double done) {
        if (progress) progress((double(first) + done * double(part.charges.size())) / double(all));
      });
    }
  }

  DeviceUse device_use() const override { return meter_->use(); }

 private:
  FieldLayout layout_;
  SourceContext context_;
  std::vector<PointCharge> charges_;
  std::optional<MultilevelPlan> plan_;
  std::shared_ptr<FieldMeter> meter_;
};

/// A part of the lattice, across z, on a device of its own.
struct Slab {
  std::unique_ptr<DeviceStore> store;
  int device;
  std::int64_t first_index;  // of its points in the lattice
};

/// On one device, with the others' help, or in slabs on several.
class MaskedDeviceLattice final : public MaskedLattice {
 public:
  /// `layout` has devices as CUDA counts.
  MaskedDeviceLattice(const FieldLayout& layout, const LatticeGeometry& lattice, const PairPotential& pair,
                      const FieldOptions& options)
      : layout_(layout), lattice_(lattice), pair_(pair), options_(options) {
    const int main_device = layout_.devices.front();
    const auto add = [&](const LatticeGeometry& part, int device, std::int64_t first_index) {
      slabs_.push_back({std::make_unique<DeviceStore>(part, options.every_point, device, main_device), device,
                        first_index});
    };
    if (layout_.lattice_on != LatticeOn::devices) {
      add(lattice, main_device, 0);
      return;
    }
    const std::vector<std::int64_t>& planes = layout_.planes;
    const std::int64_t all = std::accumulate(planes.begin(), planes.end(), std::int64_t{0});
    if (layout_.devices.size() != planes.size() || all != BlockGrid(lattice).counts.z)
      fail("a lattice with ", BlockGrid(lattice).counts.z, " planes of blocks was to be divided into ", all,
           "; run again with --backend cpu");
    std::int64_t z = 0;
    for (std::size_t n = 0; n < planes.size(); ++n) {
      if (planes[n] == 0) continue;
      const LatticeGeometry slab = lattice.slab(z, std::min(block_edge * planes[n], lattice.counts.z - z));
      add(slab, layout_.devices[n], lattice.index(0, 0, z));
      z += slab.counts.z;
    }
  }

  const LatticeGeometry& lattice() const override { return lattice_; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A) override {
    on_threads(slabs_.size(), [&](std::size_t n) {
      DeviceStore& store = *slabs_[n].store;
      const DeviceScope scope = store.enter();
      StageTimer timer("exclusion", store.stream());
      store.mask().exclude(centres, solute_limit_A2(distance_A), store.stream());
      timer.stop();
    });
    excluded_centres_.assign(centres.begin(), centres.end());
    exclusion_A_ = distance_A;
  }

 private:
  std::unique_ptr<PotentialField> fill_with(const SolutePotential& potential,
                                            const Progress& progress) override {
    validate(potential, lattice_, pair_);
    std::optional<MultilevelPlan> plan;
    if (const auto* sum = std::get_if<MultilevelSum>(&potential))
      plan = multilevel_plan(lattice_.whole(), sum->charges, pair_, sum->options);
    const DeviceSolute solute{potential, plan ? &*plan : nullptr,
                              clearance_A(charges_of(potential), excluded_centres_, exclusion_A_)};
    std::vector<SplitField::Slab> slabs;
    const bool is_whole = layout_.lattice_on == LatticeOn::device;
    for (Slab& slab : slabs_)
      slabs.push_back({std::make_unique<GpuField>(std::move(slab.store), pair_, options_,
                                                  is_whole ? layout_.devices : std::vector{slab.device}),
                       slab.first_index});
    if (is_whole) {
      slabs.front().field->fill(solute, progress);
      return std::move(slabs.front().field);
    }
    auto field = std::make_unique<SplitField>(lattice_, options_.refine, std::move(slabs));
    field->fill(solute, progress);
    return field;
  }

  FieldLayout layout_;
  LatticeGeometry lattice_;
  PairPotential pair_;
  FieldOptions options_;
  std::vector<Slab> slabs_;
  std::vector<Vec3<double>> excluded_centres_;
  double exclusion_A_ = 0.0;
};

}  // namespace

std::unique_ptr<MaskedLattice> make_lattice(const FieldLayout& layout, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options) {
  if (layout.lattice_on != LatticeOn::host)
    return std::make_unique<MaskedDeviceLattice>(layout, lattice, pair, options);
  return make_host_lattice(lattice, pair, options,
                           [layout](const SolutePotential& potential, const SourceContext& context,
                                    const Progress& progress) -> std::unique_ptr<PotentialSource> {
                             if (std::holds_alternative<ImportedMap>(potential))
                               return make_cpu_source(potential, context, progress);
                             return std::make_unique<DeviceSource>(layout, potential, context);
                           });
}

}  // namespace ionwell::gpu
