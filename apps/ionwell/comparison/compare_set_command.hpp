#pragma once

#include <ostream>

#include "ionwell/comparison/compare_arguments.hpp"

namespace ionwell {

/// `compare --set`: the exit code. Throws Error, once all is written, when an entry could not be scored.
int compare_set_command(const CompareArguments& arguments, std::ostream& out);

}  // namespace ionwell
