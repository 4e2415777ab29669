#include "run/placement_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

constexpr std::size_t longest_table = 30;  // rows that fit a terminal;
constexpr std::size_t rows_when_cut = 20;  // of a longer table the first of them are shown
constexpr std::size_t always_shown = 4;    // columns: the ion and where it is
constexpr std::size_t usual_columns = 80;  // of a terminal, where the table goes elsewhere

enum class Align { left, right };

struct Column {
  Align align;
  std::vector<std::string> cells;  // the first of them is the heading

  std::size_t width() const {
    std::size_t width = 0;
    for (const std::string& cell : cells) width = std::max(width, cell.size());
    return width;
  }
};

template <typename... Values>
std::string text(const char* format, Values... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

std::vector<Column> columns_of(std::span<const PlacedIon> ions, const Structure& structure) {
  const bool has_chances =
      std::any_of(ions.begin(), ions.end(), [](const PlacedIon& ion) { return ion.probability.has_value(); });
  const bool any_repelled = std::any_of(ions.begin(), ions.end(), is_repelled);
  const auto column = [&](const char* heading, Align align, auto&& cell) {
    Column result{align, {heading}};
    for (const PlacedIon& ion : ions) result.cells.push_back(cell(ion));
    return result;
  };
  const auto coordinate = [&](const char* heading, double Vec3<double>::*axis) {
    return column(heading, Align::right,
                  [&](const PlacedIon& ion) { return text("%.3f", ion.position_A.*axis); });
  };
  std::size_t number = 0;
  return {column("ion", Align::left,
                 [&](const PlacedIon& ion) { return text("%3zu ", ++number) + ion.species.name; }),
          coordinate("x [A]", &Vec3<double>::x),
          coordinate("y [A]", &Vec3<double>::y),
          coordinate("z [A]", &Vec3<double>::z),
          column(has_chances ? "near a site" : "energy [kT]", Align::right,
                 [&](const PlacedIon& ion) {
                   if (ion.probability) return text("%.0f %%", 100.0 * *ion.probability);
                   return text("%.4f", ion.energy_kT) + (is_repelled(ion) ? "*" : any_repelled ? " " : "");
                 }),
          column("nearest atom", Align::left,
                 [&](const PlacedIon& ion) {
                   return text("%6.3f A  ", ion.nearest_solute_A) +
                          describe(structure.atoms[ion.nearest_atom]);
                 }),
          column("to ion", Align::right, [](const PlacedIon& ion) {
            return std::isfinite(ion.nearest_ion_A) ? text("%.3f A", ion.nearest_ion_A) : std::string("-");
          })};
}

std::size_t line_width(std::span<const Column> table, std::size_t gap) {
  std::size_t width = 0;
  for (const Column& column : table) width += (width > 0 ? gap : 0) + column.width();
  return width;
}

void print_line(std::ostream& out, std::span<const Column> table, std::size_t gap, std::size_t row) {
  std::string line;
  for (const Column& column : table) {
    const std::string& cell = column.cells[row];
    if (!line.empty()) line.append(gap, ' ');
    const std::string blanks(column.width() - cell.size(), ' ');
    line += column.align == Align::left ? cell + blanks : blanks + cell;
  }
  out << line.erase(line.find_last_not_of(' ') + 1) << '\n';
}

}  // namespace

void print_ion_table(std::ostream& out, const Placement& placement, const Structure& structure,
                     std::optional<std::size_t> terminal_columns) {
  const std::size_t count = placement.ions.size();
  if (count == 0) return;
  const std::size_t shown = count > longest_table ? rows_when_cut : count;
  const std::span ions = std::span(placement.ions).first(shown);
  const std::vector<Column> all = columns_of(ions, structure);
  std::span<const Column> table = all;
  while (terminal_columns && table.size() > always_shown && line_width(table, 1) > *terminal_columns)
    table = table.first(table.size() - 1);
  const std::size_t gap = line_width(table, 2) <= terminal_columns.value_or(usual_columns) ? 2 : 1;
  for (std::size_t row = 0; row <= shown; ++row) print_line(out, table, gap, row);
  if (shown < count) out << "... and " << grouped(std::int64_t(count - shown)) << " more, in the PDB file\n";
  if (std::any_of(ions.begin(), ions.end(), is_repelled))
    out << "  * an energy above 0 is no better than far away\n";
  if (table.size() == all.size()) return;
  out << "  no room for:";
  for (std::size_t n = table.size(); n < all.size(); ++n)
    out << (n == table.size() ? " " : ", ") << all[n].cells.front();
  out << '\n';
}

}  // namespace ionwell
