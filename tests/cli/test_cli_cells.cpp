// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

struct Place {
  double x, y, z;
};

std::string pdb_line(const char* atom, const char* residue, char chain, int number, const Place& at) {
  char line[100];
  std::snprintf(line, sizeof line, "ATOM  %5d  %-3s %3s %c%4d    %8.3f%8.3f%8.3f  1.00 20.00           %c\n",
                1, atom, residue, chain, number, at.x, at.y, at.z, atom[0]);
  return line;
}

/// Where the atoms of that name are in a PDB file.
std::vector<Place> places_in(const std::string& text, const std::string& atom) {
  std::vector<Place> places;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if ((line.starts_with("ATOM") || line.starts_with("HETATM")) && line.substr(12, 4) == atom)
      places.push_back(
          {std::stod(line.substr(30, 8)), std::stod(line.substr(38, 8)), std::stod(line.substr(46, 8))});
  return places;
}

/// Two chains of three atoms each, 1.5 A apart through the faces of a cell.
std::string dimer(const std::string& header, const std::string& group) {
  std::string text = header + "CRYST1   13.500   40.000   40.000  90.00  90.00  90.00 " + group + "\n";
  for (const char chain : {'A', 'B'})
    for (int n = 0; n < 3; ++n)
      text += pdb_line("CA", "GLY", chain, n + 1, {chain == 'A' ? 0.0 : 12.0, 1.5 * n, 0.0});
  return text + "END\n";
}

/// A box of methanol, three sites each, with room for ions in its middle and at its corner, as a GROMACS
/// topology with coordinates.
struct Methanol {
  static constexpr double edge_A = 27.0;
  TemporaryFolder folder;
  std::vector<Place> atoms;
  int molecules = 0;

  Methanol() {
    std::string gro;
    constexpr int along = 6;
    for (int i = 0; i < along; ++i)
      for (int j = 0; j < along; ++j)
        for (int k = 0; k < along; ++k) {
          const auto is_in_middle = [](int n) { return n == 2 || n == 3; };
          const auto is_at_corner = [](int n) { return n == 0 || n == along - 1; };
          if (is_in_middle(i) && is_in_middle(j) && is_in_middle(k)) continue;
          if (is_at_corner(i) && is_at_corner(j) && is_at_corner(k)) continue;
          ++molecules;
          const Place at{4.5 * i + 1.6, 4.5 * j + 2.25, 4.5 * k + 2.25};
          const std::pair<const char*, Place> sites[] = {
              {"C", at}, {"O", {at.x + 1.4, at.y, at.z}}, {"H", {at.x + 1.7, at.y + 0.9, at.z}}};
          for (const auto& [name, p] : sites) {
            atoms.push_back(p);
            char line[64];
            std::snprintf(line, sizeof line, "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", molecules, "MOH", name,
                          int(atoms.size()), p.x / 10, p.y / 10, p.z / 10);
            gro += line;
          }
        }
    write_text(folder / "box.gro",
               "methanol\n" + std::to_string(atoms.size()) + "\n" + gro + "   2.70000   2.70000   2.70000\n");
    write_text(folder / "box.top",
               "[ moleculetype ]\nMOH 3\n[ atoms ]\n 1 C 1 MOH C 1 0.265 15.035\n 2 O 1 MOH O 1 -0.7 15.999\n"
               " 3 H 1 MOH H 1 0.435 1.008\n[ system ]\nmethanol\n[ molecules ]\nMOH " +
                   std::to_string(molecules) + "\n");
  }

  ProgramResult place(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"place", folder / "box.top", folder / "box.gro", "--spacing", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  }

  static double nearest_image_A(const Place& a, const Place& b) {
    double d2 = 0.0;
    for (const double d : {a.x - b.x, a.y - b.y, a.z - b.z}) {
      const double shortest = d - edge_A * std::round(d / edge_A);
      d2 += shortest * shortest;
    }
    return std::sqrt(d2);
  }

  double nearest_atom_A(const Place& ion) const {
    double nearest_A = INFINITY;
    for (const Place& atom : atoms) nearest_A = std::min(nearest_A, nearest_image_A(ion, atom));
    return nearest_A;
  }
};

}  // namespace

