// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/device_sum.hpp"

#include <cmath>

#include "gpu/electrostatics/direct.hpp"

namespace ionwell::gpu {

std::vector<PointCharge> counted(const PairPotential& pair, std::span<const PointCharge> charges) {
  std::vector<PointCharge> result;
  result.reserve(charges.size());
  for (const PointCharge& q : charges)
    if (pair.prefactor * std::abs(q.charge_e) >= smallest_potential_kT_e) result.push_back(q);
  return result;
}

DeviceSum::DeviceSum(const LatticeGeometry& lattice, std::int64_t all_blocks, const ChargeSum& potential,
                     const PointCharge* charges_d)
    : pair_(potential.pair),
      count_(std::ssize(potential.charges)),
      direct_parts_(direct_parts(all_blocks, count_)),
      charges_d_(charges_d) {
  if (charges_d_ == nullptr) {
    charges_ = DeviceBuffer<PointCharge>(potential.charges, stream_, "the charges");
    charges_d_ = charges_.data();
  }
  if (potential.plan != nullptr) {
    multilevel_.emplace(lattice, *potential.plan, count_, potential.short_range, stream_);
    multilevel_->set_charges({charges_d_, std::size_t(count_)}, nullptr);
  }
  check(cudaStreamSynchronize(stream_), "preparing the potential");
}

void DeviceSum::add_to(const DeviceBlocks& blocks, cudaStream_t stream) const {
  if (multilevel_)
    multilevel_->add_to(blocks, stream, nullptr);
  else
    add_direct(blocks, nullptr, blocks.count, charges_d_, count_, pair_, direct_parts_, stream);
}

}  // namespace ionwell::gpu
