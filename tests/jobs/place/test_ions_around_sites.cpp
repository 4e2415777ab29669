// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "jobs/place/run.hpp"
#include "jobs/place/sites_first.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double spacing_A = 1.5;

Structure negative_rod() {
  Structure structure{.path = "rod.gro"};
  structure.cell = UnitCell{CellVectors{{24, 0, 0}, {0, 22, 0}, {0, 0, 20}}, CellKind::simulation};
  for (int n = 0; n < 9; ++n)
    structure.atoms.push_back({.position_A = {2.1 + 2.2 * n, 11.0 + 0.7 * (n % 3), 10.0 - 0.4 * (n % 2)},
                               .charge_e = n % 2 == 0 ? -1.1 : 0.2,
                               .name = "C",
                               .residue = "MOH",
                               .residue_number = n + 1});
  return structure;
}

/// A run at sites that has placed Mg2+ at these points.
Result at_sites(const Structure& structure, const std::vector<Vec3<double>>& positions_A) {
  Result sites{.structure = structure};
  sites.potential.method = "sites";
  sites.sites = SiteResult{.model = magnesium_site_model(), .path = ""};
  for (const Vec3<double>& position_A : positions_A) {
    PlacedIon ion;
    ion.species = {"MG", "MG", 2.0};
    ion.position_A = position_A;
    sites.placement.ions.push_back(ion);
  }
  sites.placement.requested = std::ssize(positions_A);
  return sites;
}

/// The distances differ by less than any two distances between points of the lattice.
Job sodium_around(const Structure& structure, Boundary boundary) {
  Job job{.structure = structure,
          .ions = {{{"NA", "NA", 1.0}, 4}},
          .lattice = {.spacing_A = spacing_A, .box = Box{{0, 0, 0}, {24, 21, 19.5}}},
          .exclusion = {.ion_solute_A = 3.0, .ion_ion_A = 3.01},
          .boundary = boundary};
  job.electrostatics.ionic_strength_M = 1.0;
  return job;
}

}  // namespace

TEST_CASE("ions around those at sites go where they do around atoms with their charges") {
  const std::vector<Vec3<double>> magnesium_A = {{6.0, 6.0, 9.0}, {21.0, 13.5, 12.0}};
  const Structure alone = negative_rod();
  Structure with_magnesium = alone;
  for (const Vec3<double>& position_A : magnesium_A)
    with_magnesium.atoms.push_back(
        {.position_A = position_A, .charge_e = 2.0, .name = "MG", .residue = "MG", .residue_number = 99});
  const Result sites = at_sites(alone, magnesium_A);
  for (const Boundary boundary : {Boundary::open, Boundary::periodic}) {
    CAPTURE(int(boundary));
    Job job = sodium_around(alone, boundary);
    const Result without = run(job);
    job.sites = &sites;
    const Result around = run(job);
    const Result expected = run(sodium_around(with_magnesium, boundary));
    const std::vector<PlacedIon>& ions = around.placement.ions;
    REQUIRE(ions.size() == 6);
    REQUIRE(expected.placement.ions.size() == 4);
    CHECK(around.placement.requested == 6);
    CHECK(around.potential.is_periodic == (boundary == Boundary::periodic));
    REQUIRE(around.sites.has_value());
    CHECK(around.sites->model.ion == "MG");
    int moved = 0;
    for (std::size_t n = 0; n < 4; ++n) {
      const PlacedIon &ion = ions[2 + n], &same = expected.placement.ions[n];
      CHECK(ion.species.name == "NA");
      CHECK(ion.lattice_index == same.lattice_index);
      CHECK(ion.energy_kT == doctest::Approx(same.energy_kT).epsilon(1e-6));  // fp64 sums in another order
      moved += ion.lattice_index == without.placement.ions[n].lattice_index ? 0 : 1;
    }
    CHECK(moved > 0);
    for (std::size_t n = 0; n < 2; ++n) {
      CHECK(ions[n].species.name == "MG");
      CHECK(ions[n].nearest_atom < alone.atoms.size());
      CHECK(std::isfinite(ions[n].nearest_ion_A));
      CHECK(ions[n].nearest_ion_A > 3.01);
    }
  }
}

TEST_CASE("ions around those at sites: both runs from one job, and what does not go with them") {
  const Structure rod = negative_rod();
  Job job = sodium_around(rod, Boundary::periodic);
  job.most_kT = -1.0;
  job.ions.clear();
  SiteOptions options;
  const IonsBySite ions({"MG:1", "NA:2"}, -5.0, IonNaming::pdb, options.model);
  const Job first = job_at_sites(job, options, ions);
  CHECK(std::holds_alternative<SiteOptions>(first.source));
  CHECK_FALSE(first.boundary.has_value());  // distances follow the cell; its potential does not
  CHECK(first.most_kT == std::numeric_limits<double>::infinity());
  CHECK_FALSE(first.electrostatics.ionic_strength_M.has_value());
  REQUIRE(first.ions.size() == 1);
  CHECK(first.ions[0].species.name == "MG");
  const Result sites = run(first);
  REQUIRE(sites.placement.ions.size() == 1);
  continue_around(job, sites, ions);
  const Result result = run(job);
  REQUIRE(result.placement.ions.size() == 3);
  const PlacedIon& magnesium = result.placement.ions[0];
  CHECK(magnesium.species.name == "MG");
  const Vec3<double> at_A = result.potential.lattice.position_A(magnesium.lattice_index);
  CHECK(magnesium.position_A.x == at_A.x);  // one lattice for both
  CHECK(magnesium.position_A.z == at_A.z);
  CHECK(result.placement.ions[2].species.name == "NA");

  job.source = PbOptions{};
  job.boundary.reset();
  CHECK(error_of([&] { run(job); }).find("by the potential of charges") != std::string::npos);
  const Result no_sites{.structure = rod};
  job.source = SummationOptions{};
  job.sites = &no_sites;
  CHECK(error_of([&] { run(job); }).find("this had none") != std::string::npos);
}
