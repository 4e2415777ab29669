// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

/// Four carbons and a crystal water, without charges.
const std::string ligand =
    "HEADER    LIGAND\n"
    "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1           1\n"
    "ORIGX1      1.000000  0.000000  0.000000        0.00000\n"
    "HETATM    1  C1  LIG A   1       1.000   2.000   3.000  1.00  0.00           C\n"
    "HETATM    2  C2  LIG A   1       2.400   2.000   3.000  1.00  0.00           C\n"
    "HETATM    3  C3  LIG A   1       3.800   2.000   3.000  1.00  0.00           C\n"
    "HETATM    4  C4  LIG A   1       5.200   2.000   3.000  1.00  0.00           C\n"
    "HETATM    5  O   HOH A   2       5.200   5.200   3.000  1.00  0.00           O\n"
    "END\n";

const std::string box_of_water =
    "bulk\n    9\n"
    "    1LIG     C1    1   1.000   1.000   1.000\n    1LIG     C2    2   1.140   1.000   1.000\n"
    "    1LIG     C3    3   1.280   1.000   1.000\n    2SOL     OW    4   1.600   1.000   1.000\n"
    "    2SOL    HW1    5   1.690   1.000   1.000\n    2SOL    HW2    6   1.580   1.090   1.000\n"
    "    3SOL     OW    7   1.900   1.000   1.000\n    3SOL    HW1    8   1.990   1.000   1.000\n"
    "    3SOL    HW2    9   1.880   1.090   1.000\n   3.00000   3.00000   3.00000\n";

std::string row(const std::string& out, const std::string& label) {
  const std::size_t at = out.find('\n' + label + ' ');
  if (at == std::string::npos) return "";
  const std::size_t value = out.find_first_not_of(' ', at + 1 + label.size());
  return out.substr(value, out.find('\n', value) - value);
}

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

}  // namespace

TEST_CASE(
    "solvate: a PDB file without charges, its crystal water, and a report that says the same as the table") {
  const TemporaryFolder folder;
  write_text(folder / "ligand.pdb", ligand);
  const std::string output = folder / "wet.pdb", report = folder / "wet.json";
  const ProgramResult result =
      run_ionwell({"solvate", folder / "ligand.pdb", "--padding", "10", "-o", output, "--report", report});
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.empty());
  const json told = json::parse(read_text(report));
  const int waters = told["water"]["molecules"];
  CHECK(waters > 300);
  std::string system = row(result.out, "system");
  std::erase(system, ',');
  CHECK(system == std::to_string(5 + 3 * waters) + " atoms");
  CHECK(told["atoms"] == 5 + 3 * waters);
  CHECK(told["solute"]["own_image_A"].get<double>() >= 20.0);
  CHECK(told["cell"]["lengths_A"][0].get<double>() == doctest::Approx(24.2));
  const std::string text = read_text(output);
  CHECK(text.find("HEADER    LIGAND") != std::string::npos);
  CHECK(text.find("ORIGX1") == std::string::npos);
  CHECK(count_of(text, "CRYST1") == 1);
  CHECK(text.find("CRYST1   24.200   24.200   24.200  90.00  90.00  90.00 P 1") != std::string::npos);
  CHECK(count_of(text, " O   HOH W") == waters);
  CHECK(count_of(text, " O   HOH A") == 1);
}

TEST_CASE("solvate: names and numbers are those of the engine that the ending or the option tells") {
  const TemporaryFolder folder;
  write_text(folder / "ligand.pdb", ligand);
  const auto solvated = [&](const std::string& name, std::vector<std::string> more) {
    more.insert(more.begin(),
                {"solvate", folder / "ligand.pdb", "--padding", "9", "--quiet", "-o", folder / name});
    const ProgramResult result = run_ionwell(more);
    REQUIRE(result.err.empty());
    REQUIRE(result.out.empty());
    return read_text(folder / name);
  };
  const std::string gro = solvated("a.gro", {});
  CHECK(gro.find("    2HOH      O    5") != std::string::npos);
  CHECK(gro.find("    3SOL     OW    6") != std::string::npos);
  CHECK(gro.find("    3SOL    HW2    8") != std::string::npos);
  CHECK(solvated("a.pdb", {"--water-names", "charmm"}).find(" OH2 TIP3W") != std::string::npos);
  CHECK(solvated("b.pdb", {"--water-names", "amber"}).find("  O   WAT W") != std::string::npos);
  CHECK(solvated("a.crd", {}).find("TIP3      OH2") != std::string::npos);
  CHECK(solvated("a.cif", {}).find(" O O . HOH W ") != std::string::npos);
  // Threads change nothing.
  CHECK(solvated("c.gro", {"--threads", "1"}) == gro);
}

