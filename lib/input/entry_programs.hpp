// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "input/entry_charges.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

/// Those of a command; reads the files of ligands, and selects what acts. Errors as of both.
EntryOptions entry_options(std::span<const Atom> atoms, const InputOptions& options);

/// charge_entry with the programs themselves, PDB2PQR and at a pH PROPKA.
ChargedEntry charge_entry_by_pdb2pqr(Structure entry, EntryRecords records, const InputOptions& options,
                                     const SignalNotes& notes,
                                     const std::function<void(double seconds)>& progress);

/// Throws UsageError for a pH that is none.
void check_entry_options(const InputOptions& options);

/// The first option that is given and only decides about entries without charges; nullptr: none is.
/// Of files of ligands only those count that are not among `of_engine`, which a folder for AMBER or CHARMM
/// has use for.
const char* given_entry_option(const InputOptions& options, std::size_t of_engine);

}  // namespace ionwell
