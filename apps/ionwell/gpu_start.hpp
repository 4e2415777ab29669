// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <future>
#include <string>

#include "compute/backend.hpp"
#include "compute/summation_options.hpp"

namespace ionwell {

/// Starts CUDA in another thread, to be ready when `structure` is read, if a run on that file is likely to
/// use a GPU: when one is requested, or the file is so large that the CPU would take long with `threads`.
/// Where several are named, and no long direct sum is likely, it looks at their memory alone: all that CUDA
/// sees take time to start, and few other sums pay for more than one.
/// Whoever destroys the result waits for the start to end.
std::future<void> start_gpu_while_reading(const BackendOptions& options, const std::string& structure,
                                          int threads, Method method = Method::automatic);

}  // namespace ionwell
