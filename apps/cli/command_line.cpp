// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"

#include <algorithm>
#include <limits>

#include "cli/help_text.hpp"
#include "cli/nearest_word.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/text_stream.hpp"

namespace po = boost::program_options;

namespace ionwell {
namespace {

// Exact names only: an abbreviation that works today is a mistake after the next option is added.
constexpr int style = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                      po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                      po::command_line_style::allow_dash_for_short | po::command_line_style::short_allow_next;

/// Empty if one of them is not a number.
std::vector<double> comma_separated(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::optional<double> number = parse_number(text.substr(start, end - start));
    if (!number) return {};
    numbers.push_back(*number);
    start = end + 1;
  }
  return numbers;
}

/// The value of `-o=x` is x, as that of --output=x is.
void drop_equals_sign(po::option& option) {
  if (option.string_key.empty() || option.original_tokens.empty() || option.value.empty()) return;
  const std::string& typed = option.original_tokens.front();
  if (typed.size() > 2 && typed[0] == '-' && typed[1] != '-' && typed[2] == '=')
    option.value.front().erase(0, 1);
}

/// The option that has these as its keys.
OptionDescription tune_option(const std::vector<OptionDescription>& keys) {
  std::string names;
  for (const OptionDescription& key : keys) names += (names.empty() ? "" : ", ") + key.name;
  return {.name = "tune",
          .letter = "",
          .argument = "KEY=VALUE",
          .text =
              "set a key that few runs need to change; may be repeated. 'ionwell help tune' describes the "
              "keys: " +
              names,
          .usual = "none",
          .words = {},
          .type = OptionType::text,
          .repeated = true};
}

void require_value(const std::string& option, const std::string& value) {
  if (value.empty()) fail<UsageError>(option, " has an empty value; give one or leave the option out");
  if (value.substr(0, 2) == "--")
    fail<UsageError>(option, " needs a value, but the next argument is ", value);
}

}  // namespace

void read_value(const std::string& option, const std::string& text, double& member) {
  const std::optional<double> number = parse_number(text);
  if (!number) fail<UsageError>(option, " is '", text, "', which is not a number; write it as in 12.5");
  member = *number;
}

void read_value(const std::string& option, const std::string& text, std::int64_t& member) {
  const std::optional<std::int64_t> number = parse_integer<std::int64_t>(text);
  if (!number) fail<UsageError>(option, " is '", text, "', which is not a whole number; write it as in 12");
  member = *number;
}

void read_value(const std::string& option, const std::string& text, int& member) {
  std::int64_t number = 0;
  read_value(option, text, number);
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max())
    fail<UsageError>(option, " is '", text, "', which is not a whole number; write it as in 12");
  member = int(number);
}

void read_value(const std::string&, const std::string& text, std::string& member) {
  member = text;
}

void read_value(const std::string& option, const std::string& text, Box& member) {
  const std::vector<double> n = comma_separated(text);
  if (n.size() != 6)
    fail<UsageError>(option, " is '", text,
                     "', which is not a box; give six numbers in A: x0,y0,z0,x1,y1,z1");
  member = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

void read_value(const std::string& option, const std::string& text, CellParameters& member) {
  const std::vector<double> n = comma_separated(text);
  if (n.size() != 3 && n.size() != 6)
    fail<UsageError>(
        option, " is '", text,
        "', which is not a cell; give three lengths in A, and three angles in degrees unless all are "
        "90: a,b,c or a,b,c,alpha,beta,gamma");
  member = {.lengths_A = {n[0], n[1], n[2]}};
  if (n.size() == 6) member.angles_deg = {n[3], n[4], n[5]};
}

std::string default_text(double member) {
  TextStream text;
  text << member;
  return text.str();
}

std::string default_text(std::int64_t member) {
  return std::to_string(member);
}

std::string default_text(int member) {
  return std::to_string(member);
}

std::string default_text(const std::string& member) {
  return member;
}

OptionGroup::OptionGroup(const std::string& heading, std::string prefix)
    : prefix_(std::move(prefix)), described_{heading, {}} {}

OptionDescription& OptionGroup::add_text(const std::string& name, const std::string& argument,
                                         const std::string& text, const Reader& reader) {
  const std::string option = prefix_ + name.substr(0, name.find(','));
  description_.add_options()(name.c_str(),
                             po::value<std::string>()->notifier([option, reader](const std::string& value) {
                               require_value(option, value);
                               reader(value);
                             }),
                             "");
  return add_row(name, argument, text);
}

void OptionGroup::add(const std::string& name, std::vector<std::string>& member, const std::string& argument,
                      const std::string& text, const Default& usual) {
  const std::string option = prefix_ + name;
  settings_.push_back({name, member, {}, [&member]() -> std::optional<OptionValue> {
                         return member.empty() ? std::nullopt : std::optional<OptionValue>(member);
                       }});
  description_.add_options()(
      name.c_str(),
      po::value<std::vector<std::string>>()->composing()->notifier([option, &member](const auto& values) {
        for (const std::string& value : values) require_value(option, value);
        member = values;
      }),
      "");
  OptionDescription& row = add_row(name, argument, text);
  row.type = OptionType::text;
  row.usual = usual.text;
  row.repeated = true;
}

void OptionGroup::add_flag(const std::string& name, bool& member, const std::string& text,
                           const Default& usual) {
  settings_.push_back({name, member, {}, [&member] { return std::optional<OptionValue>(member); }});
  description_.add_options()(
      name.c_str(),
      po::value<bool>()->zero_tokens()->implicit_value(true)->notifier([&member](bool) { member = true; }),
      "");
  add_row(name, "", text).usual = usual.text;
}

OptionDescription& OptionGroup::add_row(const std::string& name, const std::string& argument,
                                        const std::string& text) {
  const std::size_t comma = name.find(',');
  described_.options.push_back({.name = name.substr(0, comma),
                                .letter = comma == std::string::npos ? "" : name.substr(comma + 1),
                                .argument = argument,
                                .text = text,
                                .words = {}});
  return described_.options.back();
}

const OptionDescription* OptionGroup::find(const std::string& name) const {
  const auto found = std::find_if(described_.options.begin(), described_.options.end(),
                                  [&](const OptionDescription& option) { return option.name == name; });
  return found == described_.options.end() ? nullptr : &*found;
}

std::string OptionGroup::joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::size_t OptionGroup::choice_index(const std::string& option, const std::string& value,
                                      const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == value) return i;
  fail<UsageError>(option, " is '", value, "'; it must be one of ", joined(words));
}

