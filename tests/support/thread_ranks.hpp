// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "compute/backend.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell::test {

/// Ranks that are threads of this process, for tests of what ranks do without MPI.
class ThreadRanks {
 public:
  explicit ThreadRanks(int count);
  ~ThreadRanks();
  ThreadRanks(const ThreadRanks&) = delete;
  ThreadRanks& operator=(const ThreadRanks&) = delete;

  RankGroup& rank(int number);

  /// first(group) here, while the others, which have these backends, follow its orders until it returns or
  /// throws.
  void run(const std::function<void(RankGroup& group)>& first, const Backends& backends = {});

  /// work(group) by all of them at once. It must not throw.
  void run_all(const std::function<void(RankGroup& group)>& work);

 private:
  class Group;
  enum class Call { message, collective };  // which of MPI's never get the other's
  struct Mail {
    std::mutex mutex;
    std::condition_variable arrived;
    std::map<std::tuple<int, int, Call>, std::deque<std::vector<std::byte>>> boxes;  // by sender and receiver
  };

  Mail mail_;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace ionwell::test
