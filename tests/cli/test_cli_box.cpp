// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

namespace {

constexpr const char* topology_begin = R"([ moleculetype ]
ROD 1
[ atoms ]
 1 P 1 U P 1 -1.0 30.97
[ moleculetype ]
NA 1
[ atoms ]
 1 NA 1 NA NA 1 1.0 22.99
[ moleculetype ]
CL 1
[ atoms ]
 1 CL 1 CL CL 1 -1.0 35.45
[ moleculetype ]
SOL 2
[ atoms ]
 1 OW 1 SOL OW  1 -0.834 16.0
 2 HW 1 SOL HW1 1  0.417 1.008
 3 HW 1 SOL HW2 1  0.417 1.008
[ system ]
a rod in water
[ molecules ]
ROD 6
SOL )";

/// A line of a .gro file; positions in nm.
std::string gro_line(int residue, const char* name, const char* atom, int serial, double x, double y,
                     double z) {
  char line[64];
  std::snprintf(line, sizeof line, "%5d%-5s%5s%5d%8.3f%8.3f%8.3f\n", residue, name, atom, serial, x, y, z);
  return line;
}

/// A rod of six charges along x in a box of 4.0 x 3.6 x 3.3 nm of water, as a GROMACS topology with
/// coordinates.
struct WetFiles {
  TemporaryFolder folder;
  std::string top = folder / "topol.top", gro = folder / "conf.gro";
  std::int64_t waters = 0;

  WetFiles() {
    std::string lines;
    int atoms = 0;
    for (int i = 0; i < 6; ++i, ++atoms)
      lines += gro_line(i + 1, "U", "P", atoms + 1, 0.75 + 0.5 * i, 1.8, 1.65);
    for (int k = 0; k < 10; ++k)
      for (int j = 0; j < 11; ++j)
        for (int i = 0; i < 12; ++i) {
          const int n = i + 12 * (j + 11 * k);  // shakes them, so that no two are alike
          const double x = 0.333 * i + 0.17 + 0.02 * std::sin(7.0 * n),
                       y = 0.327 * j + 0.16 + 0.02 * std::sin(11.0 * n),
                       z = 0.33 * k + 0.16 + 0.02 * std::sin(13.0 * n);
          const bool beside = x > 0.4 && x < 3.6 && std::hypot(y - 1.8, z - 1.65) < 0.3;
          if (beside) continue;
          const int residue = 7 + int(waters++);
          lines += gro_line(residue, "SOL", "OW", ++atoms, x, y, z);
          lines += gro_line(residue, "SOL", "HW1", ++atoms, x + 0.076, y + 0.059, z);
          lines += gro_line(residue, "SOL", "HW2", ++atoms, x - 0.076, y + 0.059, z);
        }
    write_text(top, topology_begin + std::to_string(waters) + "\n");
    write_text(
        gro, "a rod in water\n" + std::to_string(atoms) + "\n" + lines + "   4.00000   3.60000   3.30000\n");
  }

  ProgramResult place(std::vector<std::string> more) const {
    more.insert(more.begin(), {"place", top, gro});
    return run_ionwell(more);
  }
};

