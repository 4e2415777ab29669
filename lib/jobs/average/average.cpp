// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/average.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "compute/accurate_sum.hpp"
#include "compute/cost_model.hpp"
#include "compute/hand_over.hpp"
#include "compute/ranks/rank_sums.hpp"
#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "core/version.hpp"
#include "jobs/average/average_identity.hpp"
#include "jobs/average/average_state.hpp"
#include "jobs/average/averaging.hpp"
#include "jobs/average/frame_warnings.hpp"
#include "jobs/average/watched_points.hpp"
#include "lattice/mask.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/read_ahead.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Frames to sum together: enough that their charges are as many as the points of the lattice, or of a
/// multilevel sum's finest grid, which is when summing them takes as long as all that depends on points
/// alone; a power of two, so that means at powers of two need no other sums.
std::int64_t frames_together(const AverageJob& job, const LatticeGeometry& lattice, std::size_t charges) {
  if (job.statistics.deviation) return 1;
  constexpr std::int64_t most_frames = 64, most_charges = 8'000'000;
  std::int64_t points = lattice.size();
  const bool may_have_grid = job.summation.method != Method::direct &&
                             job.summation.multilevel.spacing_A > 0.05;  // others are refused later
  if (may_have_grid) points = std::max(points, finest_grid(lattice, {}, job.summation.multilevel).size());
  const std::int64_t each = std::max<std::int64_t>(1, std::int64_t(charges));
  const std::int64_t wanted = std::min(points, most_charges) / each;
  return std::int64_t(std::bit_floor(std::uint64_t(std::clamp<std::int64_t>(wanted, 1, most_frames))));
}

/// The box of all sources in all frames.
Box box_of_all(const AverageJob& job, const FramePreparation& preparation, const Progress& progress) {
  Box box = bounding_box(preparation.structure().atoms);
  std::int64_t next = 0;
  ReadAhead<PreparedFrame> ahead(
      [&]() -> std::optional<PreparedFrame> {
        if (next == preparation.frames()) return {};
        return preparation.prepare(next++);
      },
      frames_ahead);
  while (const std::optional<PreparedFrame> frame = ahead.take()) {
    if (job.should_stop && job.should_stop()) return box;
    progress(double(frame->number + 1) / double(preparation.frames()));
    if (frame->problem.empty()) box = extended(extended(box, frame->box.lowest_A), frame->box.highest_A);
  }
  return box;
}

LatticeRequest lattice_request(const AverageJob& job, const FramePreparation& preparation, Stages& stages) {
  LatticeRequest request = job.lattice;
  if (job.lattice_from == LatticeFrames::first) return request;
  const Box sources =
      stages.run("survey", [&](const Progress& progress) { return box_of_all(job, preparation, progress); });
  const double border_A = request.border_A.value_or(LatticeOptions{}.border_A);
  const Vec3<double> border{border_A, border_A, border_A};
  request.border_A.reset();
  request.box = Box{sources.lowest_A - border, sources.highest_A + border};
  return request;
}

