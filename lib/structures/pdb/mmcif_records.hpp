// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "chemistry/perception/entry_records.hpp"
#include "structures/pdb/cif_scanner.hpp"

namespace ionwell {

/// The categories that have what SSBOND, LINK, MODRES, SEQRES and REMARK 465 and 375 have in a PDB file.
inline constexpr std::array<std::string_view, 7> record_categories = {
    "_struct_conn.", "_pdbx_struct_mod_residue.", "_pdbx_unobs_or_zero_occ_residues.", "_entity_poly_seq.",
    "_entity_poly.", "_pdbx_poly_seq_scheme.",    "_pdbx_struct_special_symmetry."};

/// The same records from the tables of these categories, which stand in this order. A row whose numbers
/// cannot be read is left out: it says nothing that the atoms do not.
EntryRecords mmcif_entry_records(std::span<const CifTable> tables);

}  // namespace ionwell
