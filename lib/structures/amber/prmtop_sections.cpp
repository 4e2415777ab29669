// SPDX-License-Identifier: BSD-3-Clause
#include "structures/amber/prmtop_sections.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

constexpr FieldFormat old_names{20, 4}, old_integers{12, 6}, old_numbers{5, 16};
constexpr std::size_t pointers_needed = 28;

bool begins_line(std::string_view text, std::size_t at) {
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
}

/// Where the line that begins at `at` ends, behind its line end.
std::size_t behind_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == text.npos ? text.size() : end + 1;
}

/// Where the next line that starts with % begins, from `at` on; the end of the text when there is none.
std::size_t next_percent(std::string_view text, std::size_t at) {
  while ((at = text.find('%', at)) != text.npos && !begins_line(text, at)) ++at;
  return std::min(at, text.size());
}

/// Takes a line off the front of `text`.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, behind_line(text, 0));
  text.remove_prefix(line.size());
  return line.substr(0, line.find_last_not_of("\r\n") + 1);
}

/// Before AMBER 7: a title, then lines of twelve whole numbers, each in six columns.
bool has_old_pointers(std::string_view text) {
  take_line(text);
  for (int lines = 0; lines < 2; ++lines) {
    const std::string_view line = take_line(text);
    for (std::size_t n = 0; n < old_integers.per_line; ++n)
      if (!parse_integer(trim(columns(line, n * old_integers.width, old_integers.width)))) return false;
    if (!trim(columns(line, old_integers.per_line * old_integers.width, line.size())).empty()) return false;
  }
  return true;
}

}  // namespace

PrmtopSections::PrmtopSections(std::string_view text, const std::string& path)
    : text_(text), path_(path), is_old_(has_old_pointers(text)) {
  if (is_old_) {
    cut_by_counts();
  } else {
    cut_by_flags();
  }
}

void PrmtopSections::cut_by_flags() {
  for (std::size_t at = next_percent(text_, 0); at < text_.size();) {
    const std::size_t body = behind_line(text_, at), next = next_percent(text_, body);
    std::string_view line = text_.substr(at, body - at);
    line = trim(line.substr(0, line.find_first_of("\r\n")));
    std::string_view rest = line;
    if (take_token(rest) == "%FLAG") sections_.push_back({.name = trim(rest), .header = line});
    if (!sections_.empty()) {
      if (line.starts_with("%FORMAT")) sections_.back().format_text = line;
      sections_.back().body = text_.substr(body, next - body);
    }
    at = next;
  }
  if (sections_.empty())
    fail(path_,
         ": is not an AMBER topology (no line starts with %FLAG, and lines 2 and 3 are not twelve counts in "
         "six columns each); give a prmtop file from LEaP or ParmEd");
  read_pointers();
}

/// There are 30, 31 or 32 of them.
void PrmtopSections::read_pointers() {
  for_each_field(get("POINTERS"), pointers_needed, BlankField::ends_the_line,
                 [&](std::int64_t index, std::string_view field) {
                   pointers_.push_back(parse_integer(trim(field)).value_or(-1));
                   if (pointers_.back() < 0)
                     complain("POINTERS", index,
                              "the count " + quote(trim(field)) +
                                  " is not a whole number, at least 0; write the topology again");
                 });
}

