// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sampling/device_chains.hpp"
#include "sampling/replicas.hpp"

namespace ionwell::test {

/// Chains of a device that is none: the host's, with the host's random numbers.
class HostChains final : public DeviceChains {
 public:
  explicit HostChains(ChainProblem problem) : problem_(std::move(problem)) {
    for (std::size_t r = 0; r < problem_.starts.size(); ++r)
      chains_.push_back(
          std::make_unique<MonteCarlo>(IonSet(problem_.model, problem_.starts[r]), problem_.baths,
                                       RandomStream(problem_.seed, first_stream_of(int(r)) + 1)));
  }

  void equilibrate(std::int64_t sweeps) override {
    for (std::size_t r = 0; r < chains_.size(); ++r)
      for (std::int64_t n = 0; n < sweeps; ++n) {
        chains_[r]->run(moves_a_sweep(r));
        chains_[r]->adapt_steps();
      }
  }

  std::vector<ChainSnapshot> now() override {
    std::vector<ChainSnapshot> snapshots;
    for (std::size_t r = 0; r < chains_.size(); ++r) {
      MonteCarlo& chain = *chains_[r];
      chain.refresh();
      snapshots.push_back({chain.ions().ions(), chain.energy_kT(), chain.energy_beyond_bath_kT()});
      if (problem_.dynamics != nullptr)
        dynamics_.push_back(std::make_unique<BrownianDynamics>(
            chain.ions(), *problem_.dynamics, RandomStream(problem_.seed, first_stream_of(int(r)) + 2)));
    }
    return snapshots;
  }

  void start_samples(int samples, std::int64_t every) override { started_ = {samples, every}; }

  void collect(std::vector<ChainSnapshot>& to) override {
    const auto& [samples, every] = started_;
    to.resize(std::size_t(samples) * chains_.size());
    for (std::size_t r = 0; r < chains_.size(); ++r) {
      for (std::size_t s = 0; s < std::size_t(samples); ++s) {
        ChainSnapshot& snapshot = to[s * chains_.size() + r];
        if (!dynamics_.empty()) {
          dynamics_[r]->run(every);
          const double energy_kT = dynamics_[r]->ions().energy_kT();
          snapshot = {dynamics_[r]->ions().ions(), energy_kT, energy_kT};
        } else {
          chains_[r]->run(every * moves_a_sweep(r));
          snapshot = {chains_[r]->ions().ions(), chains_[r]->energy_kT(),
                      chains_[r]->energy_beyond_bath_kT()};
        }
      }
      if (dynamics_.empty()) chains_[r]->refresh();
    }
  }

  std::vector<ChainCounts> counts() override {
    std::vector<ChainCounts> counts;
    for (const auto& chain : chains_) counts.push_back({chain->tallies(), chain->steps_A(), 0, 0.0});
    return counts;
  }

  std::vector<std::int64_t> state() override {
    StateWriter writer;
    for (const auto& chain : chains_) chain->save(writer);
    writer.put(std::ssize(dynamics_));
    for (const auto& dynamics : dynamics_) dynamics->save(writer);
    SavedState saved;
    writer.move_to(saved, "chains");
    const auto& whole = saved.get<std::int64_t>("chains: whole numbers");
    std::vector<std::int64_t> words = {std::ssize(whole)};
    words.insert(words.end(), whole.begin(), whole.end());
    for (const double number : saved.get<double>("chains: numbers"))
      words.push_back(std::bit_cast<std::int64_t>(number));
    return words;
  }

  void restore(const std::vector<std::int64_t>& words) override {
    const auto whole = words.begin() + 1, numbers = whole + words.front();
    std::vector<double> read;
    for (auto word = numbers; word != words.end(); ++word) read.push_back(std::bit_cast<double>(*word));
    SavedState saved;
    saved.put("chains: whole numbers", std::vector<std::int64_t>(whole, numbers));
    saved.put("chains: numbers", std::move(read));
    StateReader reader(saved, "chains");
    for (const auto& chain : chains_) chain->restore(reader);
    if (reader.whole() > 0) now();
    for (const auto& dynamics : dynamics_) dynamics->restore(reader);
  }

  DeviceUse use() const override { return {{{"samples", 1.0}}, 1, 2, 0, 3}; }

 private:
  std::int64_t moves_a_sweep(std::size_t replica) const {
    return std::max<std::int64_t>(1, std::ssize(problem_.starts[replica]));
  }

  ChainProblem problem_;
  std::vector<std::unique_ptr<MonteCarlo>> chains_;
  std::vector<std::unique_ptr<BrownianDynamics>> dynamics_;
  std::pair<int, std::int64_t> started_;
};

}  // namespace ionwell::test
