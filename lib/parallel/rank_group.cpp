#include "parallel/rank_group.hpp"

namespace ionwell {
namespace {

RankGroup* group_of_process = nullptr;

}  // namespace

RankGroup* rank_group() noexcept {
  return group_of_process;
}

RankGroup* free_rank_group() noexcept {
  RankGroup* const group = group_of_process;
  const bool is_free = group != nullptr && !group->is_in_use && group->thread == std::this_thread::get_id();
  return is_free ? group : nullptr;
}

void set_rank_group(RankGroup* group) noexcept {
  group_of_process = group;
}

}  // namespace ionwell
