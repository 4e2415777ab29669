// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"
#include "files/input_file.hpp"
#include "structures/pdb/assembly.hpp"
#include "structures/pdb/atom_sites.hpp"
#include "structures/pdb/cif_scanner.hpp"

namespace ionwell {

/// Whether text that begins so is an mmCIF file of a structure: not one of a small molecule, of structure
/// factors or of a chemical component.
bool is_mmcif(std::string_view head);

/// The first model of an mmCIF file (PDBx/mmCIF dictionary, wwPDB): the category _atom_site of the first data
/// block that has it, with the names, chains and numbers of the authors (auth_) where there are any.
/// `ends_chain` is set at the end of each polymer. Of alternate locations one is kept. Charges and radii are
/// zero, unless there are columns partial_charge [e] and radius [A], or negative occupancies say that they
/// stand there; formal charges are left alone. Throws Error with `path:line:` for what is no CIF and for
/// numbers that cannot be read, and when there are no atoms. O(bytes), 2 million atoms a second.
Structure read_mmcif(std::string_view text, const std::string& path, const PdbReadOptions& options = {});

/// The same from a file, plain or packed with gzip, piece by piece: memory for the atoms, not for the text.
Structure read_mmcif(InputFile file, const PdbReadOptions& options = {});

/// The same with what the entry says besides its atoms.
struct MmcifFile {
  Structure structure;
  EntryRecords records;
};
MmcifFile read_mmcif_entry(InputFile file, const PdbReadOptions& options = {});

/// The same with occupancies and B-factors, and with all alternate locations.
AtomSites read_mmcif_sites(InputFile file);

/// The biological assemblies of _pdbx_struct_assembly_gen, which may be none. Throws Error for operators that
/// are no rotations or are not there.
std::vector<Assembly> mmcif_assemblies(std::string_view text, const std::string& path);

/// The categories that tell of assemblies, and the same from their tables, which stand in this order.
inline constexpr std::string_view assembly_categories[] = {"_pdbx_struct_assembly_gen.",
                                                           "_pdbx_struct_oper_list."};
std::vector<Assembly> assemblies_of(std::span<const CifTable> tables, const std::string& path);

}  // namespace ionwell
