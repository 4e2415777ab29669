// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/placement_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

constexpr std::size_t longest_table = 30;  // rows that fit a terminal;
constexpr std::size_t rows_when_cut = 20;  // of a longer table the first of them are shown
constexpr std::size_t always_shown = 4;    // columns: the ion and where it is
constexpr std::size_t usual_columns = 80;  // of a terminal, where the table goes elsewhere
constexpr std::size_t energy_column = 4;
constexpr std::size_t bar_width = 8;  // of energies, in characters

enum class Align { left, right };

/// Characters of UTF-8, not bytes.
std::size_t shown_width(std::string_view text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

struct Column {
  Align align;
  std::vector<std::string> cells;      // the first of them is the heading
  std::vector<const char*> colours{};  // by cell, where the column has some; null: none

  std::size_t width() const {
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, shown_width(cell));
    return width;
  }
};

template <typename... Values>
std::string text(const char* format, Values... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

constexpr const char* bold = "\x1b[1m";
constexpr const char* red = "\x1b[31m";
constexpr const char* plain = "\x1b[0m";

/// By kinds in the order in which they come first.
std::vector<const char*> kind_colours(std::span<const PlacedIon> ions) {
  constexpr std::array colours = {"\x1b[36m", "\x1b[35m", "\x1b[33m", "\x1b[32m", "\x1b[34m"};
  std::vector<std::string> kinds;
  std::vector<const char*> found = {nullptr};
  for (const PlacedIon& ion : ions) {
    const auto kind = std::find(kinds.begin(), kinds.end(), ion.species.name);
    found.push_back(colours[std::size_t(kind - kinds.begin()) % colours.size()]);
    if (kind == kinds.end()) kinds.push_back(ion.species.name);
  }
  return found;
}

std::vector<Column> columns_of(std::span<const PlacedIon> ions, const Structure& structure,
                               const TableStyle& style) {
  const auto has_chance = [](const PlacedIon& ion) { return ion.probability.has_value(); };
  const bool has_chances = std::all_of(ions.begin(), ions.end(), has_chance);
  const bool any_repelled = std::any_of(ions.begin(), ions.end(), is_repelled);
  const std::string unit = style.utf8 ? "\u00c5" : "A";
  const auto column = [&](const std::string& heading, Align align, auto&& cell) {
    Column result{align, {heading}};
    for (const PlacedIon& ion : ions) result.cells.push_back(cell(ion));
    return result;
  };
  const auto coordinate = [&](const char* heading, double Vec3<double>::*axis) {
    return column(heading + (" [" + unit + "]"), Align::right,
                  [&](const PlacedIon& ion) { return text("%.3f", ion.position_A.*axis); });
  };
  std::size_t number = 0;
  std::vector<Column> columns = {
      column("ion", Align::left,
             [&](const PlacedIon& ion) { return text("%3zu ", ++number) + ion.species.name; }),
      coordinate("x", &Vec3<double>::x),
      coordinate("y", &Vec3<double>::y),
      coordinate("z", &Vec3<double>::z),
      column(has_chances ? "near a site" : "energy [kT]", Align::right,
             [&](const PlacedIon& ion) {
               if (ion.probability)
                 return text(has_chances ? "%.0f %%" : "site %.0f %%", 100.0 * *ion.probability);
               return text("%.4f", ion.energy_kT) + (is_repelled(ion) ? "*" : any_repelled ? " " : "");
             }),
      column("nearest atom", Align::left,
             [&](const PlacedIon& ion) {
               if (!std::isfinite(ion.nearest_solute_A)) return std::string("-");  // in water alone
               return text("%6.3f ", ion.nearest_solute_A) + unit + "  " +
                      describe(structure.atoms[ion.nearest_atom]);
             }),
      column("to ion", Align::right, [&](const PlacedIon& ion) {
        return std::isfinite(ion.nearest_ion_A) ? text("%.3f ", ion.nearest_ion_A) + unit : std::string("-");
      })};
  columns[0].colours = kind_colours(ions);
  columns[energy_column].colours = {nullptr};
  for (const PlacedIon& ion : ions)
    columns[energy_column].colours.push_back(is_repelled(ion) ? red : nullptr);
  return columns;
}

/// Bars of eighths of a character: an energy as a part of the lowest one, a chance as a part of 1.
Column energy_bars(std::span<const PlacedIon> ions) {
  constexpr std::array eighths = {"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
  double lowest_kT = 0.0;
  for (const PlacedIon& ion : ions)
    if (std::isfinite(ion.energy_kT)) lowest_kT = std::min(lowest_kT, ion.energy_kT);
  Column bars{Align::left, {std::string(bar_width, ' ')}, kind_colours(ions)};
  for (const PlacedIon& ion : ions) {
    const double part = ion.probability   ? *ion.probability
                        : lowest_kT < 0.0 ? ion.energy_kT / lowest_kT
                                          : 0.0;
    const int filled =
        std::isfinite(part) ? int(std::lround(std::clamp(part, 0.0, 1.0) * 8.0 * double(bar_width))) : 0;
    std::string bar;
    for (int n = 0; n < filled / 8; ++n) bar += "\u2588";
    bars.cells.push_back(bar + eighths[std::size_t(filled % 8)]);
  }
  return bars;
}

std::size_t line_width(std::span<const Column> table, std::size_t gap) {
  std::size_t width = 0;
  for (const Column& column : table) width += (width > 0 ? gap : 0) + column.width();
  return width;
}

void print_line(std::ostream& out, std::span<const Column> table, std::size_t gap, std::size_t row,
                bool colours) {
  std::string line;
  std::size_t last = 0;  // where its last character that is no blank ends
  for (const Column& column : table) {
    const std::string& cell = column.cells[row];
    if (&column != table.data()) line.append(gap, ' ');
    const std::string blanks(column.width() - shown_width(cell), ' ');
    if (column.align == Align::right) line += blanks;
    const char* const colour = row == 0 ? bold : column.colours.empty() ? nullptr : column.colours[row];
    const bool coloured = colours && colour != nullptr && cell.find_first_not_of(' ') != std::string::npos;
    line += coloured ? colour + cell + plain : cell;
    if (cell.find_first_not_of(' ') != std::string::npos)
      last = coloured ? line.size() : line.find_last_not_of(' ') + 1;
    if (column.align == Align::left) line += blanks;
  }
  line.resize(last);
  out << line << '\n';
}

}  // namespace

void print_ion_table(std::ostream& out, const Placement& placement, const Structure& structure,
                     const TableStyle& style) {
  const std::size_t count = placement.ions.size();
  if (count == 0) return;
  const std::size_t shown = count > longest_table ? rows_when_cut : count;
  const std::span ions = std::span(placement.ions).first(shown);
  std::vector<Column> table = columns_of(ions, structure, style);
  const std::size_t room = style.terminal_columns.value_or(usual_columns);
  std::string left_out;
  while (style.terminal_columns && table.size() > always_shown && line_width(table, 1) > room) {
    left_out = table.back().cells.front() + (left_out.empty() ? "" : ", ") + left_out;
    table.pop_back();
  }
  if (style.utf8 && left_out.empty() && line_width(table, 2) + 2 + bar_width <= room)
    table.insert(table.begin() + std::ptrdiff_t(energy_column) + 1, energy_bars(ions));
  const std::size_t gap = line_width(table, 2) <= room ? 2 : 1;
  for (std::size_t row = 0; row <= shown; ++row) print_line(out, table, gap, row, style.colours);
  if (shown < count)
    out << (style.utf8 ? "\u2026" : "...") << " and " << grouped(std::int64_t(count - shown))
        << " more, in the PDB file\n";
  if (std::any_of(ions.begin(), ions.end(), is_repelled))
    out << "  * an energy above 0: the ion would be better off far away\n";
  if (!left_out.empty()) out << "  no room for: " << left_out << '\n';
}

}  // namespace ionwell
