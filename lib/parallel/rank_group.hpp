// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>

namespace ionwell {

/// Calls, and the bytes of all of them.
struct RankCalls {
  std::int64_t calls = 0, bytes = 0;

  void add(std::size_t more) {
    ++calls;
    bytes += std::int64_t(more);
  }
};

/// What this process has told others, and been told: of a broadcast and of a gather by all the bytes that all
/// get, of a gather by the first those of each rank.
struct RankTraffic {
  RankCalls broadcasts, gathers, all_gathers, sent, received;
};

/// What goes to a rank, or comes from it.
struct RankMessage {
  int rank = 0;
  std::span<std::byte> bytes;
};

/// The processes that were started together to share the work of one run, on one machine or on many: this one
/// is one of them. The first, rank 0, runs the program; the others do what it asks of them (compute/ranks).
/// All of them call the same collective functions in the same order. Each throws Error when the others cannot
/// be reached.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  virtual int count() const = 0;
  virtual int rank() const = 0;  // 0, 1 ...

  /// Ranks on this machine, and which of them this is.
  virtual int count_on_host() const = 0;
  virtual int rank_on_host() const = 0;
  virtual std::string host() const = 0;

  /// Collective: the first's bytes to all.
  virtual void broadcast(std::span<std::byte> bytes) = 0;

  /// Collective: what each has to the first, in the order of ranks; of the same size for all. `all` is empty
  /// elsewhere.
  virtual void gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;

  /// Collective: each has its part of `all`, which lie one after the other in the order of ranks and have
  /// these sizes, the same ones for all; and gets the others'.
  virtual void all_gather(std::span<std::byte> all, std::span<const std::size_t> sizes) = 0;

  /// Sends and receives at once, of any size; a message to a rank is one that it receives in an exchange,
  /// too.
  virtual void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received) = 0;

  /// From one rank to another, of any size; nothing for no bytes.
  virtual void send(std::span<const std::byte> bytes, int to) = 0;
  virtual void receive(std::span<std::byte> bytes, int from) = 0;

  /// Whether one that was sent waits to be received.
  virtual bool has_message(int from) = 0;

  /// Called again and again while this process waits for another; what it throws ends the waiting, and they
  /// are out of step.
  std::function<void()> while_waiting;

  /// Whether all are where the first takes them to be; when not, nothing here may be called.
  bool in_step = true;

  RankTraffic traffic;

  /// Whether the others had anything to do so far.
  bool had_work = false;

  /// Whether a lattice has them, or the sums of an average: one at a time.
  bool is_in_use = false;

  /// Only this thread may call the functions of this object.
  const std::thread::id thread = std::this_thread::get_id();

  /// Whether work may be given to it now, by this thread.
  bool is_free() const noexcept { return in_step && !is_in_use && thread == std::this_thread::get_id(); }
};

/// The bytes of a value that has no pointers.
template <typename T>
requires std::is_trivially_copyable_v<T> std::span<std::byte> bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace ionwell
