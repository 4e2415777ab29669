// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/checkpoint_invariants.hpp"

#include <bit>
#include <cstring>
#include <functional>

#include "compute/checkpoint/checkpoint_file.hpp"
#include "compute/checkpoint/saved_ions.hpp"
#include "sampling/plain_ions.hpp"
#include "sampling/sample.hpp"
#include "support/temporary_folder.hpp"

namespace ionwell::test {
namespace {

const RunIdentity fuzzed_run = {{"command", fuzzed_command}};

bool is_same(const SavedState& a, const SavedState& b) {
  const auto bits = [](const auto& values) {
    return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
  };
  if (a.arrays().size() != b.arrays().size()) return false;
  for (auto left = a.arrays().begin(), right = b.arrays().begin(); left != a.arrays().end(); ++left, ++right)
    if (left->first != right->first || left->second.index() != right->second.index() ||
        std::visit(bits, left->second) != std::visit(bits, right->second))
      return false;
  return true;
}

/// Ions of two kinds that move in a spring's potential, some of them with a bath of salt, and its state on
/// the way.
struct MovingIons {
  IonModel model{.species = {species_of("A", 1, 1.0), species_of("B", -1, 1.5)},
                 .box = cube_of(12.0),
                 .pair = pair_potential({.dielectric = 78.54})};
  SampleJob job{
      .model = model,
      .baths = {},
      .atoms = {},
      .observables = {.density_spacing_A = 4.0, .within_A = {}, .groups = {}},
      .start = {},
      .options = {.length = 12, .equilibration = 4, .every = 4, .replicas = 2, .blocks = 3, .seed = 3},
      .should_stop = {},
      .make_chains = {},
      .note_use = {},
      .saving = {}};
  SavedState begun;
  std::int64_t samples = 0;

  explicit MovingIons(SampleMethod method) {
    model.field = spring(0.01, {});
    job.options.method = method;
    if (method == SampleMethod::monte_carlo) job.baths = {{0, 1, 1, 1, 6e-4, 6e-4, -0.2}};
    job.start = [this](int, RandomStream& random) { return random_ions(model, {2, 2}, random); };
    std::function<SavedState()> collect;
    job.saving = [&](std::function<SavedState()> tells) {
      collect = std::move(tells);
      return std::make_shared<int>();
    };
    samples = sample(job, [&](double done) {
                if (done < 0.9) begun = collect();
              }).samples;
    job.saving = {};
  }
  MovingIons(const MovingIons&) = delete;
  MovingIons& operator=(const MovingIons&) = delete;
};

constexpr LatticeGeometry small_lattice{.origin_A = {}, .spacing_A = {1, 1, 1}, .counts = {4, 4, 4}};

SavedState placed_state() {
  SavedState state;
  std::vector<PlacedIon> ions(3);
  for (std::size_t n = 0; n < ions.size(); ++n) ions[n].lattice_index = std::int64_t(n);
  save_ions(state, ions);
  save_lattice(state, small_lattice);
  return state;
}

/// See broken_state_invariant.
SavedState changed_state(const SavedState& from, std::string_view changes) {
  constexpr std::size_t change_bytes = 12;
  std::vector<std::pair<std::string, SavedState::Array>> arrays(from.arrays().begin(), from.arrays().end());
  for (; changes.size() >= change_bytes; changes.remove_prefix(change_bytes)) {
    SavedState::Array& array = arrays[std::uint8_t(changes[0]) % arrays.size()].second;
    const int what = std::uint8_t(changes[1]) % 5;
    const std::size_t at = std::size_t(std::uint8_t(changes[2])) | std::size_t(std::uint8_t(changes[3])) << 8;
    std::int64_t bits = 0;
    std::memcpy(&bits, changes.data() + 4, sizeof bits);
    const auto change = [&](auto& values) {
      using Value = typename std::remove_reference_t<decltype(values)>::value_type;
      Value value;
      if constexpr (std::is_integral_v<Value>)
        value = bits;
      else
        value = Value(std::bit_cast<double>(bits));
      if (what == 0 && !values.empty()) values[at % values.size()] = value;
      if (what == 1) values.resize(std::min(values.size(), at));
      if (what == 2) values.push_back(value);
    };
    std::visit(change, array);
    if (what == 3) array = std::vector<float>{};
    if (what == 4 && std::holds_alternative<std::vector<std::int64_t>>(array))
      array = std::vector<double>(std::get<std::vector<std::int64_t>>(array).size(), double(bits));
  }
  SavedState state;
  for (auto& [name, array] : arrays)
    if (!(std::holds_alternative<std::vector<float>>(array) && std::get<std::vector<float>>(array).empty()))
      state.put(name, std::move(array));
  return state;
}

/// What is wrong with what work() did.
template <typename Work>
std::string refusal_problem(const Work& work) {
  try {
    return work();
  } catch (const DamagedState& error) {
    const std::string message = error.what();
    return message.starts_with("the saved ") ? "" : "not said of what was saved: " + message;
  } catch (const UsageError& error) {  // saved by another backend
    const std::string message = error.what();
    return message.starts_with("the ions were moved on a ") ? ""
                                                            : "not said of where ions were moved: " + message;
  }
}

}  // namespace

std::string broken_checkpoint_invariant(std::string_view bytes) {
  static const TemporaryFolder folder;
  const std::string path = folder / "run.state", copy = folder / "copy.state";
  write_text(path, bytes);
  try {
    const SavedState state = read_checkpoint(path, fuzzed_run);
    OutputFile file(copy);
    write_checkpoint(file, fuzzed_run, state);
    file.commit();
    if (!is_same(state, read_checkpoint(copy, fuzzed_run))) return "written again, the state is another one";
  } catch (const Error& error) {
    const std::string message = error.what();
    if (!message.starts_with(path + ": ") || message.find('\n') != message.npos)
      return "not one line about the file: " + message;
  }
  return {};
}

std::string broken_state_invariant(std::string_view bytes) {
  static MovingIons monte_carlo(SampleMethod::monte_carlo), dynamics(SampleMethod::brownian);
  if (bytes.empty()) return {};
  const int which = std::uint8_t(bytes[0]) % 3;
  bytes.remove_prefix(1);
  if (which == 2)
    return refusal_problem([&]() -> std::string {
      const SavedState state = changed_state(placed_state(), bytes);
      const LatticeGeometry lattice = saved_lattice(state);
      for (const PlacedIon& ion : saved_ions(state, {{{"A", "A", 1.0}, 5}}, lattice))
        if (ion.lattice_index < 0 || ion.lattice_index >= lattice.size() || ion.species.name != "A")
          return "an ion that cannot be";
      return {};
    });
  MovingIons& ions = which == 0 ? monte_carlo : dynamics;
  return refusal_problem([&]() -> std::string {
    const SavedState state = changed_state(ions.begun, bytes);
    SampleJob job = ions.job;
    job.resumed = &state;
    return sample(job).samples == ions.samples ? "" : "another number of samples";
  });
}

}  // namespace ionwell::test
