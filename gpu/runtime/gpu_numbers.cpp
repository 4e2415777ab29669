// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/gpu_numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace ionwell::gpu {
namespace {

std::vector<int> shown;  // numbers by ordinal; empty: all, and both are the same

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
std::vector<std::string> visible_gpus() {
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

}  // namespace

void show_only_gpus(std::vector<int> numbers) {
  if (numbers.empty()) numbers = {0};
  const std::vector<std::string> visible = visible_gpus();
  std::string wanted;
  for (const int number : numbers) {
    // An error in the numbers is found, and said, where all GPUs are known.
    const bool known = number >= 0 && std::size_t(number) < visible.size();
    if (!known || visible[std::size_t(number)].empty() ||
        std::count(numbers.begin(), numbers.end(), number) > 1)
      return;
    wanted += (wanted.empty() ? "" : ",") + visible[std::size_t(number)];
  }
  if (visible.size() == numbers.size()) return;
  setenv("CUDA_VISIBLE_DEVICES", wanted.c_str(), 1);
  set_numbers(numbers);
}

}  // namespace ionwell::gpu
