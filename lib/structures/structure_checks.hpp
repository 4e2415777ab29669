// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// Throws Error when all charges are zero, for there is no potential then. O(atoms).
void require_charges(const Structure& structure);

/// What charges of zero are: no error for salt at random places, and for ions that move.
enum class ZeroCharges { refused, warned };

/// Whether a structure has copies of atoms that are meant (Topology::has_copies).
enum class AtomCopies { none, on_purpose };

/// What the decimals of charges are known to be: those of the file that gave them, or three, as VMD writes
/// them. Then a net charge may miss an integer by as much as half of the last one for each atom.
enum class ChargeDecimals { of_file, rounded_by_vmd };

/// What is known of a structure that would otherwise be a reason for a warning or an error.
struct StructureChecks {
  AtomCopies copies = AtomCopies::none;
  ChargeDecimals decimals = ChargeDecimals::of_file;
  ZeroCharges zero_charges = ZeroCharges::refused;
};

/// Throws as require_charges does, unless that is a warning; adds a warning for rounded charges or else a net
/// charge that is not an integer, for atoms on top of each other, but not for Drude particles or where copies
/// are meant, and for alternate locations. O(atoms).
void check_structure(Structure& structure, const StructureChecks& checks = {});

}  // namespace ionwell
