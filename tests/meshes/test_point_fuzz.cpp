// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/point_invariants.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

TEST_CASE("points: the fuzzer's seeds keep the invariants, also cut and with a byte changed") {
  int seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/points")) {
    const std::string path = entry.path().string();
    CAPTURE(path);
    ++seeds;
    const std::string bytes = read_text(path);
    REQUIRE(!bytes.empty());
    REQUIRE(broken_point_invariant(bytes) == "");
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      CAPTURE(i);
      REQUIRE(broken_point_invariant(bytes.substr(0, i)) == "");
      for (const char c : {'\0', '\n', '9', '-', '\xff'}) {
        std::string changed = bytes;
        changed[i] = c;
        REQUIRE(broken_point_invariant(changed) == "");
      }
    }
  }
  CHECK(seeds >= 9);
}
