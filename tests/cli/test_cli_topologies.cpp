// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

namespace {

constexpr const char* topology = R"([ moleculetype ]
RNA 3
[ atoms ]
 1 P   1 G P  1 -0.9  30.97
 2 O2  1 G OP1 1 -0.7  16.0
 3 C   2 U C1' 2  0.1  12.01
 4 P   2 U P  2 -1.5  30.97
[ moleculetype ]
MG2 1
[ atoms ]
 1 MG 1 MG MG 1 2.0 24.305
[ moleculetype ]
SOL 2
[ atoms ]
 1 OW 1 SOL OW  1 -0.834 16.0
 2 HW 1 SOL HW1 1  0.417 1.008
 3 HW 1 SOL HW2 1  0.417 1.008
[ system ]
two nucleotides
[ molecules ]
RNA 1
SOL 1
)";

constexpr const char* coordinates = R"(two nucleotides and a water
    7
    1G        P    1   0.100   0.200   0.300
    1G      OP1    2   0.150   0.320   0.301
    2U      C1'    3   0.700   0.210   0.300
    2U        P    4   1.103   0.250   0.450
    3SOL     OW    5   3.000   0.000   0.000
    3SOL    HW1    6   3.057   0.076   0.000
    3SOL    HW2    7   2.943   0.076   0.000
   5.00000   5.00000   5.00000
)";

// The same without the water.
constexpr const char* pqr = R"(ATOM 1 P   G 1  1.00 2.00 3.00 -0.9 1.5
ATOM 2 OP1 G 1  1.50 3.20 3.01 -0.7 1.5
ATOM 3 C1' U 2  7.00 2.10 3.00  0.1 1.5
ATOM 4 P   U 2 11.03 2.50 4.50 -1.5 1.5
)";

struct Files {
  TemporaryFolder folder;
  std::string top = folder / "topol.top", gro = folder / "conf.gro", as_pqr = folder / "rna.pqr";

  Files() {
    write_text(top, topology);
    write_text(gro, coordinates);
    write_text(as_pqr, pqr);
  }
};

/// The lines of the ions.
std::string ions_of(const std::string& path) {
  const std::string text = read_text(path);
  return text.substr(text.find("HETATM"));
}

}  // namespace

TEST_CASE("topologies: nm become A without digits that no file has, in files and in reports") {
  const TemporaryFolder folder;
  write_text(folder / "a.top",
             "[ moleculetype ]\nA 1\n[ atoms ]\n1 C 1 ALA N 1 -0.3 14.0\n2 C 1 ALA CA 1 -0.7 12.0\n"
             "[ system ]\nx\n[ molecules ]\nA 1\n");
  write_text(
      folder / "a.gro",
      "x\n    2\n    1ALA      N    1   1.9653500   2.3470000   0.3350000\n"
      "    1ALA     CA    2   1.7130000   2.5490000  -0.1030000\n   5.1234500   5.1234500   5.1234500\n");
  REQUIRE(run_ionwell({"place", folder / "a.top", folder / "a.gro", "--ion", "NA:1", "--with-solute", "-o",
                       folder / "a.pqr", "--report", folder / "a.json", "--quiet"})
              .exit_code == 0);
  CHECK(read_text(folder / "a.pqr").find(" 19.6535 23.470 3.350 -0.3000 ") != std::string::npos);
  const nlohmann::json report = nlohmann::json::parse(read_text(folder / "a.json"));
  const auto is_short = [](const nlohmann::json& numbers) {
    for (const nlohmann::json& number : numbers)
      if (number.dump().size() > 10) return false;
    return numbers.size() == 3;
  };
  CHECK(is_short(report["ions"][0]["position_A"]));
  CHECK(is_short(report["lattice"]["origin_A"]));
  CHECK(is_short(report["structure"]["cell"]["lengths_A"]));
  CHECK(report["structure"]["net_charge_e"].dump() == "-1.0");
  CHECK(report["net_charge_after_e"].dump() == "0.0");
}

