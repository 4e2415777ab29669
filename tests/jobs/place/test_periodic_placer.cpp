// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/periodic_cell.hpp"
#include "jobs/place/run.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const IonSpecies sodium_ion{"NA", "NA", 1.0}, chloride_ion{"CL", "CL", -1.0};

/// Charges along a cell, so that those at its ends are near to each other's images.
Structure charges_in(const CellVectors& vectors) {
  Structure structure{.path = "box.gro"};
  structure.cell = UnitCell{vectors, CellKind::simulation};
  const PeriodicCell cell(vectors);
  for (int n = 0; n < 8; ++n)
    structure.atoms.push_back(
        {.position_A = cell.cartesian_A({0.02 + 0.135 * n, 0.1 + 0.3 * (n % 3), 0.4 - 0.2 * (n % 2)}),
         .charge_e = n % 3 == 0 ? 0.8 : -0.7,
         .name = "C",
         .residue = "MOH",
         .residue_number = n + 1});
  return structure;
}

/// By brute force, in double precision: all images within four cells.
struct Images {
  explicit Images(const CellVectors& vectors) : v(vectors) {}

  template <typename Visit>
  void of(const Vec3<double>& difference_A, const Visit& visit) const {
    constexpr int cells = 4;
    for (int i = -cells; i <= cells; ++i)
      for (int j = -cells; j <= cells; ++j)
        for (int k = -cells; k <= cells; ++k) {
          const Vec3<double> d = difference_A + double(i) * v.a + double(j) * v.b + double(k) * v.c;
          visit(dot(d, d));
        }
  }
  double nearest_A(const Vec3<double>& difference_A) const {
    double least = INFINITY;
    of(difference_A, [&](double d2) { least = std::min(least, d2); });
    return std::sqrt(least);
  }
  double potential(const PairPotential& pair, const Vec3<double>& difference_A) const {
    double sum = 0.0;
    of(difference_A, [&](double d2) { sum += pair.at(d2); });
    return sum;
  }

  CellVectors v;
};

Job job_in(const Structure& structure) {
  Job job{.structure = structure,
          .ions = {{sodium_ion, 2}, {chloride_ion, 2}},
          .lattice = {.spacing_A = 1.5, .border_A = 8.0},
          .exclusion = {.ion_solute_A = 3.0, .ion_ion_A = 5.0}};
  job.electrostatics.ionic_strength_M = 2.0;  // so that images beyond four cells do nothing
  return job;
}

}  // namespace

TEST_CASE("ions on a lattice: distances and potential follow all images of a simulation's cell") {
  for (const CellVectors& vectors :
       {CellVectors{{20, 0, 0}, {0, 18, 0}, {0, 0, 16}}, CellVectors{{0, 20, 0}, {-18, 3, 0}, {4, -5, 16}}}) {
    CAPTURE(vectors.a.x);
    const Structure structure = charges_in(vectors);
    const Job job = job_in(structure);
    const Result result = run(job);
    CHECK(result.potential.is_periodic);
    CHECK(result.potential.method == "periodic");
    const std::vector<PlacedIon>& ions = result.placement.ions;
    REQUIRE(ions.size() == 4);
    const Images images(vectors);
    const PairPotential pair = pair_potential(job.electrostatics);
    const PeriodicCell cell(vectors);
    double least_kT = INFINITY;
    std::int64_t points = 0;
    const Vec3<double> middle_A =
        0.5 * (result.potential.lattice.position_A(0) +
               result.potential.lattice.position_A(result.potential.lattice.size() - 1));
    const auto potential_at = [&](const Vec3<double>& at) {
      double sum = 0.0;
      for (const Atom& atom : structure.atoms)
        sum += atom.charge_e * images.potential(pair, at - atom.position_A);
      return sum;
    };
    for (std::int64_t p = 0; p < result.potential.lattice.size(); ++p) {
      const Vec3<double> at = result.potential.lattice.position_A(p);
      const Vec3<double> f = cell.fractional(at - middle_A);
      bool is_free = f.x >= -0.5 && f.x < 0.5 && f.y >= -0.5 && f.y < 0.5 && f.z >= -0.5 && f.z < 0.5;
      for (const Atom& atom : structure.atoms) is_free &= images.nearest_A(at - atom.position_A) > 3.0;
      if (!is_free) continue;
      ++points;
      least_kT = std::min(least_kT, sodium_ion.charge_e * potential_at(at));
    }
    CHECK(points > 100);
    CHECK(ions[0].energy_kT == doctest::Approx(least_kT).epsilon(1e-6));
    for (std::size_t n = 0; n < ions.size(); ++n) {
      const Vec3<double>& at = ions[n].position_A;
      CHECK(result.potential.lattice.position_A(ions[n].lattice_index) == at);
      double energy_kT = ions[n].species.charge_e * potential_at(at), nearest_A = INFINITY;
      double nearest_ion_A = INFINITY;
      for (const Atom& atom : structure.atoms)
        nearest_A = std::min(nearest_A, images.nearest_A(at - atom.position_A));
      for (std::size_t other = 0; other < ions.size(); ++other) {
        if (other == n) continue;
        const Vec3<double> apart = at - ions[other].position_A;
        nearest_ion_A = std::min(nearest_ion_A, images.nearest_A(apart));
        if (other < n)
          energy_kT +=
              ions[n].species.charge_e * ions[other].species.charge_e * images.potential(pair, apart);
      }
      CHECK(nearest_A > 3.0);
      CHECK(nearest_ion_A >= 5.0 - 1e-6);
      CHECK(ions[n].nearest_solute_A == doctest::Approx(nearest_A));
      CHECK(ions[n].nearest_ion_A == doctest::Approx(nearest_ion_A));
      CHECK(ions[n].energy_kT == doctest::Approx(energy_kT).epsilon(1e-6));
    }
  }
}

