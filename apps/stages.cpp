#include "stages.hpp"

#include <iostream>

namespace ionwell {

Stages::Stages(ProgressStyle style) : style_(style), out_(&std::cerr) {}

void Stages::add_time(const std::string& name, double seconds) {
  for (auto& [stage, time] : times_)
    if (stage == name) {
      time += seconds;
      return;
    }
  times_.emplace_back(name, seconds);
}

double Stages::total_seconds() const {
  return seconds_since(start_);
}

double Stages::seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace ionwell
