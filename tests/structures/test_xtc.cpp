// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "structures/gromacs/packed_coordinates.hpp"
#include "structures/gromacs/trr.hpp"
#include "structures/gromacs/xtc.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string bytes_of_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) bytes += char(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return bytes;
}

/// Four waters in a rhombic dodecahedron, of GROMACS 2022.5: gmx trjconv -n waters.ndx -dump 0 -o waters.xtc
const std::string waters = bytes_of_hex(
    "000007cb0000000c000000000000000040dd65aa00000000000000000000000040dd65aa00000000405d65aa405d65aa409c8d26"
    "0000000c447a000000000013000000e60000001900001afb00000551000004b600000015000000327416db10210c85ad0922b026"
    "9d102210cfd2122743045a9fba2a69fc08008827e55896937bb13bdb7f58909a8a0f66a75a1c0000");
/// And what gmx dump -f says of it, in pm.
constexpr Vec3<double> waters_pm[] = {{230, 628, 113},   {140, 624, 145},   {227, 590, 25},
                                      {225, 275, 996},   {255, 256, 1085},  {141, 230, 989},
                                      {19, 368, 647},    {6857, 407, 682},  {6907, 299, 588},
                                      {569, 1275, 1165}, {480, 1272, 1131}, {576, 1361, 1206}};
constexpr std::size_t length_at = 4 * (14 + 8);  // of the length of the packed coordinates

template <typename T>
std::string xdr(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (std::endian::native == std::endian::little) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// The frame as GROMACS 2023 writes very large ones.
std::string with_long_length(std::string frame) {
  frame.replace(0, 4, xdr(2023));
  return frame.insert(length_at, 4, '\0');
}

template <typename T>
std::string xdr_all(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) bytes += xdr(value);
  return bytes;
}

std::string xtc_header(int atoms) {
  return xdr_all({1995, atoms, 7}) + xdr(0.5f) + xdr_all({2.0f, 0.f, 0.f, 0.f, 3.0f, 0.f, 0.f, 0.f, 4.0f}) +
         xdr(atoms);
}

/// A frame without compression, as the format has it up to nine atoms.
std::string few_atoms(float x) {
  return xtc_header(2) + xdr_all({x, -0.25f, 0.5f, 1.0f, 2.0f, 3.0f});
}

std::string xtc_error(const std::string& bytes, std::int64_t frame = 1) {
  return error_of([&] { read_xtc(bytes, "x.xtc", {frame}); });
}

/// Bits, the highest of each byte first.
class BitWriter {
 public:
  void add(std::uint32_t value, int bits) {
    for (int bit = bits - 1; bit >= 0; --bit, ++count_) {
      if (count_ % 8 == 0) bytes_ += '\0';
      if (value >> bit & 1) bytes_.back() = char(bytes_.back() | (128 >> count_ % 8));
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  int count_ = 0;
};

}  // namespace

TEST_CASE("XTC: compressed waters of GROMACS, with both lengths") {
  for (const std::string& bytes : {waters, with_long_length(waters)}) {
    CHECK(is_xtc(bytes));
    const Coordinates c = read_xtc(bytes, "x.xtc");
    REQUIRE(c.positions_A.size() == std::size(waters_pm));
    for (std::size_t i = 0; i < c.positions_A.size(); ++i) {
      CAPTURE(i);
      // of doubles: the file has whole picometres
      CHECK(distance_squared(c.positions_A[i], 0.01 * waters_pm[i]) < 1e-24);
    }
    CHECK(c.frames == 1);
    CHECK(c.labels.empty());
    CHECK(c.warnings.empty());
    REQUIRE(c.cell);
    CHECK(std::abs(lengths_A(*c.cell).z - 69.1866) < 1e-3);
    CHECK(std::abs(angles_deg(*c.cell).x - 60.0) < 1e-3);
  }
}

TEST_CASE("XTC: few atoms, frames, and files that are cut") {
  const std::string bytes = few_atoms(0.125f) + waters + few_atoms(0.375f);
  CHECK(read_xtc(bytes, "x.xtc").frames == 3);
  CHECK(read_xtc(bytes, "x.xtc").positions_A.at(0) == Vec3<double>{1.25, -2.5, 5.0});
  CHECK(read_xtc(bytes, "x.xtc", {2}).positions_A.size() == 12);
  CHECK(read_xtc(bytes, "x.xtc", {-1}).positions_A.at(0).x == 3.75);
  CHECK(lengths_A(*read_xtc(bytes, "x.xtc").cell) == Vec3<double>{20.0, 30.0, 40.0});
  CHECK(xtc_error(bytes, 4) ==
        "x.xtc: frame 4 is not among its 3 frames; frames are counted from 1, and from -1 backwards");
  const std::string first = few_atoms(0.125f);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::string cut = bytes.substr(0, size);
    const std::int64_t complete = (size >= first.size()) + (size >= first.size() + waters.size());
    if (complete == 0) {
      CHECK(xtc_error(cut) ==
            "x.xtc: has no complete XTC frame at its beginning; copy it again, or run again");
    } else {
      const Coordinates c = read_xtc(cut, "x.xtc", {-1});
      CHECK(c.frames == complete);
      CHECK(c.warnings.size() == (size == first.size() || size == first.size() + waters.size() ? 0 : 1));
    }
  }
}

