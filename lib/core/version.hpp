#pragma once

namespace ionwell {

/// "0.1.0"
const char* version();

}  // namespace ionwell
