// SPDX-License-Identifier: BSD-3-Clause
#include "api/read_solute.hpp"

#include "input/read_input.hpp"

namespace ionwell {

Structure read_solute(const std::vector<std::string>& paths, const SoluteChoice& choice) {
  InputOptions options;
  options.assembly = choice.assembly;
  options.solute = choice.solute;
  options.ignore = choice.ignore;
  return read_input(paths, options).system.acting();
}

}  // namespace ionwell
