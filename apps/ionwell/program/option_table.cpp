#include "ionwell/program/option_table.hpp"

#include <nlohmann/json.hpp>

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

Json row_of(const OptionDescription& option, const std::string& heading) {
  Json row = {{"name", option.name}, {"heading", heading}, {"type", to_string(option.type)}};
  if (!option.argument.empty()) row["argument"] = option.argument;
  if (!option.words.empty()) row["words"] = option.words;
  if (!option.usual.empty()) row["default"] = option.usual;
  if (option.repeated) row["repeated"] = true;
  row["text"] = option.text;
  return row;
}

Json table_of(const Command& command) {
  const CommandDescription description = described(command);
  Json rows = Json::array();
  for (const OptionHeading& heading : description.headings)
    for (const OptionDescription& option : heading.options)
      if (option.name != "tune") rows.push_back(row_of(option, heading.heading));
  for (const OptionDescription& key : description.tuning) {
    rows.push_back(row_of(key, "Tuning"));
    rows.back()["tune"] = true;
  }
  return {{"command", command.name}, {"summary", command.summary}, {"options", std::move(rows)}};
}

}  // namespace

void print_option_table(std::ostream& out, const Command* command) {
  Json tables = Json::array();
  for (const Command& each : all_commands())
    if (command == nullptr || command->name == each.name) tables.push_back(table_of(each));
  out << tables.dump(1) << '\n';
}

}  // namespace ionwell
