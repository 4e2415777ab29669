// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/periodic_cell.hpp"
#include "jobs/place/run.hpp"
#include "jobs/place/stepwise_run.hpp"
#include "maps/map_file.hpp"
#include "support/map_samples.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr double atom_A = 4.0, ion_A = 6.0;  // least distances that are asked for

/// Two atoms at each end of a small cell: without images ions would be drawn to the outside of either.
Structure atoms_at_faces(const CellVectors& vectors) {
  Structure structure{.path = "faces.gro"};
  structure.cell = UnitCell{vectors, CellKind::simulation};
  const PeriodicCell cell(vectors);
  for (const Vec3<double>& f :
       {Vec3<double>{0.03, 0.5, 0.5}, {0.03, 0.45, 0.4}, {0.97, 0.5, 0.6}, {0.95, 0.4, 0.5}})
    structure.atoms.push_back({.position_A = cell.cartesian_A(f),
                               .charge_e = -1.0,
                               .radius_A = 1.7,
                               .name = "OP1",
                               .residue = "U",
                               .residue_number = 1,
                               .element = "O"});
  return structure;
}

double nearest_image_A(const CellVectors& v, const Vec3<double>& apart_A, bool also_itself = true) {
  double least = INFINITY;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = -3; k <= 3; ++k) {
        if (!also_itself && i == 0 && j == 0 && k == 0) continue;
        const Vec3<double> d = apart_A + double(i) * v.a + double(j) * v.b + double(k) * v.c;
        least = std::min(least, std::sqrt(dot(d, d)));
      }
  return least;
}

/// Checks the distances by all images; gives how many ions or atoms would have been too near with the images
/// forgotten: none, and a test would notice nothing.
void check_distances(const Structure& structure, const std::vector<PlacedIon>& ions, double from_atoms_A,
                     double from_ions_A) {
  const CellVectors& v = *structure.cell;
  for (std::size_t n = 0; n < ions.size(); ++n) {
    CAPTURE(n);
    double atom = INFINITY, ion = INFINITY;
    for (const Atom& one : structure.atoms)
      atom = std::min(atom, nearest_image_A(v, ions[n].position_A - one.position_A));
    for (std::size_t other = 0; other < ions.size(); ++other)
      if (other != n) ion = std::min(ion, nearest_image_A(v, ions[n].position_A - ions[other].position_A));
    CHECK(atom > from_atoms_A);
    CHECK(ion > from_ions_A - 1e-6);
    CHECK(ions[n].nearest_solute_A == doctest::Approx(atom));
    CHECK(ions[n].nearest_ion_A == doctest::Approx(ion));
  }
}

/// Whether an ion is nearer to an image than was asked for.
bool is_any_too_near(const Structure& structure, const std::vector<PlacedIon>& ions) {
  const CellVectors& v = *structure.cell;
  for (const PlacedIon& ion : ions) {
    for (const Atom& atom : structure.atoms)
      if (nearest_image_A(v, ion.position_A - atom.position_A) < atom_A) return true;
    for (const PlacedIon& other : ions)
      if (&other != &ion && nearest_image_A(v, ion.position_A - other.position_A) < ion_A - 1e-6) return true;
  }
  return false;
}

Job job_at_faces(const Structure& structure, SourceOptions source) {
  return {.structure = structure,
          .ions = {{{"MG", "MG", 2.0}, 5}},
          .source = std::move(source),
          .lattice = {.spacing_A = 1.0, .border_A = 7.0},
          .exclusion = {.ion_solute_A = atom_A, .ion_ion_A = ion_A}};
}

const std::vector<CellVectors> small_cells = {{{24, 0, 0}, {0, 17, 0}, {0, 0, 16}},
                                              {{0, 24, 0}, {-17, 3, 0}, {4, -5, 16}}};

}  // namespace

