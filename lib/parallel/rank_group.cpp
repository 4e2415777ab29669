// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/rank_group.hpp"

#include <omp.h>

namespace ionwell {
namespace {

RankGroup* group_of_process = nullptr;

}  // namespace

RankGroup* rank_group() noexcept {
  return group_of_process;
}

RankGroup* free_rank_group() noexcept {
  RankGroup* const group = group_of_process;
  if (group == nullptr || group->thread != std::this_thread::get_id() || omp_in_parallel() != 0)
    return nullptr;
  return group->in_step && !group->is_in_use ? group : nullptr;
}

void set_rank_group(RankGroup* group) noexcept {
  group_of_process = group;
}

}  // namespace ionwell
