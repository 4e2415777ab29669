// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/option_words.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "compute/backend.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "ionwell/trajectory/average_rows.hpp"
#include "jobs/average/average.hpp"
#include "jobs/average/average_maps.hpp"
#include "jobs/average/average_report.hpp"
#include "jobs/average/average_state.hpp"
#include "jobs/place/run.hpp"
#include "maps/map_file.hpp"
#include "potential/equation_maps.hpp"
#include "programs/child_process.hpp"
#include "programs/save_signal.hpp"

namespace ionwell {
namespace {

struct AverageArguments {
  StructureArguments structure;
  std::string output;
  MapUnit unit = MapUnit::kT_e;
  std::string maps = "mean";
  std::int64_t blocks = 10;
  CheckpointArguments checkpoint;
  FrameRange range;
  FrameOptions frames;
  LatticeFrames lattice_from = LatticeFrames::first;
  Boundary boundary = Boundary::open;
  std::optional<double> ewald_factor_per_A;
  LatticeRequest lattice;
  ElectrostaticsOptions electrostatics;
  MethodArguments method;
  FieldOptions field{.every_point = true};
  BackendArguments backend;
  RunArguments run;
};

constexpr std::size_t most_trajectory_files = 10'000;

/// The atoms whose potential it is.
void add_source_options(OptionGroup& group, StructureArguments& structure) {
  InputOptions& options = structure.options;
  group.add("solute", options.solute, "SELECTION",
            "the atoms whose potential is averaged, for example 'nucleic or segid PROA'", Default{"all"});
  group.add("ignore", options.ignore, "SELECTION",
            "atoms whose potential is left out, for example 'water or resname CLA'", Default{"none"});
  group.add_choice("input-water", options.water, input_water_words(),
                   "use of the waters: they are ignored, or part of the solute",
                   Default{"solute, with a warning"});
  add_topology_options(group, structure);
}

bool parse(const std::vector<std::string>& words, AverageArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "average",
       .synopsis = "TOPOLOGY TRAJECTORY... -o POTENTIAL.dx|.dx.gz|.dxbin|.h5|.mrc|.ccp4|.cube|.grd",
       .about =
           "Writes the mean electrostatic potential of a simulation: the potential of each frame of a "
           "trajectory at every point of one lattice, averaged over the frames. TOPOLOGY (PSF, AMBER prmtop, "
           "GROMACS .top or .tpr, or a PQR or mol2 file) has the charges. TRAJECTORY is one or more files in "
           "order (DCD, XTC, TRR, AMBER NetCDF, .gro, .g96, PDB with several models, or single frames); "
           "NAMD's .xsc may have the cell. All may be gzipped: gzipped files are unpacked in memory, others "
           "are read frame by frame. After Ctrl-C, ionwell writes the map of the frames so far.",
       .examples =
           "  ionwell average sys.psf run1.dcd run2.dcd -o mean.dx --ignore water --fit 'name CA'\n"
           "      of everything except water, each frame fitted to the first by its CA atoms\n"
           "  ionwell average sys.prmtop md.nc -o mean.h5 --solute nucleic --fit 'nucleic and name P' "
           "--every 10\n"
           "      of the nucleic acid, every tenth frame; for 'ionwell place --map mean.h5'\n"
           "  ionwell average topol.tpr md.xtc -o mean.dx --statistics mean,sd,se --blocks 20\n"
           "      also mean.sd.dx, the standard deviation, and mean.se.dx, the standard error of the mean\n"
           "  ionwell average sys.psf run.dcd -o mean.dx --boundary periodic --input-water solute --box "
           "0,0,0,80,80,80\n"
           "      of everything and all its images (Ewald)\n"
           "  ionwell average sys.psf run.dcd -o mean.dx --resume mean.state\n"
           "      continues where the same command was stopped\n",
       .common = {"output", "statistics", "first", "last", "every", "fit", "solute", "ignore", "spacing",
                  "border", "boundary", "resume"}});
  line.add_files("TOPOLOGY TRAJECTORY", arguments.structure.files, 2, most_trajectory_files);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output, "FILE", map_endings + ", or - for OpenDX on standard output");
  output.require_last();
  add_to_unit_option(output, arguments.unit);
  output.add(
      "statistics", arguments.maps, "MAPS",
      "maps to write, separated by commas: mean; sd, the standard deviation over frames, for which each "
      "frame is summed separately; se, the standard error of the mean. With -o mean.dx, sd goes to "
      "mean.sd.dx and se to mean.se.dx");
  output.add(
      "blocks", arguments.blocks, "N",
      "number of equal blocks of consecutive frames, whose means give the standard error; a block should be "
      "much longer than the correlation time");
  add_run_options(output, arguments.run);
  OptionGroup& frames = line.group("Frames");
  frames.add("first", arguments.range.first, "N",
             "first frame, counted from 1 over all files; -1 is the last, -2 the one before it");
  frames.add("last", arguments.range.last, "N", "last frame");
  frames.add("every", arguments.range.every, "N", "use every Nth frame");
  frames.add(
      "fit", arguments.frames.fit, "SELECTION",
      "rotate and translate each frame to fit these atoms to the reference (least squares, without weights), "
      "for example 'name CA or name P'");
  frames.add("reference", arguments.frames.reference, "FILE", "coordinates of the same atoms for --fit",
             Default{"the first frame"});
  frames.add_flag(
      "keep-images", arguments.frames.keeps_images,
      "keep the periodic images of the trajectory; otherwise molecules that are broken across the boundary "
      "of the cell are made whole");
  frames.add_flag("skip-bad-frames", arguments.frames.skips_bad,
                  "skip frames that are damaged or have impossible positions, instead of stopping");
  add_source_options(line.group("Structure"), arguments.structure);
  OptionGroup& lattice = line.group("Lattice");
  add_lattice_options(lattice, arguments.lattice, LatticeOf::sums);
  lattice.add_choice("lattice-from", arguments.lattice_from, lattice_from_words(),
                     "frames whose atoms the lattice encloses: the first, or all, which are then read twice");
  OptionGroup& electrostatics = line.group("Electrostatics");
  add_electrostatics_options(electrostatics, arguments.electrostatics);
  electrostatics.add_choice(
      "boundary", arguments.boundary, boundary_words(),
      "sum over the atoms alone, or over all periodic images of each frame's cell, with a neutralising "
      "background if the cell is charged");
  electrostatics.add(
      "ewald-factor", arguments.ewald_factor_per_A, "A^-1",
      "with --boundary periodic: write only the smooth part of the sum, of charges spread as Gaussians with "
      "this Ewald factor, like maps made from the grid of smooth particle-mesh Ewald, where 0.25 is common",
      Default{"the whole sum"});
  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, line.tuning(), arguments.method, Computed::values);
  add_backend_options(advanced, line.tuning(), arguments.backend, Computed::values);
  add_computing_options(advanced, line.tuning(), arguments.field);
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
  line.add_rules(average_rules());
  return line.parse(words, out);
}