TEST_CASE("cells: a crystal's moves no chain, whatever says that it is one") {
  const TemporaryFolder folder;
  const std::string in = folder / "dimer.pdb", out = folder / "wet.pdb";
  const std::pair<std::string, std::string> crystals[] = {
      {"", "P 21 21 21    4"},
      {"EXPDTA    X-RAY DIFFRACTION\n", "P 1           1"},
      {"REMARK 290 SYMMETRY\n", "P 1           1"}};
  for (const auto& [header, group] : crystals) {
    CAPTURE(header);
    write_text(in, dimer(header, group));
    const ProgramResult result =
        run_ionwell({"solvate", in, "--padding", "8", "--cell-shape", "rectangular", "-o", out});
    REQUIRE(result.exit_code == 0);
    CHECK(result.out.find("own cell        13.5 x 40 x 40 A; not used\nkind of cell    a crystal's\n") !=
          std::string::npos);
    const std::vector<Place> atoms = places_in(read_text(out), " CA ");
    REQUIRE(atoms.size() == 6);
    for (int n = 0; n < 3; ++n) {
      CHECK(atoms[std::size_t(n) + 3].x - atoms[std::size_t(n)].x == doctest::Approx(12.0));
      CHECK(atoms[std::size_t(n)].y - atoms[0].y == doctest::Approx(1.5 * n));
    }
    // What is written has a simulation's cell, and is read as that.
    CHECK(read_text(out).find("EXPDTA") == std::string::npos);
    const ProgramResult info = run_ionwell({"info", out});
    CHECK(info.out.find("kind of cell") == std::string::npos);
  }
}

TEST_CASE("cells: only a simulation's reaches the files of an engine") {
  const TemporaryFolder folder;
  const std::string in = folder / "solute.pqr";
  const auto place = [&](const std::string& engine, const std::string& group) {
    write_text(in, "CRYST1   30.000   40.000   50.000  90.00 100.00  90.00 " + group +
                       "\nATOM 1 CL CL A 1 1.0 2.0 3.0 -1.0 1.8\nATOM 2 CL CL A 2 2.5 2.0 3.0 -1.0 1.5\n");
    const std::string out = folder / (engine + group.substr(0, 3));
    REQUIRE(run_ionwell({"place", in, "--ion", "NA:1", "--for", engine, "-o", out}).exit_code == 0);
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(out))
      all += entry.path().filename().string() + '\n' + read_text(entry.path());
    return all;
  };
  for (const char* const group : {"P 21 21 21    4", "P 1           1"})
    for (const char* const engine : {"amber", "charmm", "openmm", "vmd"}) {
      CAPTURE(std::string(engine));
      const std::string files = place(engine, group);
      for (const char* const part : {"CRYST1", "_cell.length", "cell.py", "cellBasis", "setBox"})
        CHECK_MESSAGE(files.find(part) == std::string::npos, part);
    }
  const std::string gro = folder / "with.gro";
  REQUIRE(run_ionwell({"place", in, "--ion", "NA:1", "--with-solute", "-o", gro}).exit_code == 0);
  CHECK(read_text(gro).ends_with("   0.00000   0.00000   0.00000\n"));
}

