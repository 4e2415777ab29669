// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_description.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace ionwell {
namespace {

/// The place that a stream has for the address of the description that is wanted.
int description_slot() {
  static const int slot = std::ios_base::xalloc();
  return slot;
}

}  // namespace

std::string_view to_string(OptionType type) {
  switch (type) {
    case OptionType::flag:
      return "flag";
    case OptionType::number:
      return "number";
    case OptionType::whole_number:
      return "whole number";
    case OptionType::word:
      return "word";
    case OptionType::box:
      return "box";
    case OptionType::cell:
      return "cell";
    case OptionType::text:
      break;
  }
  return "text";
}

std::string OptionDescription::full_text() const {
  std::string full = text;
  for (const std::string& word : words) full += (&word == words.data() ? ": " : ", ") + word;
  if (is_action) return full;
  if (is_required) return full + " (required)";
  return full + " (default: " + (usual.empty() ? "off" : usual) + ')';
}

std::vector<OptionDescription> options_of(const CommandDescription& command) {
  std::vector<OptionDescription> all;
  for (const OptionHeading& heading : command.headings)
    all.insert(all.end(), heading.options.begin(), heading.options.end());
  for (OptionDescription& help : help_options()) all.push_back(std::move(help));
  return all;
}

std::vector<std::string> synopses_of(const CommandText& text) {
  const std::string_view between = between_synopses;
  std::vector<std::string> synopses;
  for (std::size_t at = 0, end = 0; at < text.synopsis.size(); at = end + between.size()) {
    end = std::min(text.synopsis.find(between, at), text.synopsis.size());
    synopses.push_back(text.synopsis.substr(at, end - at));
  }
  return synopses;
}

std::string called(const CommandText& text) {
  return text.name.empty() ? text.program : text.program + ' ' + text.name;
}

std::vector<OptionDescription> help_options() {
  return {{.name = "help",
           .letter = "h",
           .argument = "",
           .text = "print the most common options",
           .words = {},
           .is_action = true},
          {.name = "help-all",
           .letter = "",
           .argument = "",
           .text = "print all options",
           .words = {},
           .is_action = true}};
}

CommandDescription describe(
    const std::function<void(const std::vector<std::string>& words, std::ostream& out)>& run) {
  CommandDescription description;
  std::ostringstream notes;
  notes.pword(description_slot()) = &description;
  run({"--help"}, notes);
  description.notes = notes.str();
  return description;
}

CommandDescription* wanted_description(std::ostream& out) {
  return static_cast<CommandDescription*>(out.pword(description_slot()));
}

}  // namespace ionwell
