// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sample/sampling_potential.hpp"

#include <algorithm>
#include <cmath>

#include "compute/cost_model.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "core/large_array.hpp"
#include "core/lattice_extents.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"
#include "jobs/place/job/job.hpp"
#include "parallel/thread_count.hpp"
#include "potential/lattice_potential.hpp"
#include "potential/potential_map.hpp"
#include "potential/potential_report.hpp"
#include "potential/request/pb_request.hpp"
#include "potential/sources/imported_potential.hpp"

namespace ionwell {
namespace {

constexpr int points_beyond_cell = 4;  // of a periodic lattice, for splines at its faces

/// Of a cell of right angles: how long it is along x, y and z, whichever of its vectors lies there.
Vec3<double> edges_along_axes_A(const CellVectors& cell) {
  constexpr double tolerance = 1e-9;  // of a length: 1e-3 degrees
  Vec3<double> edges_A;
  for (const Vec3<double>& v : {cell.a, cell.b, cell.c}) {
    const Vec3<double> along{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
    if (std::max({along.x, along.y, along.z}) < (1 - tolerance) * std::sqrt(dot(v, v)))
      fail<UsageError>("the cell vector (", v.x, ", ", v.y, ", ", v.z,
                       ") A is not along an axis, but ions are sampled only in boxes along x, y and z; "
                       "rotate the structure with its cell, or use --boundary open");
    edges_A = {std::max(edges_A.x, along.x), std::max(edges_A.y, along.y), std::max(edges_A.z, along.z)};
  }
  return edges_A;
}

Box periodic_box(const SamplingJob& job) {
  const std::optional<UnitCell>& own = job.structure.cell;
  if (!job.cell && !own)
    fail<UsageError>(job.structure.path,
                     ": a periodic box needs a cell, but the structure has none; give --cell A,B,C");
  if (!job.cell && own->kind != CellKind::simulation)
    fail<UsageError>(
        job.structure.path, ": a periodic box needs the cell of a simulation, but that of the structure is ",
        own->kind == CellKind::crystal ? "a crystal's"
                                       : "of a crystal or a simulation, and the file does not state which",
        "; give --cell A,B,C");
  const auto& [lengths_A, angles_deg] =
      job.cell ? *job.cell : CellParameters{ionwell::lengths_A(*own), ionwell::angles_deg(*own)};
  constexpr double right_deg = 90.0, tolerance_deg = 1e-3;
  for (const double angle_deg : {angles_deg.x, angles_deg.y, angles_deg.z})
    if (!(std::abs(angle_deg - right_deg) < tolerance_deg))
      fail<UsageError>("the cell has an angle of ", angle_deg,
                       " degrees, but ions are sampled only in rectangular boxes; give --cell A,B,C, or use "
                       "--boundary open");
  if (!(lengths_A.x > 0.0 && lengths_A.y > 0.0 && lengths_A.z > 0.0))
    fail<UsageError>("the cell is ", lengths_A.x, " x ", lengths_A.y, " x ", lengths_A.z,
                     " A; its edges must be longer than 0");
  const Vec3<double> edges_A = job.cell ? lengths_A : edges_along_axes_A(*own);
  const Box solute = bounding_box(job.structure.atoms);
  const Vec3<double> middle_A = 0.5 * (solute.lowest_A + solute.highest_A);
  return {middle_A - 0.5 * edges_A, middle_A + 0.5 * edges_A};
}

SamplingPotential summed_periodic(const SamplingJob& job, Stages& stages) {
  SamplingPotential potential{
      .lattice = {}, .box = periodic_box(job), .description = {}, .field = {}, .solver = {}};
  const Vec3<double> edge_A = potential.box.highest_A - potential.box.lowest_A;
  const double spacing_A = job.lattice.spacing_A.value_or(LatticeOptions{}.spacing_A);
  constexpr double most_points = 1e9;
  const auto cells = [&](double length_A) { return std::ceil(length_A / spacing_A - 1e-9); };
  if (!(spacing_A > 0.0) || !(cells(edge_A.x) * cells(edge_A.y) * cells(edge_A.z) <= most_points))
    fail<UsageError>("--spacing ", spacing_A, " A does not fit the cell, ", edge_A.x, " x ", edge_A.y, " x ",
                     edge_A.z, " A; give one from 0.1 to 2");
  const Vec3<double> step_A{edge_A.x / cells(edge_A.x), edge_A.y / cells(edge_A.y),
                            edge_A.z / cells(edge_A.z)};
  const auto counts = [&](double length_A) {
    return std::int64_t(cells(length_A)) + 1 + 2 * points_beyond_cell;
  };
  potential.lattice = {potential.box.lowest_A - double(points_beyond_cell) * step_A,
                       step_A,
                       {counts(edge_A.x), counts(edge_A.y), counts(edge_A.z)}};
  const ElectrostaticsOptions electrostatics = summed_electrostatics(job);
  const int threads = thread_count(job.field.threads);
  const std::int64_t points = potential.lattice.size();
  require_memory(points * std::int64_t(sizeof(Vec3<double>) + 4 * sizeof(double)), potential.lattice);
  stages.run("potential", [&](const Progress& progress) {
    std::vector<Vec3<double>> positions_A(static_cast<std::size_t>(points));
    for (std::int64_t p = 0; p < points; ++p) positions_A[std::size_t(p)] = potential.lattice.position_A(p);
    constexpr double tolerance = 1e-6;  // of single precision's 6e-8
    const PeriodicCell cell(CellVectors{{edge_A.x, 0, 0}, {0, edge_A.y, 0}, {0, 0, edge_A.z}});
    const std::vector<double> values = periodic_potential(
        cell, pair_potential(electrostatics), point_charges(job.structure.atoms), positions_A,
        {.tolerance = tolerance, .threads = job.field.threads, .simd = job.field.simd}, progress);
    const std::vector<float> single(values.begin(), values.end());
    potential.field = std::make_shared<LatticeField>(potential.lattice, single, job.interpolation, threads);
  });
  potential.description = describe_electrostatics(electrostatics) + "; all images (Ewald)";
  return potential;
}

/// Of maps that were read.
SamplingPotential imported(const SamplingJob& job, const MapFiles& files, Stages& stages,
                           std::vector<std::string>& warnings) {
  SamplingPotential potential;
  stages.run("potential", [&](const Progress&) {
    const int threads = thread_count(job.field.threads);
    ImportedPotential maps(files, job.electrostatics.temperature_K, threads);
    potential.lattice = maps.choose_lattice(job.structure, job.lattice);
    require_memory(
        maps.bytes_for(potential.lattice) + potential.lattice.size() * std::int64_t(2 * sizeof(float)),
        potential.lattice);
    const std::span<const double> values = maps.values_on(potential.lattice, threads);
    const auto missing =
        std::count_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (missing > 0)
      fail<UsageError>("the maps do not reach ", missing, " of the ", values.size(), " points of the box ",
                       extents(potential.lattice),
                       " A of the ions; give a --box that the maps cover, or larger maps");
    std::vector<float> single(values.size());
    std::transform(values.begin(), values.end(), single.begin(), [](double v) { return float(v); });
    potential.field = std::make_shared<LatticeField>(potential.lattice, single, job.interpolation, threads);
    for (const std::string& warning : maps.warnings(job.structure)) warnings.push_back(warning);
  });
  potential.description = "potential of";
  for (const std::string& path : files.paths)
    potential.description.append(&path == &files.paths.front() ? " " : ", ").append(path);
  potential.box = extents(potential.lattice);
  return potential;
}

}  // namespace

bool sums_charges(const SamplingJob& job) {
  return std::holds_alternative<SummationOptions>(job.source);
}

ElectrostaticsOptions summed_electrostatics(const SamplingJob& job) {
  ElectrostaticsOptions electrostatics = job.electrostatics;
  if (!electrostatics.dielectric && !electrostatics.ddd_per_A && !electrostatics.ionic_strength_M)
    electrostatics.dielectric = water_dielectric;
  return electrostatics;
}

ActingIons acting_ions(const SamplingJob& job) {
  if (sums_charges(job)) {
    const ElectrostaticsOptions electrostatics = summed_electrostatics(job);
    return {electrostatics, pair_potential(electrostatics)};
  }
  ElectrostaticsOptions electrostatics = job.electrostatics;
  IonUpdate update = job.update;
  if (update.rule == Update::automatic) update.rule = Update::debye_hueckel;
  if (const auto* pb = std::get_if<PbOptions>(&job.source)) adopt_solution(*pb, electrostatics, update);
  const std::optional<ElectrostaticsOptions> acting = update_electrostatics(update, electrostatics);
  return {acting, update_potential(acting)};
}

LatticeRequest sampling_lattice(const SamplingJob& job) {
  LatticeRequest request = job.lattice;
  if (!request.box && !request.border_A) request.border_A = usual_sampling_border_A;
  if (!request.spacing_A)
    request.spacing_A = sums_charges(job) ? LatticeOptions{}.spacing_A : published_pb_spacing_A;
  return request;
}

SamplingPotential sampling_potential(const SamplingJob& job, Stages& stages, const Backends& backends,
                                     std::vector<std::string>& warnings) {
  if (const auto* files = std::get_if<MapFiles>(&job.source)) return imported(job, *files, stages, warnings);
  if (job.boundary == SampleBoundary::periodic) return summed_periodic(job, stages);
  PotentialRequest request{.structure = job.structure,
                           .origin = SummationOptions{},
                           .electrostatics = job.electrostatics,
                           .lattice = sampling_lattice(job),
                           .backend = job.backend,
                           .field = job.field,
                           .command = job.command};
  request.field.every_point = true;
  if (const auto* pb = std::get_if<PbOptions>(&job.source)) {
    request.origin = *pb;
  } else {
    request.origin = std::get<SummationOptions>(job.source);
    request.electrostatics = summed_electrostatics(job);
  }
  const LatticePotential made = compute_potential(request, stages, backends);
  warnings.insert(warnings.end(), made.run.warnings.begin(), made.run.warnings.end());
  const ResultMap map = map_of(made);
  const PotentialRecord& record = made.potential;
  SamplingPotential potential{
      .lattice = record.lattice,
      .box = extents(record.lattice),
      .description = (record.solver ? std::string("Poisson-Boltzmann")
                                    : describe_electrostatics(record.electrostatics)) +
                     "; " + describe_method(record),
      .field = {},
      .solver = record.solver};
  potential.field = std::make_shared<LatticeField>(record.lattice, map.all(), job.interpolation,
                                                   thread_count(job.field.threads));
  if (potential.solver) potential.solver->equation.reset();
  return potential;
}

}  // namespace ionwell
