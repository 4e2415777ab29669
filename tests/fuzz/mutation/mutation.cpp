// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/mutation/mutation.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace ionwell::test {

std::uint64_t odd_length(Random& random) {
  constexpr std::array<std::uint64_t, 12> lengths = {0, 1, 2,  3,    4,        6,
                                                     7, 8, 64, 1000, 1u << 31, std::uint64_t{1} << 40};
  return lengths[one_of(random, lengths.size())];
}

double odd_number(Random& random) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 14> numbers = {
      0.0,   -0.0, 1.0,  -1.0, 0.5,  3.0,   90.0,
      1e-30, 1e20, 1e38, inf,  -inf, 1e308, std::numeric_limits<double>::quiet_NaN()};
  return numbers[one_of(random, numbers.size())];
}

std::string odd_name(Random& random) {
  constexpr std::array names = {"potential",
                                "values",
                                "origin",
                                "spacing",
                                "unit",
                                "temperature_K",
                                "data",
                                "data_zyx",
                                "step",
                                "cell_angles",
                                "ionwell_checkpoint",
                                "identity",
                                "fingerprint",
                                "ions: positions",
                                "ions: lattice points",
                                "ions: energies",
                                "coordinates",
                                "cell_lengths",
                                "time",
                                "frame",
                                "atom",
                                "spatial",
                                "Conventions",
                                "units",
                                "scale_factor",
                                "velocities",
                                "",
                                "x",
                                "\xff\xfe",
                                "a name that is longer than any that is looked for"};
  return names[one_of(random, names.size())];
}

std::string mutated_bytes(std::string_view bytes, Random& random) {
  constexpr std::array words = {"\n", " ",  "-1", "1e999", "nan", "0x", "99999999999999999999", "\r\n", "[",
                                "{",  "\"", "*",  "=",     ":",   ","};
  std::string changed(bytes);
  for (std::size_t changes = 1 + one_of(random, 4); changes > 0; --changes) {
    const std::size_t at = one_of(random, changed.size() + 1),
                      size = one_of(random, std::min<std::size_t>(changed.size() - at, 40) + 1);
    switch (one_of(random, 5)) {
      case 0:
        if (at < changed.size()) changed[at] = char(random());
        break;
      case 1:
        if (at < changed.size()) changed[at] = char(changed[at] ^ (1 << one_of(random, 8)));
        break;
      case 2:
        changed.erase(at, size);
        break;
      case 3:
        changed.insert(at, changed.substr(at, size));
        break;
      default:
        changed.insert(at, words[one_of(random, words.size())]);
    }
  }
  return changed;
}

}  // namespace ionwell::test
