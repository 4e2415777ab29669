#include "command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "core/error.hpp"
#include "nearest_word.hpp"

namespace po = boost::program_options;

namespace ionwell {
namespace {

constexpr std::size_t help_width = 100;
constexpr std::size_t help_text_column = 32;

// Exact names only: an abbreviation that works today is a mistake after the next option is added.
constexpr int style = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                      po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                      po::command_line_style::allow_dash_for_short | po::command_line_style::short_allow_next;

/// The whole of `text` as a number; false when it is anything else.
template <typename Number>
bool read_number(std::string_view text, Number& number) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

void require_value(const std::string& option, const std::string& value) {
  if (value.empty()) fail<UsageError>(option, " has an empty value; give one or leave the option out");
  if (value.substr(0, 2) == "--") fail<UsageError>(option, " needs a value, but is followed by ", value);
}

}  // namespace

void read_value(const std::string& option, const std::string& text, double& member) {
  if (!read_number(text, member) || !std::isfinite(member))
    fail<UsageError>(option, " is '", text, "', which is not a number; write it as in 12.5");
}

void read_value(const std::string& option, const std::string& text, int& member) {
  if (!read_number(text, member))
    fail<UsageError>(option, " is '", text, "', which is not a whole number; write it as in 12");
}

void read_value(const std::string&, const std::string& text, std::string& member) {
  member = text;
}

void read_value(const std::string& option, const std::string& text, Box& member) {
  std::vector<double> numbers;
  bool readable = true;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, end - start);
    readable = readable && read_number(part, numbers.emplace_back()) && std::isfinite(numbers.back());
    start = end + 1;
  }
  if (!readable || numbers.size() != 6)
    fail<UsageError>(option, " is '", text,
                     "', which is not a box; give six numbers in A: x0,y0,z0,x1,y1,z1");
  member = {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
}

std::string default_text(double member) {
  std::ostringstream text;
  text << member;
  return text.str();
}

std::string default_text(const std::string& member) {
  return member;
}

OptionGroup::OptionGroup(const std::string& heading) : heading_(heading) {}

void OptionGroup::add_text(const std::string& name, const std::string& argument, const std::string& text,
                           const Reader& reader) {
  const std::string option = "--" + name.substr(0, name.find(','));
  description_.add_options()(name.c_str(),
                             po::value<std::string>()->notifier([option, reader](const std::string& value) {
                               require_value(option, value);
                               reader(value);
                             }),
                             "");
  add_row(name, argument, text);
}

void OptionGroup::add(const std::string& name, std::vector<std::string>& member, const std::string& argument,
                      const std::string& text) {
  const std::string option = "--" + name;
  description_.add_options()(
      name.c_str(),
      po::value<std::vector<std::string>>()->composing()->notifier([option, &member](const auto& values) {
        for (const std::string& value : values) require_value(option, value);
        member = values;
      }),
      "");
  add_row(name, argument, text);
}

void OptionGroup::add_flag(const std::string& name, bool& member, const std::string& text) {
  description_.add_options()(
      name.c_str(),
      po::value<bool>()->zero_tokens()->implicit_value(true)->notifier([&member](bool) { member = true; }),
      "");
  add_row(name, "", text);
}

void OptionGroup::add_row(const std::string& name, const std::string& argument, const std::string& text) {
  const std::size_t comma = name.find(',');
  std::string option = (comma == std::string::npos ? "" : "-" + name.substr(comma + 1) + ", ");
  option += "--" + name.substr(0, comma) + (argument.empty() ? "" : " ") + argument;
  rows_.push_back({option, text});
}

void OptionGroup::print(std::ostream& out) const {
  out << heading_ << ":\n";
  for (const auto& [option, text] : rows_) {
    std::string line = "  " + option;
    if (line.size() + 1 > help_text_column) {  // the text begins below a long option
      out << line << '\n';
      line.clear();
    }
    line.resize(help_text_column, ' ');
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (line.size() + 1 + word.size() > help_width) {
        out << line << '\n';
        line.assign(help_text_column, ' ');
      }
      if (line.back() != ' ') line += ' ';
      line += word;
    }
    out << line << '\n';
  }
}

std::string OptionGroup::with_default(const std::string& text, const std::string& initial) {
  return initial.empty() ? text : text + " (default " + initial + ")";
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
  files_.push_back({name, &member, true});
}

void CommandLine::add_optional_file(const std::string& name, std::string& member) {
  files_.push_back({name, &member, false});
}

OptionGroup& CommandLine::group(const std::string& heading) {
  return groups_.emplace_back(heading);
}

bool CommandLine::parse(const std::vector<std::string>& arguments, std::ostream& out) {
  po::options_description all;
  for (const OptionGroup& group : groups_) all.add(group.description());
  all.add_options()("help,h", "print this text");

  po::parsed_options parsed(&all);
  po::variables_map values;
  try {
    parsed = po::command_line_parser(arguments).options(all).style(style).allow_unregistered().run();
    for (const po::option& option : parsed.options)
      if (option.unregistered) fail_unknown(option.original_tokens.front(), all);
    po::store(parsed, values);
  } catch (const po::error& error) {
    fail<UsageError>(error.what(), "; '", text_.program, ' ', text_.name, " --help' lists the options");
  }
  if (values.count("help") > 0) {
    print_help(out);
    return false;
  }
  std::vector<std::string> files;
  for (const po::option& option : parsed.options)
    if (option.string_key.empty()) files.insert(files.end(), option.value.begin(), option.value.end());
  po::notify(values);
  read_files(files);
  return true;
}

void CommandLine::read_files(const std::vector<std::string>& given) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (i < given.size() && given[i].empty()) fail<UsageError>("the name of ", files_[i].name, " is empty");
    if (i < given.size())
      *files_[i].member = given[i];
    else if (files_[i].required)
      fail<UsageError>(files_[i].name, " is missing; usage: ", text_.program, ' ', text_.name, ' ',
                       text_.synopsis);
  }
  if (given.size() > files_.size())
    fail<UsageError>("'", given[files_.size()], "' is one file or word too many; usage: ", text_.program, ' ',
                     text_.name, ' ', text_.synopsis);
}

void CommandLine::fail_unknown(const std::string& token, const po::options_description& all) const {
  const std::string typed = token.substr(0, token.find('='));
  std::vector<std::string> names;
  for (const auto& option : all.options()) names.push_back(option->long_name());
  const std::string nearest =
      nearest_word(typed.substr(std::min(typed.find_first_not_of('-'), typed.size())), names);
  if (!nearest.empty())
    fail<UsageError>(text_.program, ' ', text_.name, " has no option ", typed, "; did you mean --", nearest,
                     "?");
  fail<UsageError>(text_.program, ' ', text_.name, " has no option ", typed, "; '", text_.program, ' ',
                   text_.name, " --help' lists the options");
}

void CommandLine::print_help(std::ostream& out) const {
  out << "Usage: " << text_.program << ' ' << text_.name << ' ' << text_.synopsis << "\n\n"
      << text_.about << '\n';
  for (const OptionGroup& group : groups_) group.print(out << '\n');
  out << "\nExamples:\n" << text_.examples;
}

}  // namespace ionwell
