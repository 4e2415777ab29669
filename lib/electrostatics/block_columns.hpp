// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "electrostatics/potential_source.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

/// Slots [first, last) whose blocks follow each other along z.
struct BlockColumn {
  std::size_t first, last;
};

/// Calls add(column) for all blocks in columns of at most `longest`, in parallel; `progress` goes from `from`
/// to 1.
template <typename Add>
void for_each_column(const HostBlocks& blocks, std::size_t longest, int threads, const Progress& progress,
                     double from, const Add& add) {
  const std::int64_t layer = blocks_along(blocks.lattice.counts.x) * blocks_along(blocks.lattice.counts.y);
  std::vector<BlockColumn> columns;
  for (std::size_t slot = 0; slot < blocks.numbers.size(); ++slot) {
    const bool continues = slot > 0 && columns.back().last - columns.back().first < longest &&
                           blocks.numbers[slot] == blocks.numbers[slot - 1] + layer;
    if (continues)
      ++columns.back().last;
    else
      columns.push_back({slot, slot + 1});
  }
  std::atomic<std::size_t> done{0};
  const auto caller = std::this_thread::get_id();  // what `progress` throws stops the loop
  parallel_for({threads, 1}, std::ssize(columns), [&](std::int64_t c) {
    add(columns[std::size_t(c)]);
    const std::size_t so_far = ++done;
    if (progress && std::this_thread::get_id() == caller)
      progress(from + (1.0 - from) * double(so_far) / double(columns.size()));
  });
  if (progress) progress(1.0);
}

}  // namespace ionwell
