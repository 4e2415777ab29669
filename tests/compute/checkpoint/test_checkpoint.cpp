// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <vector>

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/checkpoint/saved_ions.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const RunIdentity identity = {{"command", "place"}};

SavedState state_of(double value) {
  SavedState state;
  state.put("value", value);
  return state;
}

double value_in(const std::string& path) {
  return read_checkpoint(path, identity).value<double>("value");
}

constexpr double never_s = 1e6, always_s = 1e-9;

}  // namespace

TEST_CASE("checkpoint: saved when it is time, when it is asked for by a signal, and not else") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  double value = 1.0;
  Checkpoint seldom({.path = path, .every_s = never_s, .from = {}}, identity);
  const Checkpoint::Part part(&seldom, [&] { return state_of(value); });
  seldom.tick();
  CHECK(folder.entries().empty());
  CHECK(seldom.note().empty());
  std::raise(SIGUSR1);
  seldom.tick();
  CHECK(value_in(path) == 1.0);
  CHECK(seldom.note() ==
        "; " + path + " has the state so far, and --resume " + path + " continues from there");
  value = 2.0;
  seldom.tick();
  CHECK(value_in(path) == 1.0);
  seldom.save();
  CHECK(value_in(path) == 2.0);
  CHECK(folder.entries() == std::vector<std::string>{"run.state"});
}

TEST_CASE("checkpoint: what writing takes does not count: a run on a slow disk also gets on") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  double value = 0.0;
  const auto large_state = [&] {
    SavedState state = state_of(value);
    state.put("values", std::vector<double>(2'000'000, value));
    return state;
  };
  double writing_s = 1e6;
  {
    Checkpoint seldom({.path = path, .every_s = never_s, .from = {}}, identity);
    const Checkpoint::Part part(&seldom, large_state);
    for (int n = 0; n < 3; ++n) {
      const auto began = std::chrono::steady_clock::now();
      seldom.save();
      writing_s = std::min(writing_s,
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
  }
  Checkpoint often({.path = path, .every_s = writing_s / 4, .from = {}}, identity);
  const Checkpoint::Part part(&often, large_state);
  int left_alone = 0;  // of ten, for a busy machine may let a quarter of that time go by
  for (int n = 0; n < 10; ++n) {
    value = n + 0.5;
    often.save();
    value = -1.0;
    often.tick();
    left_alone += value_in(path) == n + 0.5;
  }
  CHECK(left_alone > 0);
}

TEST_CASE("checkpoint: at short intervals every tick saves") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  double value = 0.0;
  Checkpoint often({.path = path, .every_s = always_s, .from = {}}, identity);
  often.tick();  // no part of a run that can be saved yet
  CHECK(folder.entries().empty());
  const Checkpoint::Part part(&often, [&] { return state_of(value); });
  for (value = 1.0; value < 4.0; ++value) {
    often.tick();
    CHECK(value_in(path) == value);
  }
}

TEST_CASE("checkpoint: what a part told last is saved after it, once") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  Checkpoint checkpoint({.path = path, .every_s = never_s, .from = {}}, identity);
  {
    const Checkpoint::Part part(&checkpoint, [] { return state_of(5.0); });
  }
  CHECK(folder.entries().empty());
  checkpoint.save();
  CHECK(value_in(path) == 5.0);
  std::filesystem::remove(path);
  checkpoint.save();
  CHECK(folder.entries().empty());
}

TEST_CASE("checkpoint: an exception after the last part, while results are written, saves what it told") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  const auto run = [&](bool fails) {
    Checkpoint checkpoint({.path = path, .every_s = never_s, .from = {}}, identity);
    {
      const Checkpoint::Part part(&checkpoint, [] { return state_of(3.0); });
    }
    if (fails) fail("the disk is full");
  };
  run(false);
  CHECK(folder.entries().empty());
  CHECK_THROWS_AS(run(true), Error);
  CHECK(value_in(path) == 3.0);
}

TEST_CASE("checkpoint: a signal to end ends the run at a tick, or is left to a run that looks itself") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  for (const auto ending : {Checkpoint::Ending::by_tick, Checkpoint::Ending::by_run}) {
    Checkpoint checkpoint({.path = path, .every_s = never_s, .from = {}}, identity);
    std::optional<Checkpoint::Part> part;
    part.emplace(
        &checkpoint, [] { return state_of(5.0); }, ending);
    std::raise(SIGTERM);
    for (int stage = 0; stage < 2; ++stage) {  // while it can be saved, and when it writes what it has
      if (ending == Checkpoint::Ending::by_tick)
        CHECK_THROWS_AS(checkpoint.tick(), Interrupted);
      else
        CHECK_NOTHROW(checkpoint.tick());
      part.reset();
    }
  }
}

