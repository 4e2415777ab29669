// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_description.hpp"
#include "cli/option_rules.hpp"
#include "cli/option_setting.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// Reads the text of one option into its member; throws UsageError that names the option, the text and what
/// it should have been. Numbers are whole, finite tokens with a dot, whatever the locale.
void read_value(const std::string& option, const std::string& text, double& member);
void read_value(const std::string& option, const std::string& text, int& member);
void read_value(const std::string& option, const std::string& text, std::int64_t& member);
void read_value(const std::string& option, const std::string& text, std::string& member);
void read_value(const std::string& option, const std::string& text, Box& member);  // x0,y0,z0,x1,y1,z1
void read_value(const std::string& option, const std::string& text,
                CellParameters& member);  // a,b,c[,alpha,beta,gamma]

template <typename T>
void read_value(const std::string& option, const std::string& text, std::optional<T>& member) {
  read_value(option, text, member.emplace());
}

/// The default of an option as help shows it, in place of the value that its member was initialised with.
struct Default {
  std::string text;
};

/// The type of an option that is kept in a member of type T.
template <typename T>
constexpr OptionType option_type = OptionType::text;
template <>
inline constexpr OptionType option_type<double> = OptionType::number;
template <>
inline constexpr OptionType option_type<int> = OptionType::whole_number;
template <>
inline constexpr OptionType option_type<std::int64_t> = OptionType::whole_number;
template <>
inline constexpr OptionType option_type<Box> = OptionType::box;
template <>
inline constexpr OptionType option_type<CellParameters> = OptionType::cell;
template <typename T>
constexpr OptionType option_type<std::optional<T>> = option_type<T>;

/// What help shows as the default: the value that the member was initialised with.
std::string default_text(double member);
std::string default_text(std::int64_t member);
std::string default_text(int member);
std::string default_text(const std::string& member);
template <typename T>
std::string default_text(const std::optional<T>&) {
  return {};
}

/// Options that belong together, under one heading of the help.
class OptionGroup {
 public:
  /// `prefix`: what messages write before a name.
  explicit OptionGroup(const std::string& heading, std::string prefix = "--");

  /// An option with one value, kept in `member`, which must outlive the parsing. `name` is "output" or
  /// "output,o"; `argument` is what help calls the value.
  template <typename T>
  void add(const std::string& name, T& member, const std::string& argument, const std::string& text,
           const Default& usual = {}) {
    const std::string plain = name.substr(0, name.find(',')), option = prefix_ + plain;
    OptionDescription& row = add_text(name, argument, text, [option, &member](const std::string& value) {
      read_value(option, value, member);
    });
    row.type = option_type<T>;
    row.usual = usual.text.empty() ? default_text(member) : usual.text;
    settings_.push_back(setting_of(plain, member));
  }

  /// An option that may be repeated; the values keep their order.
  void add(const std::string& name, std::vector<std::string>& member, const std::string& argument,
           const std::string& text, const Default& usual = {});

  /// An option whose value is one of a few words.
  template <typename T>
  void add_choice(const std::string& name, T& member, std::vector<std::pair<std::string, T>> choices,
                  const std::string& text, const Default& usual = {}) {
    std::vector<std::string> words;
    std::string initial = usual.text;
    for (const auto& [word, value] : choices) {
      words.push_back(word);
      if (value == member) initial = word;
    }
    settings_.push_back({name, std::string(), words, [choices, &member]() -> std::optional<OptionValue> {
                           for (const auto& [word, value] : choices)
                             if (value == member) return word;
                           return std::nullopt;
                         }});
    OptionDescription& row = add_text(
        name, "WORD", text, [option = prefix_ + name, words, choices, &member](const std::string& value) {
          member = choices[choice_index(option, value, words)].second;
        });
    row.words = words;
    row.type = OptionType::word;
    row.usual = initial;
  }

  /// The same for a member that is empty where the option is not given.
  template <typename T>
  void add_choice(const std::string& name, std::optional<T>& member,
                  const std::vector<std::pair<std::string, T>>& choices, const std::string& text,
                  const Default& usual = {}) {
    add_choice<std::optional<T>>(name, member, {choices.begin(), choices.end()}, text, usual);
  }

