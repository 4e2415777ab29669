#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

#include "input/read_input.hpp"
#include "jobs/compare/compare_set.hpp"
#include "jobs/compare/memory_gate.hpp"
#include "jobs/compare/set_report.hpp"
#include "jobs/place/run.hpp"
#include "support/error_of.hpp"
#include "support/example.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Scores = std::vector<std::optional<EntryScore>>;

EntryScore score(std::int64_t sites, double matched, std::int64_t ions) {
  return {.ions = ions, .sites = sites, .matched = std::vector<double>(site_distances_A.size(), matched)};
}

std::string site(const Vec3<double>& p) {
  char line[96];
  std::snprintf(line, sizeof line,
                "HETATM    1 MG    MG A   1    %8.3f%8.3f%8.3f  1.00  0.00          MG2+\n", p.x, p.y, p.z);
  return line;
}

constexpr const char* two_atoms = "ATOM 1 O1 X 1 0.0 0.0 0.0 -1.0 1.5\nATOM 2 O2 X 1 9.0 0.0 0.0 -2.0 1.5\n";

/// Smaller than its ions' distances, so that images would act.
Structure charges_in_cell() {
  Structure structure{.path = "box.gro", .atoms = {}, .warnings = {}, .composition = {}, .cell = {}};
  for (const double x : {2.0, 7.0}) {
    Atom atom;
    atom.position_A = {x, 5.0, 5.0};
    atom.charge_e = -1.0;
    atom.radius_A = 1.5;
    structure.atoms.push_back(atom);
  }
  structure.cell = UnitCell{{{20, 0, 0}, {0, 20, 0}, {0, 0, 20}}, CellKind::simulation};
  return structure;
}

/// A folder of two entries, `b` with the very ion that Coulomb places there as its site.
void make_set(const TemporaryFolder& folder) {
  write_text(folder / "a.pqr", two_atoms);
  write_text(folder / "a.sites.pdb", site({90.0, 0.0, 0.0}) + site({90.0, 9.0, 0.0}));
  write_text(folder / "b.pqr", two_atoms);
  const Structure structure = read_input({folder / "b.pqr"}).structure;
  const Placement placed =
      run({.structure = structure, .ions = {{{"MG", "MG", 2.0}, 1}}, .backend = {.backend = Backend::cpu}})
          .placement;
  write_text(folder / "b.sites.pdb", site(placed.ions.front().position_A));
}

SetOptions coulomb_options(int threads) {
  SetOptions options{.threads = threads};
  options.protocols =
      choose_protocols(std::vector<std::string>{"coulomb"}, PbSolvedBy::own, ComparedWith::set);
  return options;
}

}  // namespace

TEST_CASE("set: shares are of all sites together, and the interval keeps families together") {
  const Scores scores = {score(10, 10.0, 20), score(30, 0.0, 30), std::nullopt, score(10, 10.0, 10)};
  const PooledScore two = pooled(scores, {"x", "y", "z", "x"}, {});
  CHECK(two.entries == 3);
  CHECK(two.sites == 50);
  CHECK(two.recall[1] == doctest::Approx(0.4));
  CHECK(two.precision[1] == doctest::Approx(20.0 / 60.0));
  // Two families: both x, both y or one of each, so that the ends are all and nothing.
  CHECK(two.recall_95[1].low == 0.0);
  CHECK(two.recall_95[1].high == 1.0);
  const PooledScore one = pooled(scores, {"x", "x", "x", "x"}, {});
  CHECK(one.recall_95[1].low == doctest::Approx(0.4));
  CHECK(one.recall_95[1].high == doctest::Approx(0.4));
  CHECK(pooled({std::nullopt}, {"x"}, {}).recall[0] == 0.0);
}

TEST_CASE("set: the interval of many alike families is the binomial one") {
  Scores scores;
  std::vector<std::string> families;
  for (int n = 0; n < 100; ++n) {
    scores.emplace_back(score(1, n < 30 ? 1.0 : 0.0, 1));
    families.push_back(std::to_string(n));
  }
  const PooledScore all = pooled(scores, families, {.draws = 4000, .seed = 5});
  const double sigma = std::sqrt(0.3 * 0.7 / 100.0);
  // The percentiles of 4,000 draws are within 0.01 of the normal ones, and shares are hundredths.
  CHECK(std::abs(all.recall_95[0].low - (0.3 - 1.96 * sigma)) < 0.021);
  CHECK(std::abs(all.recall_95[0].high - (0.3 + 1.96 * sigma)) < 0.021);
  const PooledScore again = pooled(scores, families, {.draws = 4000, .seed = 5});
  CHECK(all.recall_95[0].low == again.recall_95[0].low);
}

