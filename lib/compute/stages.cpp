// SPDX-License-Identifier: BSD-3-Clause
#include "compute/stages.hpp"

#include "compute/checkpoint/checkpoint.hpp"

namespace ionwell {

Stages::Stages(RunObserver observer, Checkpoint* checkpoint)
    : observer_(std::move(observer)), checkpoint_(nullptr) {
  if (checkpoint != nullptr) save_to(*checkpoint);
}

void Stages::save_to(Checkpoint& checkpoint) {
  checkpoint_ = &checkpoint;
  if (observer_.warning) checkpoint.tell_failures_to(observer_.warning);
}

Progress Stages::begin(const std::string& name, const std::string& shown) const {
  Progress progress;
  if (observer_.stage) progress = observer_.stage(name, shown);
  if (!progress) progress = [](double) {};
  if (checkpoint_ == nullptr) return progress;
  return [progress, checkpoint = checkpoint_](double done) {
    progress(done);
    checkpoint->tick();
  };
}

std::size_t Stages::number_of(const std::string& name) {
  for (std::size_t n = 0; n < times_.size(); ++n)
    if (times_[n].first == name) return n;
  times_.emplace_back(name, 0.0);
  return times_.size() - 1;
}

double Stages::seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace ionwell
