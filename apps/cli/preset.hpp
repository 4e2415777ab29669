// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/option_rules.hpp"
#include "cli/option_setting.hpp"

/// Presets: the options of a command in a JSON file, for another run.
///
///     {"preset_format": 1, "program": {"name": "ionwell", "version": "0.2.0"}, "command": "prepare",
///      "options": {"ion": ["MG:4", "NA:neutralize"], "water-model": "tip3p", "padding": 12.0, "orient":
///      false}}
///
/// An option is called as on the command line. A number is a number, a flag true or false, an option that may
/// be repeated a list of strings, all else a text.
namespace ionwell {

/// Which options of a command are a preset's.
struct PresetRules {
  std::string command;
  std::vector<std::string> left_out;  // files, and how a run is computed and told of
};

/// The options of a preset as words of a command line, without those that are `given` on the command line
/// itself. Throws UsageError with the path of the file and of the key for what is no preset of this command:
/// no JSON, another format, options that are unknown or of the wrong type.
std::vector<std::string> preset_words(const std::string& path, const PresetRules& rules,
                                      const std::vector<OptionSetting>& settings, const GivenOptions& given);

/// The file that keeps what the options are now. Those that are not given and have no default are left out.
std::string preset_text(const PresetRules& rules, const std::vector<OptionSetting>& settings);

}  // namespace ionwell
