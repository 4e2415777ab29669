// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/structure.hpp"
#include "electrostatics/at_points/target_batches.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// The natural parts of a solute, as ranges that follow each other: residue r has the charges
/// residue_begins[r] to residue_begins[r + 1] - 1, chain c the residues chain_begins[c] to
/// chain_begins[c + 1] - 1.
struct SoluteParts {
  std::vector<PointCharge> charges;
  std::vector<std::uint32_t> residue_begins, chain_begins;
};

/// Hierarchical charge partitioning (Anandakrishnan and Onufriev, J. Comput. Chem. 31:691, 2010): a part of
/// the solute farther from a point than its level's threshold acts by one or two charges in place of its
/// own. Distances are to the middle of the part's charges.
struct PartitionOptions {
  double residue_A = 10.0, chain_A = 70.0;  // thresholds as published for those levels
  double complex_A = 0.0;                   // of the whole solute; 0: it is never taken as one
  /// 2: the positive and the negative charges, each sum at their centre of charge; 1: the net charge, at the
  /// centre of the charges' sizes.
  int charges = 2;
};

/// The same thresholds, `factor` times as far.
PartitionOptions scaled(PartitionOptions options, double factor);

class ChargePartition {
 public:
  explicit ChargePartition(const SoluteParts& parts);

  /// values[n] = potential [kT/e] at point n. What is far is decided for a batch of points at once, by the
  /// one that may be nearest: none gets less than its own distance asks for. Pair terms in fp32, sums in
  /// fp64. `done`: so many batches have their values already; it is up to date whenever `progress` is called.
  /// Throws what `progress` throws.
  void potential(std::span<const Vec3<double>> points_A, const TargetBatches& batches,
                 const PairPotential& pair, const PartitionOptions& options, SimdLevel simd, int threads,
                 std::span<double> values_kT_e, const Progress& progress, std::size_t* done = nullptr) const;

  /// Charges that the points of a batch meet.
  std::int64_t charges_met(const TargetBatches::Batch& batch, const PartitionOptions& options) const;

 private:
  /// In place of a part's charges.
  struct Lump {
    Vec3<double> position_A;
    double charge_e;
  };
  struct Part {
    Vec3<double> middle_A;
    std::uint32_t first, last;   // of the next finer level
    std::array<Lump, 2> of_two;  // positive and negative; 0 e where there are none
    Lump of_one;
  };

  static Part part_of(std::span<const PointCharge> charges, std::uint32_t first, std::uint32_t last);

  template <typename UseLumps, typename UseCharges>
  void visit(const TargetBatches::Batch& batch, const PartitionOptions& options, const UseLumps& use_lumps,
             const UseCharges& use_charges) const;

  std::vector<PointCharge> charges_;
  std::vector<Part> residues_, chains_;
  Part complex_;
};

}  // namespace ionwell
