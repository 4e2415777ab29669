// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

#include "compute/checkpoint/checkpoint_file.hpp"
#include "compute/checkpoint/fingerprint.hpp"
#include "maps/hdf5_handle.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const RunIdentity place_run = {
    {"command", "place"}, {"version", "0.1.0"}, {"--ion", "MG:2"}, {"--spacing", "1"}};

SavedState small_state() {
  SavedState state;
  state.put("energies", std::vector{-0.1, 1e-310, -0.0, double(INFINITY), std::nan("")});
  state.put("potential", std::vector<float>(300, 1.5f));
  state.put("points", std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), -1, 0, 1});
  state.put("none", std::vector<double>{});
  return state;
}

void write_file_of(const std::string& path, const SavedState& state,
                   const RunIdentity& identity = place_run) {
  OutputFile file(path);
  write_checkpoint(file, identity, state);
  file.commit();
}

/// Bits, for a NaN is not what it is.
std::vector<std::int64_t> bits_of(const SavedState& state) {
  std::vector<std::int64_t> bits;
  for (const auto& [name, array] : state.arrays()) {
    for (const char letter : name) bits.push_back(letter);
    bits.push_back(std::int64_t(array.index()));
    std::visit(
        [&](const auto& values) {
          for (const auto value : values)
            if constexpr (std::is_same_v<decltype(value), const std::int64_t>)
              bits.push_back(value);
            else
              bits.push_back(std::bit_cast<std::int64_t>(double(value)));
        },
        array);
  }
  return bits;
}

std::string refusal(const std::string& path, const RunIdentity& identity) {
  return error_of([&] { read_checkpoint(path, identity); });
}

}  // namespace

TEST_CASE("checkpoint file: every bit comes back") {
  const TemporaryFolder folder;
  write_file_of(folder / "run.state", small_state());
  CHECK(bits_of(read_checkpoint(folder / "run.state", place_run)) == bits_of(small_state()));
  CHECK(folder.entries() == std::vector<std::string>{"run.state"});
}

TEST_CASE("checkpoint file: of another run it is refused, and what differs is named") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state",
                    way_out = "; give the checkpoint of this run, or start again without --resume",
                    what = path + ": is the checkpoint of another run: ";
  write_file_of(path, small_state());
  RunIdentity other = place_run;
  other[3].second = "0.5";
  CHECK(refusal(path, other) ==
        what + "that was with --spacing 1, and this run is with --spacing 0.5" + way_out);
  other = place_run;
  other[1].second = "0.2.0";
  CHECK(refusal(path, other) ==
        what + "that was with version 0.1.0, and this run is with version 0.2.0" + way_out);
  other = place_run;
  other.erase(other.begin() + 2);
  CHECK(refusal(path, other) == what + "that was with --ion MG:2, and this run is without --ion" + way_out);
  other = place_run;
  other.pop_back();
  CHECK(refusal(path, other) ==
        what + "that was with --spacing 1, and this run is without --spacing" + way_out);
  other = place_run;
  other.emplace_back("--threads", "3");
  CHECK(refusal(path, other) ==
        what + "that was without --threads, and this run is with --threads 3" + way_out);
  other = place_run;
  other.insert(other.begin() + 2, {"--ddd", "3"});
  CHECK(refusal(path, other) == what + "that was without --ddd, and this run is with --ddd 3" + way_out);
}

