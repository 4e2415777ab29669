#pragma once

#include <optional>
#include <ostream>
#include <vector>

#include "chemistry/perception/chemistry.hpp"
#include "files/input_file.hpp"

namespace ionwell {

/// The atoms of an entry of the PDB as its file has them, before PDB2PQR leaves anything out, and what they
/// are.
struct PerceivedEntry {
  std::vector<Atom> atoms;
  Chemistry chemistry;
};

/// Whether it is a PDB or mmCIF file.
bool is_entry(InputFile& file);

/// Of a PDB or mmCIF file.
PerceivedEntry perceive_entry(InputFile file);

/// Rows for chains, and for what is not plain, of which ten lines.
void print_chemistry(std::ostream& out, const PerceivedEntry& entry);

}  // namespace ionwell
