// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "compute/ranks/rank_messages.hpp"
#include "compute/ranks/rank_orders.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "compute/ranks/rank_slab.hpp"

namespace ionwell {

/// What ranks make their parts of a lattice from.
struct RankLattice {
  LatticeGeometry lattice;  // the whole
  PairPotential pair;
  FieldOptions options;
  BackendOptions backend;       // those of the run; each rank takes its own devices of them
  std::size_t charges = 0;      // that will be summed
  std::int64_t grid_bytes = 0;  // of a multilevel sum on a device
  bool imported = false;        // a map will fill it
};

template <typename Message>
void transfer(Message& message, RankLattice& lattice) {
  message(lattice.lattice, lattice.pair, lattice.options, lattice.backend, lattice.charges,
          lattice.grid_bytes, lattice.imported);
}

/// A lattice that the ranks of a group hold together, each a slab of it across z, as the first rank sees it:
/// it orders, the others follow (RankWorker), and what it does not order itself it does not know. Each knows
/// all charges and ions, so that its sums are those of one process with the whole lattice, bit for bit; the
/// lowest point is the lowest of theirs: an order and a reply, some tens of bytes each, for every ion. The
/// values of a map come part by part, or all of them, slab by slab. One such lattice at a time has `orders`.
/// `backend` is the first rank's. Throws Error when a rank cannot take part, with which one and why.
std::unique_ptr<MaskedLattice> make_ranked_lattice(std::shared_ptr<RankOrders> orders,
                                                   const RankLattice& lattice, const BackendChoice& backend);

}  // namespace ionwell