TEST_CASE("XTC: headers that lie") {
  const auto with = [](std::size_t at, std::int32_t value) {
    return std::string(waters).replace(at, 4, xdr(value));
  };
  const std::string no_frame =
      "x.xtc: has no complete XTC frame at its beginning; copy it again, or run again";
  CHECK(xtc_error(with(0, 1996)) == no_frame);
  CHECK(xtc_error(with(4, 13)) == no_frame);  // the two counts differ
  CHECK(xtc_error(with(4, -1)) == no_frame);
  CHECK(xtc_error(with(length_at, -1)) == no_frame);
  CHECK(xtc_error(with(length_at, 0x7fffffff)) == no_frame);
  CHECK(xtc_error(with_long_length(waters).replace(length_at, 4, xdr(0x40000000))) == no_frame);
  const std::string damaged =
      "x.xtc: frame 1 is damaged (its compressed coordinates are invalid); choose another, or copy the file "
      "again";
  const auto both_counts = [&](std::int32_t atoms) { return with(4, atoms).replace(4 * 13, 4, xdr(atoms)); };
  CHECK(xtc_error(both_counts(13)) == damaged);
  CHECK(xtc_error(both_counts(0x7fffffff)) == damaged);
  CHECK(xtc_error(with(4 * 14, 0)) == damaged);            // precision
  CHECK(xtc_error(with(4 * 14, 0x7fc00000)) == damaged);   // which is no number
  CHECK(xtc_error(with(4 * 18, -0x7fffffff)) == damaged);  // highest below lowest
  CHECK(xtc_error(with(4 * 21, 8)) == damaged);
  CHECK(xtc_error(with(4 * 21, 73)) == damaged);
  CHECK(xtc_error(few_atoms(1e30f)).find("which is not a possible position") != std::string::npos);
  CHECK(xtc_error(few_atoms(std::nanf(""))).find("which is not a possible position") != std::string::npos);
  CHECK(xtc_error(xtc_header(0)) == "x.xtc: frame 1 has no atoms; choose another, or copy the file again");
}

TEST_CASE("XTC: any change of the packed bits gives positions or an error") {
  for (std::size_t at = 4 * 14; at < waters.size(); ++at)
    for (const int bit : {0, 3, 7}) {
      std::string changed = waters;
      changed[at] = char(changed[at] ^ (1 << bit));
      const std::string message = xtc_error(changed);
      CHECK((message == "no error" || message.starts_with("x.xtc: ")));
    }
}

TEST_CASE("packed coordinates: ranges above 24 bits are packed axis by axis") {
  BitWriter bits;
  const std::int64_t x[] = {0, 0x1000000, 0x1000001};
  for (const std::int64_t whole : x) {
    const auto value = std::uint32_t(whole);
    bits.add(value, 25);
    bits.add(3, 3);  // a size of 4 takes three bits
    bits.add(value, 25);
    bits.add(0, 1);  // no word about a run
  }
  const PackedCoordinates packed{3, {-5, 10, 0}, {0x1000001 - 5, 13, 0x1000001}, 9, bits.bytes()};
  const auto result = unpack_coordinates(packed);
  REQUIRE(result.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(result[i] == Vec3<std::int64_t>{x[i] - 5, 13, x[i]});
}

TEST_CASE("packed coordinates: a run stays until the next word, and its first two atoms are swapped") {
  BitWriter bits;
  const auto whole = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const std::uint32_t packed = (x * 16 + y) * 16 + z;  // 12 bits and one more for the sizes of 16
    bits.add(packed & 255, 8);
    bits.add(packed >> 8, 5);
  };
  const auto small = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const std::uint32_t packed = (x * 8 + y) * 8 + z;
    bits.add(packed & 255, 8);
    bits.add(packed >> 8, 1);
  };
  whole(5, 6, 7);
  bits.add(1, 1);
  bits.add(2 * 3 + 1, 5);  // two differences, the index as it was
  small(5, 4, 4);          // +1, 0, 0
  small(4, 4, 3);          // 0, 0, -1 from there
  whole(1, 2, 3);
  bits.add(0, 1);  // again two
  small(4, 5, 4);
  small(4, 5, 4);
  const PackedCoordinates packed{6, {0, 0, 0}, {15, 15, 15}, 9, bits.bytes()};
  const std::vector<Vec3<std::int64_t>> expected{{6, 6, 7}, {5, 6, 7}, {6, 6, 6},
                                                 {1, 3, 3}, {1, 2, 3}, {1, 4, 3}};
  CHECK(unpack_coordinates(packed) == expected);
  PackedCoordinates fewer = packed;
  fewer.atoms = 5;  // the run goes beyond the last atom
  CHECK(unpack_coordinates(fewer).empty());
}

