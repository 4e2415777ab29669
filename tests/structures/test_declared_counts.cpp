// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>
#include <functional>

#include "core/available_memory.hpp"
#include "fuzz/amber_invariants.hpp"
#include "fuzz/charmm_invariants.hpp"
#include "fuzz/gromacs_invariants.hpp"
#include "fuzz/map_invariants.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

// A file of a kilobyte that announces more atoms, frames, points or bytes than there can be.
using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Announced {
  const char *folder, *ending;
  std::function<std::string(std::string_view)> broken;
};

const Announced files[] = {
    {"charmm", ".dcd", broken_charmm_invariant},   {"gromacs", ".xtc", broken_gromacs_invariant},
    {"gromacs", ".trr", broken_gromacs_invariant}, {"amber", ".nc", broken_amber_invariant},
    {"amber", ".ncrst", broken_amber_invariant},   {"maps", ".ccp4", broken_map_invariant},
    {"maps", ".dxbin", broken_map_invariant}};

std::string with_word(std::string bytes, std::size_t at, std::uint32_t word, bool big_endian) {
  for (std::size_t n = 0; n < 4; ++n) bytes[at + n] = char(word >> (8 * (big_endian ? 3 - n : n)));
  return bytes;
}

}  // namespace

TEST_CASE("limits: a count beyond the file, anywhere in a header, is refused without the memory for it") {
  constexpr std::size_t header_bytes = 320;
  constexpr std::int64_t most_memory = std::int64_t{256} << 20;
  for (const Announced& file : files) {
    int changed = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/" + file.folder)) {
      if (entry.path().extension() != file.ending) continue;
      const std::string seed = read_text(entry.path().string());
      CHECK(file.broken(seed) == "");
      const std::int64_t before = peak_memory_bytes();
      for (std::size_t at = 0; at + 4 <= std::min(seed.size(), header_bytes); at += 4)
        for (const std::uint32_t word : {0x7fffffffu, 0x10000000u})
          for (const bool big_endian : {false, true}) {
            CAPTURE(at);
            CHECK(file.broken(with_word(seed, at, word, big_endian)) == "");
            ++changed;
          }
      CHECK(peak_memory_bytes() - before < most_memory);
    }
    CAPTURE(std::string(file.ending));
    CHECK(changed > 0);
  }
}