/// What a sum takes that comes for many frames.
Plan plan_of_average(const AverageJob& job, const Structure& structure, const LatticeRequest& request,
                     std::int64_t frames, std::int64_t& at_once, const Backends& backends) {
  Plan plan{.lattice = choose_lattice(structure, request),
            .acting = job.electrostatics,
            .pair = pair_potential(job.electrostatics)};
  at_once = frames_together(job, plan.lattice, structure.atoms.size());
  Summation sum{.lattice = plan.lattice,
                .structure = structure,
                .pair = plan.pair,
                .options = job.summation,
                .field = job.field,
                .frames = at_once,
                .sums = double(frames) / double(at_once)};
  if (job.boundary == Boundary::open) {
    const std::vector<PointCharge> charges = point_charges(structure.atoms);
    sum.options = for_accuracy(job.summation, {.lattice = plan.lattice,
                                               .charges = charges,
                                               .pair = plan.pair,
                                               .simd = job.field.simd,
                                               .threads = thread_count(job.field.threads)});
  }
  plan.backend = choose_backend(job.backend, sum, backends);
  plan.summation = sum.options = choose_method(sum, plan.backend);
  plan.host_bytes = host_bytes(sum, plan.backend);
  constexpr std::int64_t periodic_point = sizeof(Vec3<double>) + sizeof(double);
  if (job.boundary == Boundary::periodic) plan.host_bytes += plan.lattice.size() * periodic_point;
  if (RankGroup* const group = backends.free_ranks(); group != nullptr && plan.backend.owner == nullptr) {
    plan.group = group;  // a device takes more frames alone than come to the host from several
    const std::int64_t batch = at_once * std::ssize(structure.atoms) * std::int64_t{sizeof(PointCharge)};
    const std::int64_t map = plan.lattice.size() * std::int64_t{sizeof(float)};
    const std::int64_t sums = MapStatistics::bytes(plan.lattice.size(), job.statistics) / group->count();
    plan.host_bytes =
        group->count_on_host() * (plan.host_bytes + batch + map + sums) + group->count() * batch;
  }
  plan.host_bytes += MapStatistics::bytes(plan.lattice.size(), job.statistics);
  return plan;
}

/// Where a device makes the maps and has the memory it sums them up, too: they would come to the host one by
/// one.
void keep_sums_on_device(const AverageJob& job, const Plan& plan, AverageResult& result,
                         const RunObserver& observer) {
  const BackendChoice& choice = plan.backend;
  if (choice.owner == nullptr || choice.layout.lattice_on != LatticeOn::device ||
      job.boundary == Boundary::periodic)
    return;
  FrameMapsOptions options{
      .lattice = plan.lattice,
      .pair = plan.pair,
      .most_charges = result.summary.frames_at_once * std::ssize(result.preparation->structure().atoms),
      .has_squares = job.statistics.deviation,
      .has_blocks = job.statistics.error,
      .memory_bytes = choice.devices.front().free_bytes,
      .threads = thread_count(job.field.threads)};
  if (plan.summation.method == Method::multilevel) options.multilevel = plan.summation.multilevel;
  if (auto maps = choice.owner->make_frame_maps(choice.devices.front().number, options))
    result.statistics.keep_on(std::move(maps));
  else
    warn(
        result.run, observer,
        {note(
            "the GPU does not have enough memory for the sums over frames: they are in host memory, and each "
            "map is copied there, which is slower")});
}

void validate(const AverageJob& job, const ChosenFrames& frames) {
  validate(job.lattice);
  if (job.lattice_from == LatticeFrames::all && job.lattice.box)
    fail<UsageError>(
        "--lattice-from all and --box are both given, but --box sets the lattice; leave one of them out");
  if (job.statistics.error && (job.blocks < 2 || job.blocks > frames.count))
    fail<UsageError>("--blocks is ", job.blocks, ", but a standard error needs at least 2, and at most the ",
                     count_of(frames.count, "chosen frame"));
  if (job.ewald_factor_per_A && job.boundary == Boundary::open)
    fail<UsageError>("--ewald-factor is for --boundary periodic; add that, or leave it out");
  if (job.boundary == Boundary::periodic && !job.input.first.cell)
    fail<UsageError>(
        "--boundary periodic needs a cell, but the first frame has none; give a trajectory with cells, or "
        "use --boundary open");
  if (job.boundary == Boundary::periodic && job.input.first.cell->kind != CellKind::simulation)
    fail<UsageError>("--boundary periodic needs the cell of a simulation, but that of the first frame is ",
                     job.input.first.cell->kind == CellKind::crystal
                         ? "a crystal's"
                         : "of a crystal or a simulation, and the file does not state which",
                     "; give a trajectory with cells (DCD, XTC, TRR, NetCDF), or use --boundary open");
}

