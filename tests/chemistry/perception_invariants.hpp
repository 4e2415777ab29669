// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell::test {

/// What is wrong with a chemistry of `atoms` atoms, whatever they were; empty when nothing is: residues have
/// all atoms, one after the other; bonds are sorted and of two atoms; each residue of a chain is in one
/// piece, and linked to the next; all that is said is of a residue that is there.
std::string broken_invariant(const Chemistry& chemistry, std::size_t atoms);

}  // namespace ionwell::test