TEST_CASE("topologies: ions are those of the PQR with the same charges, whatever the order of the files") {
  const Files files;
  const std::string ours = files.folder / "ours.pdb", from_pqr = files.folder / "pqr.pdb";
  REQUIRE(run_ionwell({"place", files.as_pqr, "--ion", "MG:1", "--ion", "NA:1", "-o", from_pqr}).exit_code ==
          0);
  for (const bool swapped : {false, true}) {
    const ProgramResult result =
        run_ionwell({"place", swapped ? files.gro : files.top, swapped ? files.top : files.gro,
                     "--input-water", "ignore", "--ion", "MG:1", "--ion", "NA:1", "-o", ours});
    CHECK(result.err == "");
    CHECK(result.exit_code == 0);
    CHECK(ions_of(ours) == ions_of(from_pqr));
  }
  // What is selected acts, and nothing else.
  CHECK(run_ionwell({"place", files.top, files.gro, "--solute", "nucleic", "--ion", "MG:1", "--ion", "NA:1",
                     "-o", ours})
            .exit_code == 0);
  CHECK(ions_of(ours) == ions_of(from_pqr));
  CHECK(run_ionwell({"place", files.top, files.gro, "--ignore", "resname SOL", "--ion", "MG:1", "--ion",
                     "NA:1", "-o", ours})
            .exit_code == 0);
  CHECK(ions_of(ours) == ions_of(from_pqr));
}

TEST_CASE("topologies: a selection that matches nothing is answered with what there is") {
  const Files files;
  const ProgramResult result = run_ionwell({"info", files.top, files.gro, "--solute", "resname SOI"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("SOL") != std::string::npos);
  CHECK(
      run_ionwell({"info", files.top, files.gro, "--ignore", "all"}).err.find("select none of the 7 atoms") !=
      std::string::npos);
}

TEST_CASE("topologies: what is missing or too much is named") {
  const Files files;
  const auto error = [](const std::vector<std::string>& words) {
    const ProgramResult result = run_ionwell(words);
    CHECK(result.exit_code == 2);
    return result.err;
  };
  CHECK(error({"info", files.top}).find("topol.top: is a GROMACS topology, which has no coordinates") !=
        std::string::npos);
  CHECK(error({"info", files.gro}).find("conf.gro: is GROMACS coordinates (.gro), which has no charges") !=
        std::string::npos);
  CHECK(
      error({"info", files.top, files.gro, files.gro}).find("give one topology or structure and one file") !=
      std::string::npos);
  CHECK(error({"info", files.as_pqr, "--charges", "amber"}).find(": it is for files without charges") !=
        std::string::npos);
  CHECK(error({"info", files.top, files.gro, "--charges", "amber"}).find("--charges has no effect with ") !=
        std::string::npos);
  CHECK(error({"info", files.as_pqr, "--assembly", "1"}).find(": it is for PDB and mmCIF files") !=
        std::string::npos);
}

TEST_CASE("topologies: --for gromacs adds ions in front of the water and leaves the user's files alone") {
  const Files files;
  const std::string out = files.folder / "out";
  const auto place = [&](const std::string& ion) {
    return run_ionwell({"place", files.top, files.gro, "--input-water", "ignore", "--ion", ion, "--for",
                        "gromacs", "-o", out, "--quiet"});
  };
  REQUIRE(place("MG:2").exit_code == 0);
  CHECK(read_text(files.top) == topology);
  CHECK(place("MG:2").err.find("out: already contains files, which ionwell does not touch") !=
        std::string::npos);
  const std::string written = read_text(out + "/topol.top"), positions = read_text(out + "/conf.gro");
  CHECK(written.find("RNA 1\nMG2                 2\nSOL 1\n") != std::string::npos);
  CHECK(positions.find("\n    9\n") != std::string::npos);
  const std::size_t ion = positions.find("MG      MG"), water = positions.find("SOL     OW");
  CHECK(ion < water);
  CHECK(water != std::string::npos);
  CHECK(read_text(out + "/index.ndx").find("[ PlacedMG2 ]\n    5     6\n") != std::string::npos);

  std::filesystem::remove_all(out);
  const ProgramResult none = place("NA:1");
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("its force field defines no ion NA of 1 e; it has MG2") != std::string::npos);
  CHECK(!std::filesystem::exists(out));
}

TEST_CASE("topologies: --for gromacs takes includes along, and leaves none of their folders where it fails") {
  const Files files;
  const std::string out = files.folder / "out", text = topology;
  const std::size_t system = text.find("[ system ]");
  std::filesystem::create_directories(files.folder / "ff/molecules");
  write_text(files.top, "#include <ff/all.itp>\n#include \"system.itp\"\n");
  write_text(files.folder / "ff/all.itp", "#include \"molecules/types.itp\"\n");
  write_text(files.folder / "ff/molecules/types.itp", text.substr(0, system));
  write_text(files.folder / "system.itp", text.substr(system));
  const auto place = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"place",   files.top, files.gro, "--input-water",
                                      "ignore",  "--ion",   "MG:2",    "--for",
                                      "gromacs", "-o",      out,       "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  CHECK(place({"--report", files.folder / "none/report.json"}).exit_code != 0);
  CHECK(!std::filesystem::exists(out));
  REQUIRE(place({}).exit_code == 0);
  CHECK(read_text(out + "/topol.top") == read_text(files.top));
  CHECK(read_text(out + "/ff/molecules/types.itp") == text.substr(0, system));
  CHECK(read_text(out + "/system.itp").find("RNA 1\nMG2                 2\nSOL 1\n") != std::string::npos);
  CHECK(run_ionwell({"info", out + "/topol.top", out + "/conf.gro"}).out.find("net charge      +1 e") !=
        std::string::npos);
}

