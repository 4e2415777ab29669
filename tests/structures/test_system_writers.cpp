// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/unit_cell.hpp"
#include "files/packing.hpp"
#include "structures/charmm/charmm_crd.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pqr_reader.hpp"
#include "structures/writers/pdb_writer.hpp"
#include "structures/writers/system_file.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  LineScanner scanner(text);
  for (std::string_view line; scanner.next(line);) lines.emplace_back(line);
  return lines;
}

const std::vector<Atom> solute = {{.position_A = {1.0 / 3, -20.125, 3.0},
                                   .charge_e = -0.123456789,
                                   .radius_A = 1.7,
                                   .name = "O5'",
                                   .residue = "DG5",
                                   .chain = "B",
                                   .segment = "DNA1",
                                   .residue_number = -3},
                                  {.position_A = {0.1, 0.2, 0.3},
                                   .charge_e = 0.5,
                                   .name = "HC",
                                   .residue = "LIGAND",
                                   .segment = "LONGSEG",
                                   .residue_number = 123456,
                                   .element = "H",
                                   .insertion_code = 'C'}};

PlacedSystem system() {
  return {.remarks = {"one solute"},
          .solute = solute,
          .ions = {{"SOD", "SOD", "NA", 1.0, {5.0, 6.0, 7.0625}, 1.02}},
          .cell = unit_cell({{40.0, 50.0, 60.0}, {90.0, 90.0, 90.0}}),
          .names = SoluteNames::own};
}

}  // namespace

TEST_CASE("writers: the ending tells the format, and others are refused") {
  CHECK(system_format("a.pdb") == SystemFormat::pdb);
  CHECK(system_format("-") == SystemFormat::pdb);
  CHECK(system_format("ions") == SystemFormat::pdb);
  CHECK(system_format("a.CIF.gz") == SystemFormat::mmcif);
  CHECK(system_format("a.gro") == SystemFormat::gro);
  CHECK(system_format("a.pqr.gz") == SystemFormat::pqr);
  CHECK(system_format("a.crd") == SystemFormat::charmm_crd);
  CHECK(system_format("a.inpcrd") == SystemFormat::amber_rst7);
  CHECK(system_format("a.xyz") == SystemFormat::xyz);
  CHECK(error_of([] { system_format("a.xtc"); }).find("-o is a.xtc") == 0);
  CHECK(error_of([] { system_format("a.pdb.bz2"); }).find("-o is a.pdb.bz2") == 0);
  CHECK(is_system_name("a.rst7"));
  CHECK(!is_system_name("a.dx"));
}

TEST_CASE("writers: a .gro file has nm, its columns, and the cell") {
  const std::vector<std::string> lines =
      lines_of(system_text({.solute = {&solute[0], 1},
                            .ions = {{"NA", "NA", "NA", 1.0, {5, 6, 7}}},
                            .cell = unit_cell({{40, 50, 60}, {90, 90, 90}}),
                            .names = SoluteNames::own},
                           SystemFormat::gro));
  REQUIRE(lines.size() == 5);
  CHECK(lines[1] == "    2");
  CHECK(lines[2] == "   -3DG5    O5'    1   0.033  -2.013   0.300");
  CHECK(lines[3] == "    1NA      NA    2   0.500   0.600   0.700");
  CHECK(lines[4] == "   4.00000   5.00000   6.00000");
  CHECK(error_of([] {
          system_text(system(), SystemFormat::gro);
        }).find("the name 'LIGAND' of LIGAND 123456C HC") == 0);
}

TEST_CASE(
    "writers: residue numbers that are too long for a .gro file keep their last digits and their sign") {
  std::vector<Atom> far = {solute[0], solute[0], solute[0]};
  far[0].residue_number = -9999;
  far[1].residue_number = -12345;
  far[2].residue_number = 123456;
  const std::vector<std::string> lines =
      lines_of(system_text({.solute = far, .names = SoluteNames::own}, SystemFormat::gro));
  CHECK(lines[2].starts_with("-9999DG5"));
  CHECK(lines[3].starts_with("-2345DG5"));
  CHECK(lines[4].starts_with("23456DG5"));
}

TEST_CASE("writers: a triclinic cell in .gro and back") {
  const UnitCell cell = unit_cell({{50.0, 60.0, 70.0}, {70.0, 80.0, 100.0}});
  CHECK(lengths_A(cell) == Vec3<double>{50.0, 60.0, 70.0});
  CHECK(angles_deg(cell) == Vec3<double>{70.0, 80.0, 100.0});
  const std::string box = lines_of(system_text({.cell = cell}, SystemFormat::gro)).back();
  std::string_view rest = box;
  const double expected[] = {cell.a.x, cell.b.y, cell.c.z, 0, 0, cell.b.x, 0, cell.c.x, cell.c.y};
  for (const double x : expected)
    CHECK(parse_number(take_token(rest)).value_or(1e9) == doctest::Approx(0.1 * x).epsilon(1e-5));
  CHECK(error_of([] {
          cell_vectors({{1, 1, 1}, {20, 20, 100}});
        }).find("do not form a cell") != std::string::npos);
  CHECK(angles_deg({}) == Vec3<double>{90, 90, 90});
}

