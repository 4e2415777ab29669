#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"

namespace ionwell {

/// What a file of positions can be, by its ending (.gz behind it packs it): .pdb, .cif (also .mmcif), .gro,
/// .pqr, .crd (CHARMM, extended columns), .rst7 (also .inpcrd), .xyz. Other names and "-" are PDB.
enum class SystemFormat { pdb, mmcif, gro, pqr, charmm_crd, amber_rst7, xyz };

/// Throws UsageError for an ending that promises something else.
SystemFormat system_format(const std::string& path);

/// Whether the ending is one of those above.
bool is_system_name(const std::string& path);

/// The text of a file in this format. Throws Error for names and positions that it has no room for. O(atoms).
std::string system_text(const PlacedSystem& system, SystemFormat format);

/// The bytes of the file of that name: text, packed where the name says so.
std::string system_bytes(const PlacedSystem& system, const std::string& path);

}  // namespace ionwell
