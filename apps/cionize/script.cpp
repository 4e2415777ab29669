// SPDX-License-Identifier: BSD-3-Clause
#include "cionize/script.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/nearest_words.hpp"
#include "core/text/numbers.hpp"
#include "placement/ion.hpp"

namespace ionwell::cionize {
namespace {

enum class Place { before_begin, after_begin, anywhere };

/// A row of the language. Arguments in brackets may be left out.
struct KeywordRow {
  Keyword keyword;
  std::string_view word, arguments;
  std::size_t least, most;  // arguments
  Place place;
  std::string_view text;
};

constexpr std::array rows = {
    KeywordRow{Keyword::r_ion_solute, "R_ION_SOLUTE", "r", 1, 1, Place::before_begin,
               "distance that ions keep from atoms of the solute [A], 6"},
    KeywordRow{Keyword::r_ion_ion, "R_ION_ION", "r", 1, 1, Place::before_begin,
               "smallest distance between two ions [A], 10; rounded to whole steps of the lattice"},
    KeywordRow{Keyword::border_size, "BORDERSIZE", "d", 1, 1, Place::before_begin,
               "distance from the solute's atoms to the faces of the lattice [A], 10"},
    KeywordRow{Keyword::grid_spacing, "GRIDSPACING", "h", 1, 1, Place::before_begin,
               "distance between lattice points [A], 0.5"},
    KeywordRow{Keyword::ddd, "DDD", "k", 1, 1, Place::before_begin,
               "distance-dependent dielectric k r; the published k is 3"},
    KeywordRow{Keyword::grid_file, "GRIDFILE", "file", 1, 1, Place::before_begin,
               "use the potential of a map (OpenDX and others) instead of the solute's charges, in kT/e if "
               "the map states no unit; the potential between ions is then that of Debye-Hueckel in water at "
               "0.15 M, not that in vacuum"},
    KeywordRow{Keyword::xyz_dim, "XYZDIM", "x0 y0 z0 x1 y1 z1", 6, 6, Place::before_begin,
               "lattice between two corners [A], instead of a border"},
    KeywordRow{Keyword::multigrid, "MULTIGRID", "", 0, 0, Place::before_begin,
               "use multilevel summation, like -m multigrid"},
    KeywordRow{Keyword::show_options, "SHOWOPT", "", 0, 0, Place::before_begin, "print the current options"},
    KeywordRow{Keyword::begin, "BEGIN", "", 0, 0, Place::before_begin,
               "compute the potential; options come before it, ions after it"},
    KeywordRow{Keyword::place_ion, "PLACEION", "name n charge", 3, 3, Place::after_begin,
               "place n ions one at a time, each where its energy is lowest"},
    KeywordRow{Keyword::save_ion, "SAVEION", "[format] file", 1, 2, Place::after_begin,
               "write the ions placed since the last SAVEION, as pdb, cif, gro, pqr, crd, rst7 or xyz; "
               "without a format, the ending of the name sets it, or else PDB"},
    KeywordRow{Keyword::save_grid, "SAVEGRID", "file", 1, 1, Place::after_begin,
               "write the potential of the solute and of all ions placed so far; the ending of the name sets "
               "the format, or else OpenDX"},
    KeywordRow{Keyword::help, "HELP", "", 0, 0, Place::anywhere, "print this"},
    KeywordRow{Keyword::exit, "EXIT", "", 0, 0, Place::anywhere, "end the script; nothing after it is read"},
};

constexpr std::array<std::pair<std::string_view, SystemFormat>, 9> format_words = {
    {{"pdb", SystemFormat::pdb},
     {"cif", SystemFormat::mmcif},
     {"mmcif", SystemFormat::mmcif},
     {"gro", SystemFormat::gro},
     {"pqr", SystemFormat::pqr},
     {"crd", SystemFormat::charmm_crd},
     {"rst7", SystemFormat::amber_rst7},
     {"inpcrd", SystemFormat::amber_rst7},
     {"xyz", SystemFormat::xyz}}};

std::string call_of(const KeywordRow& row) {
  return std::string(row.word) + (row.arguments.empty() ? "" : " ") + std::string(row.arguments);
}

/// Words between blanks; one in double quotes may have blanks.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '"') {
      const std::size_t end = line.find('"', at + 1);
      if (end == line.npos)
        fail("the quotation mark before ", quote(line.substr(at + 1)), " is never closed");
      words.emplace_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
      if (at < line.size() && !is_blank(line[at]))
        fail("after the quotation mark of ", quote(words.back()), " there is no blank");
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end])) ++end;
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return upper;
}