TEST_CASE("checkpoint: what cannot be saved is told once, the run goes on, and the file before stays") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "run");
  const std::string path = folder / "run/run.state";
  std::vector<std::string> told;
  double value = 1.0;
  Checkpoint checkpoint({.path = path, .every_s = always_s, .from = {}}, identity);
  checkpoint.tell_failures_to([&](const std::string& text) { told.push_back(text); });
  const Checkpoint::Part part(&checkpoint, [&] { return state_of(value); });
  checkpoint.tick();
  std::filesystem::rename(folder / "run", folder / "gone");
  value = 2.0;
  checkpoint.tick();
  checkpoint.tick();
  REQUIRE(told.size() == 1);
  CHECK(told.front().starts_with("no checkpoint was written: cannot write " + path + ": "));
  std::filesystem::rename(folder / "gone", folder / "run");
  CHECK(value_in(path) == 1.0);
  checkpoint.tick();
  CHECK(value_in(path) == 2.0);
  CHECK(told.size() == 1);
}

TEST_CASE("checkpoint: a state that makes no sense is the file's fault, by name") {
  const TemporaryFolder folder;
  const std::string path = folder / "run.state";
  {
    Checkpoint first({.path = path, .every_s = never_s, .from = {}}, identity);
    const Checkpoint::Part part(&first, [] { return state_of(5.0); });
    first.save();
  }
  const Checkpoint next({.path = path, .every_s = never_s, .from = path}, identity);
  REQUIRE(next.resumed() != nullptr);
  CHECK(next.read_resumed([](const SavedState& state) { return state.value<double>("value"); }) == 5.0);
  CHECK(error_of([&] {
          next.read_resumed([](const SavedState& state) { return state.value<double>("ions"); });
        }) == path + ": the saved ions is missing or invalid; start again without --resume");
}

TEST_CASE("checkpoint: an interval that is none, and a place that cannot be written, are refused at once") {
  const TemporaryFolder folder;
  for (const double every_s : {0.0, -1.0, double(NAN), double(INFINITY)})
    CHECK(error_of([&] {
            Checkpoint({.path = folder / "run.state", .every_s = every_s, .from = {}}, identity);
          }).starts_with("--tune checkpoint-every is "));
  CHECK(error_of([&] {
          Checkpoint({.path = folder / "none/run.state", .every_s = 1.0, .from = {}}, identity);
        }).find("none/run.state") != std::string::npos);
}

TEST_CASE("checkpoint: ions of a state are held against the lattice and what was asked for") {
  const LatticeGeometry lattice{.origin_A = {1, 2, 3}, .spacing_A = {0.5, 1, 2}, .counts = {4, 3, 2}};
  std::vector<PlacedIon> ions(2);
  for (std::size_t n = 0; n < 2; ++n) {
    ions[n].lattice_index = std::int64_t(20 + n);
    ions[n].position_A = {0.1, 0.2, 0.3 * double(n)};
    ions[n].energy_kT = -0.7;
  }
  SavedState state;
  save_ions(state, ions);
  save_lattice(state, lattice);
  CHECK(saved_lattice(state) == lattice);
  const std::vector<IonRequest> requests = {{{"MG", "MG", 2.0}, 1}, {{"NA", "NA", 1.0}, 2}};
  const std::vector<PlacedIon> read = saved_ions(state, requests, lattice);
  REQUIRE(read.size() == 2);
  CHECK(read[0].species.name == "MG");
  CHECK(read[1].species.name == "NA");
  CHECK(read[1].lattice_index == 21);
  CHECK(read[1].position_A == ions[1].position_A);
  CHECK(read[1].energy_kT == -0.7);
  CHECK(error_of([&] {
          saved_ions(state, {{{"MG", "MG", 2.0}, 1}}, lattice);
        }).find("lattice points") != std::string::npos);
  CHECK(error_of([&] { saved_ions(state, 21); }).find("lattice points") != std::string::npos);
  for (const std::vector<std::int64_t>& counts :
       {std::vector<std::int64_t>{0, 3, 2}, {4, -3, 2}, {4, 3, std::int64_t{1} << 40}}) {
    SavedState broken = state;
    broken.put("lattice: points", counts);
    CHECK(error_of([&] { saved_lattice(broken); }).find("lattice: points") != std::string::npos);
  }
}
