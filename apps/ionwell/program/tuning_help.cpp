// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/program/tuning_help.hpp"

#include <algorithm>

#include "cli/terminal.hpp"
#include "ionwell/program/command_list.hpp"

namespace ionwell {
namespace {

constexpr std::size_t widest_text = 100, text_indent = 6;

constexpr const char* synopsis = "COMMAND ... --tune KEY=VALUE ...";
constexpr const char* about =
    "Settings that few runs need to change: numerical parameters, limits, and files for debugging. The "
    "defaults were chosen by measurements. A key without a value is given alone (--tune no-refine). In "
    "Python, "
    "the keys that a function supports are keyword arguments (msm_cutoff=12).";

constexpr const char* about_chemistry =
    "These options change what ionwell decides about a PDB entry before PDB2PQR assigns charges to it. "
    "'ionwell info ENTRY' shows the decisions. Commands that read a PDB or mmCIF file without charges have "
    "these options. For waters see --input-water.";

/// Each once, in the order of commands.
std::vector<OptionDescription> chemistry_options() {
  std::vector<OptionDescription> options;
  for (const Command& command : all_commands())
    for (const OptionDescription& option : options_of(described(command))) {
      const bool is_known = std::any_of(options.begin(), options.end(), [&](const OptionDescription& known) {
        return known.name == option.name;
      });
      if (option.is_chemistry && !is_known) options.push_back(option);
    }
  return options;
}

struct TuningKey {
  OptionDescription option;
  std::string commands;
};

/// In the order of commands; the text is that of the first that has the key.
std::vector<TuningKey> tuning_keys() {
  std::vector<TuningKey> keys;
  for (const Command& command : all_commands())
    for (const OptionDescription& option : described(command).tuning) {
      const auto known = std::find_if(keys.begin(), keys.end(),
                                      [&](const TuningKey& key) { return key.option.name == option.name; });
      if (known == keys.end())
        keys.push_back({option, command.name});
      else
        known->commands += ", " + command.name;
    }
  return keys;
}

}  // namespace

void print_chemistry_options(std::ostream& out) {
  const std::size_t columns = std::min(output_columns(), widest_text);
  out << wrapped(about_chemistry, {.columns = columns}) << "\n\nOptions:\n";
  for (const OptionDescription& option : chemistry_options())
    out << "  --" << option.name << (option.argument.empty() ? "" : " ") << option.argument << '\n'
        << wrapped(std::string(text_indent, ' ') + option.full_text(),
                   {.columns = columns, .indent = text_indent})
        << '\n';
}

CommandDescription described_chemistry() {
  return {.text = {.name = "", .synopsis = "COMMAND ENTRY ...", .about = about_chemistry, .examples = ""},
          .summary = "options for the chemistry of PDB entries",
          .headings = {{"Chemistry", chemistry_options()}},
          .words = {},
          .notes = ""};
}

void print_tuning(std::ostream& out) {
  const std::size_t columns = std::min(output_columns(), widest_text);
  out << "Usage: ionwell " << synopsis << "\n\n" << wrapped(about, {.columns = columns}) << "\n\nKeys:\n";
  for (const TuningKey& key : tuning_keys()) {
    const OptionDescription& option = key.option;
    out << wrapped("  " + option.name + (option.argument.empty() ? "" : "=" + option.argument) + "  (" +
                       key.commands + ")",
                   {.columns = columns, .indent = text_indent})
        << '\n'
        << wrapped(std::string(text_indent, ' ') + option.full_text(),
                   {.columns = columns, .indent = text_indent})
        << '\n';
  }
}

CommandDescription described_tuning() {
  CommandDescription description{.text = {.name = "", .synopsis = synopsis, .about = about, .examples = ""},
                                 .summary = "the keys of the option --tune",
                                 .headings = {},
                                 .words = {},
                                 .notes = ""};
  for (TuningKey& key : tuning_keys()) {
    key.option.text += "; for " + key.commands;
    description.tuning.push_back(std::move(key.option));
  }
  return description;
}

}  // namespace ionwell
