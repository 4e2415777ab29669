// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/charge_partition.hpp"

#include <cmath>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Charges relative to a batch, summed when there are many.
class ChargeBuffer {
 public:
  ChargeBuffer(const BatchKernels& kernels, const PairPotential& pair, const TargetBatches::Batch& batch,
               const BatchPlaces& places, double* sums)
      : kernels_(kernels), pair_(pair), centre_A_(batch.centre_A), places_(places), sums_(sums) {}

  void add(const Vec3<double>& position_A, double charge_e) {
    x_A_[count_] = float(position_A.x - centre_A_.x);
    y_A_[count_] = float(position_A.y - centre_A_.y);
    z_A_[count_] = float(position_A.z - centre_A_.z);
    charge_e_[count_] = float(charge_e);
    if (++count_ == most) flush();
  }

  void flush() {
    kernels_.add_pairs(places_.points_A, places_.places, {x_A_, y_A_, z_A_, charge_e_, count_}, pair_, sums_);
    count_ = 0;
  }

 private:
  static constexpr int most = 512;

  const BatchKernels& kernels_;
  const PairPotential& pair_;
  Vec3<double> centre_A_;
  const BatchPlaces& places_;
  double* sums_;
  int count_ = 0;
  float x_A_[most], y_A_[most], z_A_[most], charge_e_[most];
};

}  // namespace

PartitionOptions scaled(PartitionOptions options, double factor) {
  options.residue_A *= factor;
  options.chain_A *= factor;
  options.complex_A *= factor;
  return options;
}

ChargePartition::Part ChargePartition::part_of(std::span<const PointCharge> charges, std::uint32_t first,
                                               std::uint32_t last) {
  Part part{{}, first, last, {}, {}};
  double size_e = 0.0;
  for (const PointCharge& charge : charges) {
    const double q = charge.charge_e, size = std::abs(q);
    part.middle_A = part.middle_A + (1.0 / double(charges.size())) * charge.position_A;
    Lump& of_sign = part.of_two[q < 0.0 ? 1 : 0];
    of_sign.position_A = of_sign.position_A + size * charge.position_A;
    of_sign.charge_e += q;
    part.of_one.position_A = part.of_one.position_A + size * charge.position_A;
    part.of_one.charge_e += q;
    size_e += size;
  }
  for (Lump& lump : part.of_two)
    if (lump.charge_e != 0.0) lump.position_A = (1.0 / std::abs(lump.charge_e)) * lump.position_A;
  if (size_e > 0.0) part.of_one.position_A = (1.0 / size_e) * part.of_one.position_A;
  return part;
}

ChargePartition::ChargePartition(const SoluteParts& parts) : charges_(parts.charges) {
  const std::span<const PointCharge> all = charges_;
  const auto charges = [&](std::uint32_t first_residue, std::uint32_t last_residue) {
    const std::uint32_t first = parts.residue_begins[first_residue],
                        last = parts.residue_begins[last_residue];
    return all.subspan(first, last - first);
  };
  const auto residues = std::uint32_t(parts.residue_begins.size() - 1),
             chains = std::uint32_t(parts.chain_begins.size() - 1);
  for (std::uint32_t r = 0; r < residues; ++r)
    residues_.push_back(part_of(charges(r, r + 1), parts.residue_begins[r], parts.residue_begins[r + 1]));
  for (std::uint32_t c = 0; c < chains; ++c)
    chains_.push_back(part_of(charges(parts.chain_begins[c], parts.chain_begins[c + 1]),
                              parts.chain_begins[c], parts.chain_begins[c + 1]));
  complex_ = part_of(all, 0, chains);
}

template <typename UseLumps, typename UseCharges>
void ChargePartition::visit(const TargetBatches::Batch& batch, const PartitionOptions& options,
                            const UseLumps& use_lumps, const UseCharges& use_charges) const {
  const auto limit2 = [&](double threshold_A) {
    return (threshold_A + batch.radius_A) * (threshold_A + batch.radius_A);
  };
  const double residue2 = limit2(options.residue_A), chain2 = limit2(options.chain_A);
  const auto is_far = [&](const Part& part, double farther_than2) {
    return distance_squared(part.middle_A, batch.centre_A) > farther_than2;
  };
  if (options.complex_A > 0.0 && is_far(complex_, limit2(options.complex_A))) return use_lumps(complex_);
  for (const Part& chain : chains_) {
    if (is_far(chain, chain2)) {
      use_lumps(chain);
      continue;
    }
    for (std::uint32_t r = chain.first; r < chain.last; ++r)
      is_far(residues_[r], residue2) ? use_lumps(residues_[r]) : use_charges(residues_[r]);
  }
}

void ChargePartition::potential(std::span<const Vec3<double>> points_A, const TargetBatches& batches,
                                const PairPotential& pair, const PartitionOptions& options, SimdLevel simd,
                                int threads, std::span<double> values_kT_e, const Progress& progress,
                                std::size_t* done) const {
  const BatchKernels& kernels = batch_kernels(simd);
  constexpr std::size_t at_once = 512;  // batches between two calls of `progress`
  for (std::size_t begin = done != nullptr ? *done : 0; begin < batches.size(); begin += at_once) {
    if (done != nullptr) *done = begin;
    if (progress) progress(double(begin) / double(batches.size()));
    parallel_for({threads, 4}, std::int64_t(std::min(at_once, batches.size() - begin)), [&](std::int64_t n) {
      const TargetBatches::Batch& batch = batches[begin + std::size_t(n)];
      const BatchPlaces places(points_A, batches, batch);
      alignas(64) double sums[batch_points] = {};
      ChargeBuffer buffer(kernels, pair, batch, places, sums);
      const auto add_lump = [&](const Lump& lump) {
        if (lump.charge_e != 0.0) buffer.add(lump.position_A, lump.charge_e);
      };
      visit(
          batch, options,
          [&](const Part& part) {
            if (options.charges == 1) return add_lump(part.of_one);
            add_lump(part.of_two[0]);
            add_lump(part.of_two[1]);
          },
          [&](const Part& residue) {
            for (std::uint32_t c = residue.first; c < residue.last; ++c)
              buffer.add(charges_[c].position_A, charges_[c].charge_e);
          });
      buffer.flush();
      const std::span<const std::uint32_t> numbers = batches.points(batch);
      for (std::size_t p = 0; p < numbers.size(); ++p) values_kT_e[numbers[p]] = pair.prefactor * sums[p];
    });
  }
}

std::int64_t ChargePartition::charges_met(const TargetBatches::Batch& batch,
                                          const PartitionOptions& options) const {
  std::int64_t count = 0;
  visit(
      batch, options, [&](const Part&) { count += options.charges; },
      [&](const Part& residue) { count += residue.last - residue.first; });
  return count;
}

}  // namespace ionwell
