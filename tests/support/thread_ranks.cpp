// SPDX-License-Identifier: BSD-3-Clause
#include "support/thread_ranks.hpp"

#include <chrono>
#include <cstring>
#include <thread>

#include "compute/ranks/rank_worker.hpp"
#include "core/error.hpp"

namespace ionwell::test {

/// A collective function is made of messages.
class ThreadRanks::Group final : public RankGroup {
 public:
  Group(Mail& mail, int rank, int count) : mail_(mail), rank_(rank), count_(count) {}

  int count() const override { return count_; }
  int rank() const override { return rank_; }
  int count_on_host() const override { return count_; }
  int rank_on_host() const override { return rank_; }
  std::string host() const override { return "thread" + std::to_string(rank_); }

  void broadcast(std::span<std::byte> bytes) override {
    traffic.broadcasts.add(bytes.size());
    if (rank_ > 0) return take(bytes, 0, Call::collective);
    for (int to = 1; to < count_; ++to) post(bytes, to, Call::collective);
  }

  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    traffic.gathers.add(mine.size());
    if (rank_ > 0) return post(mine, 0, Call::collective);
    if (all.size() != mine.size() * std::size_t(count_)) fail("a gather of another size");
    std::memcpy(all.data(), mine.data(), mine.size());
    for (int from = 1; from < count_; ++from)
      take(all.subspan(mine.size() * std::size_t(from), mine.size()), from, Call::collective);
  }

  void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) override {
    traffic.all_gathers.add(all.size());
    std::vector<RankMessage> parts;
    for (const std::size_t size : sizes) {
      parts.push_back({int(parts.size()), all.first(size)});
      all = all.subspan(size);
    }
    for (int to = 0; to < count_; ++to)
      if (to != rank_) post(parts[std::size_t(rank_)].bytes, to, Call::collective);
    for (const RankMessage& part : parts)
      if (part.rank != rank_) take(part.bytes, part.rank, Call::collective);
  }

  void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received) override {
    for (const RankMessage& message : sent) send(message.bytes, message.rank);
    for (const RankMessage& message : received) receive(message.bytes, message.rank);
  }

  void send(std::span<const std::byte> bytes, int to) override {
    traffic.sent.add(bytes.size());
    post(bytes, to, Call::message);
    if (while_waiting && !bytes.empty()) while_waiting();  // a long one waits for who receives it
  }

  void receive(std::span<std::byte> bytes, int from) override {
    traffic.received.add(bytes.size());
    take(bytes, from, Call::message);
  }

  bool has_message(int from) override {
    const std::lock_guard lock(mail_.mutex);
    return !mail_.boxes[{from, rank_, Call::message}].empty();
  }

 private:
  void post(std::span<const std::byte> bytes, int to, Call call) {
    if (bytes.empty()) return;
    const std::lock_guard lock(mail_.mutex);
    mail_.boxes[{rank_, to, call}].emplace_back(bytes.begin(), bytes.end());
    mail_.arrived.notify_all();
  }

  void take(std::span<std::byte> bytes, int from, Call call) {
    if (bytes.empty()) return;
    std::unique_lock lock(mail_.mutex);
    auto& box = mail_.boxes[{from, rank_, call}];
    while (!mail_.arrived.wait_for(lock, std::chrono::milliseconds(1), [&] { return !box.empty(); })) {
      if (!while_waiting) continue;
      lock.unlock();
      while_waiting();
      lock.lock();
    }
    if (box.front().size() != bytes.size()) fail("a message of another size");
    std::memcpy(bytes.data(), box.front().data(), bytes.size());
    box.pop_front();
  }

  Mail& mail_;
  int rank_, count_;
};

ThreadRanks::ThreadRanks(int count) {
  for (int rank = 0; rank < count; ++rank) groups_.push_back(std::make_unique<Group>(mail_, rank, count));
}

ThreadRanks::~ThreadRanks() = default;

RankGroup& ThreadRanks::rank(int number) {
  return *groups_[std::size_t(number)];
}

void ThreadRanks::run(const std::function<void(RankGroup& group)>& first, const Backends& backends) {
  std::vector<std::jthread> others;
  for (int n = 1; n < rank(0).count(); ++n)
    others.emplace_back([&group = rank(n), &backends] { follow_orders(group, backends); });
  const auto leave = [&] { let_ranks_leave(rank(0)); };
  try {
    first(rank(0));
  } catch (...) {
    leave();
    throw;
  }
  leave();
}

void ThreadRanks::run_all(const std::function<void(RankGroup& group)>& work) {
  std::vector<std::jthread> others;
  for (int n = 1; n < rank(0).count(); ++n) others.emplace_back([&group = rank(n), &work] { work(group); });
  work(rank(0));
}

}  // namespace ionwell::test