void PrmtopSections::cut_by_counts() {
  std::string_view rest = text_;
  // A part with no values still has a line of its own, which is empty.
  const auto add = [&](std::string_view name, FieldFormat format, std::int64_t count) {
    const auto per_line = std::int64_t(format.per_line);
    const std::string_view from = rest;
    for (std::int64_t lines = std::max<std::int64_t>((count + per_line - 1) / per_line, 1);
         lines > 0 && !rest.empty(); --lines)
      take_line(rest);
    sections_.push_back({.name = name,
                         .header = from,
                         .format_text = {},
                         .body = from.substr(0, from.size() - rest.size()),
                         .format = format});
  };
  add("TITLE", old_names, 1);
  add("POINTERS", old_integers, pointers_needed);
  read_pointers();
  const auto count = [&](std::size_t pointer) { return std::int64_t(pointers_[pointer]); };
  const std::int64_t atoms = count(0), types = count(1), residues = count(11),
                     type_pairs = types * (types + 1) / 2;
  add("ATOM_NAME", old_names, atoms);
  add("CHARGE", old_numbers, atoms);
  add("MASS", old_numbers, atoms);
  add("ATOM_TYPE_INDEX", old_integers, atoms);
  add("NUMBER_EXCLUDED_ATOMS", old_integers, atoms);
  add("NONBONDED_PARM_INDEX", old_integers, types * types);
  add("RESIDUE_LABEL", old_names, residues);
  add("RESIDUE_POINTER", old_integers, residues);
  for (const std::size_t pointer : {15, 15, 16, 16, 17, 17, 17, 18}) add("", old_numbers, count(pointer));
  for (int coefficient = 0; coefficient < 2; ++coefficient) add("", old_numbers, type_pairs);
  add("BONDS_INC_HYDROGEN", old_integers, 3 * count(2));
  add("BONDS_WITHOUT_HYDROGEN", old_integers, 3 * count(12));
  for (const std::size_t pointer : {4, 13}) add("", old_integers, 4 * count(pointer));
  for (const std::size_t pointer : {6, 14}) add("", old_integers, 5 * count(pointer));
  add("EXCLUDED_ATOMS_LIST", old_integers, count(10));
  for (int term = 0; term < 3; ++term) add("", old_numbers, count(19));  // of hydrogen bonds
  for (int labels = 0; labels < 2; ++labels) add("", old_names, atoms);
  for (int list = 0; list < 2; ++list) add("", old_integers, atoms);
  if (count(27) == 0) return;
  add("SOLVENT_POINTERS", old_integers, 3);
  add("ATOMS_PER_MOLECULE", old_integers, integers("SOLVENT_POINTERS", 3)[1]);
  add("BOX_DIMENSIONS", old_numbers, 4);
}

const PrmtopSections::Section* PrmtopSections::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

const PrmtopSections::Section& PrmtopSections::get(std::string_view name) const {
  const Section* const section = find(name);
  if (section == nullptr)
    fail(path_, ": has no section ", name, ", which a topology needs; is the file truncated? write it again");
  return *section;
}

FieldFormat PrmtopSections::format_of(const Section& section) const {
  if (section.format.width != 0) return section.format;
  // %FORMAT(5E16.8)
  std::string_view text = section.format_text;
  text.remove_prefix(std::min(text.find('('), text.size()));
  const auto take_number = [&text](std::size_t otherwise) {
    std::size_t digits = 0, number = 0;
    constexpr std::size_t most_digits = 3;
    for (; digits < text.size() && digits <= most_digits && is_digit(text[digits]); ++digits)
      number = 10 * number + std::size_t(text[digits] - '0');
    text.remove_prefix(digits);
    return digits == 0 ? otherwise : number;
  };
  if (!text.empty()) text.remove_prefix(1);
  FieldFormat format{.per_line = take_number(1)};
  const bool has_kind = !text.empty() && is_letter(text[0]);
  if (has_kind) text.remove_prefix(1);
  format.width = take_number(0);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    take_number(0);
  }
  constexpr std::size_t longest_line = 1000;
  if (!has_kind || text != ")" || format.width == 0 || format.per_line == 0 ||
      format.per_line * format.width > longest_line)
    fail_at(section.format_text.empty() ? section.header : section.format_text,
            "the section " + std::string(section.name) + " has the format " + quote(section.format_text) +
                ", which is not like %FORMAT(5E16.8); write the topology again");
  return format;
}

