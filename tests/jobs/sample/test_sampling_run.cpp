// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "jobs/sample/sampling_files.hpp"
#include "jobs/sample/sampling_run.hpp"
#include "jobs/sample/sampling_start.hpp"
#include "support/error_of.hpp"
#include "support/rotations.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Three atoms in a row with a charge of -2 e.
Structure small_solute() {
  Structure solute{.path = "row.pqr"};
  for (int n = 0; n < 3; ++n) {
    Atom atom;
    atom.position_A = {1.5 * (n - 1), 0.0, 0.0};
    atom.charge_e = n == 1 ? -2.0 : 0.0;
    atom.radius_A = 1.5;
    atom.name = n == 1 ? "P" : "C";
    atom.residue = "LIG";
    atom.residue_number = 1;
    solute.atoms.push_back(atom);
  }
  return solute;
}

const IonSpecies moving_sodium{"NA", "NA", 1.0};

SamplingJob small_job(const Structure& solute) {
  return {.structure = solute,
          .ions = {{moving_sodium, 2}},
          .salts = {},
          .source = SummationOptions{},
          .electrostatics = {},
          .update = {},
          .lattice = {.spacing_A = 0.5, .border_A = 8.0},
          .sample = {.length = 200, .equilibration = 50, .every = 2, .replicas = 2, .threads = 2},
          .bulk = {.sweeps = 100, .replicas = 1},
          .observables = {.density_spacing_A = 1.0, .within_A = {4.0}, .groups = {}, .radial_reach_A = 10.0},
          .around = {"name P"},
          .field = {.threads = 2}};
}

}  // namespace

TEST_CASE("sampling run: species have radii and diffusion constants of tables, or those that are given") {
  const Structure solute = small_solute();
  SamplingJob job = small_job(solute);
  job.salts = parse_salts({"MgCl2:0.01", "NaCl:0.1"}, IonNaming::pdb);
  job.ions.push_back({{"SOD", "NA", 1.0}, 3});  // the same ion by another name
  job.radii_A = {{"Cl-", 2.5}};
  const SamplingSpecies found = sampling_species(job);
  REQUIRE(found.species.size() == 3);
  CHECK(found.species[0].radius_A == 1.02);
  CHECK(found.species[0].diffusion_A2_ps == doctest::Approx(0.1334));
  CHECK(found.count[0] == 5);
  CHECK(found.species[2].ion.name == "CL");
  CHECK(found.species[2].radius_A == 2.5);
  REQUIRE(found.salts.size() == 2);
  CHECK(found.salts[0].anions == 2);
  CHECK(found.salts[0].anion == found.salts[1].anion);
  CHECK(found.salts[1].cation == 0);
  job.ions.push_back({{"XYZ", "", 3.0}, 1});
  CHECK(error_of([&] { sampling_species(job); }).find("the radius of XYZ is not known; give it") == 0);
  job.radii_A.emplace_back("XYZ", 3.0);
  CHECK(sampling_species(job).species[1].radius_A == 3.0);
  job.radii_A.emplace_back("K", 3.0);
  CHECK(error_of([&] { sampling_species(job); }).find("--ion-radius K:3: there is no ion K") == 0);
}

TEST_CASE("sampling run: counter-ions and salt around a charge, and what is written of them") {
  const Structure solute = small_solute();
  SamplingJob job = small_job(solute);
  job.salts = parse_salts({"NaCl:0.5"}, IonNaming::pdb);
  Stages stages;
  const SamplingResult result = sample_ions(job, stages);
  CHECK(result.sample.samples == 200);
  CHECK(result.pair_description.find("78.54") != std::string::npos);
  REQUIRE(result.sample.count.size() == 2);
  CHECK(result.sample.count[0].mean - result.sample.count[1].mean == doctest::Approx(2.0));
  CHECK(result.run.warnings.empty());
  // The box is the lattice's, and the maps add up to the ions.
  CHECK(result.model.box.lowest_A.x == doctest::Approx(-9.5));
  const IonMap occupancy = ion_map(result, 0, IonMapKind::occupancy),
               density = ion_map(result, 0, IonMapKind::density);
  double ions = 0.0;
  for (const float value : occupancy.all()) ions += double(value);
  CHECK(ions == doctest::Approx(result.sample.count[0].mean).epsilon(1e-4));
  const Vec3<double>& h = density.lattice.spacing_A;
  const double litres = 6.02214076e-4 * h.x * h.y * h.z;
  double moles = 0.0;
  for (const float value : density.all()) moles += double(value) * litres;
  CHECK(moles == doctest::Approx(ions).epsilon(1e-4));
  // A line for each bin and ion, and one of names.
  std::istringstream csv(radial_csv(result));
  int lines = 0;
  for (std::string line; std::getline(csv, line); ++lines)
    if (lines > 0) CHECK(line.starts_with("\"name P\","));
  CHECK(lines == 1 + 2 * 40);
  const auto json = nlohmann::json::parse(json_report(result));
  CHECK(json["salts"][0]["salt"] == "NaCl:0.5");
  CHECK(json["species"][1]["name"] == "CL");
  CHECK(json["species"][0]["within"][0]["distance_A"] == 4.0);
  CHECK(lowest_ions(result).size() == json["lowest"]["ions"].size());
}

