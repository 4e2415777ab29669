#pragma once

#include <ostream>
#include <string>

namespace ionwell {

/// Rows for the chemistry of an entry of the PDB, as its file has it, before PDB2PQR leaves anything out:
/// chains, and what is not plain, of which ten lines. Nothing for files of other formats. Reads the file, so
/// it must not be a pipe.
void print_chemistry(std::ostream& out, const std::string& path);

}  // namespace ionwell
