// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// "0.2.0"
const char* version();

}  // namespace ionwell
