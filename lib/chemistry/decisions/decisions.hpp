// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/decisions/chemistry_choices.hpp"
#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// What becomes of a residue on its way to charges.
enum class ResidueFate : std::uint8_t {
  sent,       // PDB2PQR gives its charges
  made,       // PDB2PQR gives those of its parent, which are completed
  table,      // the table of residues gives them
  ligand,     // a file of the user gives them
  ion,        // formal
  water,      // none: it is left out
  uncharged,  // none: it does not act
  removed,    // not there any more
  refused     // none, and it would act
};

/// How PDB2PQR gets a residue, and what is made of its answer.
struct ResiduePlan {
  ResidueFate fate = ResidueFate::sent;
  Label sent_as;             // its name there; empty: that of the file
  bool is_replaced = false;  // it becomes `parent`, or what it is sent as
  const ResidueTemplate* parent =
      nullptr;                            // of `made` and replaced residues, with the ends that PDB2PQR makes
  const ResidueTemplate* goal = nullptr;  // what a `made` residue is in the end
  bool loses_phosphate = false;           // P and its oxygens
  bool is_replaceable = false;            // of a refused one: what it was made from can be built
  std::vector<Label> lacks;  // heavy atoms without which it has no charges: it is refused, or removed
  std::uint32_t same_place_as = nothing;  // the residue before it that it lies on: it is refused, or removed
};

/// One row of the table "chemistry".
struct ChemistryDecision {
  std::uint32_t residue = 0;
  std::string what, why;
  std::string otherwise;  // the option that decides otherwise; empty: none does
};

struct ChemistryDecisions {
  std::vector<ResiduePlan> plans;       // by residue
  std::vector<ChemistryDecision> rows;  // by residue, ascending
};

/// A pKa that PROPKA predicts.
struct ResiduePka {
  std::uint32_t residue = 0;
  Label group;  // the residue's name, or N+ and C- for the ends of a chain
  double pka = 0.0;
};

/// An end of a protein at a gap that could not be capped, and why.
struct ChargedGapEnd {
  std::uint32_t residue = 0;
  bool is_last = false;  // of its piece: NME would follow
  std::string why;
};

/// What is known of a residue besides its chemistry.
struct ResidueUse {
  std::function<bool(std::uint32_t residue)> acts;             // not ignored, and part of the solute
  std::function<bool(std::uint32_t residue)> is_ignored = {};  // empty: what does not act
  std::function<bool(std::string_view name)> has_charges;      // a file of the user gives them
  std::span<const ResiduePka> pkas = {};                       // where a pH is chosen
  std::span<const ChargedGapEnd> charged_ends = {};            // where gaps are capped
  // Whether the force field has ASH, GLH, LYN or CYM, within a chain or at an end of one; empty: always.
  std::function<bool(std::string_view state, bool is_at_end)> has_state = {};
  bool uses_libraries = true;  // AMBER's charges of modified residues fit the force field

  bool ignores(std::uint32_t residue) const { return is_ignored ? is_ignored(residue) : !acts(residue); }
};

/// "ASH", or at an end of a chain "ASH at an end of a chain": what a force field may lack.
std::string state_there(std::string_view state, bool is_at_end);

/// Decides for each residue of a structure without charges. O(residues).
ChemistryDecisions decide(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const EntryRecords& records, const ChemistryChoices& choices,
                          const ResidueUse& use);

/// What the table says of a residue that is refused.
ChemistryDecision refusal_row(std::span<const Atom> atoms, const Chemistry& chemistry,
                              const ChemistryDecisions& decisions, std::uint32_t residue);

/// Throws Error for residues that have no charges, have too few atoms or lie on others, and names the
/// remedies.
void refuse_residues(const std::string& path, std::span<const Atom> atoms, const Chemistry& chemistry,
                     const ChemistryDecisions& decisions);

}  // namespace ionwell
