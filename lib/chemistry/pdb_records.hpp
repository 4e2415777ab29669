// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "chemistry/perception/entry_records.hpp"

namespace ionwell {

/// SSBOND, LINK, MODRES, SEQRES and REMARK 465 and 375 of a PDB file (format 3.3, wwPDB), by their columns;
/// other lines are left out. A record whose numbers cannot be read is left out, too: it says nothing that the
/// atoms do not.
EntryRecords pdb_entry_records(std::span<const std::string> lines);

}  // namespace ionwell
