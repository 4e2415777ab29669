#pragma once

#include <optional>

namespace ionwell {

/// What becomes of a phosphate that begins a nucleic acid: removed, which leaves a hydroxyl, or kept as
/// HPO4-.
enum class FivePhosphate { remove, keep };

/// What becomes of a crystal's ions.
enum class CrystalIons { keep, ignore };

/// What a user may decide otherwise.
struct ChemistryChoices {
  FivePhosphate five_phosphate = FivePhosphate::remove;
  CrystalIons crystal_ions = CrystalIons::keep;
  std::optional<double> pH;          // states of residues at it, by PROPKA; not given: standard ones
  bool replace_nonstandard = false;  // build what a modified residue was made from
  bool allow_missing = false;        // leave residues of chains out that have no charges
};

}  // namespace ionwell