namespace {

/// A TRR frame as GROMACS writes it, with a box, positions where `with_positions`, and velocities.
template <typename Real>
std::string trr_frame(Real x, bool with_positions = true) {
  const int size = sizeof(Real), atoms = 2;
  std::string bytes = xdr_all({1993, 13, 12}) + "GMX_trn_file";
  bytes += xdr_all(
      {0, 0, 9 * size, 0, 0, 0, 0, with_positions ? 3 * atoms * size : 0, 3 * atoms * size, 0, atoms, 5, 0});
  bytes += xdr_all({Real(0.5), Real(0)});
  bytes += xdr_all({Real(2), Real(0), Real(0), Real(0), Real(3), Real(0), Real(0), Real(0), Real(4)});
  const std::string positions = xdr_all({x, Real(-0.25), Real(0.5), Real(1), Real(2), Real(3)});
  return bytes + (with_positions ? positions : "") + positions;
}

std::string trr_error(const std::string& bytes) {
  return error_of([&] { read_trr(bytes, "x.trr"); });
}

}  // namespace

TEST_CASE("TRR: single and double precision, frames with positions and without") {
  const std::string bytes = trr_frame(0.125f) + trr_frame(0.5f, false) + trr_frame(0.1);
  CHECK(is_trr(bytes));
  CHECK(!is_xtc(bytes));
  const Coordinates first = read_trr(bytes, "x.trr");
  CHECK(first.frames == 2);
  CHECK(first.positions_A == std::vector<Vec3<double>>{{1.25, -2.5, 5.0}, {10.0, 20.0, 30.0}});
  CHECK(lengths_A(*first.cell) == Vec3<double>{20.0, 30.0, 40.0});
  CHECK(first.warnings ==
        std::vector<std::string>{
            "note: x.trr: 1 frame without positions skipped; the others are counted without them"});
  CHECK(read_trr(bytes, "x.trr", {-1}).positions_A.at(0).x == 1.0);  // 10 x 0.1 in double precision
  CHECK(trr_error(trr_frame(0.5f, false)) ==
        "x.trr: has no complete TRR frame with positions; copy it again, or run again with nstxout greater "
        "than 0");
  CHECK(trr_error(trr_frame(std::nan(""))).find("which is not a possible position") != std::string::npos);
}

TEST_CASE("TRR: cut files and headers that lie") {
  const std::string frame = trr_frame(0.125f), bytes = frame + frame;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::string cut = bytes.substr(0, size);
    if (size < frame.size()) {
      CHECK(trr_error(cut).starts_with("x.trr: has no complete TRR frame"));
    } else {
      CHECK(read_trr(cut, "x.trr").frames == 1);
      CHECK(read_trr(cut, "x.trr").warnings.size() == (size == frame.size() ? 0 : 1));
    }
  }
  for (const std::size_t number : {0, 2, 3, 7, 8, 9, 10})  // the sizes of the parts, and the atoms
    for (const std::int32_t value : {-1, 1, 0x7fffffff, -0x7fffffff - 1}) {
      CAPTURE(number);
      CAPTURE(value);
      const std::string message = trr_error(std::string(frame).replace(24 + 4 * number, 4, xdr(value)));
      CHECK(message.starts_with("x.trr: has no complete TRR frame"));
    }
}

TEST_CASE("XTC and TRR: recognisers") {
  for (const std::string other :
       {"", "GMX_trn_file", "ATOM      1  N   MET A   1      11.269", "CDF\1", "\x89HDF\r\n\x1a\n"}) {
    CHECK(!is_xtc(other));
    CHECK(!is_trr(other));
  }
  CHECK(!is_trr(waters));
}
