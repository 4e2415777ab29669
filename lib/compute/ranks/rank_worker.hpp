// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/backend.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell {

/// What a rank other than the first does from its start to its end: the first one's orders. `backends` are
/// those that the first has. What goes wrong here is told to the first, which tells the user. Returns when
/// the first says so.
void follow_orders(RankGroup& group, const Backends& backends);

/// The first rank's last order: the others return from follow_orders.
void let_ranks_leave(RankGroup& group);

}  // namespace ionwell
