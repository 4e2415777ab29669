// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace ionwell {

/// Called now and then with the part done so far, 0 to 1, on the thread that called the function it was given
/// to, or one at a time where several devices work. What it throws ends the work and reaches the caller: the
/// way to cancel. The field it was about can only be destroyed then.
using Progress = std::function<void(double)>;

}  // namespace ionwell
