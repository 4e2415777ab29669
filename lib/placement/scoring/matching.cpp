// SPDX-License-Identifier: BSD-3-Clause
#include "placement/scoring/matching.hpp"

#include <limits>
#include <utility>

namespace ionwell {
namespace {

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

}  // namespace

Matching::Matching(const Neighbours& near, std::size_t right)
    : near_(near),
      left_of_(right, nobody),
      right_of_(near.size(), nobody),
      reached_from_(right),
      reached_for_(right, nobody) {}

bool Matching::add(std::size_t left) {
  std::vector<std::size_t> queue = {left};
  std::size_t free = nobody;
  for (std::size_t head = 0; head < queue.size() && free == nobody; ++head)
    for (const std::size_t right : near_[queue[head]]) {
      if (reached_for_[right] == left) continue;
      reached_for_[right] = left;
      reached_from_[right] = queue[head];
      if (left_of_[right] == nobody) {
        free = right;
        break;
      }
      queue.push_back(left_of_[right]);
    }
  if (free == nobody) return false;
  for (std::size_t right = free; right != nobody;) {  // each node on the path takes the one that it reached
    const std::size_t taker = reached_from_[right];
    left_of_[right] = taker;
    right = std::exchange(right_of_[taker], right);
  }
  return true;
}

}  // namespace ionwell