CommandLine::CommandLine(CommandText text) : text_(std::move(text)) {}

void CommandLine::add_file(const std::string& name, std::string& member) {
  files_.push_back({name, [&member](const std::string& file) { member = file; }, true});
}

void CommandLine::add_optional_file(const std::string& name, std::string& member) {
  add_file(name, member);
  files_.back().required = false;
}

void CommandLine::add_files(const std::string& name, std::vector<std::string>& member, std::size_t least,
                            std::size_t most) {
  for (std::size_t n = 0; n < most; ++n)
    files_.push_back({name, [&member](const std::string& file) { member.push_back(file); }, n < least});
}

void CommandLine::add_word(const std::string& name, std::string& member,
                           const std::vector<std::string>& words) {
  files_.push_back({name,
                    [name, words, &member](const std::string& word) {
                      if (std::find(words.begin(), words.end(), word) == words.end())
                        fail<UsageError>(name, " is '", word, "'; it must be one of ",
                                         OptionGroup::joined(words));
                      member = word;
                    },
                    true});
  words_ = words;
}

OptionGroup& CommandLine::group(const std::string& heading) {
  return groups_.emplace_back(heading);
}

po::options_description CommandLine::all_options() const {
  po::options_description all;
  for (const OptionGroup& group : groups_) all.add(group.description());
  all.add(tuning_.description());
  if (!tuning_.settings().empty())
    all.add_options()("tune", po::value<std::vector<std::string>>()->composing(), "");
  for (const OptionDescription& help : help_options()) {
    const std::string name = help.name + (help.letter.empty() ? "" : ',' + help.letter);
    all.add_options()(name.c_str(), help.text.c_str());
  }
  return all;
}

std::vector<OptionSetting> CommandLine::settings() const {
  std::vector<OptionSetting> all;
  for (const OptionGroup& group : groups_)
    all.insert(all.end(), group.settings().begin(), group.settings().end());
  all.insert(all.end(), tuning_.settings().begin(), tuning_.settings().end());
  return all;
}

po::parsed_options CommandLine::parsed(const std::vector<std::string>& arguments,
                                       const po::options_description& all, WordsOf words) const {
  try {
    po::parsed_options parsed =
        po::command_line_parser(arguments).options(all).style(style).allow_unregistered().run();
    for (po::option& option : parsed.options) {
      if (option.unregistered) fail_unknown(option.original_tokens.front(), all);
      drop_equals_sign(option);
      if (!option.value.empty()) refuse_former(rules_, option.string_key, option.value.front());
      if (option.string_key == "tune") {
        option = tuned(option.value.empty() ? std::string() : option.value.front());
      } else if (words == WordsOf::user && tuning_.find(option.string_key) != nullptr) {
        const std::string key = option.string_key, value = option.value.empty() ? "" : option.value.front();
        fail<UsageError>("--", key, " is a key of --tune now; write --tune ", key,
                         value.empty() ? "" : "=" + value);
      }
    }
    return parsed;
  } catch (const po::error& error) {
    fail<UsageError>(error.what(), "; '", called(text_), " --help-all' lists the options");
  }
}

