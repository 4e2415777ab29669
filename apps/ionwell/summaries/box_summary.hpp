// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "jobs/place/job/result.hpp"

/// What the terminal shows of ions in a box of water.
namespace ionwell {

/// Which waters can be replaced, and why the others stay.
void print_box_plan(std::ostream& out, const BoxResult& box);

/// What became of the waters, and the salt.
void print_box_result(std::ostream& out, const Result& result);

}  // namespace ionwell
