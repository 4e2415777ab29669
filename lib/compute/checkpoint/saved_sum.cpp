// SPDX-License-Identifier: BSD-3-Clause
#include "compute/checkpoint/saved_sum.hpp"

#include <algorithm>

namespace ionwell {
namespace {

constexpr const char *slots_done = "sum on the lattice: blocks done",
                     *slot_values = "sum on the lattice: values";

/// Sums in rounds, and saves the values of those that are done.
class SavedSource final : public PotentialSource {
 public:
  SavedSource(std::unique_ptr<PotentialSource> source, WorkSaving saving)
      : source_(std::move(source)), saving_(std::move(saving)) {}

  void add_to(const HostBlocks& blocks, const Progress& progress) override {
    constexpr std::size_t at_once = 1024;  // some seconds for a core and 1e5 charges, and many columns
    const std::size_t slots = blocks.numbers.size();
    std::size_t done = restore(blocks);
    const std::shared_ptr<void> part = saving_.begin([&] {
      return is_done_ ? SavedState{} : state(blocks, done);  // as many values as the lattice has
    });
    for (; done < slots; done += std::min(at_once, slots - done)) {
      const std::size_t count = std::min(at_once, slots - done);
      const HostBlocks round{blocks.lattice, blocks.numbers.subspan(done, count),
                             blocks.values + block_points * done, blocks.wanted};
      source_->add_to(round, [&](double part_of_round) {
        if (progress) progress((double(done) + part_of_round * double(count)) / double(slots));
      });
    }
    if (progress) progress(1.0);
    is_done_ = true;
  }

  DeviceUse device_use() const override { return source_->device_use(); }

 private:
  /// The number of slots that were summed before.
  std::size_t restore(const HostBlocks& blocks) const {
    if (saving_.resumed == nullptr || !saving_.resumed->has(slots_done)) return 0;
    const auto done = saving_.resumed->value<std::int64_t>(slots_done);
    if (done < 0 || done > std::ssize(blocks.numbers)) SavedState::fail_damaged(slots_done);
    const auto& values = saving_.resumed->get<float>(slot_values, std::size_t(block_points * done));
    std::copy(values.begin(), values.end(), blocks.values);
    return std::size_t(done);
  }

  SavedState state(const HostBlocks& blocks, std::size_t done) const {
    SavedState state;
    state.put(slots_done, std::int64_t(done));
    state.put(slot_values, std::vector<float>(blocks.values, blocks.values + block_points * done));
    return state;
  }

  std::unique_ptr<PotentialSource> source_;
  WorkSaving saving_;
  bool is_done_ = false;
};

}  // namespace

WorkSaving saving_to(Checkpoint* checkpoint) {
  if (checkpoint == nullptr) return {};
  const auto begin = [checkpoint](std::function<SavedState()> collect) {
    return std::make_shared<Checkpoint::Part>(checkpoint, [checkpoint, collect = std::move(collect)] {
      SavedState state = collect();
      const SavedState* const before = checkpoint->resumed();
      if (before != nullptr && !state.arrays().empty()) state.add(*before);
      return state;
    });
  };
  return {.resumed = checkpoint->resumed(), .begin = begin};
}

bool is_saved_sum_alone(const SavedState& state) {
  return state.has(slots_done) && state.has(slot_values) && state.arrays().size() == 2;
}

SourceFactory saved_source(SourceFactory make, WorkSaving saving) {
  return [make = std::move(make), saving = std::move(saving)](
             const SolutePotential& potential, const SourceContext& context,
             const Progress& progress) -> std::unique_ptr<PotentialSource> {
    auto source = make(potential, context, progress);
    if (!saving.begin) return source;
    return std::make_unique<SavedSource>(std::move(source), saving);
  };
}

}  // namespace ionwell
