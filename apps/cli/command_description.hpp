// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_rules.hpp"

/// A command and its options as data: what help, manual pages and the completion of shells are made of.
namespace ionwell {

/// What help says about a command besides its options.
struct CommandText {
  std::string name;      // place; empty for a program that is one command
  std::string synopsis;  // STRUCTURE --ion NAME:COUNT ... -o IONS.pdb; " | " between two of them
  std::string about;     // what it does; its lines are broken anew
  std::string examples;  // command lines, each with a line that says what it is good for
  std::vector<std::string> common = {};  // the options that --help shows; none: it shows all
  std::string program = "ionwell";
};

constexpr const char* between_synopses = " | ";

/// What an option's value is; of a number, `argument` is the unit.
enum class OptionType { flag, number, whole_number, word, text, box, cell };

/// "flag", "whole number".
std::string_view to_string(OptionType type);

struct OptionDescription {
  std::string name, letter;        // "output", "o"; the letter may be empty
  std::string argument;            // what help calls its value; empty for a flag
  std::string text;                // what it does
  std::string usual = {};          // its default, or what happens without it; empty: it is off
  std::vector<std::string> words;  // where its value is one of a few words: these
  OptionType type = OptionType::flag;
  bool repeated = false;
  bool is_required = false;
  bool is_chemistry = false;  // 'ionwell help chemistry' describes it as well
  bool is_action = false;     // prints something and ends the program, such as --help: it has no default

  /// The whole of what help says of it: text, words and "(default: ...)" or "(required)".
  std::string full_text() const;
};

/// Options that belong together.
struct OptionHeading {
  std::string heading;
  std::vector<OptionDescription> options;
};

struct CommandDescription {
  CommandText text;
  std::string summary;  // half a line, for lists of commands
  std::vector<OptionHeading> headings;
  std::vector<OptionDescription> tuning{};  // the keys of --tune
  std::vector<std::string> words;   // where what comes by position is one of a few words and no file: these
  std::string notes;                // what its help has behind all that, in lines; usually empty
  std::vector<OptionRule> rules{};  // when its options have an effect
};

/// All its options, --help and --help-all with them.
std::vector<OptionDescription> options_of(const CommandDescription& command);

/// The synopses, one for each way to call a command, without its name.
std::vector<std::string> synopses_of(const CommandText& text);

/// "ionwell place", or the program alone.
std::string called(const CommandText& text);

/// The options that every command has: --help and --help-all.
std::vector<OptionDescription> help_options();

/// What a command is, from the command itself: `run` does what it does with these words, here "--help".
CommandDescription describe(
    const std::function<void(const std::vector<std::string>& words, std::ostream& out)>& run);

/// Where the one who asks `out` for help wants the description in place of the text; null for a reader.
CommandDescription* wanted_description(std::ostream& out);

}  // namespace ionwell
