#include <doctest/doctest.h>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

/// A set of the duplex alone, the first two ions of the Coulomb protocol as its sites.
void make_set(const TemporaryFolder& folder) {
  write_text(folder / "one.pqr", read_text(duplex));
  REQUIRE(
      run_ionwell({"place", duplex, "--ion", "MG:2", "-o", folder / "one.sites.pdb", "--quiet"}).exit_code ==
      0);
}

}  // namespace

TEST_CASE("compare: a set is a table, a CSV file and a report") {
  const TemporaryFolder folder, out;
  make_set(folder);
  const ProgramResult result =
      run_ionwell({"compare", "--set", folder.path(), "--protocol", "coulomb", "--protocol", "hybrid",
                   "--threads", "1", "--csv", out / "set.csv", "--report", out / "set.json"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.starts_with("1 entry, 2 sites\n"));
  for (const char* const row : {"\ncoulomb ", "\nhybrid ", "\nrandom "})
    CHECK(result.out.find(row) != std::string::npos);
  const auto report = report_of(out / "set.json");
  REQUIRE(report["protocols"].size() == 4);
  CHECK(report["protocols"][0]["all"]["within"][0]["recall"] == 1.0);
  CHECK(report["protocols"][1]["all"]["ions"] == 2);
  CHECK(report["protocols"][2]["all"]["within"][0]["recall"].get<double>() < 0.5);
  const std::string csv = read_text(out / "set.csv");
  CHECK(csv.starts_with("protocol,entry,family,"));
  CHECK(csv.find("\ncoulomb,one,of one,758,2,2,3,2,1,1,,,") != std::string::npos);

  const ProgramResult piped =
      run_ionwell({"compare", "--set", folder.path(), "--protocol", "coulomb", "--csv", "-"});
  CHECK(piped.out.starts_with("protocol,entry,"));
  CHECK(piped.err.find("1 entry, 2 sites") != std::string::npos);
}

TEST_CASE("compare: a set with a bad entry is scored without it and fails") {
  const TemporaryFolder folder, out;
  make_set(folder);
  write_text(folder / "two.pqr", "ATOM\n");
  write_text(folder / "two.sites.pdb", read_text(folder / "one.sites.pdb"));
  write_text(folder / "three.pqr", "ATOM\n");
  const ProgramResult result =
      run_ionwell({"compare", "--set", folder.path(), "--protocol", "coulomb", "--csv", out / "set.csv"});
  CHECK(result.exit_code == 1);
  CHECK(result.out.find("\ncoulomb ") != std::string::npos);
  CHECK(result.err.find("ionwell: two: ") != std::string::npos);
  CHECK(result.err.find("two.pqr: has no atoms") != std::string::npos);
  CHECK(result.err.find("three: there is a structure but no sites; add three.sites.pdb") !=
        std::string::npos);
  CHECK(result.err.find("2 problems in ") != std::string::npos);
  CHECK(read_text(out / "set.csv").find("coulomb,all,,,2,2,2,2,1,1,") != std::string::npos);
}

TEST_CASE("compare: options of another use than theirs are refused") {
  const TemporaryFolder folder;
  make_set(folder);
  const auto refused = [&](std::vector<std::string> words, const char* message) {
    words.insert(words.begin(), "compare");
    const ProgramResult result = run_ionwell(words);
    CAPTURE(message);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(message) != std::string::npos);
  };
  const std::string sites = folder / "one.sites.pdb";
  refused({"--set", folder.path(), duplex}, "is one file or word too many; --set DIR");
  refused({"--set", folder.path(), "--random-around", duplex}, "--random-around has no effect with --set");
  refused({"--set", folder.path(), "--frame", "2"},
          "--frame has no effect with --set: it takes structures as they are; leave one of them out");
  refused({"--set", folder.path(), "--protocol", "hybird"},
          "--protocol hybird is not known; there are hybrid");
  refused({"--set", folder.path(), "--per-site", "-1"}, "--per-site is -1; it must be more than 0");
  refused({"--set", folder.path(), "--ion", "QQ:sites"}, "QQ");
  refused({sites, sites, "--csv", "x.csv"}, "--csv has no effect without --set; add it, or leave --csv out");
  refused({sites, sites, "--pb", "own"}, "--pb has no effect without --ion or --set");
  refused({"--set", folder.path(), "--seed", "-1"}, "--seed is -1; it must not be negative");
  refused({}, "IONS.pdb or STRUCTURE is missing; usage: ionwell compare");
  CHECK(run_ionwell({"compare", "--set", folder / "none"})
            .err.find("No such file or directory; give a folder") != std::string::npos);
}

TEST_CASE("compare: the protocols of one structure can be chosen, and solved here") {
  const TemporaryFolder folder;
  const ProgramResult result = run_ionwell({"compare", duplex, "--ion", "MG:2", "--protocol", "iterated",
                                            "--pb", "own", "--report", folder / "report.json"});
  REQUIRE(result.exit_code == 0);
  const auto report = report_of(folder / "report.json");
  REQUIRE(report["protocols"].size() == 1);
  CHECK(report["protocols"][0]["name"] == "iterated");
  CHECK(report["protocols"][0]["positions_A"].size() == 2);
}
