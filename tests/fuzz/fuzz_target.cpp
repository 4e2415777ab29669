#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

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

/// Entry point of libFuzzer: any bytes at all. IONWELL_INVARIANT names what must hold for them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string problem = ionwell::test::IONWELL_INVARIANT({reinterpret_cast<const char*>(data), size});
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
