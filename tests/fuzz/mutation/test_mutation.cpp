// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "fuzz/mutation/mutation.hpp"
#include "fuzz/targets.hpp"
#include "maps/hdf5_handle.hpp"
#include "support/source_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// The seeds of a folder that begin with `mark`.
std::vector<std::string> seeds(const std::string& folder, std::string_view mark) {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() + "/tests/data/fuzz/" + folder))
    if (std::string bytes = read_text(entry.path().string()); bytes.starts_with(mark))
      all.push_back(std::move(bytes));
  std::sort(all.begin(), all.end());
  return all;
}

bool is_opened(const std::string& bytes) {
  const Hdf5Quiet quiet;
  return open_hdf5_image(bytes).valid();
}

using Mutation = std::optional<std::string> (*)(std::string_view bytes, Random& random);

/// Many changed files, each made from the one before; `broken` says what is wrong with what readers made of
/// one.
void check_mutations(const std::vector<std::string>& from, Mutation mutated,
                     const std::function<std::string(std::string_view)>& broken) {
  constexpr int rounds = 40, in_a_row = 4;
  REQUIRE(!from.empty());
  int changed = 0, made = 0;
  Random random(11);
  for (const std::string& seed : from)
    for (int round = 0; round < rounds; ++round) {
      std::string bytes = seed;
      for (int n = 0; n < in_a_row; ++n) {
        std::optional<std::string> next = mutated(bytes, random);
        if (!next) break;
        ++made;
        changed += *next != bytes;
        bytes = std::move(*next);
        CAPTURE(round);
        CHECK(broken(bytes) == "");
      }
    }
  CHECK(made > int(from.size()) * rounds * 2);
  CHECK(changed > made / 2);
}

}  // namespace

// What a fuzzer does, for a moment: without its feedback, and so that it is the same each time.
TEST_CASE("mutation: readers, options and scripts keep what must hold for any bytes, on changed seeds") {
  constexpr int inputs = 400;
  for (const FuzzTarget& target : fuzz_targets) {
    CAPTURE(std::string(target.name));
    const std::vector<std::string> from = seeds(std::string(target.name), "");
    REQUIRE(!from.empty());
    Random random(7);
    for (int n = 0; n < inputs; ++n) {
      const std::string bytes = mutated_bytes(from[std::size_t(n) % from.size()], random);
      CAPTURE(n);
      CHECK(target.broken_invariant(bytes) == "");
    }
  }
}

TEST_CASE("mutation: changed maps and checkpoints in HDF5 are read or refused as they must be") {
  check_mutations(seeds("maps", "\x89HDF"), mutated_hdf5, broken_map_invariant);
  check_mutations(seeds("checkpoints", "\x89HDF"), mutated_hdf5, broken_checkpoint_invariant);
}

TEST_CASE("mutation: changed trajectories and restarts in NetCDF are read or refused as they must be") {
  check_mutations(seeds("amber", "CDF"), mutated_netcdf, broken_amber_invariant);
  Random random(1);
  for (const char* const text : {"", "CDF", "CDF\x09zzzzzzzzzzzzz", "no NetCDF"})
    CHECK_FALSE(mutated_netcdf(text, random));
}

TEST_CASE("HDF5: groups that are in each other without end are refused") {
  const TemporaryFolder folder;
  const auto visited = [&](int deep) {
    const std::string path = folder / "nested.h5";
    {
      const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
      std::string name = "/g";
      for (int n = 0; n < deep; ++n, name += "/g")
        const Hdf5Handle group(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                               H5Gclose);
    }
    const Hdf5Handle file = open_hdf5(path);
    REQUIRE(file.valid());
    for_each_data_set(file, [](const char*) {});
  };
  visited(64);
  CHECK_THROWS_AS(visited(80), UnreadableAttribute);
}

TEST_CASE("mutation: what is changed in HDF5 is opened again, for its checksums are right") {
  for (const std::string& seed : seeds("checkpoints", "\x89HDF")) {
    CHECK(with_hdf5_checksums(seed) == seed);
    Random random(3);
    for (int n = 0; n < 20; ++n) CHECK(is_opened(mutated_hdf5(seed, random).value_or("")));
    // A byte of the superblock that says how far the file goes: without its checksum nothing is opened.
    std::string damaged = seed;
    constexpr std::size_t end_of_file = 28;
    damaged[end_of_file] = char(damaged[end_of_file] - 1);
    CHECK_FALSE(is_opened(damaged));
    CHECK(with_hdf5_checksums(damaged) != damaged);
    damaged[end_of_file] = seed[end_of_file];
    CHECK(with_hdf5_checksums(damaged) == seed);
  }
}
