#pragma once

#include <string>

namespace ionwell {

/// The command that makes a PQR of the PDB or mmCIF file `path`, ready for a shell.
std::string pdb2pqr_command(const std::string& path);

/// The same for a file that nobody knows.
inline std::string pdb2pqr_example() {
  return pdb2pqr_command("STRUCTURE.pdb");
}

}  // namespace ionwell
