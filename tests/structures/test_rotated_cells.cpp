// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "core/periodic_cell.hpp"
#include "files/packing.hpp"
#include "structures/amber/inpcrd.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/gromacs/gro.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_reader.hpp"
#include "structures/writers/system_file.hpp"
#include "support/rotations.hpp"
#include "support/temporary_folder.hpp"

// Files that have room for the lengths and angles of a cell only: what is written has the distances, by the
// cell that is written, that what was given has by its own.
using namespace ionwell;
using namespace ionwell::test;

namespace {

const CellParameters shape{{40, 45, 50}, {80, 70, 100}};

Atom atom(const char* name, const char* residue, int number, const Vec3<double>& position_A) {
  return {.position_A = position_A,
          .charge_e = 0.5,
          .radius_A = 1.5,
          .name = name,
          .residue = residue,
          .chain = "A",
          .residue_number = number,
          .element = "O"};
}

const std::vector<Atom> solute = {atom("O1", "LIG", 1, {1, 2, 3}), atom("O2", "LIG", 1, {38, -3, 47})};
const std::vector<Atom> waters = {atom("O", "HOH", 2, {20, 4, 48}), atom("O", "HOH", 3, {-7, 30, 11})};
const Vec3<double> ion_A{25, 41, 9};

std::vector<Vec3<double>> all_positions() {
  return {solute[0].position_A, solute[1].position_A, ion_A, waters[0].position_A, waters[1].position_A};
}

std::vector<Atom> turned(std::vector<Atom> atoms, const Rotation& rotation) {
  for (Atom& one : atoms) one.position_A = rotation(one.position_A);
  return atoms;
}

/// Whether positions have the same distances in a cell as those of this file in theirs.
void check_distances(const std::vector<Vec3<double>>& positions_A, const UnitCell& cell) {
  const std::vector<Vec3<double>> expected_A = all_positions();
  REQUIRE(positions_A.size() == expected_A.size());
  const PeriodicCell own(unit_cell(shape)), read(cell);
  for (std::size_t m = 0; m < expected_A.size(); ++m)
    for (std::size_t n = 0; n < m; ++n)
      CHECK(std::sqrt(read.distance_squared_A2(positions_A[m], positions_A[n])) ==
            doctest::Approx(std::sqrt(own.distance_squared_A2(expected_A[m], expected_A[n]))).epsilon(2e-3));
}

std::vector<Vec3<double>> positions_of(const Structure& structure) {
  std::vector<Vec3<double>> positions;
  for (const Atom& one : structure.atoms) positions.push_back(one.position_A);
  return positions;
}

void check_text(const std::string& text, SystemFormat format) {
  const auto check = [](const Structure& read) {
    REQUIRE(read.cell);
    check_distances(positions_of(read), *read.cell);
  };
  if (format == SystemFormat::pdb) return check(read_pdb(text, "x.pdb"));
  if (format == SystemFormat::mmcif) return check(read_mmcif(text, "x.cif"));
  if (format == SystemFormat::pqr) return check(read_pqr(text, "x.pqr"));
  const Coordinates read =
      format == SystemFormat::gro ? read_gro(text, "x.gro") : read_inpcrd(text, "x.rst7");
  REQUIRE(read.cell);
  check_distances(read.positions_A, *read.cell);
}

std::string text_of(const std::vector<EngineFile>& files, const std::string& name) {
  for (const EngineFile& file : files)
    if (file.name == name) return file.text;
  FAIL("no " << name);
  return {};
}

}  // namespace

TEST_CASE("rotated cells: files of lengths and angles have all atoms rotated with the cell, and say so") {
  for (const auto& [name, rotation] : rotations()) {
    CAPTURE(name);
    const std::vector<Atom> own = turned(solute, rotation), behind = turned(waters, rotation);
    const UnitCell cell = rotated(unit_cell(shape), rotation);
    const PlacedSystem system{
        .remarks = {"a test"},
        .records = {"TITLE     A TEST",
                    "CRYST1   40.000   45.000   50.000  80.00  70.00 100.00 P 1           1"},
        .solute = own,
        .ions = {{"NA", "NA", "NA", 1.0, rotation(ion_A), 1.0}},
        .solvent = {2, 1,
                    [&](std::int64_t first, std::span<Atom> atoms) {
                      for (std::size_t n = 0; n < atoms.size(); ++n)
                        atoms[n] = behind[std::size_t(first) + n];
                    }},
        .cell = cell,
        .names = SoluteNames::own};
    for (const auto& [format, path] :
         {std::pair(SystemFormat::pdb, "x.pdb"), std::pair(SystemFormat::mmcif, "x.cif"),
          std::pair(SystemFormat::gro, "x.gro"), std::pair(SystemFormat::pqr, "x.pqr"),
          std::pair(SystemFormat::amber_rst7, "x.rst7")}) {
      CAPTURE(std::string(path));
      const std::string text = system_text(system, format);
      check_text(text, format);
      if (format == SystemFormat::pdb || format == SystemFormat::mmcif)
        CHECK(text.find("All atoms are rotated with the cell") != std::string::npos);
      REQUIRE(system_warnings(cell, path).size() == 1);
      CHECK(system_warnings(cell, path)[0].find("note: " + std::string(path) + ": this format stores") == 0);
      CHECK(system_warnings(unit_cell(shape), path).empty());
    }
    for (const char* const path : {"x.crd", "x.xyz"}) {
      PlacedSystem without = system;
      without.cell.reset();
      CHECK(system_text(system, system_format(path)) == system_text(without, system_format(path)));
      CHECK(system_warnings(cell, path).empty());
    }
  }
}

