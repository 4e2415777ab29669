// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/program/option_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* key_of(RuleKind kind) {
  switch (kind) {
    case RuleKind::needs:
      return "needs";
    case RuleKind::useless_with:
      return "useless_with";
    case RuleKind::excludes:
      break;
  }
  return "excludes";
}

/// The terms that can hold in a command; rules are shared, and it may lack an option or a word. Facts have
/// blanks.
std::vector<std::string> possible(const CommandDescription& command, std::vector<std::string> terms) {
  std::vector<OptionDescription> options = options_of(command);
  options.insert(options.end(), command.tuning.begin(), command.tuning.end());
  std::erase_if(terms, [&](const std::string& term) {
    if (term.find(' ') != std::string::npos) return false;
    const std::size_t sign = std::min(term.find('='), term.size());
    const auto option = std::find_if(options.begin(), options.end(), [&](const OptionDescription& one) {
      return one.name == term.substr(0, sign);
    });
    if (option == options.end()) return true;
    const std::vector<std::string>& words = option->words;
    return sign < term.size() && std::find(words.begin(), words.end(), term.substr(sign + 1)) == words.end();
  });
  return terms;
}

/// What the option, or a word of it, needs or does not go with.
Json rules_of(const OptionDescription& option, const CommandDescription& command) {
  Json found = Json::array();
  for (const OptionRule& rule : command.rules)
    for (const std::string& name : rule.options) {
      const std::size_t sign = std::min(name.find('='), name.size());
      if (name.substr(0, sign) != option.name) continue;
      const std::vector<std::string> terms = possible(command, rule.terms);
      if (terms.empty() || possible(command, rule.when).size() < rule.when.size()) continue;
      Json one = {{key_of(rule.kind), terms}};
      if (sign < name.size()) one["word"] = name.substr(sign + 1);
      if (!rule.when.empty()) one["when"] = rule.when;
      if (!rule.why.empty()) one["why"] = rule.why;
      found.push_back(std::move(one));
    }
  return found;
}

Json row_of(const OptionDescription& option, const std::string& heading, const CommandDescription& command) {
  Json row = {{"name", option.name}, {"heading", heading}, {"type", to_string(option.type)}};
  if (!option.argument.empty()) row["argument"] = option.argument;
  if (!option.words.empty()) row["words"] = option.words;
  if (!option.usual.empty()) row["default"] = option.usual;
  if (option.repeated) row["repeated"] = true;
  if (option.is_required) row["required"] = true;
  row["text"] = option.text;
  if (Json found = rules_of(option, command); !found.empty()) row["rules"] = std::move(found);
  return row;
}

Json table_of(const Command& command) {
  const CommandDescription description = described(command);
  Json rows = Json::array();
  for (const OptionHeading& heading : description.headings)
    for (const OptionDescription& option : heading.options)
      if (option.name != "tune") rows.push_back(row_of(option, heading.heading, description));
  for (const OptionDescription& key : description.tuning) {
    rows.push_back(row_of(key, "Tuning", description));
    rows.back()["tune"] = true;
  }
  return {{"command", command.name}, {"summary", command.summary}, {"options", std::move(rows)}};
}

}  // namespace

void print_shared_option_table(std::ostream& out, SharedOptions which) {
  Json rows = Json::array();
  for (const Command& command : all_commands()) {
    const CommandDescription description = described(command);
    const bool are_keys = which == SharedOptions::tuning;
    for (const OptionDescription& option : are_keys ? description.tuning : options_of(description)) {
      if (!are_keys && !option.is_chemistry) continue;
      const auto known =
          std::find_if(rows.begin(), rows.end(), [&](const Json& row) { return row["name"] == option.name; });
      if (known != rows.end()) {
        (*known)["commands"].push_back(command.name);
        continue;
      }
      rows.push_back(row_of(option, are_keys ? "Tuning" : "Chemistry", description));
      rows.back()["commands"] = Json::array({command.name});
    }
  }
  out << rows.dump(1) << '\n';
}

void print_option_table(std::ostream& out, const Command* command) {
  Json tables = Json::array();
  for (const Command& each : all_commands())
    if (command == nullptr || command->name == each.name) tables.push_back(table_of(each));
  out << tables.dump(1) << '\n';
}

}  // namespace ionwell
