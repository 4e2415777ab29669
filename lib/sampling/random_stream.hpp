// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"
#include "core/state/state_stream.hpp"

/// Random numbers by counter: any number of any stream at once, whoever asks for it first.
namespace ionwell {

/// Philox-4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11,
/// section 3.3): ten rounds of a bijection of 128 bits with a key of 64. The four words of `counter` become
/// four random ones.
struct Philox {
  std::uint32_t key[2];

  IONWELL_HD void operator()(std::uint32_t counter[4]) const {
    constexpr std::uint32_t multiplier_0 = 0xD2511F53u, multiplier_1 = 0xCD9E8D57u;
    constexpr std::uint32_t weyl_0 = 0x9E3779B9u, weyl_1 = 0xBB67AE85u;
    constexpr int rounds = 10;
    std::uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t a = std::uint64_t(multiplier_0) * counter[0],
                          b = std::uint64_t(multiplier_1) * counter[2];
      const std::uint32_t left = std::uint32_t(b >> 32) ^ counter[1] ^ k0,
                          right = std::uint32_t(a >> 32) ^ counter[3] ^ k1;
      counter[0] = left;
      counter[1] = std::uint32_t(b);
      counter[2] = right;
      counter[3] = std::uint32_t(a);
      k0 += weyl_0;
      k1 += weyl_1;
    }
  }
};

/// The numbers of one stream of a seed, in their order. Streams of one seed have no number in common.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream)
      : philox_{{std::uint32_t(seed), std::uint32_t(seed >> 32)}}, stream_(stream) {}

  /// Where the stream is, for another process to continue from.
  void save(StateWriter& state) const {
    state.put(std::int64_t(block_));
    state.put(std::int64_t(used_));
    state.put(std::int64_t(has_normal_));
    state.put(next_normal_);
  }
  void restore(StateReader& state) {
    block_ = std::uint64_t(state.whole());
    const auto used = std::size_t(state.whole(0, 4));
    has_normal_ = state.whole(0, 1) != 0;
    next_normal_ = state.number();
    used_ = 4;
    if (used == 4) return;
    --block_;  // the one that numbers are taken from
    bits();
    used_ = used;
  }

  /// All 32 bits random.
  std::uint32_t bits() {
    if (used_ == 4) {
      words_ = {std::uint32_t(block_), std::uint32_t(block_ >> 32), std::uint32_t(stream_),
                std::uint32_t(stream_ >> 32)};
      philox_(words_.data());
      ++block_;
      used_ = 0;
    }
    return words_[used_++];
  }

  /// In [0, 1), a multiple of 2^-53.
  double uniform() {
    const std::uint64_t high = bits(), low = bits();
    return double((high << 21) ^ (low >> 11)) * 0x1p-53;
  }

  /// From 0 to count - 1; a count of up to 2^32 is no more uneven than count / 2^53.
  std::uint32_t below(std::uint32_t count) { return std::uint32_t(uniform() * double(count)); }

  /// Of mean 0 and variance 1 (Box and Muller, 1958).
  double normal() {
    if (has_normal_) {
      has_normal_ = false;
      return next_normal_;
    }
    constexpr double two_pi = 6.283185307179586;
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform())), angle = two_pi * uniform();
    next_normal_ = radius * std::sin(angle);
    has_normal_ = true;
    return radius * std::cos(angle);
  }

 private:
  Philox philox_;
  std::uint64_t stream_, block_ = 0;
  std::array<std::uint32_t, 4> words_{};
  std::size_t used_ = 4;
  double next_normal_ = 0.0;
  bool has_normal_ = false;
};

}  // namespace ionwell
