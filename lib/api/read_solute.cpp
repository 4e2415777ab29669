#include "api/read_solute.hpp"

#include <utility>

#include "input/read_input.hpp"

namespace ionwell {

Structure read_solute(const std::vector<std::string>& paths, const SoluteChoice& choice) {
  InputOptions options;
  options.assembly = choice.assembly;
  options.solute = choice.solute;
  options.ignore = choice.ignore;
  return std::move(read_input(paths, options).structure);
}

}  // namespace ionwell