TEST_CASE("ions on a lattice: whose cell has no images, and who can say so") {
  Structure structure = charges_in({{20, 0, 0}, {0, 18, 0}, {0, 0, 16}});
  Job job = job_in(structure);
  job.boundary = Boundary::open;
  CHECK(!run(job).potential.is_periodic);
  job.boundary.reset();
  for (const CellKind kind : {CellKind::crystal, CellKind::undecided}) {
    structure.cell->kind = kind;
    CHECK(!run(job).potential.is_periodic);
    job.boundary = Boundary::periodic;
    CHECK(error_of([&] { run(job); }).starts_with("box.gro: its cell, 20 x 18 x 16 A, is of "));
    job.boundary.reset();
  }
  structure.cell->kind = CellKind::simulation;
  job.source = SummationOptions{.method = Method::direct};
  const Result direct = run(job);
  CHECK(!direct.potential.is_periodic);
  REQUIRE(direct.run.warnings.size() == 1);
  CHECK(direct.run.warnings[0].find("the potential of --method or an msm key of --tune does not: near a face "
                                    "of the cell, energies lack") != std::string::npos);
  job.boundary = Boundary::open;
  CHECK(run(job).run.warnings.empty());
  job.boundary = Boundary::periodic;
  const std::string refusal = error_of([&] { run(job); });
  CHECK(refusal.starts_with("--boundary periodic cannot be used with --method"));
  CHECK(refusal.find("only the sum that is used without --map, --pb") != std::string::npos);
}

TEST_CASE("ions on a lattice: a solute alone in a large cell has no images, unless asked for") {
  Structure structure = charges_in({{20, 0, 0}, {0, 18, 0}, {0, 0, 16}});
  structure.cell = unit_cell({{90, 90, 90}}, CellKind::simulation);
  Job job = job_in(structure);
  CHECK(!run(job).potential.is_periodic);
  job.boundary = Boundary::periodic;
  CHECK(run(job).potential.is_periodic);
  job.boundary.reset();
  job.lattice.border_A = 40.0;  // the lattices of neighbours meet
  job.lattice.spacing_A = 8.0;
  CHECK(run(job).potential.is_periodic);
  // Waters that were left out fill it all the same.
  job.lattice = {.spacing_A = 1.5, .border_A = 8.0};
  structure.composition.emplace();
  structure.composition->water = {.residues = 20'000};
  CHECK(run(job).potential.is_periodic);
}

TEST_CASE("ions on a lattice: a cell without room gets none, and says so") {
  const Structure structure = charges_in({{20, 0, 0}, {0, 18, 0}, {0, 0, 16}});
  Job job = job_in(structure);
  job.exclusion.ion_solute_A = 14.0;  // farther than any image leaves
  const Result result = run(job);
  CHECK(result.placement.ions.empty());
  CHECK(result.placement.requested == 4);
}

TEST_CASE(
    "ions on a lattice: in a periodic cell --tune no-refine is refused, and memory is for points without "
    "atoms") {
  Structure structure = charges_in({{20, 0, 0}, {0, 18, 0}, {0, 0, 16}});
  Job job = job_in(structure);
  job.field.refine = false;
  CHECK(error_of([&] { run(job); }).starts_with("--tune no-refine is for a lattice in single precision"));
  job.boundary = Boundary::open;
  CHECK(!run(job).refined);
  job.boundary.reset();
  job.field.refine = true;
  job.lattice = {.spacing_A = 0.2,
                 .border_A = 8.0};  // more than the cell: half of the lattice is other images
  const Plan planned = plan(job);
  CHECK(planned.lattice.size() > 1'000'000);
  CHECK(planned.host_bytes < 100 * planned.lattice.size());
  CHECK(planned.host_bytes > 5 * planned.lattice.size());
}
