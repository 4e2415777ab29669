// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// Whether a residue of that name is a nucleotide with phosphates of its own (ATP, GDP, AMP): a ligand, or
/// the first one of a chain, as GTP of RNA that was transcribed.
bool is_free_nucleotide(std::string_view name);

/// Whether such a residue, atoms [begin, end), is bound to the one after it: O3' to P.
bool begins_chain(std::span<const Atom> atoms, std::size_t begin, std::size_t end);

}  // namespace ionwell
