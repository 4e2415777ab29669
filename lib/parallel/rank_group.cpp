#include "parallel/rank_group.hpp"

namespace ionwell {
namespace {

RankGroup* group_of_process = nullptr;

}  // namespace

RankGroup* rank_group() noexcept {
  return group_of_process;
}

void set_rank_group(RankGroup* group) noexcept {
  group_of_process = group;
}

}  // namespace ionwell
