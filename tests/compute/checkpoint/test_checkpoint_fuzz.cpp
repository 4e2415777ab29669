// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/checkpoint_invariants.hpp"
#include "sampling/random_stream.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("checkpoint: the fuzzer's seeds keep the invariants, also cut and with a byte changed") {
  int seeds = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/checkpoints")) {
    const std::string path = entry.path().string();
    CAPTURE(path);
    ++seeds;
    const std::string bytes = read_text(path);
    REQUIRE(broken_checkpoint_invariant(bytes) == "");
    for (std::size_t i = 0; i < bytes.size(); i += 37) {
      CAPTURE(i);
      REQUIRE(broken_checkpoint_invariant(bytes.substr(0, i)) == "");
      std::string changed = bytes;
      changed[i] = char(~changed[i]);
      REQUIRE(broken_checkpoint_invariant(changed) == "");
    }
  }
  CHECK(seeds >= 1);
}

TEST_CASE("checkpoint: changed states that the fuzzer found are refused, or gone on from") {
  int findings = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/states")) {
    const std::string path = entry.path().string();
    CAPTURE(path);
    CHECK(broken_state_invariant(read_text(path)) == "");
    ++findings;
  }
  CHECK(findings >= 3);
}

TEST_CASE("checkpoint: a sample's state with any of its first numbers changed is refused or gone on from") {
  for (const int method : {0, 1})
    for (int array = 0; array < 12; ++array)
      for (int at = 0; at < 12; ++at)
        for (const int value : {0, 1, 2}) {
          CAPTURE(array);
          CAPTURE(at);
          CAPTURE(value);
          std::string change(13, '\0');  // see changed_state: the method, the array, what, where, the value
          change[0] = char(method);
          change[1] = char(array);
          change[3] = char(at);
          change[5] = char(value);
          REQUIRE(broken_state_invariant(change) == "");
        }
}

TEST_CASE("checkpoint: states changed at random are refused or gone on from") {
  RandomStream random(11, 1);
  for (int n = 0; n < 2000; ++n) {
    CAPTURE(n);
    std::string bytes(13, '\0');
    for (char& byte : bytes) byte = char(random.uniform() * 256.0);
    REQUIRE(broken_state_invariant(bytes) == "");
  }
}
