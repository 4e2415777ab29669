// SPDX-License-Identifier: BSD-3-Clause
#include "cli/preset.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/nearest_word.hpp"
#include "core/error.hpp"
#include "core/text/json_nesting.hpp"
#include "core/version.hpp"
#include "files/input_file.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

constexpr int preset_format = 1;  // later ones may have other keys

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Text that is not empty.
bool is_text(const Json& value) {
  const auto* const text = value.get_ptr<const Json::string_t*>();
  return text != nullptr && !text->empty();
}

/// Reads a preset and says where it is wrong.
class PresetReader {
 public:
  PresetReader(const std::string& path, const PresetRules& rules, const std::vector<OptionSetting>& settings)
      : path_(path), rules_(rules), settings_(settings) {}

  /// The words for each option, in the file's order.
  std::vector<std::pair<std::string, std::vector<std::string>>> read() {
    const Json preset = parsed();
    check_head(preset);
    std::vector<std::pair<std::string, std::vector<std::string>>> words;
    for (const auto& [name, value] : preset.at("options").items())
      words.emplace_back(name, words_of(setting(name), value));
    return words;
  }

 private:
  template <typename... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail<UsageError>(path_, ": ", parts...);
  }

  Json parsed() const {
    const FileBytes file = read_input_file(path_);
    const std::string_view text = file.text();
    if (is_nested_too_deep(text))
      refuse("is nested more than ", deepest_json, " deep, which a preset is not; --save-preset writes one");
    std::vector<std::vector<std::string>> keys;  // by depth
    const auto no_key_twice = [&](int depth, Json::parse_event_t event, const Json& key) {
      keys.resize(std::max(keys.size(), std::size_t(depth) + 2));
      if (event == Json::parse_event_t::object_start) keys[std::size_t(depth) + 1].clear();
      if (event == Json::parse_event_t::key) {
        std::vector<std::string>& of_object = keys[std::size_t(depth)];
        if (contains(of_object, key)) refuse("has the key ", key.dump(), " twice; keep one of them");
        of_object.push_back(key);
      }
      return true;
    };
    try {
      return Json::parse(text, no_key_twice);
    } catch (const Json::parse_error& error) {
      const auto end = text.begin() + std::ptrdiff_t(std::min(error.byte, text.size()));
      fail<UsageError>(path_, ':', 1 + std::count(text.begin(), end, '\n'),
                       ": is not valid JSON, so it is not a preset; --save-preset writes one");
    } catch (const Json::out_of_range&) {
      refuse("contains a number that is too large");
    }
  }

  void check_head(const Json& preset) const {
    if (!preset.is_object() || !preset.contains("preset_format"))
      refuse("has no preset_format, so it is not a preset; --save-preset writes one");
    const Json& format = preset["preset_format"];
    if (format != preset_format)
      refuse("preset_format is ", format.dump(), ", and ionwell ", version(), " reads ", preset_format,
             format.is_number_integer() && format > preset_format ? "; a newer ionwell reads it"
                                                                  : "; write it again with --save-preset");
    for (const auto& [key, value] : preset.items())
      if (!contains({"preset_format", "program", "command", "options"}, key))
        refuse(key, " is not a key of a preset; the keys are preset_format, program, command and options");
    if (!preset.contains("command") || preset["command"] != rules_.command)
      refuse("command is ", preset.contains("command") ? preset["command"].dump() : "missing",
             ", but in a preset of '", rules_.command, "' it is \"", rules_.command, "\"");
    if (!preset.contains("options") || !preset["options"].is_object())
      refuse("options is ", preset.contains("options") ? "not an object" : "missing",
             ", but it must be an object with the options by name");
  }

  const OptionSetting& setting(const std::string& name) const {
    if (contains(rules_.left_out, name))
      refuse("options.", name, " is not for presets; give --", name, " on the command line");
    std::vector<std::string> names;
    for (const OptionSetting& setting : settings_) {
      if (setting.name == name) return setting;
      if (!contains(rules_.left_out, setting.name)) names.push_back(setting.name);
    }
    const std::string nearest = nearest_word(name, names);
    refuse("options.", name, " is not an option of '", rules_.command, '\'',
           nearest.empty() ? "; 'ionwell " + rules_.command + " --help-all' lists them"
                           : "; did you mean options." + nearest + "?");
  }

  std::vector<std::string> words_of(const OptionSetting& setting, const Json& value) const {
    const std::string key = "options." + setting.name, option = "--" + setting.name;
    const auto expect = [&](bool fits, const std::string& where, const Json& found, const std::string& what) {
      if (!fits) refuse(where, " is ", found.dump(), ", but it must be ", what);
    };
    if (std::holds_alternative<bool>(setting.kind)) {
      expect(value.is_boolean(), key, value, "true or false");
      return value.get<bool>() ? std::vector{option} : std::vector<std::string>{};
    }
    if (std::holds_alternative<std::vector<std::string>>(setting.kind)) {
      expect(value.is_array(), key, value, "a list of strings");
      std::vector<std::string> words;
      for (std::size_t n = 0; n < value.size(); ++n) {
        expect(is_text(value[n]), key + '[' + std::to_string(n) + ']', value[n], "a string");
        words.push_back(option + '=' + value[n].get<std::string>());
      }
      return words;
    }
    if (std::holds_alternative<double>(setting.kind)) {
      expect(value.is_number(), key, value, "a number");
      return {option + '=' + value.dump()};
    }
    if (std::holds_alternative<std::int64_t>(setting.kind)) {
      expect(value.is_number_integer(), key, value, "a whole number");
      return {option + '=' + value.dump()};
    }
    if (setting.words.empty()) {
      expect(is_text(value), key, value, "a string");
    } else {
      std::string words;
      for (const std::string& word : setting.words) words += (words.empty() ? "" : ", ") + word;
      expect(value.is_string() && contains(setting.words, value), key, value, "one of " + words);
    }
    return {option + '=' + value.get<std::string>()};
  }

  const std::string& path_;
  const PresetRules& rules_;
  const std::vector<OptionSetting>& settings_;
};

}  // namespace

std::vector<std::string> preset_words(const std::string& path, const PresetRules& rules,
                                      const std::vector<OptionSetting>& settings, const GivenOptions& given) {
  std::vector<std::string> all;
  for (const auto& [name, words] : PresetReader(path, rules, settings).read())
    if (!given.has(name)) all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::string preset_text(const PresetRules& rules, const std::vector<OptionSetting>& settings) {
  Json options = Json::object();
  for (const OptionSetting& setting : settings) {
    if (contains(rules.left_out, setting.name)) continue;
    const std::optional<OptionValue> value = setting.value();
    if (value && *value != OptionValue(std::string()))  // no text is none that was given
      std::visit([&](const auto& plain) { options[setting.name] = plain; }, *value);
  }
  const Json preset = {{"preset_format", preset_format},
                       {"program", {{"name", "ionwell"}, {"version", version()}}},
                       {"command", rules.command},
                       {"options", options}};
  constexpr int indent = 2;
  return preset.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace ionwell
