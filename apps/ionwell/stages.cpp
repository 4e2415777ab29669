#include "ionwell/stages.hpp"

#include <iostream>

namespace ionwell {

Stages::Stages(ProgressStyle style) : style_(style), out_(&std::cerr) {}

std::size_t Stages::number_of(const std::string& name) {
  for (std::size_t n = 0; n < times_.size(); ++n)
    if (times_[n].first == name) return n;
  times_.emplace_back(name, 0.0);
  return times_.size() - 1;
}

double Stages::total_seconds() const {
  return seconds_since(start_);
}

double Stages::seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace ionwell
