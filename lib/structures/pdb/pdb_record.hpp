// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/structure.hpp"
#include "structures/pdb/atom_sites.hpp"

namespace ionwell {

/// An ATOM or HETATM record.
struct PdbRecord {
  Atom atom;
  SiteDetails details;
  bool is_numbered = true;  // the residue number is a number
};

/// Reads one by its columns; `path` and `number`, the line's, are for messages. Throws Error for coordinates
/// that are not numbers an atom can have, and for a record without a name.
PdbRecord read_pdb_record(std::string_view line, const std::string& path, std::int64_t number);

}  // namespace ionwell
