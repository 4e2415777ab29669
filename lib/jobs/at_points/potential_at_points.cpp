// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/at_points/potential_at_points.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "compute/checkpoint/saved_sum.hpp"
#include "compute/hand_over.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/cell_list.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "jobs/at_points/computed_sum.hpp"
#include "jobs/place/job/job.hpp"
#include "maps/map_file.hpp"
#include "parallel/parallel_for.hpp"
#include "potential/lattice_potential.hpp"
#include "potential/potential_map.hpp"
#include "potential/potential_report.hpp"
#include "potential/request/pb_request.hpp"
#include "potential/request/temperature_warnings.hpp"

namespace ionwell {
namespace {

std::vector<Vec3<double>> atom_positions(std::span<const Atom> atoms) {
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(atoms.size());
  for (const Atom& atom : atoms) positions_A.push_back(atom.position_A);
  return positions_A;
}

/// How far points are from the solute's surface, the union of its atoms' balls. Where no atom has a radius
/// each has 1 A.
class SoluteDistance {
 public:
  explicit SoluteDistance(std::span<const Atom> atoms)
      : atoms_(atoms), positions_A_(atom_positions(atoms)), cells_(positions_A_, cell_A) {
    for (const Atom& atom : atoms) largest_A_ = std::max(largest_A_, atom.radius_A);
    if (largest_A_ == 0.0) without_radius_A_ = largest_A_ = 1.0;
  }

  /// Negative inside.
  double operator()(const Vec3<double>& at) const {
    const CellList::Nearest nearest =
        cells_.nearest(positions_A_, at, cell_A, [](std::uint32_t) { return true; });
    double least_A = std::sqrt(nearest.distance2_A2) - radius_A(atoms_[nearest.number]);
    // Another atom may be larger.
    cells_.near({at, at}, std::max(least_A + largest_A_, 0.0), [&](std::uint32_t n) {
      least_A = std::min(least_A, std::sqrt(distance_squared(positions_A_[n], at)) - radius_A(atoms_[n]));
    });
    return least_A;
  }

  /// Whether it lies so deep in an atom. Unlike the distance it is quick far from all atoms, too.
  bool is_inside(const Vec3<double>& at, double depth_A) const {
    bool inside = false;
    cells_.near({at, at}, largest_A_, [&](std::uint32_t n) {
      const double within_A = radius_A(atoms_[n]) - depth_A;
      inside = inside || (within_A > 0.0 && distance_squared(positions_A_[n], at) < within_A * within_A);
    });
    return inside;
  }

 private:
  static constexpr double cell_A = 4.0;

  double radius_A(const Atom& atom) const { return atom.radius_A > 0.0 ? atom.radius_A : without_radius_A_; }