const KeywordRow& row_of(const std::string& typed) {
  const std::string word = upper_case(typed);
  for (const KeywordRow& row : rows)
    if (row.word == word) return row;
  constexpr std::size_t most_mistakes = 2;
  for (const KeywordRow& row : rows)
    if (word.size() > most_mistakes && mistakes_between(word, row.word) <= most_mistakes)
      fail(quote(typed), " is not a command; did you mean ", row.word, "?");
  fail(quote(typed), " is not a command; HELP lists them");
}

void check_place(const KeywordRow& row, Phase phase) {
  if (row.place == Place::after_begin && phase == Phase::options)
    fail(row.word, " comes before BEGIN, which computes the potential that it needs; put BEGIN before it");
  if (row.place == Place::before_begin && phase == Phase::ions)
    fail(row.word, " comes after BEGIN, when the potential is computed",
         row.keyword == Keyword::begin ? " already" : "",
         row.keyword == Keyword::begin ? "; leave it out" : "; put it before BEGIN");
}

double number_of(const KeywordRow& row, std::string_view text) {
  const std::optional<double> number = parse_number(text);
  if (!number) fail(row.word, ": ", quote(text), " is not a number; write ", call_of(row), ", as in 12.5");
  return *number;
}

/// A distance or a factor that has a least value.
double number_in_range(const KeywordRow& row, std::string_view text) {
  const double number = number_of(row, text);
  const bool may_be_zero = row.keyword != Keyword::grid_spacing && row.keyword != Keyword::ddd;
  if (may_be_zero ? !(number >= 0.0) : !(number > 0.0))
    fail(row.word, " is ", number, "; it must ", may_be_zero ? "not be negative" : "be greater than 0");
  return number;
}

Box box_of(const KeywordRow& row, const std::vector<std::string>& words) {
  double n[6] = {};
  for (std::size_t i = 0; i < 6; ++i) n[i] = number_of(row, words[i + 1]);
  for (std::size_t i = 0; i < 3; ++i)
    if (!(n[i] < n[i + 3]))
      fail(row.word, ": the box goes from ", n[i], " to ", n[i + 3], " A in ", "xyz"[i],
           "; give the lower corner first: ", row.arguments);
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

std::string ion_name_of(const KeywordRow& row, const std::string& name) {
  const bool is_printable = std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (name.empty() || !is_printable)
    fail(row.word, ": the name ", quote(name), " must consist of printable ASCII characters without blanks");
  if (name.size() > longest_ion_name)
    fail(row.word, ": the name ", quote(name), " has ", name.size(),
         " characters, but a PDB file has room for ", longest_ion_name, "; shorten it");
  return name;
}

std::int64_t count_of_ions(const KeywordRow& row, const std::string& text) {
  const auto count = parse_integer<std::int64_t>(text);
  if (!count || *count < 1 || *count > most_ions_of_a_kind)
    fail(row.word, ": the number of ions ", quote(text), " is not a whole number from 1 to ",
         most_ions_of_a_kind, "; write ", call_of(row), ", for example PLACEION MG 5 2");
  return *count;
}

double charge_of(const KeywordRow& row, const std::string& text) {
  const double charge_e = number_of(row, text);
  if (charge_e == 0.0)
    fail(row.word, ": the charge is 0, but an ion without charge has no position of lowest energy");
  if (std::abs(charge_e) > largest_ion_charge_e)
    fail(row.word, ": the charge ", quote(text), " is beyond ", largest_ion_charge_e,
         " e; no ion has such a charge");
  return charge_e;
}

SystemFormat format_of_word(const KeywordRow& row, const std::string& typed) {
  const std::string word = lower_case(typed);
  for (const auto& [known, format] : format_words)
    if (word == known) return format;
  fail(row.word, ": ", quote(typed),
       " is not a format of ions; the formats are pdb, cif, gro, pqr, crd, rst7 and xyz, and a file name "
       "with blanks needs quotation marks");
}

std::string path_of(const KeywordRow& row, const std::string& word) {
  if (word.empty()) fail(row.word, ": the name of the file is empty");
  if (word.find('\0') != word.npos) fail(row.word, ": the name of the file contains a zero byte");
  return word;
}

void read_arguments(const KeywordRow& row, const std::vector<std::string>& words, ScriptCommand& command) {
  switch (row.keyword) {
    case Keyword::r_ion_solute:
    case Keyword::r_ion_ion:
    case Keyword::border_size:
    case Keyword::grid_spacing:
    case Keyword::ddd:
      command.number = number_in_range(row, words[1]);
      break;
    case Keyword::xyz_dim:
      command.box = box_of(row, words);
      break;
    case Keyword::place_ion:
      command.name = ion_name_of(row, words[1]);
      command.count = count_of_ions(row, words[2]);
      command.number = charge_of(row, words[3]);
      break;
    case Keyword::save_ion:
      if (words.size() == 3) command.format = format_of_word(row, words[1]);
      command.path = path_of(row, words.back());
      break;
    case Keyword::grid_file:
    case Keyword::save_grid:
      command.path = path_of(row, words[1]);
      break;
    default:
      break;
  }
}

}  // namespace