TEST_CASE("set: pairs of files are entries, and what lacks its other one is told") {
  const TemporaryFolder folder;
  for (const char* const name : {"a.pqr", "a.sites.pdb", "b.pqr.gz", "b.sites.pdb", "c.pqr", "d.sites.pdb"})
    write_text(folder / name, "x");
  write_text(folder / "families.tsv", "entry\tatoms\tfamily\na\t12\tF1\n");
  const SiteSet set = read_site_set(folder.path());
  REQUIRE(set.entries.size() == 2);
  CHECK(set.entries[0].name == "a");
  CHECK(set.entries[0].family == "F1");
  CHECK(set.entries[1].structure == folder / "b.pqr.gz");
  CHECK(set.entries[1].family == "of b");
  CHECK(set.warnings.size() == 1);
  REQUIRE(set.problems.size() == 2);
  CHECK(set.problems[0].what ==
        "there is a structure but no sites; add c.sites.pdb, or remove the structure");
  CHECK(set.problems[1].what == "there are sites but no structure; add d.pqr, or remove d.sites.pdb");

  write_text(folder / "families.tsv", "name\tfamily\na\tF1\n");
  CHECK(error_of([&] { read_site_set(folder.path()); }).find("families.tsv:1: there is no column 'entry'") !=
        std::string::npos);
  write_text(folder / "families.tsv", "entry\tfamily\n\nb\n");
  CHECK(error_of([&] { read_site_set(folder.path()); }).find("families.tsv:3: the line has no entry") !=
        std::string::npos);
  write_text(folder / "a.pqr.gz", "x");
  CHECK(error_of([&] { read_site_set(folder.path()); }).find("both the structure of one entry") !=
        std::string::npos);
  CHECK(error_of([] { read_site_set("no/such"); }).find("--set no/such: ") == 0);
  const TemporaryFolder empty;
  CHECK(error_of([&] { read_site_set(empty.path()); }).find("no pair of NAME.pqr") != std::string::npos);
}

TEST_CASE("set: a bad entry is named and the others are scored, whatever the threads") {
  const TemporaryFolder folder;
  make_set(folder);
  write_text(folder / "c.pqr", "ATOM 1 O1 X 1 0.0 oops 0.0 -1.0 1.5\n");
  write_text(folder / "c.sites.pdb", site({0, 0, 0}));
  const SetComparison alone = compare_set(folder.path(), coulomb_options(1), {});
  REQUIRE(alone.rows.size() == 3);
  const SetRow& coulomb = alone.rows[0];
  REQUIRE(coulomb.scores[1].has_value());
  CHECK(coulomb.scores[1]->matched[0] == 1.0);
  CHECK(coulomb.scores[0]->ions == 2);  // as many as sites
  CHECK_FALSE(coulomb.scores[2].has_value());
  CHECK(coulomb.all.recall[0] == doctest::Approx(1.0 / 3.0));
  REQUIRE(alone.problems.size() == 1);
  CHECK(alone.problems[0].entry == "c");
  CHECK(alone.problems[0].what.find("c.pqr:1: ") != std::string::npos);
  CHECK(alone.rows[1].name == "random");
  CHECK(alone.rows[2].name == "random-3.5");
  CHECK(alone.rows[1].scores[0]->matched[4] == 0.0);  // its sites are far from everything

  const SetComparison together = compare_set(folder.path(), coulomb_options(3), {});
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t n = 0; n < 2; ++n)
      CHECK(together.rows[row].scores[n]->matched == alone.rows[row].scores[n]->matched);
  CHECK(csv_set(alone).find("coulomb,all,,,3,3,2,1,0.333333,") != std::string::npos);
  CHECK(json_set(alone, coulomb_options(1)).find("\"entry\": \"c\"") != std::string::npos);
}

TEST_CASE("set: more ions than sites, and ions of files, are scored") {
  const TemporaryFolder folder, placed;
  make_set(folder);
  write_text(placed / "a.mine.pdb", site({90.0, 1.0, 0.0}) + site({90.0, 8.5, 0.0}));
  write_text(placed / "a.other.gro",
             "ions\n    1\n    1MG      MG    1   9.000   0.100   0.000\n   1.0 1.0 1.0\n");
  write_text(placed / "a.sites.pdb", site({0, 0, 0}));
  SetOptions options = coulomb_options(1);
  options.ions_per_site = 3.0;
  options.placed_folder = placed.path();
  const SetComparison set = compare_set(folder.path(), options, {});
  REQUIRE(set.rows.size() == 5);
  CHECK(set.rows[4].name == "placed:other");
  CHECK(set.rows[4].scores[0]->ions == 1);
  CHECK(set.rows[0].scores[0]->ions == 6);
  CHECK(set.rows[3].name == "placed:mine");
  CHECK(set.rows[3].scores[0]->matched[0] == 2.0);
  CHECK_FALSE(set.rows[3].scores[1].has_value());
  CHECK(set.rows[3].all.entries == 1);
  CHECK(set.problems.empty());
  options.ions_per_site = 0.0;
  CHECK(error_of([&] { compare_set(folder.path(), options, {}); }) ==
        "--per-site is 0; it must be more than 0");
  CHECK(error_of([&] { find_placed(set.set, folder.path()); }).find("there is no file NAME.LABEL.pdb") !=
        std::string::npos);
  write_text(placed / "a.mine.cif", "x");
  CHECK(error_of([&] {
          find_placed(set.set, placed.path());
        }).find("a.mine.cif and a.mine.pdb are both the ions mine of a; remove one of them") !=
        std::string::npos);
}

