// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compute/ranks/rank_messages.hpp"
#include "electrostatics/solute_potential.hpp"
#include "parallel/rank_group.hpp"
#include "placement/field_statistics.hpp"

namespace ionwell {

/// What a rank answered, and what it had to say.
struct RankAnswer {
  RankReply reply;
  std::vector<std::byte> text;
};

/// The first rank's side of orders and replies. While it exists the group is in use; then the others free
/// what they have made.
class RankOrders {
 public:
  explicit RankOrders(RankGroup& group) : group_(group) { group_.is_in_use = true; }
  ~RankOrders();
  RankOrders(const RankOrders&) = delete;
  RankOrders& operator=(const RankOrders&) = delete;

  RankGroup& group() const { return group_; }

  /// Tells all others what to do, and the values that it needs.
  template <typename... Values>
  void give(const RankOrder& order, const Values&... values) {
    MessageWriter message;
    message(values...);
    give_with(order, message.bytes());
  }
  void give_with(RankOrder order, std::span<std::byte> payload);

  /// The same where nothing may be thrown: when it cannot be given, they are out of step.
  void give_at_end(RankTask task) noexcept;

  /// What all have to say to an order that is answered, the first's first. Throws Error, when all have
  /// answered, for one that failed: which and why.
  std::vector<RankAnswer> answers(const RankReply& mine);

  /// Waits for them, and no more.
  void hear_answers() { all_answers({}); }

  /// work(), whose result, if it has one, is the first's reply, while the others do what they were told; then
  /// the answers. What fails here is thrown when the others have answered, so that all are in step for what
  /// comes then; but Interrupted at once, and they are out of step.
  template <typename Work>
  std::vector<RankAnswer> together(const Work& work) {
    RankReply mine;
    try {
      if constexpr (std::is_void_v<decltype(work())>)
        work();
      else
        mine = work();
    } catch (...) {
      wait_for_others_and_rethrow();
    }
    return answers(mine);
  }

 private:
  [[noreturn]] void wait_for_others_and_rethrow();
  std::vector<RankAnswer> all_answers(const RankReply& mine);

  RankGroup& group_;
};

/// All but the shares of ranks.
template <typename Message>
void transfer(Message& message, FieldStatistics& s) {
  message(s.available_points, s.blocks, s.blocks_updated, s.candidates, s.exact_sums, s.refinement_s,
          s.measured_error_kT_e, s.device.stage_s, s.device.to_device_bytes, s.device.to_host_bytes,
          s.device.between_devices_bytes, s.device.peak_bytes);
}

/// How a solute's potential is made, with the charges; of a map only that it is one.
void write_potential(MessageWriter& message, const SolutePotential& potential);

/// What a rank fills its slab with, with the values that it refers to.
struct ReceivedPotential {
  std::vector<PointCharge> charges;
  std::vector<double> values_kT_e;  // of a map; to be received
  SolutePotential potential;
};

/// Reads it into `received`, which must stay where it is. A map gets room for so many values; of one in parts
/// the rank has its own already.
void read_potential(MessageReader& message, std::int64_t points, std::span<const double> own_part_kT_e,
                    ReceivedPotential& received);

}  // namespace ionwell