std::string_view word_of(Keyword keyword) {
  for (const KeywordRow& row : rows)
    if (row.keyword == keyword) return row.word;
  return {};
}

std::optional<ScriptCommand> parse_command(std::string_view line, Phase phase) {
  const std::string_view text = trim(line);
  if (text.empty() || text.front() == '#') return {};
  const std::vector<std::string> words = words_of(text);
  const KeywordRow& row = row_of(words.front());
  check_place(row, phase);
  const std::size_t arguments = words.size() - 1;
  if (arguments < row.least) fail(row.word, " lacks an argument; write ", call_of(row));
  if (arguments > row.most)
    fail(row.word, ": ", quote(words[row.most + 1]), " is one argument too many; write ", call_of(row));
  ScriptCommand command{.keyword = row.keyword};
  read_arguments(row, words, command);
  return command;
}

std::vector<ScriptCommand> parse_script(std::string_view text, const std::string& name) {
  std::vector<ScriptCommand> commands;
  LineScanner lines(text);
  bool sets_something = false, has_begun = false, has_ions = false;
  for (std::string_view line; lines.next(line);) {
    std::optional<ScriptCommand> command;
    try {
      command = parse_command(line, has_begun ? Phase::ions : Phase::options);
      has_ions |= command && command->keyword == Keyword::place_ion;
      if (command && command->keyword == Keyword::save_ion && !has_ions)
        fail("SAVEION comes before the first PLACEION, and there are no ions to save");
    } catch (const Error& error) {
      fail(name, ':', lines.number(), ": ", error.what());
    }
    if (!command) continue;
    command->line = lines.number();
    commands.push_back(*command);
    has_begun |= command->keyword == Keyword::begin;
    if (command->keyword == Keyword::exit) break;
    sets_something |= command->keyword != Keyword::help && command->keyword != Keyword::show_options;
  }
  if (commands.empty()) fail(name, ": contains no command; HELP lists the commands");
  if (!has_begun && sets_something)
    fail(name, ':', lines.number(),
         ": the script ends without BEGIN, so nothing would be computed; put BEGIN after the options");
  return commands;
}

void print_keywords(std::ostream& out, std::size_t columns) {
  constexpr std::size_t text_column = 29;
  const auto print = [&](const char* heading, auto&& is_listed) {
    out << heading << '\n';
    for (const KeywordRow& row : rows) {
      if (!is_listed(row)) continue;
      std::string line = "  " + call_of(row);
      line.resize(std::max(line.size() + 1, text_column), ' ');
      out << wrapped(line + std::string(row.text), {.columns = columns, .indent = text_column}) << '\n';
    }
  };
  print("Commands before BEGIN, and BEGIN:",
        [](const KeywordRow& row) { return row.place == Place::before_begin; });
  print("Commands after BEGIN:", [](const KeywordRow& row) { return row.place == Place::after_begin; });
  print("Anywhere:", [](const KeywordRow& row) { return row.place == Place::anywhere; });
}

}  // namespace ionwell::cionize
