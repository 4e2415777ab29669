// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/mutation/mutation.hpp"
#include "fuzz/targets.hpp"

namespace {

using namespace ionwell::test;

const FuzzTarget* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  const std::string_view path = (*argv)[0], name = path.substr(path.rfind('/') + 1);
  for (const FuzzTarget& each : fuzz_targets)
    if (name == "fuzz_" + std::string(each.name)) target = &each;
  if (target != nullptr) return 0;
  std::fputs("start one of the links to this program: fuzz_structures, fuzz_maps ...\n", stderr);
  std::exit(1);
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  Random random(seed);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_hdf5 = bytes.starts_with("\x89HDF"), is_netcdf = bytes.starts_with("CDF");
  // Bytes whose checksums are repaired mostly show what HDF5 itself does with them: now and then that will
  // do.
  const std::size_t what = is_hdf5 || is_netcdf ? one_of(random, 256) : 255;
  std::optional<std::string> changed;
  if (what < 128) {
    changed = is_hdf5 ? mutated_hdf5(bytes, random) : mutated_netcdf(bytes, random);
  } else if (what == 128 && is_hdf5) {
    const std::size_t now = LLVMFuzzerMutate(data, size, most);
    changed = with_hdf5_checksums({reinterpret_cast<const char*>(data), now});
  }
  if (!changed || changed->size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(changed->begin(), changed->end(), data);
  return changed->size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string problem = target->broken_invariant({reinterpret_cast<const char*>(data), size});
  if (problem.empty()) return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
