// SPDX-License-Identifier: BSD-3-Clause
#include "cli/outputs.hpp"

#include <iostream>

#include "core/error.hpp"

namespace ionwell {

void check_outputs(const std::vector<std::string>& inputs, const std::vector<RequestedOutput>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].path) continue;
    const std::string& path = *outputs[i].path;
    for (const std::string& input : inputs) check_not_input(path, input);
    for (std::size_t j = 0; j < i; ++j)
      if (outputs[j].path && same_file(*outputs[j].path, path))
        fail<UsageError>(outputs[j].option, " and ", outputs[i].option, " are both ", path,
                         "; give each its own file");
    check_writable(path);
    remove_left_parts(path);
  }
}

void check_left_free(const std::string& path, const std::vector<std::string>& inputs,
                     const std::vector<RequestedOutput>& outputs) {
  for (const std::string& input : inputs)
    if (same_file(path, input))
      fail<UsageError>("the input ", input,
                       " would be overwritten: the ions of a run that stops would go there; rename it, or "
                       "choose another name for the output");
  for (const RequestedOutput& output : outputs)
    if (output.path && same_file(*output.path, path))
      fail<UsageError>(output.option, " names ", path,
                       ", where the ions of a run that stops would go; give it another file");
}

std::ostream& summary_stream(const std::vector<RequestedOutput>& outputs, std::ostream& out) {
  for (const RequestedOutput& output : outputs)
    if (output.path && is_standard_output(*output.path)) return std::cerr;
  return out;
}

}  // namespace ionwell