TEST_CASE("writers: what a PQR file holds reads back as the same doubles") {
  const Structure read = read_pqr(system_text(system(), SystemFormat::pqr), "x.pqr");
  REQUIRE(read.atoms.size() == 3);
  for (std::size_t i = 0; i < solute.size(); ++i) {
    CHECK(read.atoms[i].position_A == solute[i].position_A);
    CHECK(read.atoms[i].charge_e == solute[i].charge_e);
    CHECK(read.atoms[i].radius_A == solute[i].radius_A);
    CHECK(read.atoms[i].name == solute[i].name);
  }
  CHECK(read.atoms[0].residue_number == -3);
  CHECK(read.atoms[2].charge_e == 1.0);
  CHECK(read.atoms[2].radius_A == 1.02);
  REQUIRE(read.cell);
  CHECK(lengths_A(*read.cell) == Vec3<double>{40, 50, 60});
}

TEST_CASE("writers: mmCIF quotes what CIF would misread, and has no limits") {
  const std::vector<std::string> lines = lines_of(system_text(system(), SystemFormat::mmcif));
  const auto begins = [&](const std::string& start) {
    for (const std::string& line : lines)
      if (line.starts_with(start)) return line;
    return std::string();
  };
  CHECK(begins("_cell.length_b") == "_cell.length_b 50.000");
  CHECK(begins("ATOM 1") ==
        "ATOM 1 O \"O5'\" . DG5 B 1 -3 ? 0.3333333333333333 -20.125 3.000 1.00 0.00 -3 DG5 B \"O5'\" 1");
  CHECK(begins("HETATM 2") ==
        "HETATM 2 H HC . LIGAND LONGSEG 1 123456 C 0.100 0.200 0.300 1.00 0.00 123456 LIGAND LONGSEG HC 1");
  CHECK(begins("HETATM 3").starts_with("HETATM 3 NA SOD . SOD I 1 1 ? 5.000 6.000 7.0625"));
}

TEST_CASE("writers: what arithmetic left behind a number's decimals is not written") {
  const auto written = [](double x_A, double charge_e = 0.0) {
    const std::vector<Atom> atoms = {{.position_A = {x_A, 0.0, 0.0}, .charge_e = charge_e, .name = "C"}};
    const std::vector<std::string> lines =
        lines_of(system_text({.solute = atoms, .names = SoluteNames::own}, SystemFormat::pqr));
    std::string_view rest = lines.at(0);
    for (int word = 0; word < 5; ++word) take_token(rest);
    std::string numbers(take_token(rest));
    for (int word = 0; word < 2; ++word) take_token(rest);
    return numbers.append(" ").append(take_token(rest));
  };
  CHECK(written(10.0 * 1.96535) == "19.6535 0.0000");  // of a .gro file
  CHECK(written(19.6535 - 10.0) == "9.6535 0.0000");   // of a lattice
  CHECK(written(10.0035 - 10.0) == "0.0035 0.0000");
  CHECK(written(-10.0 * 1234.5678) == "-12345.678 0.0000");
  CHECK(written(double(19.6535f)) == "19.6535 0.0000");         // of a DCD
  CHECK(written(10.0 * double(1.96535f)) == "19.6535 0.0000");  // of a TRR
  CHECK(written(1.0 / 3) == "0.3333333333333333 0.0000");
  CHECK(written(1.0, 3.4349 / 18.2223) == "1.000 0.1884998052");  // of a prmtop
}

TEST_CASE("writers: names with blanks and words of CIF read back") {
  const std::vector<std::string> names = {"loop_",   "LOOP_",   "data_1",   "Data_", "save_x", "stop_",
                                          "global_", "_x",      "#1",       "$a",    ";b",     "[c]",
                                          ".",       "?",       "C 1",      "a b c", "O5'",    "a\"b'c",
                                          "a' b\"",  "a\" b' ", "x' y\" z", "'",     "\"",     "data"};
  std::vector<Atom> atoms;
  for (const std::string& name : names)
    atoms.push_back({.position_A = {double(atoms.size()), 0.5, 0.25},
                     .charge_e = 0.5,
                     .name = std::string_view(name),
                     .residue = std::string_view(name),
                     .chain = "A",
                     .residue_number = int(atoms.size()) + 1});
  atoms.push_back({.position_A = {99.0, 0.5, 0.25}, .charge_e = 0.5, .chain = "A", .residue_number = 99});
  const PlacedSystem placed{.solute = atoms, .names = SoluteNames::own};
  const auto words = [](std::string_view name) {
    std::string word(name.empty() ? "_" : name);
    std::replace(word.begin(), word.end(), ' ', '_');
    return word;
  };

  const Structure pqr = read_pqr(system_text(placed, SystemFormat::pqr), "x.pqr");
  REQUIRE(pqr.atoms.size() == atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    CAPTURE(std::string(atoms[i].name.view()));
    CHECK(pqr.atoms[i].name.view() == words(atoms[i].name.view()));
    CHECK(pqr.atoms[i].residue.view() == words(atoms[i].residue.view()));
    CHECK(pqr.atoms[i].residue_number == atoms[i].residue_number);
    CHECK(pqr.atoms[i].position_A == atoms[i].position_A);
  }
  const Coordinates crd = read_charmm_crd(system_text(placed, SystemFormat::charmm_crd), "x.crd");
  REQUIRE(crd.labels.size() == atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i)
    CHECK(crd.labels[i].name.view() == words(atoms[i].name.view()));

  const Structure cif = read_mmcif(system_text(placed, SystemFormat::mmcif), "x.cif");
  REQUIRE(cif.atoms.size() == atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    CHECK(cif.atoms[i].name.view() == (atoms[i].name.empty() ? "_" : atoms[i].name.view()));
    CHECK(cif.atoms[i].residue.view() == atoms[i].residue.view());
    CHECK(cif.atoms[i].residue_number == atoms[i].residue_number);
  }
}