AverageSummary summary_of(const AverageJob& job, const FramePreparation& preparation, std::int64_t at_once) {
  const ChosenFrames& frames = job.input.frames;
  return {.files = job.input.trajectory->parts(),
          .first = frames.first + 1,
          .every = frames.every,
          .chosen = frames.count,
          .frames_at_once = at_once,
          .fit = job.frames.fit,
          .fitted_atoms = preparation.fitted_atoms(),
          .reference = job.frames.reference,
          .boundary = job.boundary,
          .kinds = job.statistics,
          .blocks_asked = job.statistics.error ? job.blocks : 0};
}

AverageResult average_once(const AverageJob& job, Stages& stages, const Backends& backends) {
  auto preparation = std::make_unique<const FramePreparation>(job.input, job.frames, job.boundary);
  const Structure& structure = preparation->structure();
  std::int64_t at_once = 1;
  const Plan plan = plan_of_average(job, structure, lattice_request(job, *preparation, stages),
                                    job.input.frames.count, at_once, backends);
  require_memory(plan.host_bytes, plan.lattice);

  AverageSummary of_plan = summary_of(job, *preparation, at_once);
  AverageResult result{.preparation = std::move(preparation),
                       .run = planned_record(plan, job.field, job.command),
                       .potential = planned_potential(plan, job.electrostatics),
                       .summary = std::move(of_plan),
                       .statistics = MapStatistics(std::size_t(plan.lattice.size()), job.statistics,
                                                   thread_count(job.field.threads)),
                       .identity = {}};
  result.potential.is_periodic = job.boundary == Boundary::periodic;
  result.potential.method = result.potential.is_periodic ? periodic_method(job.ewald_factor_per_A)
                                                         : std::string(to_string(plan.summation.method));
  if (!result.potential.is_periodic) result.potential.accuracy = plan.summation.accuracy;
  if (!result.potential.is_periodic && plan.summation.method == Method::multilevel)
    result.potential.multilevel = plan.summation.multilevel;
  result.identity = identity_of(job, result);
  AverageSummary& summary = result.summary;

  const RunObserver& observer = stages.observer();
  warn(result.run, observer, job.warnings);
  warn(result.run, observer, structure.warnings);
  warn(result.run, observer, map_warnings(job.map_names, plan.lattice));
  FrameTallies done;
  if (job.state && std::filesystem::exists(*job.state)) {
    done = read_average_state(*job.state, result.identity, result.statistics);
    summary.resumed_frames = result.statistics.frames();
  }
  constexpr double watched_beyond_A = 5.0;  // where ions are placed as a rule
  std::vector<std::uint8_t> watched = points_beyond(watched_beyond_A, structure, plan.lattice, job.field);
  summary.watched_beyond_A = watched.empty() ? 0.0 : watched_beyond_A;
  if (observer.average_planned) observer.average_planned(result);
  keep_sums_on_device(job, plan, result, observer);

  Averaging averaging(job, *result.preparation, plan, result, done, std::move(watched));
  stages.run("average", [&](const Progress& progress) { averaging.run(progress); });
  summary.frames = result.statistics.frames();
  summary.blocks = result.statistics.blocks();
  summary.changes = result.statistics.changes();
  if (summary.frames == 0 && !summary.is_interrupted)
    fail("none of the ", count_of(summary.chosen, "chosen frame"),
         " could be summed; the first problem: ", summary.tallies.first_bad);
  warn(result.run, observer, frame_warnings(summary, job.lattice.box.has_value()));
  update_costs(result, stages);
  return result;
}

}  // namespace

AverageResult average(const AverageJob& job, Stages& stages, const Backends& backends) {
  validate(job, job.input.frames);
  return handing_over(job, [&](const AverageJob& now) { return average_once(now, stages, backends); });
}

void update_costs(AverageResult& result, const Stages& stages) {
  update_costs(result.run, stages, nullptr);
}

}  // namespace ionwell
