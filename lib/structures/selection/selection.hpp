// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "structures/selection/selection_step.hpp"

namespace ionwell {

/// An atom selection that was read, to be tried on any atoms.
struct Selection {
  std::string text;
  std::vector<SelectionStep> steps;  // in reverse Polish order
};

/// Reads a selection as MDAnalysis spells it:
///
///     all none protein nucleic lipid water ion backbone nucleicbackbone
///     additive                                   what was added to crystals: GOL, EDO, PEG, SO4, ACT ...
///     chainID chain segid segment resname name element NAME...   with * ? [AB] [!AB]; of several, any
///     resid 52 52A 1:10 1-10 -5:-1, 1 to 10      with insertion codes: 52 is not 52A, 52:53 holds 52A
///     resnum 1:10                                whatever the insertion codes
///     index 0:9, bynum 1:10                      in the order of the file, from 0 and from 1
///     around 5 SELECTION                         within 5 A of it, without it
///     within 5 of SELECTION                      with it, as VMD spells it
///     byres SELECTION, same residue as SELECTION; also same chain, segment, resname, name, element
///     not, and, or, ( )
///
/// A name in quotes is taken as it is: "and", 'O5*'. Words are in lower case, names as the structure has
/// them. around, byres and same take all that follows, as in MDAnalysis, within the next term only. Where
/// programs read a line differently it is refused: `and` after `or`, `and` or `or` after `within`, both
/// without parentheses. Throws UsageError with the position and what was expected.
Selection parse_selection(std::string_view text);

/// Names and numbers that nothing has: mistyped, or of atoms that were there before.
enum class Absent : std::uint8_t { refused, allowed };

/// One for each atom that is selected, otherwise 0. Distances are those in the file, without periods. Throws
/// UsageError, with what there is nearest first, for a chain or segment that is not in the structure, for
/// other names of which none is, unless they stand behind `not`, and for numbers that nothing has, unless
/// these are allowed. O(atoms); `within 5 of protein` takes 0.25 s for a million.
std::vector<std::uint8_t> select(std::span<const Atom> atoms, const Selection& selection,
                                 Absent absent = Absent::refused);
std::vector<std::uint8_t> select(std::span<const Atom> atoms, std::string_view selection,
                                 Absent absent = Absent::refused);

}  // namespace ionwell
