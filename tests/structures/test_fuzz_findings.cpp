// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/amber_invariants.hpp"
#include "fuzz/charmm_invariants.hpp"
#include "fuzz/map_invariants.hpp"
#include "fuzz/reader_invariants.hpp"
#include "fuzz/selection_invariants.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

namespace {

/// Every file of a folder must keep the invariant.
template <typename Invariant>
void replay(const std::string& folder, const Invariant& broken) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/" + folder)) {
    const std::string name = entry.path().filename().string(), bytes = read_text(entry.path().string());
    CAPTURE(name);
    CHECK(!bytes.empty());
    CHECK(broken(bytes) == "");
    ++files;
  }
  CHECK(files > 0);
}

}  // namespace

TEST_CASE("what the fuzzer found in structures stays fixed") {
  replay("structures", broken_invariant);
}

TEST_CASE("what the fuzzer found in AMBER's files and mol2 stays fixed") {
  replay("amber", broken_amber_invariant);
}

TEST_CASE("what the fuzzer found in maps stays fixed") {
  replay("maps", broken_map_invariant);
}

TEST_CASE("what the fuzzer found in files of CHARMM and NAMD stays fixed") {
  replay("charmm", broken_charmm_invariant);
}

TEST_CASE("what the fuzzer found in selections stays fixed") {
  replay("selections", broken_selection_invariant);
}
