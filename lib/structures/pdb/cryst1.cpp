// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/cryst1.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {

std::optional<UnitCell> crystallographic_cell(const std::array<double, 6>& lengths_and_angles,
                                              std::string_view where) {
  const auto& [a, b, c, alpha, beta, gamma] = lengths_and_angles;
  const bool are_positive = std::all_of(lengths_and_angles.begin(), lengths_and_angles.end(),
                                        [](double value) { return value > 0.0; });
  if (!are_positive || Vec3<double>{a, b, c} == Vec3<double>{1.0, 1.0, 1.0}) return {};
  const std::optional<UnitCell> cell = possible_cell({{a, b, c}, {alpha, beta, gamma}}, CellKind::undecided);
  if (!cell)
    fail(where, ": the angles ", alpha, ", ", beta, " and ", gamma,
         " do not form a cell (it has no volume); correct them, or remove the cell from the file");
  return cell;
}

std::optional<UnitCell> read_cryst1(std::string_view line, std::string_view where) {
  struct Field {
    std::size_t first, count;
  };
  constexpr std::array<Field, 6> fields{{{6, 9}, {15, 9}, {24, 9}, {33, 7}, {40, 7}, {47, 7}}};
  const auto read = [](const auto& text_of) -> std::optional<std::array<double, 6>> {
    std::array<double, 6> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<double> value = parse_number(trim(text_of(i)));
      if (!value || !(*value > 0.0)) return {};
      values[i] = *value;
    }
    return values;
  };
  auto values = read([&](std::size_t i) { return columns(line, fields[i].first, fields[i].count); });
  if (!values) {
    std::string_view rest = line;
    take_token(rest);
    values = read([&](std::size_t) { return take_token(rest); });
  }
  return values ? crystallographic_cell(*values, where) : std::nullopt;
}

}  // namespace ionwell
