// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_file.hpp"

#include <utility>

#include "chemistry/pdb_records.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/pdb/pdb_reader.hpp"

namespace ionwell {

EntryFile read_entry_file(InputFile file, FileFormat format, const PdbReadOptions& options) {
  if (format == FileFormat::mmcif) {
    MmcifFile read = read_mmcif_entry(std::move(file), options);
    return {std::move(read.structure), std::move(read.records), {}};
  }
  if (options.assembly.empty()) {
    PdbFile read = read_pdb(std::move(file));
    return {std::move(read.structure), std::move(read.records), std::move(read.header_records)};
  }
  const std::string path = file.name();
  const FileBytes bytes = read_input_file(std::move(file));
  EntryFile read{read_pdb(bytes.text(), path, options), {}, pdb_header_records(bytes.text())};
  read.records = pdb_entry_records(read.header_records);
  return read;
}

}  // namespace ionwell
