// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell::test {

/// Exit code of a test program of which nothing failed and nothing was tested to its end; CTest knows it as
/// SKIP_RETURN_CODE.
constexpr int all_skipped = 77;

/// Says why the present test case, or a part of it, cannot run here: it counts as skipped unless it fails.
/// The caller returns.
void skip(const std::string& why);

/// Runs the test cases that the command line names. Failures make it 1, whatever was skipped beside them; so
/// does a name that no test case has, which would pass for ever.
int run_test_cases(int argc, char** argv);

}  // namespace ionwell::test
