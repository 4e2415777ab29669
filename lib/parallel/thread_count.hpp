// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// Processors that this process may run on, by its affinity; at least 1.
int available_cores();

/// Threads that a computation uses when `asked` for that many, everywhere in the library: those requested;
/// for 0 what OMP_NUM_THREADS says, or a host program told OpenMP, and all cores otherwise, but never more
/// than there are cores; 1 where the system lets a process have no more. Changes nothing of OpenMP's
/// settings.
int thread_count(int asked);

}  // namespace ionwell