  std::span<const Atom> atoms_;
  std::vector<Vec3<double>> positions_A_;
  CellList cells_;
  double largest_A_ = 0.0, without_radius_A_ = 0.0;
};

/// The sum at a job's points, saved where the run is.
ComputedSum saved_sum(const PointJob& job, const ElectrostaticsOptions& electrostatics,
                      const Backends& backends, Checkpoint* checkpoint, const Progress& progress) {
  const auto sum = [&] {
    return computed_sum(solute_parts(job.structure.atoms), job.points.positions_A,
                        pair_potential(electrostatics), job.sum, job.backend, backends, progress,
                        saving_to(checkpoint));
  };
  if (checkpoint == nullptr) return sum();
  try {
    return checkpoint->guarding_resumed(sum);
  } catch (...) {
    checkpoint->save();
    throw;
  }
}

/// Sums charges, and tells the result where.
void use_sum(const PointJob& job, const ElectrostaticsOptions& electrostatics, const Backends& backends,
             PointResult& result, const Stages& stages, const Progress& progress) {
  const RunObserver& observer = stages.observer();
  ComputedSum computed = saved_sum(job, electrostatics, backends, stages.checkpoint(), progress);
  if (!computed.warning.empty()) warn(result.run, observer, {computed.warning});
  result.sum = std::move(computed.sum);
  result.run.backend = computed.backend;
  result.run.backend_reason = computed.note;
  if (!computed.use) return;
  result.run.device = computed.device;
  result.run.device_use = std::move(computed.use);
  result.run.device_start_up_s = computed.start_up_s;
}

/// Values of the finest map that reaches each point.
std::vector<double> interpolated(std::span<const MapGrid> grids, std::span<const Vec3<double>> points_A,
                                 MapInterpolation method, int threads) {
  std::vector<std::size_t> order(grids.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  const auto volume = [&](std::size_t n) {
    const Vec3<double>& h = grids[n].lattice.spacing_A;
    return h.x * h.y * h.z;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return volume(a) < volume(b); });
  std::vector<double> values(points_A.size(), std::numeric_limits<double>::quiet_NaN());
  parallel_for({threads}, std::ssize(points_A), [&](std::int64_t p) {
    double& value = values[std::size_t(p)];
    for (std::size_t n = 0; n < order.size() && std::isnan(value); ++n)
      value = interpolate(grids[order[n]], points_A[std::size_t(p)], method);
  });
  return values;
}

/// Maps of files, in kT/e of the run's temperature.
std::deque<Map> read_maps(const MapFiles& files, double temperature_K, int threads) {
  std::deque<Map> maps;
  for (const std::string& path : files.paths) {
    Map& map = maps.emplace_back(read_map(path, threads));
    state_unit(map, files.unit);
    convert_unit(map, MapUnit::V,
                 temperature_K);  // through volts, which are a map's whatever its temperature
    map.temperature_K = temperature_K;
    convert_unit(map, MapUnit::kT_e, temperature_K);
  }
  return maps;
}

void use_maps(const PointJob& job, const MapFiles& files, PointResult& result, Stages& stages) {
  const std::deque<Map> maps = stages.run("read", [&](const Progress&) {
    return read_maps(files, job.electrostatics.temperature_K, job.sum.threads);
  });
  std::vector<MapGrid> grids;
  for (const Map& map : maps) grids.push_back({map.lattice, map.all()});
  result.maps = files.paths;
  result.interpolation = files.interpolation.value_or(MapInterpolation::trilinear);
  result.model = "potential of maps";
  stages.run("potential", [&](const Progress&) {
    result.potential_kT_e =
        interpolated(grids, job.points.positions_A, *result.interpolation, job.sum.threads);
  });
}

void use_alpb(const PointJob& job, const AlpbOptions& options, const Backends& backends, PointResult& result,
              Stages& stages) {
  const Alpb alpb(job.structure.atoms, options);
  result.alpb_size_A = alpb.size_A();
  TextStream model;
  model << "ALPB, eps = " << options.solute_dielectric << " inside, " << options.solvent_dielectric
        << " outside, " << options.ionic_strength_M << " M, " << options.temperature_K << " K";
  result.model = model.str();
  stages.run("potential", [&](const Progress& progress) {
    use_sum(job, {.temperature_K = options.temperature_K}, backends, result, stages, progress);
    std::vector<double>& values = result.sum->potential_kT_e;
    const SoluteDistance distance(job.structure.atoms);
    parallel_for({job.sum.threads, 256}, std::ssize(values), [&](std::int64_t p) {
      const auto n = std::size_t(p);
      values[n] = alpb.potential_kT_e(values[n], distance(job.points.positions_A[n]));
    });
    result.potential_kT_e = std::move(values);
  });
}

void use_charges(const PointJob& job, const Backends& backends, PointResult& result, Stages& stages) {
  result.model = describe_electrostatics(job.electrostatics);
  stages.run("potential", [&](const Progress& progress) {
    use_sum(job, job.electrostatics, backends, result, stages, progress);
    result.potential_kT_e = std::move(result.sum->potential_kT_e);
  });
}

/// The lattice that is asked for, made larger where points lie beyond it.
LatticeRequest reaching(const PointJob& job, const LatticeRequest& request) {
  const double spacing_A = request.spacing_A.value_or(published_pb_spacing_A),
               border_A = request.border_A.value_or(published_pb_border_A);
  Box box = bounding_box(job.structure.atoms);
  const Vec3<double> border{border_A, border_A, border_A}, step{spacing_A, spacing_A, spacing_A},
      beyond = 2.0 * step;
  box = {box.lowest_A - border, box.highest_A + border};
  const Box usual = box;
  // Its last points may be half a step short of the border.
  const Box within = {usual.lowest_A + step, usual.highest_A - step};
  const auto is_within = [&](const Vec3<double>& p) {
    const auto between = [](double low, double x, double high) { return low <= x && x <= high; };
    return between(within.lowest_A.x, p.x, within.highest_A.x) &&
           between(within.lowest_A.y, p.y, within.highest_A.y) &&
           between(within.lowest_A.z, p.z, within.highest_A.z);
  };
  for (const Vec3<double>& p : job.points.positions_A) {
    if (is_within(p)) continue;
    box = extended(extended(box, p - beyond), p + beyond);
  }
  if (box == usual) return request;
  return {.spacing_A = spacing_A, .border_A = {}, .box = box};
}

void solve_pb(const PointJob& job, const SolvedPb& solved, const Backends& backends, PointResult& result,
              Stages& stages) {
  const PotentialRequest request{.structure = job.structure,
                                 .origin = solved.pb,
                                 .electrostatics = job.electrostatics,
                                 .lattice = reaching(job, solved.lattice),
                                 .backend = job.backend,
                                 .field = job.field,
                                 .command = job.command};
  LatticePotential made = handing_over(
      request, [&](const PotentialRequest& now) { return compute_potential(now, stages, backends); });
  made.run.device = made.run.backend == Backend::cpu ? result.run.device : made.run.device;
  made.run.threads = result.run.threads;
  result.run = std::move(made.run);
  result.solver = made.potential.solver;
  if (result.solver) result.solver->equation.reset();
  result.lattice = made.potential.lattice;
  result.interpolation = solved.interpolation;
  result.model = describe_method(made.potential);
  stages.run("potential", [&](const Progress&) {
    const ResultMap map = map_of(made);
    const std::vector<double> values(map.values.data(), map.values.data() + map.values.size());
    const MapGrid grid{map.lattice, values};
    result.potential_kT_e =
        interpolated({&grid, 1}, job.points.positions_A, solved.interpolation, job.sum.threads);
  });
}

std::int64_t count_inside(const PointJob& job) {
  constexpr double on_surface_A = 0.01;  // files round
  if (job.structure.atoms.empty()) return 0;
  const SoluteDistance distance(job.structure.atoms);
  return parallel_reduce(
      job.sum.threads, std::ssize(job.points.positions_A), std::int64_t{0},
      [&](std::int64_t first, std::int64_t last) {
        std::int64_t count = 0;
        for (std::int64_t p = first; p < last; ++p)
          count += distance.is_inside(job.points.positions_A[std::size_t(p)], on_surface_A);
        return count;
      },
      std::plus<>());
}

void add_warnings(const PointJob& job, PointResult& result, const RunObserver& observer) {
  const auto points = std::ssize(result.potential_kT_e);
  const auto valued = result.statistics.valued;
  if (valued == 0)
    fail(job.points.path, ": none of the ", count_of(points, "point"),
         " is inside a map; give maps of this structure in the same coordinates");
  if (valued < points)
    warn(result.run, observer,
         {grouped(points - valued) + " of " + count_of(points, "point") +
          " are outside the maps: they have no value (nan) and are not in the summary"});
  if (result.inside_atoms == 0) return;
  const std::string inside = count_of(result.inside_atoms, "point") + " of " + grouped(points) +
                             (result.inside_atoms == 1 ? " lies" : " lie") + " inside atoms";
  if (result.alpb_size_A)
    warn(result.run, observer,
         {inside +
          ", where the ALPB equation is not valid: they have its value at the surface, or at 1e-3 A from a "
          "charge if they are nearer to it"});
  else if (result.sum)
    warn(result.run, observer,
         {inside +
          ", where the potential is that of point charges, with the value at 1e-3 A for points that are "
          "nearer to a charge"});
}

}  // namespace

SoluteParts solute_parts(std::span<const Atom> atoms) {
  SoluteParts parts;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const std::size_t end = end_of_residue(atoms, begin);
    const Atom& first = atoms[begin];
    const bool is_new = begin == 0 || !(atoms[begin - 1].chain == first.chain) ||
                        !(atoms[begin - 1].segment == first.segment) || atoms[begin - 1].ends_chain;
    if (is_new) parts.chain_begins.push_back(std::uint32_t(parts.residue_begins.size()));
    parts.residue_begins.push_back(std::uint32_t(parts.charges.size()));
    for (std::size_t n = begin; n < end; ++n)
      if (atoms[n].charge_e != 0.0) parts.charges.push_back({atoms[n].position_A, atoms[n].charge_e});
    begin = end;
  }
  parts.chain_begins.push_back(std::uint32_t(parts.residue_begins.size()));
  parts.residue_begins.push_back(std::uint32_t(parts.charges.size()));
  return parts;
}

