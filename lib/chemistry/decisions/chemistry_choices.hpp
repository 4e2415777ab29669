// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace ionwell {

/// What becomes of a phosphate that begins a nucleic acid: removed, which leaves a hydroxyl, or kept as
/// HPO4-.
enum class FivePhosphate { remove, keep };

/// What becomes of a crystal's ions.
enum class CrystalIons { keep, ignore };

/// How the two pieces of a protein end at a gap: charged, as any chain, or neutral, with caps that are built
/// (NME before the gap, ACE after it).
enum class GapEnds { charged, capped };

/// What a user may decide otherwise.
struct ChemistryChoices {
  FivePhosphate five_phosphate = FivePhosphate::remove;
  CrystalIons crystal_ions = CrystalIons::keep;
  GapEnds gap_ends = GapEnds::charged;
  std::optional<double> pH;          // states of residues at it, by PROPKA; not given: standard ones
  bool replace_nonstandard = false;  // build what a modified residue was made from
  bool allow_missing = false;        // leave residues of chains out that have no charges
};

}  // namespace ionwell
