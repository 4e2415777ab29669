// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/writers/system_file.hpp"
#include "structures/writers/text_columns.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr SystemFormat formats[] = {SystemFormat::pdb, SystemFormat::mmcif,      SystemFormat::gro,
                                    SystemFormat::pqr, SystemFormat::charmm_crd, SystemFormat::amber_rst7,
                                    SystemFormat::xyz};
constexpr const char* endings[] = {".pdb", ".cif", ".gro", ".pqr", ".crd", ".rst7", ".xyz"};

std::vector<Atom> ligand(int atoms) {
  std::vector<Atom> all;
  for (int n = 0; n < atoms; ++n)
    all.push_back({.position_A = {0.125 * n, 1.5, -2.25},
                   .charge_e = 0.5,
                   .radius_A = 1.5,
                   .name = "C1",
                   .residue = "LIG",
                   .chain = "A",
                   .segment = "LIG",
                   .residue_number = n / 7 + 1,
                   .element = "C"});
  return all;
}

Atom water_atom(std::int64_t molecule, int site) {
  constexpr const char* names[] = {"O", "H1", "H2"};
  return {.position_A = {double(molecule % 500), 0.5 + site, 0.125 * double(molecule / 500)},
          .charge_e = site == 0 ? -0.834 : 0.417,
          .radius_A = 1.5,
          .name = names[site],
          .residue = "HOH",
          .chain = "W",
          .segment = std::string_view("W" + std::to_string(molecule / 10'000 + 1)),
          .residue_number = int(molecule) + 1,
          .element = site == 0 ? "O" : "H"};
}

SolventMolecules waters(std::int64_t count) {
  return {count, 3, [](std::int64_t first, std::span<Atom> atoms) {
            for (std::size_t n = 0; n < atoms.size(); ++n)
              atoms[n] = water_atom(first + std::int64_t(n / 3), int(n % 3));
          }};
}

}  // namespace

TEST_CASE("solvent writers: molecules made in pieces give the text that all atoms together give") {
  // Numbers that end pieces of solute and solvent everywhere: none at all, one, several pieces.
  for (const int own : {0, 1, 33, 40'000})
    for (const std::int64_t count :
         {std::int64_t{1}, std::int64_t{5'461}, std::int64_t{5'462}, std::int64_t{21'000}}) {
      const std::vector<Atom> solute = ligand(own);
      std::vector<Atom> all = solute;
      if (!all.empty()) all.back().ends_chain = true;
      for (std::int64_t n = 0; n < count; ++n)
        for (int site = 0; site < 3; ++site) all.push_back(water_atom(n, site));
      const UnitCell cell = unit_cell({{500, 60, 70}, {90, 80, 90}});
      const PlacedSystem pieces{
          .solute = solute, .solvent = waters(count), .cell = cell, .names = SoluteNames::own};
      const PlacedSystem together{.solute = all, .cell = cell, .names = SoluteNames::own};
      for (const SystemFormat format : formats) {
        CAPTURE(own);
        CAPTURE(count);
        CAPTURE(int(format));
        CHECK((system_text(pieces, format) == system_text(together, format)));
      }
    }
}

TEST_CASE("solvent writers: a file written by several threads is the text, packed or not") {
  const TemporaryFolder folder;
  const std::vector<Atom> solute = ligand(100);
  const PlacedSystem system{.remarks = {"wet"}, .solute = solute, .solvent = waters(150'000)};
  for (std::size_t n = 0; n < std::size(formats); ++n)
    for (const int threads : {1, 3}) {
      CAPTURE(std::string(endings[n]));
      const std::string text = system_text(system, formats[n]);
      double done = 0.0;
      for (const std::string& path :
           {folder / ("a" + std::string(endings[n])), folder / ("b" + std::string(endings[n]) + ".gz")}) {
        if (path.ends_with(".gz") && n != 2) continue;
        OutputFile file(path);
        write_system(file, system, threads, [&](double part) { done = part; });
        file.commit();
        const FileBytes bytes = read_input_file(InputFile(path));  // unpacks
        CHECK((bytes.text() == text));
      }
      CHECK(done == 1.0);
    }
}

TEST_CASE("solvent writers: an atom without room in the columns is named, and no file is left") {
  const TemporaryFolder folder;
  SolventMolecules far = waters(60'000);
  far.make = [make = far.make](std::int64_t first, std::span<Atom> atoms) {
    make(first, atoms);
    for (std::size_t n = 0; n < atoms.size(); ++n)
      if (first + std::int64_t(n / 3) == 50'000) atoms[n].position_A.x = 123'456.0;
  };
  const std::string path = folder / "far.pdb";
  const std::string message = error_of([&] {
    OutputFile file(path);
    write_system(file, {.solvent = far}, 2);
    file.commit();
  });
  CHECK(message.find("HOH 50001 W O is at 123456 A") != std::string::npos);
  CHECK(error_of([&] { InputFile file(path); }) != "");
}

TEST_CASE("text columns: numbers are rounded as printf rounds them") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> exponent(-9, 10), mantissa(-1, 1);
  const auto check = [](double number, const FixedFormat& format) {
    char expected[400];
    std::snprintf(expected, sizeof expected, "%*.*f", int(format.width), format.decimals, number);
    std::string text;
    const bool fits = append_fixed(text, number, format);
    std::string plain(expected);
    if (plain.find_first_of("123456789") == plain.npos && plain.find('-') != plain.npos) {  // -0.000
      plain.erase(plain.find('-'), 1);
      plain.insert(0, plain.size() < format.width ? format.width - plain.size() : 0, ' ');
    }
    CAPTURE(number);
    CHECK(text == plain);
    CHECK(fits == (text.size() <= format.width));
  };
  for (const FixedFormat& format :
       {FixedFormat{8, 3}, FixedFormat{12, 7}, FixedFormat{10, 5}, FixedFormat{7, 2}, FixedFormat{20, 10}}) {
    for (int n = 0; n < 20'000; ++n) check(mantissa(random) * std::pow(10.0, exponent(random)), format);
    for (const double number : {0.0, -0.0, 0.0005, 0.0015, 0.0025, -0.0005, 0.125, 2.5, 1e-300, 1e9, 999.9995,
                                9999.9995, -999.9995, 0.00049999999, 123456.789})
      check(number, format);
  }
}