TEST_CASE("set: sites count by their occupancy where that is asked for") {
  const TemporaryFolder folder, placed;
  write_text(folder / "a.pqr", two_atoms);
  std::string sure = site({20.0, 0.0, 0.0}), doubtful = site({40.0, 0.0, 0.0});
  doubtful.replace(doubtful.find("  1.00"), 6, "  0.25");
  write_text(folder / "a.sites.pdb", sure + doubtful);
  write_text(placed / "a.mine.pdb", site({40.0, 1.0, 0.0}));
  SetOptions options = coulomb_options(1);
  options.placed_folder = placed.path();
  CHECK(compare_set(folder.path(), options, {}).rows[3].all.weighted_recall.empty());
  options.weight = SiteWeight::occupancy;
  const SetComparison set = compare_set(folder.path(), options, {});
  REQUIRE(set.rows[3].all.weighted_recall.size() == site_distances_A.size());
  CHECK(set.rows[3].all.weighted_recall[0] == doctest::Approx(0.2));
  CHECK(set.rows[3].all.recall[0] == 0.5);
  CHECK(set.rows[1].all.weighted_recall.empty());  // random ions
  CHECK(csv_set(set).find("placed:mine,all,,,1,2,2,1,0.5,1,0.5,0.5,0,0.2\n") != std::string::npos);
  options.weight = SiteWeight::b_factor;
  const SetComparison none = compare_set(folder.path(), options, {});
  REQUIRE(none.problems.size() == 1);
  CHECK(none.problems[0].what.find("a.sites.pdb: the site MG 1 A has a B-factor of 0") != std::string::npos);
}

TEST_CASE("set: protocols are chosen by name, in the order of the table") {
  const std::vector<std::string> names = {"iterated", "coulomb"};
  const std::vector<Protocol> rows = choose_protocols(names, PbSolvedBy::own, ComparedWith::set);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "coulomb");
  CHECK(rows[1].is_solved());
  CHECK(rows[1].not_run.empty());
  CHECK(choose_protocols({}, PbSolvedBy::apbs, ComparedWith::one).size() == 5);
  for (const Protocol& row : choose_protocols({}, PbSolvedBy::own, ComparedWith::set))
    CHECK_FALSE(row.is_solved());
  const std::vector<std::string> sites = {"sites", "site-terms"}, magnesium = {"MG:sites"}, sodium = {"NA:3"};
  for (const Protocol& row : choose_protocols(sites, PbSolvedBy::own, ComparedWith::set, magnesium))
    CHECK(row.not_run.empty());
  for (const Protocol& row : choose_protocols(sites, PbSolvedBy::own, ComparedWith::one, sodium))
    CHECK(row.not_run == "the model is for MG alone");
  const std::vector<std::string> typo = {"colomb"};
  CHECK(error_of([&] {
          choose_protocols(typo, PbSolvedBy::own, ComparedWith::set);
        }).find("--protocol colomb is not known; there are coulomb, ") == 0);
}

TEST_CASE("protocols: the solute stands alone for all of them, also in a simulation's cell") {
  Structure structure = charges_in_cell();
  for (const Protocol& protocol : known_protocols(PbSolvedBy::own)) {
    CAPTURE(protocol.name);
    CHECK(job_of(protocol, structure, {{{"MG", "MG", 2.0}, 1}}, 1).boundary == Boundary::open);
  }
  const std::vector<Protocol> rows = known_protocols(PbSolvedBy::own);
  Job job = job_of(rows.front(), structure, {{{"MG", "MG", 2.0}, 1}}, 1);
  CHECK_FALSE(run(job).potential.is_periodic);
  job.boundary.reset();
  CHECK(run(job).potential.is_periodic);
}

TEST_CASE("set: what is under way never takes more memory than there is") {
  MemoryGate gate(10);
  std::atomic<int> under_way{0}, most{0}, done{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 6; ++n)
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        gate.run(4, [&] {
          const int now = under_way += 4;
          for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
          }
          std::this_thread::yield();
          under_way -= 4;
          ++done;
        });
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(done == 300);
  CHECK(most <= 8);
  CHECK(most >= 4);
  CHECK(gate.run(1000, [] { return 7; }) == 7);  // alone
}