/// The maps that are written, the mean first, and their files.
std::vector<std::pair<AverageMap, std::string>> map_files(const AverageArguments& arguments) {
  std::vector<std::pair<AverageMap, std::string>> files = {{AverageMap::mean, arguments.output}};
  for (const AverageMap map : parse_average_maps(arguments.maps))
    if (map != AverageMap::mean) files.emplace_back(map, equation_map_path(arguments.output, to_string(map)));
  return files;
}

std::vector<RequestedOutput> outputs_of(const AverageArguments& arguments) {
  std::vector<RequestedOutput> outputs;
  for (const auto& [map, path] : map_files(arguments))
    outputs.push_back({map == AverageMap::mean ? "-o" : "--statistics", path});
  outputs.push_back(requested_checkpoint(arguments.checkpoint));
  outputs.push_back({"--report", arguments.run.report});
  return outputs;
}

bool writes(const AverageArguments& arguments, AverageMap wanted) {
  const std::vector<AverageMap> maps = parse_average_maps(arguments.maps);
  return std::find(maps.begin(), maps.end(), wanted) != maps.end();
}

/// Everything that can be refused before a file is read.
void validate(const AverageArguments& arguments) {
  if (arguments.output.empty())
    fail<UsageError>("-o is missing; name the file for the mean, for example -o mean.dx");
  check_map_name(arguments.output);
  if (is_standard_output(arguments.output) && map_files(arguments).size() > 1)
    fail<UsageError>(
        "--statistics makes the names of its files from -o, and -o is -; give the name of a file");
  validate(arguments.lattice);
  summation_options(arguments.method);
  pair_potential(arguments.electrostatics);
  backend_options(arguments.backend);
  validate(arguments.checkpoint);
  check_inputs(arguments.structure.files);
  std::vector<std::string> inputs = arguments.structure.files;
  if (arguments.frames.reference) inputs.push_back(*arguments.frames.reference);
  check_outputs(inputs, outputs_of(arguments));
}

/// Whether a signal was noted that asks to end, and which.
class StopWatch {
 public:
  bool is_asked() {
    if (signal_ != 0) return true;
    try {
      notes_.check();
    } catch (const Interrupted& interrupted) {
      signal_ = interrupted.signal;
    }
    return signal_ != 0;
  }
  int signal() const { return signal_; }

 private:
  SignalNotes notes_;
  int signal_ = 0;
};

