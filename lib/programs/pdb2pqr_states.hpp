// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "programs/pdb2pqr.hpp"

namespace ionwell {

/// Whether PDB2PQR 3.5.2 gives charges to an amino acid in the state ASH, GLH, LYN or CYM, within a chain or
/// at one of its ends. Of all other names it is true.
bool has_state(ChargeForceField force_field, std::string_view state, bool is_at_end);

}  // namespace ionwell
