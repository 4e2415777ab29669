// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"
#include "input/chemistry_row.hpp"
#include "input/entry_rows.hpp"
#include "input/ligand_charges.hpp"
#include "input/read_input.hpp"
#include "programs/pdb2pqr.hpp"

namespace ionwell {

/// In EntryOptions::acts: it is not in the system.
constexpr std::uint8_t ignored_atom = 2;

/// What an entry gets its charges by.
struct EntryOptions {
  ChemistryChoices choices;
  ChargeForceField force_field = ChargeForceField::amber;
  LigandCharges ligands;
  std::function<std::vector<ResiduePka>(const Structure&, const Chemistry&)> predict_pkas;  // at a pH
  EntryWaters waters = EntryWaters::left_out;
  std::vector<std::uint8_t> acts;  // by atom: 1 acts, 0 stays without that, or ignored_atom; empty: all act
};

struct ChargedEntry {
  Structure structure;
  std::string note;
  std::vector<ChemistryRow> rows;
  std::vector<RecordedBond> links;  // between residues, by names
};

/// The table "chemistry" of an entry: what is decided of each residue that is not plain, and what was found
/// of those that nothing is decided of; in the order of the entry, whose `chemistry` is perceive's. Runs
/// nothing, and refuses nothing.
std::vector<ChemistryRow> chemistry_rows(const Structure& entry, const EntryRecords& records,
                                         Chemistry chemistry, const EntryOptions& options);

/// Gives an entry of the PDB charges: perceives its chemistry, decides, sends what PDB2PQR knows to `program`
/// under names that tell it the decisions, and puts the answer in the order of the entry. Residues without
/// charges that do not act are in the result, uncharged. Throws Error, with the remedies, where a residue
/// that acts has no charges or where PDB2PQR lost an atom.
ChargedEntry charge_entry(Structure entry, EntryRecords records, const EntryOptions& options,
                          const std::function<ChargedStructure(const Structure&)>& program);

}  // namespace ionwell