[[noreturn]] void end_interrupted(int signal, const AverageArguments& arguments,
                                  const AverageSummary& average) {
  if (average.frames == 0)
    throw Interrupted(signal, " before the first frames were summed; nothing was written");
  std::string left = "; " + arguments.output + " has the mean over " + count_of(average.frames, "frame") +
                     " of " + grouped(average.chosen);
  if (const auto state = arguments.checkpoint.file())
    left += ", and --resume " + *state + " continues from there";
  throw Interrupted(signal, left);
}

/// Writes what there is of an average, all files or none; gives their names, and `state`.
std::vector<std::optional<std::string>> write_average(const AverageArguments& arguments,
                                                      const std::optional<std::string>& state,
                                                      AverageResult& result, Stages& stages) {
  OutputFiles files;
  std::vector<std::optional<std::string>> written;
  stages.run("write", [&](const Progress& progress) {
    for (const auto& [which, path] : map_files(arguments)) {
      if (const auto why = missing_because(result, which)) {
        warn(result.run, stages.observer(), {path + " was not written: " + *why});
        continue;
      }
      const ResultMap map = average_map(result, which, arguments.unit);
      write_map(files.add(path), map, map.all(), result.run.threads, progress);
      written.emplace_back(path);
    }
  });
  written.push_back(state);
  written.push_back(arguments.run.report);
  update_costs(result, stages);
  if (arguments.run.report) files.add(*arguments.run.report).write(json_report(result));
  files.commit();
  return written;
}

}  // namespace

int average_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  AverageArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments);
  arguments.field.threads = usable_threads(arguments.field.threads);
  std::ostream& summary = summary_stream(outputs_of(arguments), out);
  const BackendOptions backend = backend_options(arguments.backend);
  const auto gpu_start = start_gpu_while_reading(backend, arguments.structure.path(), arguments.field.threads,
                                                 arguments.method.method);
  RunObserver observer = terminal_observer(progress_style(arguments.run.quiet));
  if (!arguments.run.quiet)
    observer.average_planned = [&](const AverageResult& planned) {
      print_plan(summary, planned);
      print_trajectory(summary, planned.summary);
    };
  Stages stages(observer);
  const TrajectoryInput input = stages.run("read", [&](const Progress&) {
    return read_trajectory_input(arguments.structure.files, arguments.structure.options, arguments.range,
                                 arguments.frames.skips_bad);
  });
  std::vector<std::string> map_names;
  for (const auto& [map, path] : map_files(arguments)) map_names.push_back(path);
  StopWatch watch;
  std::optional<SaveSignal> save_signal;
  if (arguments.checkpoint.given()) save_signal.emplace();
  bool has_state = true;
  const std::function<void(AverageResult&)> save_state = [&](AverageResult& so_far) {
    try {
      OutputFile file(*arguments.checkpoint.file());
      write_average_state(file, so_far.identity, so_far.statistics, so_far.summary.tallies);
      file.commit();
      has_state = true;
    } catch (const std::exception& error) {
      if (std::exchange(has_state, false))
        observer.warning(std::string("no checkpoint was written: ") + error.what());
    }
  };
  AverageResult result = average({.input = input,
                                  .frames = arguments.frames,
                                  .lattice_from = arguments.lattice_from,
                                  .boundary = arguments.boundary,
                                  .ewald_factor_per_A = arguments.ewald_factor_per_A,
                                  .summation = summation_options(arguments.method),
                                  .electrostatics = arguments.electrostatics,
                                  .lattice = arguments.lattice,
                                  .backend = backend,
                                  .field = arguments.field,
                                  .statistics = {.deviation = writes(arguments, AverageMap::deviation),
                                                 .error = writes(arguments, AverageMap::error)},
                                  .blocks = arguments.blocks,
                                  .state = arguments.checkpoint.resumed,
                                  .should_stop = [&] { return watch.is_asked(); },
                                  .save = arguments.checkpoint.given() ? save_state : nullptr,
                                  .save_every_s = arguments.checkpoint.every_s,
                                  .should_save = [&] { return save_signal && save_signal->take(); },
                                  .command = command_text("average", words),
                                  .map_names = map_names},
                                 stages, backends);
  const AverageSummary& average = result.summary;
  if (average.frames == 0) end_interrupted(watch.signal(), arguments, average);
  if (arguments.checkpoint.given()) save_state(result);
  const auto written =
      write_average(arguments, has_state ? arguments.checkpoint.file() : std::nullopt, result, stages);
  if (!arguments.run.quiet) {
    print_average(summary, average);
    print_times(summary, result.run);
    print_files(summary, written);
  }
  if (average.is_interrupted) end_interrupted(watch.signal(), arguments, average);
  return done;
}

}  // namespace ionwell
