// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/pdb_invariants.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

namespace {

/// The seeds of the fuzzer, by name.
std::vector<std::string> seeds() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/pdb"))
    paths.push_back(entry.path().string());
  return paths;
}

}  // namespace

TEST_CASE("PDB and mmCIF: the fuzzer's seeds keep the invariants, also cut and with a byte changed") {
  CHECK(seeds().size() >= 4);
  for (const std::string& path : seeds()) {
    CAPTURE(path);
    const std::string bytes = read_text(path);
    REQUIRE(!bytes.empty());
    CHECK(broken_pdb_invariant(bytes) == "");
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      CAPTURE(i);
      REQUIRE(broken_pdb_invariant(bytes.substr(0, i)) == "");
      for (const char c : {'\0', '\n', '9', '(', '\'', '\xff'}) {
        std::string changed = bytes;
        changed[i] = c;
        REQUIRE(broken_pdb_invariant(changed) == "");
      }
    }
  }
}