TEST_CASE("sampling run: a periodic box takes all images, and needs a cell with right angles") {
  Structure solute = small_solute();
  SamplingJob job = small_job(solute);
  job.lattice = {.spacing_A = 1.0, .border_A = {}, .box = {}};
  job.boundary = SampleBoundary::periodic;
  Stages stages;
  CHECK(error_of([&] { sample_ions(job, stages); }).find("the structure has none; give --cell") !=
        std::string::npos);
  solute.cell = unit_cell({{20.0, 21.0, 22.0}}, CellKind::crystal);
  CHECK(error_of([&] {
          sample_ions(job, stages);
        }).find("that of the structure is a crystal's; give --cell") != std::string::npos);
  solute.cell = unit_cell({{20.0, 21.0, 22.0}, {90.0, 90.0, 60.0}}, CellKind::simulation);
  CHECK(error_of([&] { sample_ions(job, stages); }).find("the cell has an angle of 60 degrees") == 0);
  // A cell along other axes is the same box, and any other orientation is none of a lattice along the axes.
  solute.cell = rotated(unit_cell({{20.0, 21.0, 22.0}}, CellKind::simulation), rotations()[0].rotation);
  CHECK(sample_ions(job, stages).model.box.highest_A.z == doctest::Approx(10.5));
  solute.cell = rotated(unit_cell({{20.0, 21.0, 22.0}}, CellKind::simulation), rotations().back().rotation);
  CHECK(error_of([&] { sample_ions(job, stages); }).find("is not along an axis") != std::string::npos);
  job.cell = CellParameters{{20.0, 21.0, 22.0}};
  for (const ForceInterpolation interpolation :
       {ForceInterpolation::trilinear, ForceInterpolation::cubic_spline}) {
    job.interpolation = interpolation;
    const SamplingResult result = sample_ions(job, stages);
    CHECK(result.model.box.highest_A.z == doctest::Approx(11.0));
    CHECK(result.sample.samples == 200);
    // The field repeats: what it is at one face it is at the other.
    const std::vector<Vec3<double>> faces = {{-10.0, 1.3, 2.2}, {10.0, 1.3, 2.2}};
    double values[2];
    result.model.field->potential(faces, values);
    CHECK(values[0] == doctest::Approx(values[1]).epsilon(1e-4));
    CHECK(std::abs(values[0]) > 0.01);
  }
}

TEST_CASE("sampling run: ions begin where a file has them, or are told why not") {
  const TemporaryFolder folder;
  const auto atom = [](const char* name, double x) {
    char line[96];
    std::snprintf(line, sizeof line,
                  "HETATM    1 %-2s    %-2s I   1    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", name, name,
                  x, 4.0, 0.0, name);
    return std::string(line);
  };
  const Structure solute = small_solute();
  SamplingJob job = small_job(solute);
  job.start = SampleStart::file;
  job.start_path = folder / "ions.pdb";
  write_text(job.start_path, atom("NA", 3.5) + atom("NA", -3.5));
  const SamplingSpecies species = sampling_species(job);
  SamplingPotential potential{
      .lattice = {}, .box = {{-9, -9, -9}, {9, 9, 9}}, .description = {}, .field = {}, .solver = {}};
  Stages stages;
  std::vector<std::string> warnings;
  const auto begin = [&] { return first_ions(job, species, potential, stages, {}, warnings); };
  REQUIRE(begin().size() == 2);
  CHECK(begin()[1].position_A == Vec3<double>{-3.5, 4.0, 0.0});
  write_text(job.start_path, atom("NA", 9.5));
  CHECK(error_of(begin).find("outside the box") != std::string::npos);
  write_text(job.start_path, atom("MG", 3.5));
  CHECK(error_of(begin).find("there is a MG in it, but this run has no such ion") != std::string::npos);
  write_text(job.start_path, atom("C", 3.5));
  CHECK(error_of(begin).find("holds 1 atom and no ion of this run") != std::string::npos);
  write_text(job.start_path, atom("NA", 1.0) + atom("NA", 2.0) + atom("NA", 3.0));
  CHECK(error_of(begin).find("there are 3 NA in it, but --ion requests 2") != std::string::npos);
}

TEST_CASE("sampling run: warns of a box that is not neutral and of salt that counts twice") {
  const Structure solute = small_solute();
  SamplingJob job = small_job(solute);
  job.ions.clear();
  job.salts = parse_salts({"NaCl:0.5"}, IonNaming::pdb);
  Stages stages;
  const SamplingResult charged = sample_ions(job, stages);
  REQUIRE(charged.run.warnings.size() == 1);
  CHECK(charged.run.warnings[0].find("net charge of -2 e") != std::string::npos);
  job.electrostatics.ionic_strength_M = 0.5;
  const SamplingResult twice = sample_ions(job, stages);
  REQUIRE(twice.run.warnings.size() == 1);
  CHECK(twice.run.warnings[0].find("counts twice") != std::string::npos);
}
