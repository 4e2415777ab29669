// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/packed_coordinates.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace ionwell {
namespace {

__extension__ using Wide = unsigned __int128;  // three numbers of up to 24 bits are packed in one of 72

/// How many values a small difference can have, by the bits that three of them take together: the cube root
/// of 2^index, with the one (5060) that is not, which all programs share. Below the ninth they are not used.
constexpr std::int64_t small_ranges[] = {
    0,       0,       0,       0,       0,        0,        0,       0,       0,       8,       10,
    12,      16,      20,      25,      32,       40,       50,      64,      80,      101,     128,
    161,     203,     256,     322,     406,      512,      645,     812,     1024,    1290,    1625,
    2048,    2580,    3250,    4096,    5060,     6501,     8192,    10321,   13003,   16384,   20642,
    26007,   32768,   41285,   52015,   65536,    82570,    104031,  131072,  165140,  208063,  262144,
    330280,  416127,  524287,  660561,  832255,   1048576,  1321122, 1664510, 2097152, 2642245, 3329021,
    4194304, 5284491, 6658042, 8388607, 10568983, 13316085, 16777216};
constexpr std::int64_t first_small_index = 9, last_small_index = std::ssize(small_ranges) - 1;

using Triple = std::array<std::int64_t, 3>;

/// Bits from the highest of the first byte on; zeros when there are no more.
class BitScanner {
 public:
  explicit BitScanner(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  /// A number of at most 32 bits.
  std::uint32_t take(int bits) {
    while (held_ < bits) {
      ended_ |= at_ == end_;
      buffer_ = buffer_ << 8 | (at_ == end_ ? 0u : static_cast<unsigned char>(*at_++));
      held_ += 8;
    }
    held_ -= bits;
    return std::uint32_t(buffer_ >> held_ & ((std::uint64_t{1} << bits) - 1));
  }

  /// Three numbers below `sizes` as one number of `bits`, of which the lowest byte comes first.
  Triple take_triple(int bits, const Triple& sizes) {
    Wide packed = 0;
    int shift = 0;
    for (; bits > 8; bits -= 8, shift += 8) packed |= Wide(take(8)) << shift;
    packed |= Wide(take(bits)) << shift;
    const Wide first_two = packed / Wide(sizes[2]), first = first_two / Wide(sizes[1]);
    return {std::int64_t(first), std::int64_t(first_two % Wide(sizes[1])),
            std::int64_t(packed % Wide(sizes[2]))};
  }

  bool ended() const { return ended_; }

 private:
  const char *at_, *end_;
  std::uint64_t buffer_ = 0;
  int held_ = 0;  // bits of the buffer that are still to be taken
  bool ended_ = false;
};

int bits_of(Wide value) {
  const auto high = std::uint64_t(value >> 64);
  return high != 0 ? 64 + int(std::bit_width(high)) : int(std::bit_width(std::uint64_t(value)));
}

/// How the coordinates are packed that are not differences.
class WholeRange {
 public:
  explicit WholeRange(const PackedCoordinates& packed) : lowest_(packed.lowest) {
    for (std::size_t k = 0; k < 3; ++k) {
      sizes_[k] = packed.highest[k] - packed.lowest[k] + 1;
      is_possible_ &= sizes_[k] > 0 && sizes_[k] <= largest;
      if (sizes_[k] > largest_together) is_together_ = false;
    }
    if (is_possible_ && is_together_) bits_ = bits_of(Wide(sizes_[0]) * Wide(sizes_[1]) * Wide(sizes_[2]));
  }

  bool is_possible() const { return is_possible_; }

  Triple take(BitScanner& bits) const {
    Triple triple{};
    if (is_together_) {
      triple = bits.take_triple(bits_, sizes_);
    } else {
      for (std::size_t k = 0; k < 3; ++k) triple[k] = bits.take(bits_of(Wide(sizes_[k])));
    }
    for (std::size_t k = 0; k < 3; ++k) triple[k] += lowest_[k];
    return triple;
  }

 private:
  static constexpr std::int64_t largest = 0xffffffff, largest_together = 0xffffff;

  Triple lowest_, sizes_{};
  bool is_possible_ = true, is_together_ = true;
  int bits_ = 0;
};

}  // namespace

std::vector<Vec3<std::int64_t>> unpack_coordinates(const PackedCoordinates& packed) {
  constexpr std::int64_t most_atoms_in_byte =
      4;  // one bit for the place, one that says whether a run follows
  const WholeRange range(packed);
  std::int64_t index = packed.small_index;
  const auto is_index = [&] { return index >= first_small_index && index <= last_small_index; };
  if (!range.is_possible() || !is_index() || packed.atoms / most_atoms_in_byte > std::ssize(packed.bits))
    return {};

  std::vector<Vec3<std::int64_t>> result;
  result.reserve(
      std::min(std::size_t(packed.atoms), packed.bits.size()));  // real ones have 8 bits or more each
  const auto add = [&](const Triple& p) { result.push_back({p[0], p[1], p[2]}); };
  BitScanner bits(packed.bits);
  std::int64_t run = 0;  // atoms that follow as differences; stays until the next word about it
  while (std::ssize(result) < packed.atoms) {
    Triple before = range.take(bits);
    int change = 0;  // of the index, behind the run
    if (bits.take(1) != 0) {
      const auto word = std::int64_t(bits.take(5));
      run = word / 3;
      change = int(word % 3) - 1;
    }
    if (run >= packed.atoms - std::ssize(result) || bits.ended()) return {};
    if (run == 0) add(before);
    const std::int64_t size = small_ranges[index];
    for (std::int64_t i = 0; i < run; ++i) {
      Triple small = bits.take_triple(int(index), {size, size, size});
      for (std::size_t k = 0; k < 3; ++k) small[k] += before[k] - size / 2;
      if (i == 0) {  // the first two are swapped, which is better for water: hydrogen, oxygen, hydrogen
        add(small);
        add(before);
      } else {
        add(small);
      }
      before = small;
    }
    index += change;
    if (!is_index()) return {};
  }
  return bits.ended() ? std::vector<Vec3<std::int64_t>>{} : result;
}

}  // namespace ionwell
