#include <doctest/doctest.h>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

TEST_CASE("compare: of a crystal's atoms ions are sites, and all of them when asked for") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:2", "--ion", "XYZ:1:2", "--spacing", "1",
                       "--with-solute", "-o", folder / "all.pdb", "--quiet"})
              .exit_code == 0);
  const auto compare = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"compare", folder / "all.pdb", folder / "all.pdb"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };
  const ProgramResult ions = compare({});
  CHECK(ions.exit_code == 0);
  CHECK(ions.out.find("all.pdb: 3 ions; 758 other atoms left out (--sites all takes them, too)\n") !=
        std::string::npos);
  CHECK(ions.out.find("3 ions, 3 sites\n") != std::string::npos);
  CHECK(compare({"--sites", "all"}).out.find("761 ions, 761 sites\n") == 0);
  CHECK(compare({"--quiet"}).out.empty());

  write_text(folder / "none.pdb",
             "ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n");
  const ProgramResult none = run_ionwell({"compare", folder / "all.pdb", folder / "none.pdb"});
  CHECK(none.exit_code == 1);
  CHECK(none.err.find("none.pdb: holds 1 atom and no ion among them") != std::string::npos);
  CHECK(none.err.find("--sites all takes every atom") != std::string::npos);
}

TEST_CASE("compare: options that would do nothing are refused") {
  const ProgramResult water = run_ionwell({"compare", "ions.pdb", "sites.pdb", "--input-water", "ignore"});
  CHECK(water.exit_code == 2);
  CHECK(water.err.find("options of a structure are given, but --ion is not") != std::string::npos);
  const ProgramResult sites = run_ionwell({"compare", duplex, "--ion", "MG:1", "--sites", "all"});
  CHECK(sites.exit_code == 2);
  CHECK(sites.err.find("--sites is given, but SITES.pdb is not") != std::string::npos);
}
