// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace ionwell {

/// Formats without charges, which PDB2PQR reads.
enum class StructureFormat { pdb, mmcif };

/// The command that makes a PQR of the file `path`, ready for a shell. mmCIF goes through PDB: PDB2PQR 3.5.2
/// reads it only with the header that entries of the PDB have.
std::string pdb2pqr_command(const std::string& path, StructureFormat format = StructureFormat::pdb);

/// The same for a file that nobody knows.
inline std::string pdb2pqr_example() {
  return pdb2pqr_command("STRUCTURE.pdb");
}

}  // namespace ionwell