std::int64_t count_of_lines(const std::string& text, const std::string& with) {
  std::int64_t count = 0;
  for (std::size_t at = text.find(with); at != text.npos; at = text.find(with, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("box: ions and salt take the places of waters, and the file has the whole box") {
  const WetFiles files;
  const std::string out = files.folder / "sys.pdb", report = files.folder / "run.json";
  const ProgramResult result =
      files.place({"--ion", "MG:1", "--salt", "NaCl:0.3", "-o", out, "--report", report});
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.find("ions replace them") != std::string::npos);
  CHECK(result.out.find("A, periodic") != std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(read_text(report));
  const std::int64_t ions = std::ssize(json["ions"]), replaced = json["water"]["replaced"];
  CHECK(ions == replaced);
  CHECK(json["water"]["before"] == files.waters);
  CHECK(json["net_charge_after_e"].get<double>() == doctest::Approx(0.0));
  CHECK(json["lattice"].is_null());
  CHECK(json["method"] == "periodic");
  CHECK(json["structure"]["cell"]["used"] == true);
  CHECK(json["ions"][0]["placed_by"] == "energy");
  CHECK(json["ions"].back()["placed_by"] == "chance");
  const std::string text = read_text(out);
  CHECK(count_of_lines(text, " SOL ") == 3 * (files.waters - replaced));
  CHECK(count_of_lines(text, "HETATM") + count_of_lines(text, "ATOM  ") ==
        6 + ions + 3 * (files.waters - replaced));
  CHECK(text.find("MG    MG") < text.find(" SOL "));
  CHECK(text.find("CRYST1   40.000   36.000   33.000") != std::string::npos);

  // The same for any number of threads; chance goes by the seed.
  const std::string again = files.folder / "again.gro", other = files.folder / "other.gro",
                    first = files.folder / "first.gro";
  const std::vector<std::string> salt = {"--salt", "NaCl:0.3", "--quiet", "-o"};
  const auto place = [&](const std::string& path, const std::vector<std::string>& more) {
    std::vector<std::string> words = salt;
    words.push_back(path);
    words.insert(words.end(), more.begin(), more.end());
    return files.place(words).exit_code;
  };
  REQUIRE(place(first, {"--threads", "1"}) == 0);
  REQUIRE(place(again, {"--threads", "2"}) == 0);
  REQUIRE(place(other, {"--seed", "7"}) == 0);
  CHECK(read_text(first) == read_text(again));
  CHECK(read_text(first) != read_text(other));
}

TEST_CASE("box: salt goes to random places around a solute without charges, and in water alone") {
  for (const bool has_solute : {true, false}) {
    CAPTURE(has_solute);
    const WetFiles files;
    std::string text = read_text(files.top);
    if (has_solute)
      text.replace(text.find("-1.0 30.97"), 4, " 0.0");
    else
      text.erase(text.find("ROD 6\n"), 6);
    write_text(files.top, text);
    if (!has_solute) {  // the first six atoms are the rod's
      std::string gro = read_text(files.gro);
      std::size_t begin = 0, lines = 0;
      for (std::size_t at = 0; lines < 8; ++lines) {
        at = gro.find('\n', at) + 1;
        if (lines == 1) begin = at;
        if (lines == 7) gro.erase(begin, at - begin);
      }
      gro.replace(0, begin, "water\n" + std::to_string(3 * files.waters) + "\n");
      write_text(files.gro, gro);
    }
    const std::string out = files.folder / "out", report = files.folder / "run.json";
    const ProgramResult result =
        files.place({"--salt", "NaCl:0.3", "--for", "gromacs", "-o", out, "--report", report});
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK((result.err.find("the charges of all 6 atoms are zero, so the solute neither attracts nor repels "
                           "ions; is that right?") != std::string::npos) == has_solute);
    const std::int64_t pairs = std::llround(double(files.waters) * 0.3 / 55.4);
    const nlohmann::json json = nlohmann::json::parse(read_text(report));
    CHECK(std::ssize(json["ions"]) == 2 * pairs);
    for (const nlohmann::json& ion : json["ions"]) CHECK(ion["placed_by"] == "chance");
    CHECK(json["net_charge_after_e"].get<double>() == doctest::Approx(0.0));
    const std::string topology = read_text(out + "/topol.top");
    const std::string count = std::to_string(pairs);
    CHECK(topology.find("NA                  " + count + "\nCL                  " + count + "\nSOL ") !=
          std::string::npos);
    CHECK(read_text(out + "/conf.gro").find("NA      NA") != std::string::npos);

    // What goes by energy has none to go by.
    const ProgramResult refused =
        files.place({"--ion", "NA:2", "--salt", "NaCl:0.3", "-o", files.folder / "x.pdb"});
    CHECK(refused.exit_code == 1);
    CAPTURE(refused.err);
    CHECK(refused.err.find(
              has_solute ? "without charges there is no potential"
                         : "contains only water, whose charges do not count, so there is no potential") !=
          std::string::npos);
    const ProgramResult neutral = files.place({"--ion", "NA:neutralize", "--salt", "NaCl:0.3", "--salt-by",
                                               "energy", "-o", files.folder / "x.pdb"});
    CAPTURE(neutral.err);
    CHECK(neutral.exit_code == 0);
    CHECK(neutral.err.find("salt is placed at random") != std::string::npos);
  }
}

TEST_CASE("box: GROMACS's topology loses the waters that were replaced") {
  const WetFiles files;
  const std::string out = files.folder / "placed";
  REQUIRE(files.place({"--ion", "NA:8", "--ion", "CL:2", "--for", "gromacs", "-o", out}).exit_code == 0);
  const std::string topology = read_text(out + "/topol.top");
  CHECK(topology.find("ROD 6\nNA                  8\nCL                  2\nSOL                 " +
                      std::to_string(files.waters - 10) + "\n") != std::string::npos);
  // What it says is what conf.gro has: it reads as one system again.
  const ProgramResult info = run_ionwell({"info", out + "/topol.top", out + "/conf.gro"});
  CHECK(info.exit_code == 0);
  CHECK(info.out.find("net charge      0 e") != std::string::npos);
  CHECK(count_of_lines(read_text(out + "/index.ndx"), "[ PlacedNA ]") == 1);

  // Ignored waters stay in the topology, which a warning says, and the ions take the places of others.
  const std::string kept = files.folder / "kept";
  const ProgramResult with_kept = files.place(
      {"--ion", "NA:6", "--ignore", "resid 7 8 9 and resname SOL", "--for", "gromacs", "-o", kept});
  REQUIRE(with_kept.exit_code == 0);
  CHECK(with_kept.err.find("still has 9 ignored atoms, whose charge of 0 e is not counted") !=
        std::string::npos);
  CHECK(read_text(kept + "/topol.top").find("SOL                 " + std::to_string(files.waters - 6)) !=
        std::string::npos);
  const std::string before = read_text(files.gro), after = read_text(kept + "/conf.gro");
  for (const char* const oxygen : {"    7SOL     OW", "    8SOL     OW", "    9SOL     OW"}) {
    const std::string place = before.substr(before.find(oxygen) + 20, 24);
    CHECK(after.find(place) != std::string::npos);
  }
  // Each of the others that is gone has an ion in the place of its oxygen.
  std::int64_t ions = 0;
  for (std::size_t at = after.find(" NA "); at != after.npos; at = after.find(" NA ", at + 1))
    ions += before.find(after.substr(after.rfind('\n', at) + 21, 24)) != before.npos;
  CHECK(ions >= 6);
}

TEST_CASE("box: open boundaries, regions and waters that act") {
  const WetFiles files;
  const std::string open = files.folder / "open.json", near = files.folder / "near.json",
                    out = files.folder / "ions.pdb";
  REQUIRE(files.place({"--ion", "NA:6", "--boundary", "open", "-o", out, "--report", open}).exit_code == 0);
  const nlohmann::json of_open = nlohmann::json::parse(read_text(open));
  CHECK(of_open["method"] == "direct");
  CHECK(of_open["water"]["boundary"] == "open");
  REQUIRE(files
              .place({"--ion", "NA:6", "--not-near", "resname U:9", "--inside-z", "0:30", "--water-acts",
                      "-o", out, "--report", near})
              .exit_code == 0);
  const nlohmann::json of_near = nlohmann::json::parse(read_text(near));
  for (const nlohmann::json& ion : of_near["ions"]) {
    CHECK(ion["nearest_solute_A"].get<double>() > 9.0);
    CHECK(ion["position_A"][2].get<double>() <= 30.0);
  }
}

TEST_CASE("box: what is about a lattice, or about a box that is none, is refused") {
  const WetFiles files;
  const std::string out = files.folder / "ions.pdb";
  const auto refused = [&](const std::vector<std::string>& more, const char* message, int exit_code = 2) {
    std::vector<std::string> words = {"-o", out};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = files.place(words);
    CHECK(result.exit_code == exit_code);
    CHECK(result.err.find(message) != std::string::npos);
    CHECK(!std::filesystem::exists(out));
  };
  refused({"--ion", "NA:1", "--spacing", "1"}, "--spacing has no effect with a box of water: ");
  for (const std::vector<std::string>& option :
       std::vector<std::vector<std::string>>{{"--border", "9"},
                                             {"--box", "0,0,0,9,9,9"},
                                             {"--save-map", "m.dx"},
                                             {"--save-map-after", "m.dx"},
                                             {"--with-solute"},
                                             {"--method", "msm"},
                                             {"--tune", "msm-cutoff=9"},
                                             {"--tune", "msm-spacing=2"},
                                             {"--tune", "msm-basis=cubic"},
                                             {"--model", "site-terms"},
                                             {"--pb", "own"}}) {
    std::vector<std::string> words = {"--ion", "MG:1", "--input-water", "replace"};
    words.insert(words.end(), option.begin(), option.end());
    refused(words, " has no effect with a box of water: ");
  }
  refused({"--ion", "NA:1", "--tune", "no-refine"}, "--tune no-refine has no effect with a box of water: ");
  refused({"--ion", "NA:1", "--scheme", "add"}, "--scheme has no effect without --salt");
  refused({"--salt", "MgCl:0.1"}, "write MgCl2");
  refused({"--salt", "NaCl:0.1", "--input-water", "ignore"}, "--salt has no effect without a box of water: ");
  refused({"--salt", "NaCl:0.1:above"}, "no membrane");
  refused({"--salt", "NaCl:6"}, "no water was left", 3);
  refused({"--ion", "NA:1", "--near", "resname U:4.9"}, "none of the", 1);
  const std::string dry = files.folder / "dry.pqr";
  write_text(dry, "ATOM 1 P U 1 1.0 2.0 3.0 -1.0 1.5\n");
  const ProgramResult result = run_ionwell({"place", dry, "--salt", "NaCl:0.1", "-o", out});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("'ionwell solvate' adds water") != std::string::npos);
}

namespace {

/// A chain of six atoms along x, 1.5 A apart, and a few waters with `sites` atoms each, as a PQR with a cell.
std::string chain_in_water(const std::string& cell, double first_x_A, const char* water,
                           const std::vector<std::pair<const char*, double>>& sites) {
  std::string text = "CRYST1" + cell + " P 1           1\n";
  char line[100];
  int serial = 0, residue = 1;
  const auto add = [&](const char* name, const char* of, double x, double y, double z, double charge_e) {
    std::snprintf(line, sizeof line, "ATOM %d %s %s %d %.3f %.3f %.3f %.4f 1.5\n", ++serial, name, of,
                  residue, x, y, z, charge_e);
    text += line;
  };
  for (int i = 0; i < 6; ++i) add("C", "LIG", std::fmod(first_x_A + 1.5 * i, 30.0), 15.0, 15.0, -0.5);
  for (int k = 0; k < 8; ++k)
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 8; ++i) {
        const double x = 3.7 * i + 1.0, y = 3.7 * j + 1.3, z = 3.7 * k + 1.1 + 0.01 * i;
        if (std::hypot(y - 15.0, z - 15.0) < 3.0) continue;
        ++residue;
        for (std::size_t n = 0; n < sites.size(); ++n)
          add(sites[n].first, water, x + 0.6 * double(n % 2), y + 0.6 * double(n / 2), z, sites[n].second);
      }
  return text;
}

const std::vector<std::pair<const char*, double>> three_sites = {{"O", -0.834}, {"H1", 0.417}, {"H2", 0.417}};
const std::string cube_of_30 = "   30.000   30.000   30.000  90.00  90.00  90.00";

}  // namespace

TEST_CASE("box: a cell that cannot be, or that is smaller than what is in it, is refused") {
  const TemporaryFolder folder;
  const std::string in = folder / "wet.pqr", out = folder / "ions.pdb";
  const auto refused = [&](const std::string& cell, const char* message) {
    CAPTURE(cell);
    write_text(in, chain_in_water(cell, 8.0, "HOH", three_sites));
    const ProgramResult result = run_ionwell({"place", in, "--ion", "NA:1", "-o", out});
    CHECK(result.exit_code == 1);
    CHECK(result.err.find(message) != std::string::npos);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK(!std::filesystem::exists(out));
  };
  refused("   30.000   30.000   30.000  10.00 170.00  90.00", "do not form a cell");
  refused("   30.000   30.000   30.000 120.00 120.00 120.00",
          "wet.pqr:1: the angles 120, 120 and 120 do not form a cell (it has no volume)");
  refused("   12.000   13.000   14.000  90.00  90.00  90.00",
          "the cell of 12 x 13 x 14 A is too small for the");
  refused("    6.000   40.000   40.000  90.00  90.00  90.00", "is smaller than the solute: LIG 1");
  // Without a boundary the cell does not matter.
  CHECK(run_ionwell({"place", in, "--ion", "NA:1", "--boundary", "open", "-o", out}).exit_code == 0);
}

TEST_CASE("box: a solute across the boundary is written whole") {
  const TemporaryFolder folder;
  const std::string in = folder / "wet.pqr", out = folder / "sys.pdb";
  write_text(in, chain_in_water(cube_of_30, 25.0, "HOH", three_sites));
  const ProgramResult result = run_ionwell({"place", in, "--ion", "NA:3", "-o", out});
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("is broken across the boundary of its cell") != std::string::npos);
  const std::string text = read_text(out);
  std::vector<double> x_A;
  for (std::size_t at = text.find(" LIG "); at != text.npos; at = text.find(" LIG ", at + 1))
    x_A.push_back(std::stod(text.substr(at - 16 + 29, 8)));
  REQUIRE(x_A.size() == 6);
  for (std::size_t i = 1; i < 6; ++i) CHECK(x_A[i] - x_A[i - 1] == doctest::Approx(1.5));
}

