#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// Whether a structure has copies of atoms that are meant (Topology::has_copies).
enum class AtomCopies { none, on_purpose };

/// Throws Error when all charges are zero; adds a warning for rounded charges or else a net charge that is
/// not an integer, for atoms on top of each other and for alternate locations, unless copies are meant.
/// O(atoms).
void check_structure(Structure& structure, AtomCopies copies = AtomCopies::none);

}  // namespace ionwell
