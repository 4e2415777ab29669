// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_orders.hpp"

#include <exception>
#include <utility>

#include "programs/child_process.hpp"

namespace ionwell {
namespace {

enum class PotentialKind : std::int32_t { direct, multilevel, map, map_in_parts };

}  // namespace

void RankOrders::give_with(RankOrder order, std::span<std::byte> payload) {
  order.payload_bytes = std::ssize(payload);
  group_.had_work = true;
  group_.broadcast(bytes_of(order));
  if (!payload.empty()) group_.broadcast(payload);
}

void RankOrders::give_at_end(RankTask task) noexcept {
  if (!group_.in_step) return;
  try {
    give({.task = task});
  } catch (const std::exception&) {
    group_.in_step = false;  // found out at the end
  }
}

RankOrders::~RankOrders() {
  group_.is_in_use = false;
  give_at_end(RankTask::drop);
}

std::vector<RankAnswer> RankOrders::all_answers(const RankReply& mine) {
  std::vector<RankReply> replies(std::size_t(group_.count()));
  RankReply own = mine;
  group_.gather(bytes_of(own), std::as_writable_bytes(std::span(replies)));
  std::vector<RankAnswer> answers;
  for (int rank = 0; rank < group_.count(); ++rank) {
    RankAnswer answer{replies[std::size_t(rank)], {}};
    if (rank > 0 && answer.reply.text_bytes > 0) {
      answer.text.resize(std::size_t(answer.reply.text_bytes));
      group_.receive(answer.text, rank);
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

std::vector<RankAnswer> RankOrders::answers(const RankReply& mine) {
  std::vector<RankAnswer> all = all_answers(mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].reply.failed != 1) continue;
    MessageReader text(all[rank].text);
    std::string why, host;
    text(why, host);
    fail(why, " (rank ", rank, " of ", all.size(), ", on ", host, ")");
  }
  return all;
}

void RankOrders::wait_for_others_and_rethrow() {
  const std::exception_ptr failure = std::current_exception();
  try {
    std::rethrow_exception(failure);
  } catch (const Interrupted&) {
    group_.in_step = false;
    throw;
  } catch (...) {
    all_answers({});
  }
  std::rethrow_exception(failure);
}

void write_potential(MessageWriter& message, const SolutePotential& potential) {
  const auto* const map = std::get_if<ImportedMap>(&potential);
  const auto* const sum = std::get_if<MultilevelSum>(&potential);
  if (map != nullptr)
    return message(map->in_parts != nullptr ? PotentialKind::map_in_parts : PotentialKind::map);
  message(sum != nullptr ? PotentialKind::multilevel : PotentialKind::direct,
          sum != nullptr ? sum->options : MultilevelOptions{}, charges_of(potential));
}

void read_potential(MessageReader& message, std::int64_t points, std::span<const double> own_part_kT_e,
                    ReceivedPotential& received) {
  const auto kind = message.value<PotentialKind>();
  if (kind == PotentialKind::map_in_parts) {
    received.potential = ImportedMap{own_part_kT_e};
    return;
  }
  if (kind == PotentialKind::map) {
    received.values_kT_e.resize(std::size_t(points));
    received.potential = ImportedMap{received.values_kT_e};
    return;
  }
  const auto options = message.value<MultilevelOptions>();
  message(received.charges);
  if (kind == PotentialKind::multilevel)
    received.potential = MultilevelSum{received.charges, options};
  else
    received.potential = DirectSum{received.charges};
}

}  // namespace ionwell
