// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <utility>

#include "cli/outputs.hpp"
#include "compute/backend.hpp"
#include "core/version.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/points/point_arguments.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/points_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "meshes/point_files.hpp"
#include "output/chemistry_report.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell {
namespace {

PointValues values_of(const PointResult& result, const PointArguments& arguments) {
  const double typical_kT_e = result.statistics.typical_kT_e;
  return {.potential_kT_e = result.potential_kT_e,
          .areas_A2 = result.areas_A2,
          .colour_limit_kT_e = arguments.colour_limit_kT_e.value_or(typical_kT_e > 0.0 ? typical_kT_e : 1.0),
          .provenance = {{"program", "ionwell " + std::string(version())},
                         {"command", result.run.command},
                         {"structure", result.structure.path},
                         {"points", result.points.path},
                         {"method", result.model + "; " + describe_method(result)}}};
}

bool is_coloured(PointFormat format) {
  return format == PointFormat::ply || format == PointFormat::obj || format == PointFormat::vtk ||
         format == PointFormat::pml;
}

/// And, of a surface of the solute, what it measures.
PointSet points_for(const PointArguments& arguments, const Structure& structure, Stages& stages,
                    std::optional<SurfaceMeasure>* measure) {
  if (arguments.surface_kind)
    return stages.run("surface", [&](const Progress& progress) {
      MeasuredSurface surface = measured_surface(structure.atoms, arguments.surface, progress);
      *measure = surface.measure;
      return std::move(surface.points);
    });
  PointSet points = stages.run("read", [&](const Progress&) { return read_points(*arguments.at); });
  check_point_formats(points.format, point_format_of(arguments.output), arguments.output);
  return points;
}

}  // namespace

int potential_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  PointArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments);
  std::ostream& summary = summary_stream(arguments.outputs(), out);
  const BackendOptions backend = backend_options(arguments.backend);
  // How many points there will be is not known yet: only what is asked for starts while files are read.
  const auto gpu_start = start_gpu_while_reading(backend, {}, arguments.field.threads);
  Stages stages(terminal_observer(progress_style(arguments.run.quiet)));
  Input input = stages.run("read", [&](const Progress&) {
    return read_input(arguments.structure.files, arguments.structure.options);
  });
  if (arguments.surface_kind || arguments.alpb || arguments.pb.given()) complete_radii(input.system.acting());
  std::optional<SurfaceMeasure> measure;
  const PointSet points = points_for(arguments, input.system.acting(), stages, &measure);
  const auto checkpoint = open_checkpoint(
      arguments.checkpoint, "potential",
      {input.system.acting().atoms,
       input.system.acting().cell,
       {},
       {identity_of_points(points.positions_A), identity_of_instructions(arguments.sum.simd)}});
  if (checkpoint) stages.save_to(*checkpoint);
  if (!arguments.run.quiet) print_checkpoint(summary, checkpoint.get());
  const PointJob job{.structure = input.system.acting(),
                     .points = points,
                     .model = arguments.model(),
                     .electrostatics = arguments.electrostatics,
                     .sum = arguments.sum,
                     .field = arguments.field,
                     .backend = backend,
                     .command = command_text("potential", words)};
  PointResult result =
      run_noting(checkpoint.get(), {}, [&] { return potential_at_points(job, stages, backends); });
  result.surface = measure;
  OutputFiles files;
  stages.run("write", [&](const Progress&) {
    write_points(files.add(arguments.output), points, values_of(result, arguments));
  });
  update_costs(result.run, stages);
  if (arguments.run.report)
    files.add(*arguments.run.report).write(with_chemistry(json_report(result), input.chemistry));
  files.commit();
  if (arguments.run.quiet) return done;
  print_points(summary, result, input.chemistry);
  if (is_coloured(point_format_of(arguments.output)))
    print_row(summary, "colours", "red at -", values_of(result, arguments).colour_limit_kT_e,
              " kT/e and below, white at 0, blue from ", values_of(result, arguments).colour_limit_kT_e);
  print_times(summary, result.run);
  print_files(summary, {arguments.output, arguments.run.report});
  return done;
}

}  // namespace ionwell
