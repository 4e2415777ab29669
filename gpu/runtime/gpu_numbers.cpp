// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/gpu_numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace ionwell::gpu {
namespace {

std::vector<int> shown;   // numbers by ordinal; empty: all, and both are the same
std::vector<int> wanted;  // by the program, which may hide some
std::vector<int> hidden;

}  // namespace

int number_of(int ordinal) {
  return ordinal >= 0 && std::size_t(ordinal) < shown.size() ? shown[std::size_t(ordinal)] : ordinal;
}

int ordinal_of(int number) {
  if (shown.empty()) return number;
  const auto found = std::find(shown.begin(), shown.end(), number);
  return found == shown.end() ? -1 : int(found - shown.begin());
}

void set_numbers(const std::vector<int>& numbers) {
  shown = numbers;
}

namespace {

/// The GPUs that CUDA would see, as CUDA_VISIBLE_DEVICES names them: its words, or the numbers of the
/// driver's device files where it is not set.
std::vector<std::string> find_visible_gpus() {
  std::vector<std::string> names;
  if (const char* variable = std::getenv("CUDA_VISIBLE_DEVICES")) {
    std::string word;
    for (const char c : std::string(variable) + ',')
      if (c != ',')
        word += c;
      else
        names.push_back(std::exchange(word, {}));
    return names;
  }
  std::error_code none;
  while (std::filesystem::exists("/dev/nvidia" + std::to_string(names.size()), none))
    names.push_back(std::to_string(names.size()));
  return names;
}

/// The same, before any was hidden.
const std::vector<std::string>& visible_gpus() {
  static const std::vector<std::string> names = find_visible_gpus();
  return names;
}

/// These numbers are known.
void show(const std::vector<int>& numbers) {
  std::string names;
  for (const int number : numbers) names += (names.empty() ? "" : ",") + visible_gpus()[std::size_t(number)];
  setenv("CUDA_VISIBLE_DEVICES", names.c_str(), 1);
  set_numbers(numbers);
}

}  // namespace

void show_only_gpus(std::vector<int> numbers) {
  if (numbers.empty()) numbers = {0};
  const std::vector<std::string>& visible = visible_gpus();
  for (const int number : numbers) {
    // An error in the numbers is found, and said, where all GPUs are known.
    const bool known = number >= 0 && std::size_t(number) < visible.size();
    if (!known || visible[std::size_t(number)].empty() ||
        std::count(numbers.begin(), numbers.end(), number) > 1)
      return;
  }
  wanted = numbers;
  if (visible.size() > numbers.size()) show(numbers);
}

void hide_gpus_but(const std::vector<int>& numbers) {
  std::vector<int> rest;
  for (const int number : wanted)
    if (std::count(numbers.begin(), numbers.end(), number) == 0) rest.push_back(number);
  if (rest.empty()) return;
  hidden = std::move(rest);
  show(numbers);
}

const std::vector<int>& hidden_gpus() {
  return hidden;
}

}  // namespace ionwell::gpu
