// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "sampling/random_stream.hpp"

using namespace ionwell;

TEST_CASE("random stream: Philox-4x32-10 gives the published numbers") {
  // The known answers that its authors publish beside the paper, for all bits 0, all bits 1, and digits of
  // pi.
  struct Case {
    std::uint32_t counter[4], key[2], expected[4];
  };
  const Case cases[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                         {0xffffffff, 0xffffffff},
                         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                         {0xa4093822, 0x299f31d0},
                         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const Case& c : cases) {
    std::uint32_t words[4] = {c.counter[0], c.counter[1], c.counter[2], c.counter[3]};
    Philox{{c.key[0], c.key[1]}}(words);
    for (int n = 0; n < 4; ++n) CHECK(words[n] == c.expected[n]);
  }
}

TEST_CASE("random stream: uniform and normal numbers have their moments, and streams differ") {
  RandomStream random(7, 3);
  constexpr int count = 200'000;
  double sum = 0.0, squares = 0.0, normal_squares = 0.0, normal_fourths = 0.0;
  for (int n = 0; n < count; ++n) {
    const double u = random.uniform(), g = random.normal();
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
    sum += u;
    squares += u * u;
    normal_squares += g * g;
    normal_fourths += g * g * g * g;
  }
  // Five standard errors: of u 1/sqrt(12), of u^2 sqrt(4/45), of g^2 sqrt(2), of g^4 sqrt(96).
  const double root = 5.0 / std::sqrt(double(count));
  CHECK(std::abs(sum / count - 0.5) < root * std::sqrt(1.0 / 12));
  CHECK(std::abs(squares / count - 1.0 / 3) < root * std::sqrt(4.0 / 45));
  CHECK(std::abs(normal_squares / count - 1.0) < root * std::sqrt(2.0));
  CHECK(std::abs(normal_fourths / count - 3.0) < root * std::sqrt(96.0));
  std::set<std::uint32_t> first;
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    first.insert(RandomStream(7, stream).bits());
    first.insert(RandomStream(8, stream << 32).bits());
  }
  CHECK(first.size() == 100);
}
