// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "input/read_input.hpp"
#include "python/keywords.hpp"

namespace ionwell::python {

/// Those that decide about an entry of the PDB: ligands, ph, five_phosphate, crystal_ions, gap_ends,
/// replace_nonstandard and allow_missing.
void read_chemistry(const Keywords& keywords, InputOptions& options);

}  // namespace ionwell::python