TEST_CASE("box: waters of any name go with all their sites") {
  const TemporaryFolder folder;
  const std::string in = folder / "wet.pqr", out = folder / "sys.pdb", report = folder / "run.json";
  const std::vector<std::pair<const char*, double>>
      four = {{"OW", 0.0}, {"HW1", 0.52}, {"HW2", 0.52}, {"MW", -1.04}},
      five = {{"OH2", 0.0}, {"H1", 0.241}, {"H2", 0.241}, {"LP1", -0.241}, {"LP2", -0.241}};
  for (const auto& [name, sites] : {std::pair{"HOH", three_sites},
                                    {"WAT", three_sites},
                                    {"TIP3", three_sites},
                                    {"SPC", three_sites},
                                    {"SOL", four},
                                    {"T4P", four},
                                    {"TIP5", five}}) {
    CAPTURE(std::string(name));
    const std::string water = chain_in_water(cube_of_30, 8.0, name, sites);
    write_text(in, water);
    const ProgramResult result = run_ionwell({"place", in, "--ion", "NA:neutralize", "--salt", "NaCl:0.3",
                                              "--tune", "keep-water=0", "-o", out, "--report", report});
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    const nlohmann::json json = nlohmann::json::parse(read_text(report));
    const std::int64_t before = (count_of_lines(water, "ATOM") - 6) / std::ssize(sites);
    CHECK(json["water"]["before"] == before);
    CHECK(json["net_charge_after_e"].get<double>() == doctest::Approx(0.0));
    const std::int64_t atoms =
        6 + std::ssize(json["ions"]) + std::ssize(sites) * json["water"]["left"].get<std::int64_t>();
    const std::string text = read_text(out);
    CHECK(count_of_lines(text, "\nATOM  ") + count_of_lines(text, "\nHETATM") == atoms);
  }
  // What no count neutralizes.
  write_text(in, chain_in_water(cube_of_30, 8.0, "HOH", three_sites));
  const ProgramResult multiple =
      run_ionwell({"place", in, "--ion", "MG:neutralize", "-o", folder / "mg.pdb"});
  CHECK(multiple.exit_code == 2);
  CHECK(multiple.err.find("which is not a multiple of MG's +2") != std::string::npos);
  CHECK(!std::filesystem::exists(folder / "mg.pdb"));
}