TEST_CASE("writers: CHARMM's extended columns, AMBER's lines of six, XYZ") {
  const std::vector<std::string> crd = lines_of(system_text(system(), SystemFormat::charmm_crd));
  REQUIRE(crd.size() == 6);
  CHECK(crd[2] == "         3  EXT");
  CHECK(crd[4].size() == 140);
  CHECK(crd[4].substr(20, 20) == "  LIGAND    HC      ");
  CHECK(crd[4].substr(100) == "  LONGSEG   123456C         0.0000000000");
  CHECK(crd[5].substr(100, 20) == "  ION       1       ");
  const std::vector<Atom> bare = {{.name = "C", .residue = "ALA", .residue_number = 1}};
  CHECK(lines_of(system_text({.solute = bare}, SystemFormat::charmm_crd)).at(2).substr(100, 20) ==
        "  MAIN      1       ");
  const std::vector<std::string> rst7 = lines_of(system_text(system(), SystemFormat::amber_rst7));
  REQUIRE(rst7.size() == 5);
  CHECK(rst7[1] == "    3");
  CHECK(rst7[2] == "   0.3333333 -20.1250000   3.0000000   0.1000000   0.2000000   0.3000000");
  CHECK(rst7[3] == "   5.0000000   6.0000000   7.0625000");
  CHECK(rst7[4] == "  40.0000000  50.0000000  60.0000000  90.0000000  90.0000000  90.0000000");
  const std::vector<std::string> xyz = lines_of(system_text(system(), SystemFormat::xyz));
  REQUIRE(xyz.size() == 5);
  CHECK(xyz[0] == "3");
  CHECK(xyz[4] == "Na 5.000 6.000 7.0625");
}

TEST_CASE("writers: positions beyond a format's columns are refused, NaN too") {
  for (const SystemFormat format :
       {SystemFormat::pdb, SystemFormat::gro, SystemFormat::charmm_crd, SystemFormat::amber_rst7}) {
    CAPTURE(int(format));
    for (const double x : {1e9, -1e9, std::nan("")})
      CHECK(error_of([&] {
              system_text({.ions = {{"NA", "NA", "NA", 1.0, {0, x, 0}}}}, format);
            }).find("NA 1 I NA is at ") == 0);
  }
}

TEST_CASE("PDB: serials past 99,999 in hexadecimal or hybrid-36, as VMD and cctbx write them") {
  const auto serial = [](PdbSerials kind, std::size_t number) {
    PlacedSystem many;
    const std::vector<Atom> atoms(number, Atom{.name = "O", .residue = "HOH", .residue_number = 1});
    many.solute = atoms;
    many.serials = kind;
    const std::string text = pdb_text(many);
    const std::size_t line = 81 * (number - 1);
    return text.substr(line + 6, 5);
  };
  CHECK(serial(PdbSerials::hex, 99'999) == "99999");
  CHECK(serial(PdbSerials::hex, 100'000) == "186a0");
  CHECK(serial(PdbSerials::hex, 0x2ffff) == "2ffff");
  CHECK(serial(PdbSerials::hybrid36, 99'999) == "99999");
  CHECK(serial(PdbSerials::hybrid36, 100'000) == "A0000");
  CHECK(serial(PdbSerials::hybrid36, 100'035) == "A000Z");
  CHECK(serial(PdbSerials::hybrid36, 100'036) == "A0010");
}

TEST_CASE("PDB: records of the solute's file stay, and its own CRYST1 of the same cell") {
  PlacedSystem kept = system();
  kept.solute = {};
  kept.records = {"HEADER    RNA", "CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 21 21 21    4"};
  const std::vector<std::string> lines = lines_of(pdb_text(kept));
  CHECK(lines.at(1) == "HEADER    RNA");
  CHECK(lines.at(2) == kept.records[1]);
  CHECK(lines.at(3).starts_with("HETATM"));
  kept.records.clear();
  CHECK(lines_of(pdb_text(kept)).at(1) ==
        "CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1           1");
}

TEST_CASE("writers: a name that ends in .gz is packed") {
  const std::string bytes = system_bytes(system(), "x.xyz.gz");
  REQUIRE(is_gzip(bytes));
  CHECK(gunzip(bytes, "x").text() == system_text(system(), SystemFormat::xyz));
}
