// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/output_file.hpp"
#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// What a file of positions can be, by its ending (.gz after it packs it): .pdb, .cif (also .mmcif), .gro,
/// .pqr, .crd (CHARMM, extended columns), .rst7 (also .inpcrd), .xyz. Other names and "-" are PDB.
enum class SystemFormat { pdb, mmcif, gro, pqr, charmm_crd, amber_rst7, xyz };

/// Throws UsageError for an ending that promises something else.
SystemFormat system_format(const std::string& path);

/// Whether the ending is one of those above.
bool is_system_name(const std::string& path);

/// How the format is written in pieces.
TextFormat text_format(SystemFormat format);

/// The text of a file in this format. Throws Error for names and positions that it has no room for. O(atoms).
std::string system_text(const PlacedSystem& system, SystemFormat format);

/// What a user has to be told of a file of that name with this cell: that its atoms are rotated with it.
/// Ready to show. Throws as system_format does.
std::vector<std::string> system_warnings(const std::optional<UnitCell>& cell, const std::string& path);

/// The bytes of the file of that name: text, packed where the name says so.
std::string system_bytes(const PlacedSystem& system, const std::string& path);

/// Writes the file in pieces, several at a time, packed where its name says so; `progress` gets the part that
/// is done. Memory for some megabytes a thread, whatever the size of the solvent. Errors as of system_text.
/// 30 million atoms a second on two threads, as long as the disk keeps up.
void write_system(OutputFile& file, const PlacedSystem& system, int threads,
                  const std::function<void(double)>& progress = {});

}  // namespace ionwell