TEST_CASE("cells: ions in a full box of another solvent keep their distance from all images") {
  const Methanol box;
  const std::string out = box.folder / "ions.pdb", report = box.folder / "run.json";
  const ProgramResult result = box.place({"--ion", "NA:2", "--ion", "CL:1", "--ion-solute", "3.5",
                                          "--ion-ion", "4", "-o", out, "--report", report});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.find("27 x 27 x 27 A, periodic") != std::string::npos);
  const json told = json::parse(read_text(report));
  CHECK(told["method"] == "periodic");
  CHECK(told["structure"]["cell"]["used"] == true);
  CHECK(told["structure"]["cell"]["kind"] == "simulation");
  std::vector<Place> ions = places_in(read_text(out), "NA  ");
  const std::vector<Place> chloride = places_in(read_text(out), "CL  ");
  ions.insert(ions.end(), chloride.begin(), chloride.end());
  REQUIRE(ions.size() == 3);
  for (std::size_t n = 0; n < ions.size(); ++n) {
    CHECK(box.nearest_atom_A(ions[n]) > 3.5 - 1e-3);
    for (std::size_t other = 0; other < n; ++other)
      CHECK(Methanol::nearest_image_A(ions[n], ions[other]) >= 4.0 - 1e-3);
  }
  // It is what --boundary says; without images ions come outside, on the images of methanol.
  CHECK(box.place({"--ion", "NA:1", "--ion-solute", "3.5", "--boundary", "periodic", "-o", out}).exit_code ==
        0);
  CHECK(box.nearest_atom_A(places_in(read_text(out), "NA  ").at(0)) > 3.5 - 1e-3);
  CHECK(box.place({"--ion", "NA:1", "--ion-solute", "3.5", "--boundary", "open", "-o", out}).exit_code == 0);
  CHECK(box.nearest_atom_A(places_in(read_text(out), "NA  ").at(0)) < 3.4);
  // Wherever the potential comes from.
  const std::vector<std::vector<std::string>> sources = {
      {"--method", "direct"}, {"--pb", "own", "--pb-every", "1"}, {"--save-map", box.folder / "m.dx"}};
  for (const std::vector<std::string>& source : sources) {
    CAPTURE(source.front());
    std::vector<std::string> words = {"--ion", "NA:3", "--ion-solute", "3.5", "--ion-ion", "4",
                                      "-o",    out,    "--report",     report};
    words.insert(words.end(), source.begin(), source.end());
    const ProgramResult placed = box.place(words);
    CAPTURE(placed.err);
    REQUIRE(placed.exit_code == 0);
    CHECK(placed.out.find("27 x 27 x 27 A, periodic for distances; the potential has no periodic images") !=
          std::string::npos);
    CHECK(placed.err.find("near a face of the cell, energies lack the charges beyond it") !=
          std::string::npos);
    const std::vector<Place> found = places_in(read_text(out), "NA  ");
    REQUIRE(found.size() == 3);
    for (std::size_t n = 0; n < found.size(); ++n) {
      CHECK(box.nearest_atom_A(found[n]) > 3.5 - 1e-3);
      for (std::size_t other = 0; other < n; ++other)
        CHECK(Methanol::nearest_image_A(found[n], found[other]) >= 4.0 - 1e-3);
    }
    CHECK(json::parse(read_text(report))["structure"]["cell"]["used"] == true);
  }
  // No room at all is said.
  const ProgramResult full = box.place({"--ion", "NA:1", "--ion-solute", "9", "-o", out});
  CHECK(full.exit_code == 3);
  CHECK(full.err.find("no lattice point was free") != std::string::npos);
  // What takes no account of images.
  const ProgramResult map =
      box.place({"--ion", "NA:1", "--boundary", "periodic", "--save-map", box.folder / "m.dx", "-o", out});
  CHECK(map.exit_code == 2);
  CHECK(map.err.find("--boundary periodic cannot be used with --save-map") != std::string::npos);
}

TEST_CASE("cells: beads are refused where water comes between, and told of elsewhere") {
  const TemporaryFolder folder;
  const std::string gro = folder / "coarse.gro", out = folder / "out.gro";
  std::string text = "beads\n 12\n";
  for (int n = 0; n < 12; ++n) {
    char line[64];
    std::snprintf(line, sizeof line, "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", n / 2 + 1, "LYS",
                  n % 2 == 0 ? "BB" : "SC1", n + 1, 0.35 * n, 0.5, 0.5);
    text += line;
  }
  write_text(gro, text + "   5.00000   5.00000   5.00000\n");
  const ProgramResult solvated = run_ionwell({"solvate", gro, "--padding", "12", "-o", out});
  CHECK(solvated.exit_code == 1);
  CHECK(solvated.err.find("contains beads of a coarse-grained model") != std::string::npos);
  CHECK(!std::filesystem::exists(out));
  const ProgramResult prepared = run_ionwell({"prepare", gro, "--salt", "NaCl:0.1", "-o", out});
  CHECK(prepared.exit_code == 1);
  CHECK(prepared.err.find("contains beads of a coarse-grained model") != std::string::npos);
}
