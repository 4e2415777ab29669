// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"

namespace ionwell::test {

/// An entry in PDB format, read by plain code of the tests: its first model, and of alternate locations the
/// first in each residue.
struct EntryFile {
  std::vector<Atom> atoms;
  EntryRecords records;
};

/// Perhaps compressed by gzip.
EntryFile read_entry_file(const std::string& path);

EntryFile read_entry_text(const std::string& text);

}  // namespace ionwell::test