GivenOptions CommandLine::named(const po::parsed_options& options) const {
  GivenOptions named;
  for (const po::option& option : options.options)
    if (option.string_key.empty())
      named.files.insert(named.files.end(), option.value.begin(), option.value.end());
    else
      named.options.push_back(
          {option.string_key, option.value.empty() ? std::string() : option.value.front()});
  for (const OptionSetting& setting : settings()) {
    const std::optional<OptionValue> value = setting.value();
    if (value && std::holds_alternative<std::string>(*value))
      named.defaults[setting.name] = std::get<std::string>(*value);
  }
  for (const OptionSetting& setting : tuning_.settings()) named.tuning.push_back(setting.name);
  return named;
}

po::option CommandLine::tuned(const std::string& text) const {
  const std::string key = text.substr(0, text.find('='));
  const OptionDescription* const known = tuning_.find(key);
  if (known == nullptr) {
    std::vector<std::string> keys;
    for (const OptionSetting& setting : tuning_.settings()) keys.push_back(setting.name);
    const std::string nearest = nearest_word(key, keys);
    fail<UsageError>(
        "--tune ", quote(text), ": ", called(text_), " has no such key; ",
        nearest.empty() ? "'ionwell help tune' lists the keys" : "did you mean " + nearest + "?");
  }
  const bool has_value = key.size() < text.size(), takes_one = !known->argument.empty();
  if (has_value != takes_one)
    fail<UsageError>("--tune ", quote(text), takes_one ? " has no value" : " takes no value",
                     "; write --tune ", key, takes_one ? "=" + known->argument : "");
  po::option option(key, {});
  if (takes_one) option.value.push_back(text.substr(key.size() + 1));
  option.original_tokens = {"--tune", text};
  return option;
}

GivenOptions CommandLine::given(const std::vector<std::string>& arguments) const {
  return named(parsed(arguments, all_options(), WordsOf::user));
}

bool CommandLine::parse(const std::vector<std::string>& arguments, std::ostream& out,
                        const std::vector<std::string>& preset) {
  const po::options_description all = all_options();
  po::parsed_options options = parsed(arguments, all, WordsOf::user);
  GivenOptions given = named(options);
  if (given.has("help") || given.has("help-all")) {
    if (CommandDescription* const wanted = wanted_description(out))
      *wanted = description();
    else
      print_help(description(), given.has("help-all") ? HelpLength::all : HelpLength::common, out);
    return false;
  }
  const po::parsed_options of_preset = parsed(preset, all, WordsOf::preset);
  for (GivenOptions::Option& option : named(of_preset).options) {
    option.from_preset = true;
    given.options.push_back(std::move(option));
  }
  drop_without_effect(rules_, given);
  for (const po::option& option : of_preset.options)
    if (given.has(option.string_key)) options.options.push_back(option);
  po::variables_map values;
  try {
    po::store(options, values);
  } catch (const po::multiple_occurrences& error) {
    const std::string option = error.get_option_name();
    const std::vector<OptionDescription>& keys = tuning_.described().options;
    const bool is_key = std::any_of(keys.begin(), keys.end(),
                                    [&](const OptionDescription& key) { return "--" + key.name == option; });
    fail<UsageError>(is_key ? "--tune " + option.substr(2) : option,
                     " is given more than once; give it once");
  } catch (const po::error& error) {
    fail<UsageError>(error.what(), "; '", called(text_), " --help-all' lists the options");
  }
  po::notify(values);
  read_files(given.files);
  refuse_without_effect(rules_, given);
  return true;
}

void CommandLine::read_files(const std::vector<std::string>& given) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (i < given.size() && given[i].empty()) fail<UsageError>("the name of ", files_[i].name, " is empty");
    if (i < given.size())
      files_[i].take(given[i]);
    else if (files_[i].required)
      fail<UsageError>(files_[i].name, " is missing; usage: ", called(text_), ' ', text_.synopsis);
  }
  if (given.size() > files_.size())
    fail<UsageError>("'", given[files_.size()], "' is one argument too many; usage: ", called(text_), ' ',
                     text_.synopsis);
}

void CommandLine::fail_unknown(const std::string& token, const po::options_description& all) const {
  const std::string typed = token.substr(0, token.find('='));
  std::vector<std::string> names;
  for (const auto& option : all.options()) names.push_back(option->long_name());
  if (typed.starts_with("--")) refuse_former(rules_, typed.substr(2), {});
  const std::string nearest =
      nearest_word(typed.substr(std::min(typed.find_first_not_of('-'), typed.size())), names);
  if (!nearest.empty())
    fail<UsageError>(called(text_), " has no option ", typed, "; did you mean --", nearest, "?");
  fail<UsageError>(called(text_), " has no option ", typed, "; '", called(text_),
                   " --help-all' lists the options");
}

CommandDescription CommandLine::description() const {
  CommandDescription all{.text = text_, .summary = "", .headings = {}, .words = words_, .notes = ""};
  for (const OptionGroup& group : groups_) all.headings.push_back(group.described());
  all.tuning = tuning_.described().options;
  all.rules = rules_.rules;
  if (!all.tuning.empty()) all.headings.push_back({tuning_.described().heading, {tune_option(all.tuning)}});
  return all;
}

}  // namespace ionwell