TEST_CASE("rotated cells: the folders of engines have one orientation") {
  const TemporaryFolder folder;
  const std::string top = folder / "x.top";
  write_text(top,
             "[ moleculetype ]\nLIG 1\n[ atoms ]\n1 O 1 LIG O1 1 0.5 16\n2 O 1 LIG O2 1 0.5 16\n"
             "[ moleculetype ]\nNA 1\n[ atoms ]\n1 Na 1 NA NA 1 1.0 23\n"
             "[ moleculetype ]\nSOL 1\n[ atoms ]\n1 OW 1 SOL OW 1 0.5 18.0\n"
             "[ system ]\nx\n[ molecules ]\nLIG 1\n");
  for (const auto& [name, rotation] : rotations()) {
    CAPTURE(name);
    const std::vector<Atom> own = turned(solute, rotation), behind = turned(waters, rotation);
    const EngineSystem system{
        .atoms = own,
        .ions = {{"NA", "NA", 1.0, rotation(ion_A)}},
        .waters = behind,
        .cell = rotated(unit_cell(shape), rotation),
        .remarks = {"a test"},
        .topology = TopologyFile{.path = top, .format = FileFormat::gromacs_topology},
        .header_records = {"CRYST1   40.000   45.000   50.000  80.00  70.00 100.00 P 1"}};
    const auto in_order = [](const Structure& first, const Structure& ions, const Structure& last) {
      std::vector<Vec3<double>> all = positions_of(first);
      for (const Structure& part : {ions, last})
        for (const Vec3<double>& p : positions_of(part)) all.push_back(p);
      return all;
    };
    check_text(text_of(engine_files(Engine::gromacs, system), "conf.gro"), SystemFormat::gro);
    const Structure openmm = read_mmcif(text_of(engine_files(Engine::openmm, system), "system.cif"), "x.cif");
    REQUIRE(openmm.cell);
    const std::vector<Vec3<double>> of_openmm = positions_of(openmm);  // the ion is behind the waters
    check_distances({of_openmm[0], of_openmm[1], of_openmm[4], of_openmm[2], of_openmm[3]}, *openmm.cell);
    const std::vector<EngineFile> amber = engine_files(Engine::amber, system);
    const Structure amber_solute = read_pdb(text_of(amber, "solute.pdb"), "x.pdb");
    REQUIRE(amber_solute.cell);
    check_distances(in_order(amber_solute, read_pdb(text_of(amber, "ions.pdb"), "x.pdb"),
                             read_pdb(text_of(amber, "water.pdb"), "x.pdb")),
                    *amber_solute.cell);
    for (const Engine engine : {Engine::gromacs, Engine::amber, Engine::openmm})
      CHECK(engine_warnings(engine, system).back().find("all atoms in the folder are rotated") !=
            std::string::npos);

    // NAMD takes the vectors, and VMD shows what lies elsewhere, too: atoms stay where they are.
    const std::vector<EngineFile> vmd = engine_files(Engine::vmd, system);
    const Structure shown = read_pdb(text_of(vmd, "solute.pdb"), "x.pdb");
    CHECK(!shown.cell);
    CHECK(shown.atoms[1].position_A.x == doctest::Approx(own[1].position_A.x).epsilon(1e-3));
    EngineSystem of_namd = system;
    of_namd.topology = TopologyFile{.path = "x.prmtop", .format = FileFormat::prmtop};
    char line[80];
    const Vec3<double>& a = system.cell->a;
    std::snprintf(line, sizeof line, "cellBasisVector1  %12.4f%12.4f%12.4f\n", a.x, a.y, a.z);
    CHECK(text_of(engine_files(Engine::charmm, of_namd), "cell.namd").find(line) != std::string::npos);
    for (const Engine engine : {Engine::vmd, Engine::charmm}) CHECK(engine_warnings(engine, of_namd).empty());
  }
}

TEST_CASE("rotated cells: a CRYST1 record of the input gives way to the cell that another file gave") {
  PlacedSystem system{.records = {"CRYST1   40.000   45.000   50.000  80.00  70.00 100.00 P 21          4"},
                      .solute = solute,
                      .cell = unit_cell(shape)};
  CHECK(system_text(system, SystemFormat::pdb).starts_with(system.records[0] + "\nHETATM"));
  system.cell = unit_cell({{60, 61, 62}});
  CHECK(system_text(system, SystemFormat::pdb)
            .starts_with("CRYST1   60.000   61.000   62.000  90.00  90.00  90.00 P 1           1\nHETATM"));
}
