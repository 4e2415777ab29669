#include "cli/command_line.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "cli/nearest_word.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "core/text/text_stream.hpp"

namespace po = boost::program_options;

namespace ionwell {
namespace {

constexpr std::size_t widest_help = 100;  // longer lines are hard to read
constexpr std::size_t help_text_column = 29;
constexpr std::size_t narrow_columns = 60, narrow_text_column = 8;  // where it leaves too little room

// Exact names only: an abbreviation that works today is a mistake after the next option is added.
constexpr int style = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                      po::command_line_style::long_allow_next | po::command_line_style::allow_short |
                      po::command_line_style::allow_dash_for_short | po::command_line_style::short_allow_next;

/// A command line that goes on in the next one as a shell takes it, from option to option.
std::string wrapped_command(std::string line, std::size_t columns) {
  constexpr char kept = '\1';  // stands for a blank that is no place to break at
  const std::size_t indent = line.find_first_not_of(' ');
  for (std::size_t at = indent; at + 1 < line.size(); ++at)
    if (line[at] == ' ' && line[at + 1] != '-') line[at] = kept;
  std::string text = wrapped(line, {.columns = columns, .indent = indent + 4, .end = " \\"});
  std::replace(text.begin(), text.end(), kept, ' ');
  return text;
}

/// The lines of help that show how to call a program, and what for.
std::string wrapped_examples(const std::string& examples, const std::string& program, std::size_t columns) {
  std::istringstream lines(examples);
  std::string text;
  for (std::string line; std::getline(lines, line); text += '\n') {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (line.compare(indent, program.size(), program) == 0)
      text += wrapped_command(line, columns);
    else
      text += wrapped(line, {.columns = columns, .indent = indent});
  }
  return text;
}

/// None where one of them is no number.
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

void require_value(const std::string& option, const std::string& value) {
  if (value.empty()) fail<UsageError>(option, " has an empty value; give one or leave the option out");
  if (value.substr(0, 2) == "--") fail<UsageError>(option, " needs a value, but is followed by ", value);
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
        "', which is no cell; give three lengths in A, and three angles in degrees unless all are "
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

OptionGroup::OptionGroup(const std::string& heading) : described_{heading, {}} {}

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
  add_row(name, argument, text);
  described_.options.back().repeated = true;
}

void OptionGroup::add_flag(const std::string& name, bool& member, const std::string& text) {
  settings_.push_back({name, member, {}, [&member] { return std::optional<OptionValue>(member); }});
  description_.add_options()(
      name.c_str(),
      po::value<bool>()->zero_tokens()->implicit_value(true)->notifier([&member](bool) { member = true; }),
      "");
  add_row(name, "", text);
}

void OptionGroup::add_row(const std::string& name, const std::string& argument, const std::string& text) {
  const std::size_t comma = name.find(',');
  described_.options.push_back({.name = name.substr(0, comma),
                                .letter = comma == std::string::npos ? "" : name.substr(comma + 1),
                                .argument = argument,
                                .text = text,
                                .words = {}});
}

void OptionGroup::print(std::ostream& out, std::size_t columns) const {
  const std::size_t text_column = columns < narrow_columns ? narrow_text_column : help_text_column;
  out << described_.heading << ":\n";
  for (const OptionDescription& option : described_.options) {
    std::string line = option.letter.empty() ? "  --" : "  -" + option.letter + ", --";
    line += option.name + (option.argument.empty() ? "" : " ") + option.argument;
    if (line.size() + 1 > text_column) {  // the text begins below a long option
      out << line << '\n';
      line.clear();
    }
    line.resize(text_column, ' ');
    out << wrapped(line + option.text, {.columns = columns, .indent = text_column}) << '\n';
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
  all.add_options()("help,h", help_option().text.c_str());
  return all;
}

std::vector<OptionSetting> CommandLine::settings() const {
  std::vector<OptionSetting> all;
  for (const OptionGroup& group : groups_)
    all.insert(all.end(), group.settings().begin(), group.settings().end());
  return all;
}

po::parsed_options CommandLine::parsed(const std::vector<std::string>& arguments,
                                       const po::options_description& all) const {
  try {
    po::parsed_options parsed =
        po::command_line_parser(arguments).options(all).style(style).allow_unregistered().run();
    for (po::option& option : parsed.options) {
      if (option.unregistered) fail_unknown(option.original_tokens.front(), all);
      drop_equals_sign(option);
    }
    return parsed;
  } catch (const po::error& error) {
    fail<UsageError>(error.what(), "; '", called(text_), " --help' lists the options");
  }
}

std::vector<CommandLine::Given> CommandLine::given(const std::vector<std::string>& arguments) const {
  const po::options_description all = all_options();
  std::vector<Given> given;
  for (const po::option& option : parsed(arguments, all).options)
    if (!option.string_key.empty())
      given.push_back({option.string_key, option.value.empty() ? std::string() : option.value.front()});
  return given;
}

bool CommandLine::parse(const std::vector<std::string>& arguments, std::ostream& out) {
  const po::options_description all = all_options();
  const po::parsed_options options = parsed(arguments, all);
  po::variables_map values;
  try {
    po::store(options, values);
  } catch (const po::error& error) {
    fail<UsageError>(error.what(), "; '", called(text_), " --help' lists the options");
  }
  if (values.count("help") > 0) {
    if (CommandDescription* const wanted = wanted_description(out))
      *wanted = description();
    else
      print_help(out);
    return false;
  }
  std::vector<std::string> files;
  for (const po::option& option : options.options)
    if (option.string_key.empty()) files.insert(files.end(), option.value.begin(), option.value.end());
  po::notify(values);
  read_files(files);
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
    fail<UsageError>("'", given[files_.size()], "' is one file or word too many; usage: ", called(text_), ' ',
                     text_.synopsis);
}

void CommandLine::fail_unknown(const std::string& token, const po::options_description& all) const {
  const std::string typed = token.substr(0, token.find('='));
  std::vector<std::string> names;
  for (const auto& option : all.options()) names.push_back(option->long_name());
  const std::string nearest =
      nearest_word(typed.substr(std::min(typed.find_first_not_of('-'), typed.size())), names);
  if (!nearest.empty())
    fail<UsageError>(called(text_), " has no option ", typed, "; did you mean --", nearest, "?");
  fail<UsageError>(called(text_), " has no option ", typed, "; '", called(text_),
                   " --help' lists the options");
}

CommandDescription CommandLine::description() const {
  CommandDescription all{.text = text_, .summary = "", .headings = {}, .words = words_, .notes = ""};
  for (const OptionGroup& group : groups_) all.headings.push_back(group.described());
  return all;
}

void CommandLine::print_help(std::ostream& out) const {
  const std::size_t columns = std::min(output_columns(), widest_help);
  std::string usage = "Usage: ";
  for (const std::string& synopsis : synopses_of(text_)) {
    out << wrapped(usage + called(text_) + ' ' + synopsis, {.columns = columns, .indent = usage.size() + 2})
        << '\n';
    usage.assign(usage.size(), ' ');
  }
  std::string about = text_.about;
  std::replace(about.begin(), about.end(), '\n', ' ');
  out << '\n' << wrapped(about, {.columns = columns}) << '\n';
  for (const OptionGroup& group : groups_) group.print(out << '\n', columns);
  out << "\nExamples:\n" << wrapped_examples(text_.examples, text_.program, columns);
}

}  // namespace ionwell