void validate(const PointJob& job) {
  validate(job.sum);
  if (const auto* alpb = std::get_if<AlpbOptions>(&job.model)) return validate(*alpb);
  if (const auto* solved = std::get_if<SolvedPb>(&job.model)) return validate(solved->pb);
  if (std::holds_alternative<SummedCharges>(job.model)) pair_potential(job.electrostatics);
}

PointResult potential_at_points(const PointJob& job, Stages& stages, const Backends& backends) {
  validate(job);
  const SimdLevel simd = job.sum.simd == SimdLevel::automatic ? best_simd_level() : job.sum.simd;
  PointResult result{
      .run = {.command = job.command, .device = std::string(to_string(simd)), .threads = job.sum.threads},
      .structure = job.structure,
      .points = job.points,
      .electrostatics = job.electrostatics};
  if (const auto* solved = std::get_if<SolvedPb>(&job.model)) {
    solve_pb(job, *solved, backends, result, stages);  // tells the structure's warnings as well
  } else {
    for (const std::vector<std::string>& some :
         {temperature_warnings(job.electrostatics.temperature_K), job.structure.warnings})
      warn(result.run, stages.observer(), some);
    if (const auto* alpb = std::get_if<AlpbOptions>(&job.model))
      use_alpb(job, *alpb, backends, result, stages);
    else if (const auto* files = std::get_if<MapFiles>(&job.model))
      use_maps(job, *files, result, stages);
    else
      use_charges(job, backends, result, stages);
  }
  stages.run("statistics", [&](const Progress&) {
    result.areas_A2 = point_areas_A2(job.points);
    result.inside_atoms = count_inside(job);
    result.statistics =
        point_statistics(job.points, result.potential_kT_e, result.areas_A2, job.structure.atoms);
  });
  add_warnings(job, result, stages.observer());
  update_costs(result.run, stages);
  return result;
}

}  // namespace ionwell
