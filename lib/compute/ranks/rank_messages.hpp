// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/structure.hpp"
#include "placement/field.hpp"

/// What ranks tell each other: an order from the first to all, small and of one size, with a payload after
/// it where it has one; and replies. Ranks are processes of one program on machines of one kind: values go as
/// they are in memory.
namespace ionwell {

enum class RankTask : std::int32_t {
  make_lattice,   // payload: RankLattice; the reply's text says where it is computed, and on what
  exclude,        // payload: centres; distance_A
  fill,           // payload: SolutePotential, of a map without its values, which are sent; reply
  search,         // charge_e; the reply has the point
  exact_tie,      // charge_e, index; the reply of `rank` has it
  add_ion,        // ion, distance_A
  copy_values,    // reply; the values are kept for send_part
  send_part,      // payload: LatticePart; each sends what it has of it, and keeps all
  drop_values,    // what was kept for send_part is no longer needed
  statistics,     // the reply's text has them
  make_sums,      // payload: RankSumsJob; reply
  take_watched,   // each receives its part of the points that are watched
  sum_frames,     // ranks below `index` receive a batch of frames each, after its size; reply
  take_stop,      // ranks below `index` receive the word to stop, where they have not while they summed
  add_sums,       // index: as before; payload: steps; reply, whose text has what changed
  send_sums,      // index: FrameSum, of which each sends its part
  take_sums,      // index: FrameSum, of which each receives its part
  make_samples,   // payload: write_sample_job; reply
  sample,         // payload: SampleOrder; reply, whose text of `rank` has what was asked for
  equation_step,  // rank: EquationStep, with its payload; index: number of the equation; reply, but to drop
  drop_lattice,   // the lattice is no longer needed
  drop,           // all that was made is no longer needed
  leave,          // the run has ended
};

struct RankOrder {
  RankTask task = RankTask::leave;
  std::int32_t rank = 0;
  double charge_e = 0.0, distance_A = 0.0;
  std::int64_t index = 0;
  PointCharge ion{};
  std::int64_t payload_bytes = 0;
};

/// What a rank answers to an order.
struct RankReply {
  std::int32_t failed = 0;      // 1: the text says why, and on which host; 2: because another has
  std::int32_t found = 0;       // whether there is a point
  std::int32_t rank = 0;        // whose it is
  std::int64_t text_bytes = 0;  // that it sends behind
  LowestPoint point{};          // of the whole lattice
  double tie_kT = 0.0;          // energies nearer than this to its may be ties
};

/// What a message has with its size before it.
template <typename T>
inline constexpr bool is_sequence = false;
template <typename T>
inline constexpr bool is_sequence<std::vector<T>> = true;
template <typename T>
inline constexpr bool is_sequence<std::span<T>> = true;
template <>
inline constexpr bool is_sequence<std::string> = true;

/// The parts of a value that has pointers: such a function calls message(part, ...), which writes them where
/// the message is a MessageWriter, and reads them where it is a MessageReader.
template <typename Message, typename First, typename Second>
void transfer(Message& message, std::pair<First, Second>& both) {
  message(both.first, both.second);
}

/// Values one after the other.
class MessageWriter {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }

  std::span<std::byte> bytes() { return bytes_; }

 private:
  template <typename T>
  void write(const T& value) {
    if constexpr (is_sequence<T>) {
      write(std::uint64_t(value.size()));
      if constexpr (std::is_trivially_copyable_v<typename T::value_type>)
        append(value.data(), value.size() * sizeof(typename T::value_type));
      else
        for (const auto& one : value) write(one);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      append(&value, sizeof value);
    } else {
      transfer(*this, const_cast<T&>(value));  // which only reads it
    }
  }

  void append(const void* from, std::size_t count) {
    if (count == 0) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count);
    std::memcpy(bytes_.data() + before, from, count);
  }

  std::vector<std::byte> bytes_;
};

/// The same in that order. Throws Error when there is less than is requested.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }

  template <typename T>
  T value() {
    T result{};
    read(result);
    return result;
  }

 private:
  template <typename T>
  void read(T& value) {
    if constexpr (is_sequence<T>) {
      using Element = typename T::value_type;
      constexpr std::size_t least_bytes = std::is_trivially_copyable_v<Element> ? sizeof(Element) : 1;
      const auto size = this->value<std::uint64_t>();
      if (size > left_.size() / least_bytes) fail_short();
      value.resize(std::size_t(size));
      if constexpr (std::is_trivially_copyable_v<Element>)
        take(value.data(), value.size() * sizeof(Element));
      else
        for (auto& one : value) read(one);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      take(&value, sizeof value);
    } else {
      transfer(*this, value);
    }
  }

  void take(void* to, std::size_t count) {
    if (count > left_.size()) fail_short();
    if (count > 0) std::memcpy(to, left_.data(), count);
    left_ = left_.subspan(count);
  }
  [[noreturn]] static void fail_short() {
    fail("a message between ranks is too short; do all ranks run the same program?");
  }

  std::span<const std::byte> left_;
};

}  // namespace ionwell
