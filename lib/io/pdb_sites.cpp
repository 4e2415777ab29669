#include "io/pdb_sites.hpp"

#include <array>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/text.hpp"
#include "io/input_file.hpp"

namespace ionwell {
namespace {

constexpr std::size_t first_coordinate_column = 30, coordinate_width = 8;
constexpr double largest_coordinate_A = 1e5;  // ten times what PDB columns hold

bool starts_with(std::string_view line, std::string_view word) {
  return line.substr(0, word.size()) == word;
}

Vec3<double> read_position(std::string_view line, const std::string& place) {
  std::array<double, 3> values{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view text =
        trim(columns(line, first_coordinate_column + axis * coordinate_width, coordinate_width));
    const std::optional<double> value = parse_number(text);
    if (!value || std::abs(*value) > largest_coordinate_A)
      fail(place, ": the ", "xyz"[axis], " coordinate ", quote(text),
           " is not a number of at most 100000 A (a PDB record has x, y, z in columns 31-54); correct the "
           "line");
    values[axis] = *value;
  }
  return {values[0], values[1], values[2]};
}

}  // namespace

std::vector<PdbSite> read_pdb_sites(const std::string& file) {
  InputFile input(file);
  const std::string path = input.name();
  const FileBytes bytes = read_input_file(std::move(input));
  std::vector<PdbSite> sites;
  LineScanner lines(bytes.text());
  for (std::string_view line; lines.next(line);) {
    if (starts_with(line, "ENDMDL")) break;
    if (!starts_with(line, "ATOM  ") && !starts_with(line, "HETATM")) continue;
    sites.push_back({.name = trim(columns(line, 12, 4)),
                     .residue = trim(columns(line, 17, 4)),
                     .chain = trim(columns(line, 21, 1)),
                     .residue_number = parse_integer(trim(columns(line, 22, 4))).value_or(0),
                     .position_A = read_position(line, path + ':' + std::to_string(lines.number()))});
  }
  if (sites.empty())
    fail(path, ": no ATOM or HETATM record was found; give a PDB file of ions, as 'ionwell place' writes it");
  return sites;
}

}  // namespace ionwell