TEST_CASE("topologies: a PSF is one by its content, and --for charmm keeps it, --for amber refuses it") {
  const Files files;
  const std::string psf = files.folder / "patched.dat", pdb = files.folder / "a.pdb",
                    out = files.folder / "out";
  const std::string text =
      "PSF\n\n       1 !NTITLE\n REMARKS patched\n\n       2 !NATOM\n"
      "       1 NA   1    GUA  P    P     -1.000000       30.9740           0\n"
      "       2 NA   1    GUA  O1P  ON3   -0.500000       15.9994           0\n";
  write_text(psf, text);
  write_text(pdb,
             "ATOM      1  P   GUA A   1       0.000   0.000   0.000  1.00  0.00      NA   P\n"
             "ATOM      2  O1P GUA A   1       1.500   0.000   0.000  1.00  0.00      NA   O\nEND\n");
  for (const auto& order : {std::vector{psf, pdb}, std::vector{pdb, psf}}) {
    const auto place = [&](const char* engine) {
      return run_ionwell({"place", order[0], order[1], "--ion", "MG:1", "--spacing", "2", "--for", engine,
                          "-o", out, "--quiet"});
    };
    CHECK(place("amber").exit_code == 2);
    CHECK(place("amber").err.find(
              "patched.dat: is a PSF topology, whose residues and atoms have CHARMM names") !=
          std::string::npos);
    CHECK(!std::filesystem::exists(out));
    REQUIRE(place("charmm").exit_code == 0);
    CHECK(read_text(out + "/solute.psf") == text);
    CHECK(read_text(out + "/psfgen.tcl").find("readpsf solute.psf\n") != std::string::npos);
    std::filesystem::remove_all(out);
  }
  const ProgramResult piped = run_ionwell({"place", "-", pdb, "--ion", "MG:1", "--for", "charmm", "-o", out},
                                          {.standard_input = psf});
  CHECK(piped.exit_code == 2);
  CHECK(piped.err.find("is a PSF topology from a pipe") != std::string::npos);
}

TEST_CASE("topologies: --for needs a folder, and gromacs a topology") {
  const Files files;
  const auto refused = [](const std::vector<std::string>& words, const char* why) {
    const ProgramResult result = run_ionwell(words);
    CHECK(result.exit_code != 0);
    CHECK_MESSAGE(result.err.find(why) != std::string::npos, result.err);
  };
  const std::string out = files.folder / "out";
  refused({"place", files.as_pqr, "--ion", "MG:1", "--for", "gromacs", "-o", out}, "no file is a topology");
  CHECK(!std::filesystem::exists(out));
  refused({"place", files.as_pqr, "--ion", "MG:1", "--for", "amber", "-o", "-"}, "--for writes a folder");
  refused({"place", files.as_pqr, "--ion", "MG:1", "--for", "amber", "-o", files.top}, "is a file");
  refused({"info", files.as_pqr, "--frame", "2"}, "it is for files of several frames");
  refused({"place", files.as_pqr, "--ion", "MG:1", "--for", "amber", "--with-solute", "-o", out},
          "--with-solute has no effect with --for: ");
}

TEST_CASE("topologies: convert writes what was read, exactly") {
  const Files files;
  const std::string out = files.folder / "out.pqr";
  REQUIRE(
      run_ionwell({"convert", files.top, files.gro, out, "--quiet", "--input-water", "solute"}).exit_code ==
      0);
  const std::string text = read_text(out);
  CHECK(text.find("ATOM        2 OP1  G       1  1.500 3.200 3.010 -0.7000 0.0000\n") != std::string::npos);
  CHECK(text.find("CRYST1   50.000") != std::string::npos);
  CHECK(run_ionwell({"convert", files.top, files.gro, out, "--unit", "mV"}).exit_code == 2);
  CHECK(run_ionwell({"convert", files.top, files.gro, files.gro}).exit_code != 0);
  CHECK(read_text(files.gro) == coordinates);
}
