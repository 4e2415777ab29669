// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/gromacs_invariants.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

TEST_CASE("what the fuzzer found in GROMACS's files stays fixed, and every seed cut and changed") {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/gromacs")) {
    const std::string name = entry.path().filename().string(), bytes = read_text(entry.path().string());
    CAPTURE(name);
    CHECK(!bytes.empty());
    CHECK(broken_gromacs_invariant(bytes) == "");
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
      CAPTURE(at);
      CHECK(broken_gromacs_invariant(bytes.substr(0, at)) == "");
      std::string changed = bytes;
      changed[at] = char(changed[at] ^ (1 << at % 8));
      CHECK(broken_gromacs_invariant(changed) == "");
    }
    ++files;
  }
  CHECK(files > 0);
}
