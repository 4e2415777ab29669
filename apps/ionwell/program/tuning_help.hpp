#pragma once

#include <ostream>

namespace ionwell {

/// The keys of --tune, each with the commands that have it.
void print_tuning(std::ostream& out);

}  // namespace ionwell
