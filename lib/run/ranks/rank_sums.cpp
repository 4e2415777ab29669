#include "run/ranks/rank_sums.hpp"

#include <exception>

#include "run/ranks/rank_shares.hpp"

namespace ionwell {
namespace {

Plan read_plan(MessageReader& message) {
  Plan plan;
  plan.lattice = message.value<LatticeGeometry>();
  plan.pair = message.value<PairPotential>();
  plan.summation = message.value<SummationOptions>();
  return plan;
}

FrameSumOptions read_options(MessageReader& message) {
  FrameSumOptions options;
  options.boundary = message.value<Boundary>();
  options.ewald_factor_per_A = message.value<std::optional<double>>();
  options.field = message.value<FieldOptions>();
  options.field.threads = own_threads(options.field.threads);
  return options;
}

}  // namespace

SharedFrameSums::SharedFrameSums(RankGroup* group, const Plan& plan, const FrameSumOptions& options)
    : own_(plan, options), points_(std::size_t(plan.lattice.size())) {
  if (group == nullptr) return;
  orders_.emplace(*group);
  MessageWriter message;
  message << plan.lattice << plan.pair << plan.summation << options.boundary << options.ewald_factor_per_A
          << options.field;
  orders_->give({.task = RankTask::make_sums}, message.bytes());
  orders_->together([] {});
}

void SharedFrameSums::sum(std::span<const FrameBatch> batches, const Progress& progress,
                          const std::function<void(std::size_t number, std::span<const float> sum)>& take) {
  if (batches.empty()) return;
  std::span<const float> own;
  const auto sum_own = [&] { own = own_.of(batches[0].charges, batches[0].cell, progress); };
  if (!orders_) {
    sum_own();
    return take(0, own);
  }
  RankGroup& group = orders_->group();
  if (received_.size() == 0) received_ = LargeArray<float>(points_);  // before anything is under way
  orders_->give({.task = RankTask::sum_frames, .index = std::ssize(batches)});
  for (std::size_t n = 1; n < batches.size(); ++n) {
    FrameBatchHeader header{batches[n].cell, std::ssize(batches[n].charges)};
    group.send(bytes_of(header), int(n));
    group.send(std::as_bytes(std::span(batches[n].charges)), int(n));
  }
  orders_->together(sum_own);
  orders_->give({.task = RankTask::send_values});
  std::exception_ptr failure;
  const auto try_to_take = [&](std::size_t n, std::span<const float> sum) {
    if (failure) return;
    try {
      take(n, sum);
    } catch (...) {
      failure = std::current_exception();  // thrown when all that is sent has come
    }
  };
  try_to_take(0, own);
  for (std::size_t n = 1; n < batches.size(); ++n) {
    const std::span<float> sum(received_.data(), received_.size());
    group.receive(std::as_writable_bytes(sum), int(n));
    try_to_take(n, sum);
  }
  if (failure) std::rethrow_exception(failure);
}

RankSums::RankSums(MessageReader message) : plan_(read_plan(message)), sums_(plan_, read_options(message)) {}

}  // namespace ionwell
