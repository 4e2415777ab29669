// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "parallel/rank_group.hpp"
#include "sampling/first_ions.hpp"
#include "sampling/replicas.hpp"

namespace ionwell {

/// Whether the potential that the ions move in can be sent to other processes.
bool can_be_shared(const SampleJob& job);

/// What moves the replicas of a job on the processors of all ranks of `group`, each some of them, as the
/// first rank sees it: the others follow (RankSamples). A replica's numbers are its own, so that all that is
/// made of them in the order of replicas is what one process makes, bit for bit, and a state is one
/// process's. The field is sent once; a round of samples costs an order and an answer, records come when they
/// are read, a rank's at a time. Signals do not end the waiting for a round, which would lose it: they are
/// seen between rounds. What is referred to must outlive it.
std::unique_ptr<ReplicaMover> ranked_replicas(RankGroup& group, const SampleJob& job,
                                              const Measurements& measurements, const FirstIons& first);

}  // namespace ionwell
