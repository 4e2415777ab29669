// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"
#include "files/input_file.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/pdb/atom_sites.hpp"

namespace ionwell {

/// What a PDB or mmCIF file holds.
struct EntryFile {
  Structure structure;
  EntryRecords records;
  std::vector<std::string> header_records;  // of a PDB file: pdb_header_records
};

/// Reads a file of that format, pdb or mmcif. Errors as of read_pdb and read_mmcif.
EntryFile read_entry_file(InputFile file, FileFormat format, const PdbReadOptions& options = {});

}  // namespace ionwell
