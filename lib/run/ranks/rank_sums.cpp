#include "run/ranks/rank_sums.hpp"

#include <exception>

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
  return options;
}

}  // namespace

SharedFrameSums::SharedFrameSums(RankGroup* group, const Plan& plan, const FrameSumOptions& options)
    : own_(plan, options) {
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
  orders_->give({.task = RankTask::sum_frames, .index = std::ssize(batches)});
  for (std::size_t n = 1; n < batches.size(); ++n) {
    MessageWriter message;
    message << batches[n].cell << std::span(batches[n].charges);
    std::int64_t bytes = std::ssize(message.bytes());
    group.send(bytes_of(bytes), int(n));
    group.send(message.bytes(), int(n));
  }
  orders_->together(sum_own);
  orders_->give({.task = RankTask::send_values});
  if (received_.size() == 0) received_ = LargeArray<float>(own.size());
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

std::span<const float> RankSums::of(std::span<const std::byte> batch) {
  MessageReader message(batch);
  const auto cell = message.value<std::optional<CellVectors>>();
  const std::vector<PointCharge> charges = message.values<PointCharge>();
  return sums_.of(charges, cell, {});
}

}  // namespace ionwell
