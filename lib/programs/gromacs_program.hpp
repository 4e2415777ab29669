// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace ionwell {

/// The path of GROMACS's program: of `name`, or where that is empty of the first of gmx, gmx_mpi and gmx_d
/// that is there. Throws Error, with the package that has it, what it is for ("to read .tpr files") and
/// another way ("or give ... instead").
std::string gromacs_program(const std::string& name, std::string_view purpose, std::string_view other_way);

/// "; its last output: ...": what GROMACS says of an error, the first line after "Fatal error:" or the like,
/// or else its last line.
std::string gromacs_last_words(std::string_view output);

}  // namespace ionwell