TEST_CASE("periodic distances: ions keep away from images of atoms and ions, whichever sum is named") {
  for (const CellVectors& vectors : small_cells)
    for (const Method method : {Method::direct, Method::multilevel}) {
      CAPTURE(int(method));
      const Structure structure = atoms_at_faces(vectors);
      Job job = job_at_faces(structure, SummationOptions{.method = method});
      const Result result = run(job);
      CHECK(result.distances_repeat);
      CHECK(!result.potential.is_periodic);
      REQUIRE(result.placement.ions.size() == 5);
      check_distances(structure, result.placement.ions, atom_A, ion_A);

      job.boundary = Boundary::open;
      const Result open = run(job);
      CHECK(!open.distances_repeat);
      CHECK(is_any_too_near(structure, open.placement.ions));
    }
}

TEST_CASE("periodic distances: maps of other programs") {
  for (const CellVectors& vectors : small_cells) {
    const Structure structure = atoms_at_faces(vectors);
    const PairPotential pair = pair_potential({});
    const LatticeGeometry lattice = choose_lattice(structure, {.spacing_A = 1.0, .border_A = 7.0});
    std::vector<double> values;
    for (std::int64_t p = 0; p < lattice.size(); ++p) {
      double sum = 0.0;
      for (const Atom& atom : structure.atoms)
        sum += atom.charge_e * pair.at(1e-3 + distance_squared(atom.position_A, lattice.position_A(p)));
      values.push_back(sum);
    }
    const TemporaryFile file("faces.dx", "");
    write(file.path(), {{.lattice = lattice, .unit = MapUnit::kT_e}, values});
    Job job = job_at_faces(structure, MapFiles{.paths = {file.path()}});
    const Result result = run(job);
    REQUIRE(result.placement.ions.size() == 5);
    check_distances(structure, result.placement.ions, atom_A, ion_A);
    job.boundary = Boundary::open;
    CHECK(is_any_too_near(structure, run(job).placement.ions));
  }
}

TEST_CASE("periodic distances: solutions of the Poisson-Boltzmann equation, each for a few ions") {
  const Structure structure = atoms_at_faces(small_cells[1]);
  Job job = job_at_faces(structure, PbOptions{.every = 2});
  const Result result = run(job);
  REQUIRE(result.placement.ions.size() == 5);
  check_distances(structure, result.placement.ions, atom_A, ion_A);
  job.boundary = Boundary::open;
  CHECK(is_any_too_near(structure, run(job).placement.ions));
}

TEST_CASE("periodic distances: a model of sites keeps its own distances") {
  for (const CellVectors& vectors : small_cells) {
    const Structure structure = atoms_at_faces(vectors);
    Job job = job_at_faces(structure, SiteOptions{});
    const SiteModel& model = std::get<SiteOptions>(job.source).model;
    const Result result = run(job);
    REQUIRE(result.placement.ions.size() >= 3);
    check_distances(structure, result.placement.ions, model.ion_heavy_atom_A, model.ion_ion_A);
  }
}

TEST_CASE("periodic distances: the image of an atom takes the place of a site") {
  Structure structure = atoms_at_faces(small_cells[0]);
  Job job = job_at_faces(structure, SiteOptions{});
  job.ions.front().count = 1;
  job.boundary = Boundary::open;
  const Vec3<double> site_A = run(job).placement.ions.at(0).position_A;
  // A carbon without a charge, one cell farther: its image is where the ion was.
  structure.atoms.push_back({.position_A = site_A + small_cells[0].a,
                             .radius_A = 1.9,
                             .name = "C1",
                             .residue = "LIG",
                             .residue_number = 2,
                             .element = "C"});
  CHECK(run(job).placement.ions.at(0).position_A == site_A);
  job.boundary.reset();
  const PlacedIon ion = run(job).placement.ions.at(0);
  CHECK(std::sqrt(distance_squared(ion.position_A, site_A)) > 1.7);
  CHECK(ion.nearest_solute_A > 1.7);
}

TEST_CASE("periodic distances: ions that come in steps") {
  const Structure structure = atoms_at_faces(small_cells[0]);
  Job job = job_at_faces(structure, SummationOptions{});
  const std::vector<IonRequest> ions = job.ions;
  job.ions.clear();
  job.ions_follow = true;
  Stages stages;
  StepwiseRun steps(job, stages, {});
  for (int n = 0; n < 5; ++n) CHECK(steps.place({{ions[0].species, 1}}) == 1);
  check_distances(structure, steps.result().placement.ions, atom_A, ion_A);
}
