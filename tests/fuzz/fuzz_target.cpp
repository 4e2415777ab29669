#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
#include "fuzz/report_invariants.hpp"
#include "fuzz/script_invariants.hpp"
#include "fuzz/selection_invariants.hpp"

namespace {

using namespace ionwell::test;

/// What must hold for any bytes at all, by the name of the program.
struct Target {
  std::string_view name;
  std::string (*broken_invariant)(std::string_view bytes);
};
constexpr std::array<Target, 12> targets = {{{"fuzz_amber", broken_amber_invariant},
                                             {"fuzz_charmm", broken_charmm_invariant},
                                             {"fuzz_checkpoints", broken_checkpoint_invariant},
                                             {"fuzz_gromacs", broken_gromacs_invariant},
                                             {"fuzz_maps", broken_map_invariant},
                                             {"fuzz_pdb", broken_pdb_invariant},
                                             {"fuzz_points", broken_point_invariant},
                                             {"fuzz_reports", broken_report_invariant},
                                             {"fuzz_scripts", broken_script_invariant},
                                             {"fuzz_selections", broken_selection_invariant},
                                             {"fuzz_states", broken_state_invariant},
                                             {"fuzz_structures", broken_invariant}}};
const Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  const std::string_view path = (*argv)[0], name = path.substr(path.rfind('/') + 1);
  for (const Target& each : targets)
    if (each.name == name) target = &each;
  if (target != nullptr) return 0;
  std::fputs("start one of the links to this program: fuzz_structures, fuzz_maps ...\n", stderr);
  std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string problem = target->broken_invariant({reinterpret_cast<const char*>(data), size});
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