TEST_CASE("solvate: a .gro file alone is a structure, and its bulk water is taken away on request") {
  const TemporaryFolder folder;
  std::string bulk = box_of_water;
  write_text(folder / "few.gro", bulk);
  CHECK(run_ionwell({"solvate", folder / "few.gro", "--padding", "9", "-o", folder / "wet.gro"}).exit_code ==
        0);
  // 60 waters beside three carbons.
  const std::size_t first = bulk.find("    2SOL");
  const std::string two = bulk.substr(first, bulk.find("   3.00000") - first);
  for (int n = 0; n < 29; ++n) bulk.insert(first, two);
  bulk.replace(bulk.find("    9\n"), 6, "  183\n");
  write_text(folder / "bulk.gro", bulk);
  const ProgramResult refused = run_ionwell({"solvate", folder / "bulk.gro", "-o", folder / "no.gro"});
  CHECK(refused.exit_code == 1);
  CHECK(refused.err.find("has 60 waters and 3 other heavy atoms") != std::string::npos);
  CHECK(refused.err.find("--input-water ignore") != std::string::npos);
  const ProgramResult anew =
      run_ionwell({"solvate", folder / "bulk.gro", "--input-water", "ignore", "-o", folder / "new.gro"});
  REQUIRE(anew.exit_code == 0);
  CHECK(row("\n" + anew.out, "structure") == folder / "bulk.gro" + ", 3 atoms");
}

TEST_CASE("solvate: shapes, and turning the solute, make the cell smaller") {
  const TemporaryFolder folder;
  double last_A3 = 1e300;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--cell-shape", "dodecahedron"},
        std::vector<std::string>{"--cell-shape", "dodecahedron", "--orient"}}) {
    std::vector<std::string> words = {"solvate",          duplex, "--padding",        "8",
                                      "--quiet",          "-o",   folder / "wet.gro", "--report",
                                      folder / "wet.json"};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(run_ionwell(words).exit_code == 0);
    const json told = json::parse(read_text(folder / "wet.json"));
    CHECK(told["cell"]["volume_A3"].get<double>() < last_A3);
    last_A3 = told["cell"]["volume_A3"];
    CHECK(told["solute"]["own_image_A"].get<double>() >= 16.0);
  }
}

TEST_CASE("solvate: what makes no sense gets one message and leaves no file") {
  const TemporaryFolder folder;
  write_text(folder / "ligand.pdb", ligand);
  const auto message = [&](std::vector<std::string> more, int code) {
    more.insert(more.begin(), {"solvate", folder / "ligand.pdb"});
    const ProgramResult result = run_ionwell(more);
    CHECK(result.exit_code == code);
    CHECK(result.out.empty());
    CHECK(count_of(result.err, "\n") == 1);
    return result.err;
  };
  const std::string out = folder / "wet.gro";
  CHECK(message({}, 2).find("-o is missing") != std::string::npos);
  CHECK(message({"-o", folder / "wet.xtc"}, 2).find("-o is ") != std::string::npos);
  CHECK(message({"-o", out, "--padding", "-3"}, 2).find("--padding is -3 A") != std::string::npos);
  CHECK(message({"-o", out, "--water-model", "tip9p"}, 2).find("no water model 'tip9p'") !=
        std::string::npos);
  CHECK(message({"-o", out, "--cell", "40,40"}, 2).find("--cell is '40,40', which is not a cell") !=
        std::string::npos);
  CHECK(message({"-o", out, "--cell", "40,40,40,30,30,90"}, 2)
            .find("a cell cannot have angles of 30, 30 and 90") != std::string::npos);
  CHECK(message({"-o", out, "--cell", "40,40,40", "--padding", "9"}, 2).find("leave one of them out") !=
        std::string::npos);
  CHECK(message({"-o", out, "--cell", "40,40,40", "--orient"}, 2).find("leave one of them out") !=
        std::string::npos);
  CHECK(message({"-o", out, "--tune", "smallest-cavity=0"}, 2).find("--tune smallest-cavity is 0") !=
        std::string::npos);
  CHECK(message({"-o", out, "--padding", "5000"}, 1).find("waters, which need") != std::string::npos);
  CHECK(
      message({"-o", out, "--input-water", "ignore", "--ignore", "resname LIG"}, 1).find("leaves nothing") !=
      std::string::npos);
  CHECK(message({"-o", out, "--assembly", "7"}, 2).find("7") != std::string::npos);
  CHECK(run_ionwell({"solvate", duplex, "-o", out, "--cell", "20,20,20"}).err.find("larger than the cell") !=
        std::string::npos);
  CHECK(run_ionwell({"info", out}).exit_code != 0);
}

TEST_CASE("solvate: a solute across the boundary of its cell is made whole, with a warning") {
  const TemporaryFolder folder;
  write_text(folder / "broken.gro",
             "broken\n    4\n    1LIG     C1    1   2.850   1.000   1.000\n    1LIG     C2    2   2.980   "
             "1.000   1.000\n"
             "    1LIG     C3    3   0.110   1.000   1.000\n    1LIG     C4    4   0.240   1.000   1.000\n"
             "   3.00000   3.00000   3.00000\n");
  const ProgramResult result =
      run_ionwell({"solvate", folder / "broken.gro", "--padding", "9", "-o", folder / "wet.gro"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("was broken across the boundary of its own cell; 2 atoms shifted to the others") !=
        std::string::npos);
  CHECK(row(result.out, "cell").find("21.900 x 21.900 x 21.900 A") != std::string::npos);
}
