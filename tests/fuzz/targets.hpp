// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "fuzz/amber_invariants.hpp"
#include "fuzz/charmm_invariants.hpp"
#include "fuzz/checkpoint_invariants.hpp"
#include "fuzz/gromacs_invariants.hpp"
#include "fuzz/map_invariants.hpp"
#include "fuzz/pdb_invariants.hpp"
#include "fuzz/point_invariants.hpp"
#include "fuzz/reader_invariants.hpp"
#include "fuzz/script_invariants.hpp"
#include "fuzz/selection_invariants.hpp"

namespace ionwell::test {

/// What must hold for any bytes at all, by the name of the folder of seeds in tests/data/fuzz.
struct FuzzTarget {
  std::string_view name;
  std::string (*broken_invariant)(std::string_view bytes);
};
constexpr std::array<FuzzTarget, 11> fuzz_targets = {{{"amber", broken_amber_invariant},
                                                      {"charmm", broken_charmm_invariant},
                                                      {"checkpoints", broken_checkpoint_invariant},
                                                      {"gromacs", broken_gromacs_invariant},
                                                      {"maps", broken_map_invariant},
                                                      {"pdb", broken_pdb_invariant},
                                                      {"points", broken_point_invariant},
                                                      {"scripts", broken_script_invariant},
                                                      {"selections", broken_selection_invariant},
                                                      {"states", broken_state_invariant},
                                                      {"structures", broken_invariant}}};

}  // namespace ionwell::test
