// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"
#include "files/input_file.hpp"
#include "structures/pdb/assembly.hpp"
#include "structures/pdb/atom_sites.hpp"

namespace ionwell {

/// Whether a file's name says that it is a PDB file (.pdb, .ent).
enum class NameEnding { pdb, other };

/// Whether text that begins so is a PDB file: its atoms have three coordinates in their columns and then
/// occupancy and B-factor, or nothing; coordinates with two or four decimals only where there is an element
/// or the name says so. A PQR in the same columns has other decimals; where it has the same, an element,
/// numbers that cannot be charges and radii, or else the name decide.
bool is_pdb(std::string_view head, NameEnding ending = NameEnding::other);

/// The first model of a PDB file (format 3.3, wwPDB), by its columns: also with segments in 73-76, residue
/// names of four letters or chains of two, residue numbers of five digits or in hybrid-36, serial numbers in
/// any notation, for they are not needed. `ends_chain` is set at TER. Charges and radii are zero unless they
/// stand in place of occupancy and B-factor. Of alternate locations one is kept. Throws Error with
/// `path:line:` for a record whose numbers cannot be read, and when there are no atoms. O(bytes), 3 million
/// atoms a second.
Structure read_pdb(std::string_view text, const std::string& path, const PdbReadOptions& options = {});

/// The same of a file, plain or packed with gzip, piece by piece: memory for the atoms, not for the text.
struct PdbFile {
  Structure structure;
  std::vector<std::string> header_records;  // pdb_header_records
  EntryRecords records;                     // those, and CONECT
};
PdbFile read_pdb(InputFile file);

/// The biological assemblies of REMARK 350, which may be none. Throws Error for operators that are no
/// rotations.
std::vector<Assembly> pdb_assemblies(std::string_view text, const std::string& path);

}  // namespace ionwell
