// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "jobs/place/job/placement_table.hpp"

using namespace ionwell;

namespace {

const IonSpecies magnesium{"MG", "MG", 2.0}, sodium{"Na+", "NA", 1.0};

Structure solute() {
  Structure structure;
  structure.atoms.push_back({.name = "OP1", .residue = "G", .chain = "A", .residue_number = 7});
  structure.atoms.push_back({.name = "P", .residue = "C", .residue_number = 8, .insertion_code = 'B'});
  return structure;
}

Placement placement_of(std::size_t ions) {
  Placement placement;
  for (std::size_t i = 0; i < ions; ++i)
    placement.ions.push_back({.species = i == 0 ? magnesium : sodium,
                              .position_A = {1.5, -2.5, double(i)},
                              .energy_kT = -12.25,
                              .nearest_atom = i % 2,
                              .nearest_solute_A = 5.125});
  return placement;
}

std::string table_of(const Placement& placement, std::optional<std::size_t> terminal_columns = {}) {
  std::ostringstream table;
  print_ion_table(table, placement, solute(), {.terminal_columns = terminal_columns});
  return table.str();
}

std::string styled(const Placement& placement, const TableStyle& style) {
  std::ostringstream table;
  print_ion_table(table, placement, solute(), style);
  return table.str();
}

std::int64_t rows(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

std::size_t width(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace

TEST_CASE("ion table: a row for each ion, up to what a terminal holds") {
  Placement placement = placement_of(2);
  placement.ions[1].nearest_ion_A = 6.5;
  CHECK(table_of(placement) ==
        "ion      x [A]   y [A]  z [A]  energy [kT]  nearest atom          to ion\n"
        "  1 MG   1.500  -2.500  0.000     -12.2500   5.125 A  G 7 A OP1        -\n"
        "  2 Na+  1.500  -2.500  1.000     -12.2500   5.125 A  C 8B P     6.500 A\n");
  CHECK(table_of({}).empty());
  CHECK(rows(table_of(placement_of(30))) == 31);
  const std::string long_table = table_of(placement_of(1231));
  CHECK(rows(long_table) == 22);
  CHECK(long_table.ends_with("\n... and 1,211 more, in the PDB file\n"));
}

TEST_CASE("ion table: an energy above 0 has a mark") {
  Placement placement = placement_of(2);
  placement.ions[1].energy_kT = 3.0;
  const std::string table = table_of(placement);
  CHECK(table.find(" -12.2500   ") != std::string::npos);
  CHECK(table.find("   3.0000*  ") != std::string::npos);
  CHECK(table.ends_with("\n  * an energy above 0: the ion would be better off far away\n"));
}

TEST_CASE("ion table: fits a terminal, and says which columns it left out") {
  Placement placement = placement_of(12);
  for (PlacedIon& ion : placement.ions) {
    ion.position_A = {-123.456, -234.567, -345.678};
    ion.energy_kT = -12345.6789;
    ion.nearest_ion_A = 11.25;
  }
  CHECK(width(table_of(placement)) <= 80);
  CHECK(width(table_of(placement, 200)) == width(table_of(placement)) + 6);  // there is room for wider gaps
  for (const std::size_t columns : {50, 60, 70, 80}) {
    CAPTURE(columns);
    const std::string table = table_of(placement, columns);
    CHECK(width(table) <= columns);
    CHECK(table.find("-345.678") != std::string::npos);
    for (const char* const heading : {"energy [kT]", "nearest atom", "to ion"})
      CHECK(table.find(heading) != std::string::npos);  // in the table or below it
  }
  CHECK(table_of(placement, 60).ends_with("\n  no room for: nearest atom, to ion\n"));
  CHECK(width(table_of(placement, 10)) > 10);  // the ions and where they are, whatever it takes
}

TEST_CASE("ion table: a terminal gets colours by kind, signs of UTF-8 and bars, each where it has them") {
  Placement placement = placement_of(3);
  placement.ions[1].energy_kT = -6.125;
  placement.ions[2].energy_kT = 3.0;
  const std::string coloured = styled(placement, {.terminal_columns = 100, .colours = true});
  CHECK(coloured.find("\x1b[1mion\x1b[0m") != std::string::npos);
  CHECK(coloured.find("\x1b[36m  1 MG\x1b[0m") != std::string::npos);
  CHECK(coloured.find("\x1b[35m  2 Na+\x1b[0m") != std::string::npos);
  CHECK(coloured.find("\x1b[31m3.0000*\x1b[0m") != std::string::npos);
  std::string without;
  for (std::size_t at = 0; at < coloured.size();) {
    if (coloured[at] == '\x1b')
      at = coloured.find('m', at) + 1;
    else
      without += coloured[at++];
  }
  CHECK(without == styled(placement, {.terminal_columns = 100}));
  const std::string signs = styled(placement, {.terminal_columns = 100, .utf8 = true});
  CHECK(signs.find("x [\u00c5]") != std::string::npos);
  CHECK(signs.find("5.125 \u00c5") != std::string::npos);
  CHECK(signs.find("-12.2500   \u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588  ") != std::string::npos);
  CHECK(signs.find(" -6.1250   \u2588\u2588\u2588\u2588       5.125") != std::string::npos);
  CHECK(signs.find("\x1b") == std::string::npos);
  // No room for bars, but for all else.
  const std::string narrow = styled(placement, {.terminal_columns = 75, .utf8 = true});
  CHECK(narrow.find("\u2588") == std::string::npos);
  CHECK(narrow.find("no room") == std::string::npos);
}

TEST_CASE("ion table: of many ions the first, and where the others are") {
  CHECK(rows(styled(placement_of(30), {})) == 31);
  CHECK(styled(placement_of(31), {}).ends_with("... and 11 more, in the PDB file\n"));
}
