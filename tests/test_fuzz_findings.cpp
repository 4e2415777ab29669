#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/reader_invariants.hpp"

using namespace ionwell::test;

TEST_CASE("what the fuzzer found stays fixed") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(IONWELL_SOURCE_DIR "/tests/data/fuzz")) {
    if (entry.path().extension() == ".md") continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    CHECK(!bytes.empty());
    CHECK(broken_invariant(bytes) == "");
    ++files;
  }
  CHECK(files > 0);
}
