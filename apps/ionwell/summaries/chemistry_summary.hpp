// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "chemistry/perception/chemistry.hpp"
#include "chemistry/perception/entry_records.hpp"
#include "files/input_file.hpp"
#include "input/entry_file.hpp"
#include "input/read_input.hpp"

namespace ionwell {

/// An entry of the PDB as its file has it, before PDB2PQR leaves anything out, and what its atoms are.
struct PerceivedEntry : EntryFile {
  Chemistry chemistry;
};

/// Whether it is a PDB or mmCIF file.
bool is_entry(InputFile& file);

/// Of a PDB or mmCIF file.
PerceivedEntry perceive_entry(InputFile file);

/// What these options decide of it; runs no other program.
std::vector<ChemistryRow> decided_rows(const PerceivedEntry& entry, const InputOptions& options);

/// The table "chemistry" of an entry: its chains, then ten rows of what is not plain, and how many more there
/// are.
void print_chemistry(std::ostream& out, const PerceivedEntry& entry, std::span<const ChemistryRow> rows);

/// The table "chemistry" of a run: ten rows, and how many more there are. Nothing where there are none.
void print_decisions(std::ostream& out, std::span<const ChemistryRow> rows);

}  // namespace ionwell