TEST_CASE("checkpoint file: what is none, or none of this version, is refused") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  write_text(path, "HETATM    1 MG    MG I   1\n");
  CHECK(refusal(path, place_run).find("run.state: is not an HDF5 file, or is truncated or damaged; ") !=
        std::string::npos);
  std::filesystem::remove(path);
  CHECK(refusal(path, place_run).find("run.state: ") != std::string::npos);
  {
    const Hdf5Handle root(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    REQUIRE(root.valid());
  }
  CHECK(refusal(path, place_run).find("is an HDF5 file, but not a checkpoint of this version; ") !=
        std::string::npos);
  {
    const Hdf5Handle root(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    REQUIRE(set_attribute(root, "ionwell_checkpoint", std::uint32_t{99}));
  }
  CHECK(refusal(path, place_run).find("is an HDF5 file, but not a checkpoint of this version; ") !=
        std::string::npos);
}

TEST_CASE("checkpoint file: cut anywhere, or with a byte changed, it is refused or what it was") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state", broken = folder / "broken.state";
  write_file_of(path, small_state());
  const std::string bytes = read_text(path);
  const std::vector<std::int64_t> expected = bits_of(small_state());
  std::size_t refused = 0;
  const auto check = [&](const std::string& changed) {
    write_text(broken, changed);
    std::vector<std::int64_t> found;
    const std::string message = error_of([&] { found = bits_of(read_checkpoint(broken, place_run)); });
    if (message == "no error") {
      CHECK(found == expected);
    } else {
      ++refused;
      CHECK(message.starts_with(broken + ": "));
    }
  };
  for (std::size_t size = 0; size < bytes.size(); size += 13) check(bytes.substr(0, size));
  CHECK(refused > bytes.size() / 13 - 2);  // all, but for bytes that the last block has no use for
  refused = 0;
  for (std::size_t n = 0; n < bytes.size(); n += 3) {
    std::string changed = bytes;
    changed[n] = char(changed[n] ^ (1 << n % 8));
    check(changed);
  }
  CHECK(refused > 0);
}

TEST_CASE("checkpoint file: an array that claims more than the file can have takes no memory") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  write_file_of(path, SavedState{});
  {
    const Hdf5Handle root(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hsize_t size = hsize_t{1} << 50, chunk = 1024;
    const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose),
        settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(settings, 1, &chunk);
    const Hdf5Handle set(H5Dcreate2(root, "huge", H5T_IEEE_F64LE, space, H5P_DEFAULT, settings, H5P_DEFAULT),
                         H5Dclose);
    REQUIRE(set.valid());
  }
  CHECK(refusal(path, place_run).find("run.state: is truncated or damaged; ") != std::string::npos);
}

TEST_CASE("fingerprint: the published values of FNV-1a, and other ones for any other atom") {
  const auto of = [](std::string_view text) {
    Fingerprint fingerprint;
    fingerprint.add(text);
    return fingerprint.text();
  };
  CHECK(of("") == "cbf29ce484222325");
  CHECK(of("a") == "af63dc4c8601ec8c");
  CHECK(of("foobar") == "85944171f73967e8");
  std::vector<Atom> atoms(2);
  atoms[0].name = "P";
  const std::string before = fingerprint_of(atoms);
  CHECK(fingerprint_of(atoms) == before);
  atoms[1].charge_e = 1e-12;
  CHECK(fingerprint_of(atoms) != before);
  atoms[1].charge_e = 0.0;
  atoms[0].name = "";
  atoms[0].residue = "P";
  CHECK(fingerprint_of(atoms) != before);
}

TEST_CASE("fingerprint: all that is known of an atom, and a cell's vectors and kind, change it") {
  const Atom atom{.name = "N",
                  .residue = "ALA",
                  .chain = "A",
                  .segment = "PROA",
                  .residue_number = 12,
                  .element = "N",
                  .insertion_code = 'B'};
  std::vector<Atom> others(11, atom);
  others[0].position_A.z = 1e-3;
  others[1].charge_e = 0.1;
  others[2].radius_A = 1.5;
  others[3].name = "NA";
  others[4].residue = "GLY";
  others[5].chain = "B";
  others[6].segment = "PROB";
  others[7].residue_number = 13;
  others[8].element = "C";
  others[9].insertion_code = ' ';
  others[10].ends_chain = true;
  for (const Atom& other : others)
    CHECK(fingerprint_of(std::span(&other, 1)) != fingerprint_of(std::span(&atom, 1)));

  const UnitCell cell = unit_cell({{40, 40, 40}}, CellKind::simulation);
  UnitCell crystal = cell, longer = cell, skewed = cell;
  crystal.kind = CellKind::crystal;
  longer.c.z = 41;
  skewed.b.x = 1;
  for (const UnitCell& other : {crystal, longer, skewed})
    CHECK(fingerprint_of(other) != fingerprint_of(cell));
}