  /// An option without a value; naming it sets `member`.
  void add_flag(const std::string& name, bool& member, const std::string& text, const Default& usual = {});

  /// The last option must be given; the command checks that.
  void require_last() { described_.options.back().is_required = true; }

  /// 'ionwell help chemistry' describes the last option as well.
  void list_last_as_chemistry() { described_.options.back().is_chemistry = true; }

  /// "a, b, c".
  static std::string joined(const std::vector<std::string>& words);

  const boost::program_options::options_description& description() const { return description_; }

  /// Its options by name and value, as long as the members live.
  const std::vector<OptionSetting>& settings() const { return settings_; }

  /// Heading and options, as help has them.
  const OptionHeading& described() const { return described_; }

  /// Null where it has no option of this name.
  const OptionDescription* find(const std::string& name) const;

 private:
  using Reader = std::function<void(const std::string&)>;

  /// The row of the description that was added: valid until the next one is.
  OptionDescription& add_text(const std::string& name, const std::string& argument, const std::string& text,
                              const Reader& reader);
  OptionDescription& add_row(const std::string& name, const std::string& argument, const std::string& text);
  static std::size_t choice_index(const std::string& option, const std::string& value,
                                  const std::vector<std::string>& words);

  std::string prefix_;
  OptionHeading described_;
  std::vector<OptionSetting> settings_;
  boost::program_options::options_description description_;
};

/// The command line of one command: files by position, options in groups, help made of both.
class CommandLine {
 public:
  explicit CommandLine(CommandText text);

  /// The next file by position; `name` is what messages call it.
  void add_file(const std::string& name, std::string& member);
  void add_optional_file(const std::string& name, std::string& member);

  /// All files by position, `least` or more and at most `most`; for a command without the two above.
  void add_files(const std::string& name, std::vector<std::string>& member, std::size_t least,
                 std::size_t most);

  /// One of a few words by position, in place of a file.
  void add_word(const std::string& name, std::string& member, const std::vector<std::string>& words);

  OptionGroup& group(const std::string& heading);

  /// What few runs need to change: the options that are given as --tune KEY=VALUE.
  OptionGroup& tuning() { return tuning_; }

  /// The options of all groups.
  std::vector<OptionSetting> settings() const;

  /// When its options have an effect.
  void add_rules(const OptionRules& rules) { rules_.add(rules); }

  /// The options and files that are on it ("help" as well); nothing is checked but that options exist. Throws
  /// UsageError as parse.
  GivenOptions given(const std::vector<std::string>& arguments) const;

  /// Fills the members. False when help was requested, and printed. Throws UsageError for everything that the
  /// command does not know, with the nearest thing that it does know, and for options without an effect;
  /// those of `preset`, more words, are left out then.
  bool parse(const std::vector<std::string>& arguments, std::ostream& out,
             const std::vector<std::string>& preset = {});

 private:
  struct File {
    std::string name;
    std::function<void(const std::string&)> take;
    bool required;
  };

  boost::program_options::options_description all_options() const;
  /// Of words that are typed, or those of a preset, which names the keys of --tune as options.
  enum class WordsOf { user, preset };
  boost::program_options::parsed_options parsed(const std::vector<std::string>& arguments,
                                                const boost::program_options::options_description& all,
                                                WordsOf words) const;
  /// The option that `--tune TEXT` stands for.
  boost::program_options::option tuned(const std::string& text) const;
  /// Options and files by name and text, with the words that are there by default.
  GivenOptions named(const boost::program_options::parsed_options& options) const;
  CommandDescription description() const;
  void read_files(const std::vector<std::string>& given) const;
  [[noreturn]] void fail_unknown(const std::string& token,
                                 const boost::program_options::options_description& all) const;

  CommandText text_;
  std::vector<File> files_;
  std::vector<std::string> words_;  // of add_word
  OptionRules rules_;
  OptionGroup tuning_{"Tuning", "--tune "};
  std::deque<OptionGroup> groups_;  // a deque: references to groups stay valid
};

}  // namespace ionwell