/// Calls use(index, field) for each field; gives what is behind the last.
template <typename Use>
std::string_view PrmtopSections::for_each_field(const Section& section, std::int64_t count, BlankField blank,
                                                const Use& use) const {
  const FieldFormat format = format_of(section);
  std::string_view rest = section.body;
  std::int64_t index = 0;
  while (index < count && !rest.empty()) {
    const std::string_view line = take_line(rest);
    std::size_t column = 0;
    for (std::size_t n = 0; n < format.per_line && index < count; ++n, ++index, column += format.width) {
      const std::string_view field = line.substr(std::min(column, line.size()), format.width);
      if (blank == BlankField::ends_the_line && trim(field).empty()) break;
      use(index, field);
    }
    if (index == count && column < line.size()) rest = {line.data() + column, rest.data() + rest.size()};
  }
  if (index < count) {
    TextStream problem;
    problem << "the section " << section.name << " ends after " << index << " of its " << count
            << " values (POINTERS has the number); is the file truncated? copy it again";
    fail_at(rest, problem.str());
  }
  return rest;
}

template <typename Value, typename Read>
std::vector<Value> PrmtopSections::all_of(std::string_view name, std::int64_t count, BlankField blank,
                                          const Read& read) const {
  const Section& section = get(name);
  const std::size_t width = format_of(section).width;
  std::string_view last;
  std::vector<Value> values;
  values.reserve(std::min(std::size_t(count), section.body.size()));
  const std::string_view rest =
      for_each_field(section, count, blank, [&](std::int64_t, std::string_view field) {
        values.push_back(read(trim(field)));
        last = field;
      });
  if (const std::size_t more = rest.find_first_not_of(" \t\r\n"); more != rest.npos)
    fail_at(rest.substr(more), "the section " + std::string(name) + " has more than the " +
                                   std::to_string(count) +
                                   " values that POINTERS announces; write the topology again");
  if (last.size() < width && last.data() + last.size() == text_.data() + text_.size())
    fail_at(last,
            "the file ends in the middle of this line; copy it again (or end the line, if it is complete)");
  return values;
}

std::vector<double> PrmtopSections::numbers(std::string_view name, std::int64_t count) const {
  return all_of<double>(name, count, BlankField::ends_the_line, [&](std::string_view field) {
    const std::optional<double> number = parse_number(field);
    if (!number)
      fail_at(field, "the value " + quote(field) + " of " + std::string(name) + " is not a finite number; " +
                         "write the topology again");
    return *number;
  });
}

std::vector<int> PrmtopSections::integers(std::string_view name, std::int64_t count) const {
  return all_of<int>(name, count, BlankField::ends_the_line, [&](std::string_view field) {
    const std::optional<int> number = parse_integer(field);
    if (!number)
      fail_at(field, "the value " + quote(field) + " of " + std::string(name) + " is not a whole number; " +
                         "write the topology again");
    return *number;
  });
}

std::vector<Label> PrmtopSections::labels(std::string_view name, std::int64_t count) const {
  return all_of<Label>(name, count, BlankField::is_a_value,
                       [](std::string_view field) { return Label(field); });
}

void PrmtopSections::complain(std::string_view name, std::int64_t index, const std::string& problem) const {
  const Section& section = get(name);
  const auto per_line = std::int64_t(format_of(section).per_line);
  std::string_view rest = section.body;
  for (std::int64_t lines = index / per_line; lines > 0; --lines) take_line(rest);
  fail_at(rest, problem);
}

/// `place` is part of the text: its line is counted only now.
void PrmtopSections::fail_at(std::string_view place, const std::string& problem) const {
  const auto line = 1 + std::count(text_.data(), place.data(), '\n');
  fail(path_, ':', line, ": ", problem);
}

bool is_prmtop(std::string_view head) {
  return head.starts_with("%VERSION") || head.starts_with("%FLAG") || has_old_pointers(head);
}

bool is_chamber(std::string_view head) {
  return head.find("%FLAG CTITLE") != head.npos;
}

}  // namespace ionwell
