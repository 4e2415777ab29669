// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// The end of a program for which there is no memory. In place, so that it can be shown without any.
constexpr const char* out_of_memory =
    "not enough memory; a larger --spacing, a smaller --border or a smaller --box needs less";

/// Has an exception that is thrown where none may be, as in a destructor that wants memory, end the program
/// as one that main catches does: with its message, no unfinished file, and the exit code of a failed run.
/// Its message begins with `program`, and because of lack of memory is `without_memory`; both must stay where
/// they are.
void end_tidily_on_terminate(const char* program, const char* without_memory) noexcept;

}  // namespace ionwell
