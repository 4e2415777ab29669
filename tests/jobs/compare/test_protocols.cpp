// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "jobs/compare/protocols.hpp"
#include "jobs/place/run.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

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

}  // namespace

TEST_CASE("protocols: they are chosen by name, in the order of the table") {
  const std::vector<std::string> names = {"iterated", "coulomb"};
  const std::vector<Protocol> rows = choose_protocols(names, PbSolvedBy::own);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "coulomb");
  CHECK(rows[1].is_solved());
  CHECK(rows[1].not_run.empty());
  CHECK(choose_protocols({}, PbSolvedBy::apbs).size() == 5);
  const std::vector<std::string> sites = {"sites", "site-terms"}, magnesium = {"MG:sites"}, sodium = {"NA:3"};
  for (const Protocol& row : choose_protocols(sites, PbSolvedBy::own, magnesium)) CHECK(row.not_run.empty());
  for (const Protocol& row : choose_protocols(sites, PbSolvedBy::own, sodium))
    CHECK(row.not_run == "the model is for MG alone");
  const std::vector<std::string> typo = {"colomb"};
  CHECK(error_of([&] {
          choose_protocols(typo, PbSolvedBy::own);
        }).find("--protocol colomb is not known; the protocols are coulomb, ") == 0);
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
