// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chemistry/perception/chemistry.hpp"

/// What a chemistry says of a residue, for checks.
namespace ionwell::test {

/// What is noted of a residue, but for the lengths of bonds, which made structures do not have.
std::vector<std::string> notes_of(const Chemistry& chemistry, std::uint32_t residue);

/// Whether a note begins so.
bool has_note(const Chemistry& chemistry, std::uint32_t residue, const std::string& what);

/// "ALA, n_terminal"; "none".
std::string standard_of(const Chemistry& chemistry, std::uint32_t residue);

bool is_bonded(const Chemistry& chemistry, std::uint32_t a, std::uint32_t b);

}  // namespace ionwell::test
