#include <algorithm>

#include "core/error.hpp"
#include "gpu/electrostatics/distribute.hpp"
#include "gpu/gpu_field.hpp"
#include "gpu/placement/split_field.hpp"
#include "gpu/runtime/gpu_numbers.hpp"

namespace ionwell {
namespace {

/// Sums for a field in host memory: its blocks go through the devices.
class SlabSummer final : public BlockSummer {
 public:
  /// `layout` has devices as CUDA counts.
  explicit SlabSummer(const GpuLayout& layout)
      : layout_(layout), meter_(std::make_shared<gpu::FieldMeter>(layout.devices.front())) {}

  void add_direct(const HostBlocks& blocks, const PairPotential& pair, std::span<const PointCharge> charges,
                  const Progress& progress) override {
    in_parts(blocks, {.pair = pair, .charges = charges}, progress);
  }

  void add_multilevel(const HostBlocks& blocks, const MultilevelPlan& plan,
                      std::span<const PointCharge> charges, bool short_range,
                      const Progress& progress) override {
    in_parts(blocks, {.pair = plan.pair, .charges = charges, .plan = &plan, .short_range = short_range},
             progress);
  }

  DeviceUse device_use() const override { return meter_->use(); }

 private:
  /// As many charges at a time as the devices hold; both sums are linear in them.
  void in_parts(const HostBlocks& blocks, const gpu::SolutePotential& potential, const Progress& progress) {
    const gpu::DeviceScope scope(layout_.devices.front(), meter_);
    const std::vector<PointCharge> charges = gpu::counted(potential.pair, potential.charges);
    const std::size_t all = charges.size();
    const std::size_t at_once = layout_.charges_at_once > 0 ? std::size_t(layout_.charges_at_once) : all;
    for (std::size_t first = 0; first < all; first += at_once) {
      gpu::SolutePotential part = potential;
      part.charges = std::span(charges).subspan(first, std::min(at_once, all - first));
      gpu::distribute(blocks, layout_.blocks_at_once, layout_.devices, part, [&](double done) {
        if (progress) progress((double(first) + done * double(part.charges.size())) / double(all));
      });
    }
  }

  GpuLayout layout_;
  std::shared_ptr<gpu::FieldMeter> meter_;
};

/// The devices as CUDA counts, the first there is when none is named. Throws when one of them is not there.
std::vector<int> ordinals(const std::vector<int>& devices) {
  const GpuDevices& known = gpu_devices();
  if (known.devices.empty()) fail(known.problem, "; use --backend cpu");
  for (const int device : devices)
    if (std::none_of(known.devices.begin(), known.devices.end(),
                     [&](const GpuDevice& d) { return d.number == device; }))
      fail<UsageError>("there is no GPU ", device, "; 'ionwell info' lists those that there are");
  std::vector<int> result;
  for (const int device : devices) result.push_back(gpu::ordinal_of(device));
  if (result.empty()) result.push_back(gpu::ordinal_of(known.devices.front().number));
  return result;
}

}  // namespace

std::unique_ptr<PotentialField> make_gpu_field(const LatticeGeometry& lattice, const PairPotential& pair,
                                               const FieldOptions& options, const std::vector<int>& devices) {
  return make_field(GpuLayout{.devices = devices}, lattice, pair, options);
}

std::unique_ptr<PotentialField> make_field(const GpuLayout& layout, const LatticeGeometry& lattice,
                                           const PairPotential& pair, const FieldOptions& options) {
  GpuLayout on = layout;
  on.devices = ordinals(layout.devices);
  switch (on.lattice_on) {
    case LatticeOn::host:
      return make_cpu_field(lattice, pair, options, std::make_unique<SlabSummer>(on));
    case LatticeOn::devices:
      return std::make_unique<gpu::SplitField>(lattice, pair, options, on.devices, on.planes);
    case LatticeOn::device:
      break;
  }
  return std::make_unique<gpu::GpuField>(lattice, pair, options, on.devices);
}

}  // namespace ionwell
