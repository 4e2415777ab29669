// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <future>

namespace ionwell {

/// Work of which the result is needed later; with one thread, or where the system gives no other, it is done
/// then.
template <typename Work>
auto in_background(int threads, const Work& work) {
  return std::async(threads > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred, work);
}

}  // namespace ionwell
