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
#include "gpu/backend.hpp"
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
            "atoms whose potential is left out, for example 'water or resname CLA'");
  group.add_choice("input-water", options.water, input_water_words(), "what waters are: left out, or sources",
                   Default{"sources, with a warning"});
  add_topology_options(group, structure);
}

bool parse(const std::vector<std::string>& words, AverageArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "average",
       .synopsis = "TOPOLOGY TRAJECTORY... -o POTENTIAL.dx|.dx.gz|.dxbin|.h5|.mrc|.ccp4|.cube|.grd",
       .about =
           "Saves the mean electrostatic potential of a simulation: that of every frame of a trajectory at "
           "every point of one lattice, averaged. TOPOLOGY (PSF, AMBER prmtop, GROMACS .top or .tpr, or a "
           "PQR or mol2 file) has the charges; TRAJECTORY is one file or more (DCD, XTC, TRR, AMBER NetCDF, "
           ".gro, .g96, PDB with several models, or single frames), in their order; NAMD's .xsc may have the "
           "cell. All of them may be gzipped; those are unpacked in memory as a whole, others are read frame "
           "by frame. Ctrl-C ends a run with the map of the frames done.",
       .examples =
           "  ionwell average sys.psf run1.dcd run2.dcd -o mean.dx --ignore water --fit 'name CA'\n"
           "      of all but the water, each frame fitted to the first by its CA atoms\n"
           "  ionwell average sys.prmtop md.nc -o mean.h5 --solute nucleic --fit 'nucleic and name P' "
           "--every 10\n"
           "      of the nucleic acid, every tenth frame; 'ionwell place --map mean.h5' takes it\n"
           "  ionwell average topol.tpr md.xtc -o mean.dx --statistics mean,sd,se --blocks 20\n"
           "      also mean.sd.dx, how much it varies, and mean.se.dx, how sure the mean is\n"
           "  ionwell average sys.psf run.dcd -o mean.dx --boundary periodic --input-water solute --box "
           "0,0,0,80,80,80\n"
           "      of everything and all its images (Ewald)\n"
           "  ionwell average sys.psf run.dcd -o mean.dx --resume mean.state\n"
           "      goes on where the same command was stopped\n"});
  line.add_files("TOPOLOGY TRAJECTORY", arguments.structure.files, 2, most_trajectory_files);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output, "FILE",
             map_endings + ", or - for OpenDX on standard output; must be given");
  add_to_unit_option(output, arguments.unit);
  output.add(
      "statistics", arguments.maps, "MAPS",
      "mean; sd, the standard deviation over frames, for which each is summed by itself; se, the standard "
      "error of the mean; with commas between them. mean.dx is the mean, mean.sd.dx and mean.se.dx the "
      "others");
  output.add(
      "blocks", arguments.blocks, "N",
      "equal blocks of frames, in their order, whose means tell the standard error; each should be far "
      "longer than the time over which frames resemble each other");
  add_run_options(output, arguments.run);
  OptionGroup& frames = line.group("Frames");
  frames.add("first", arguments.range.first, "N",
             "first frame, counted from 1 over all files; -1 is the last, -2 the one before it");
  frames.add("last", arguments.range.last, "N", "last frame");
  frames.add("every", arguments.range.every, "N", "take every Nth of them");
  frames.add(
      "fit", arguments.frames.fit, "SELECTION",
      "turn and shift each frame so that these atoms lie on those of the reference (least squares, without "
      "weights), for example 'name CA or name P'",
      Default{"frames stay"});
  frames.add("reference", arguments.frames.reference, "FILE", "coordinates of the same atoms to fit to",
             Default{"the first frame"});
  frames.add_flag(
      "keep-images", arguments.frames.keeps_images,
      "leave atoms in the periodic images that the trajectory has them in",
      Default{"where frames have a cell, molecules that lie across its boundary are put together"});
  frames.add_flag("skip-bad-frames", arguments.frames.skips_bad,
                  "go on without frames that are damaged or have atoms where none can be");
  add_source_options(line.group("Sources"), arguments.structure);
  OptionGroup& lattice = line.group("Lattice");
  add_lattice_options(lattice, arguments.lattice, LatticeOf::sums);
  lattice.add_choice(
      "lattice-from", arguments.lattice_from, lattice_from_words(),
      "whose sources it encloses: those of the first frame, or of all, which are then read twice");
  OptionGroup& electrostatics = line.group("Electrostatics");
  add_electrostatics_options(electrostatics, arguments.electrostatics);
  electrostatics.add_choice(
      "boundary", arguments.boundary, boundary_words(),
      "the sources stand alone, or with all images of each frame's cell, in a neutralising "
      "background if they are charged");
  electrostatics.add(
      "ewald-factor", arguments.ewald_factor_per_A, "A^-1",
      "with --boundary periodic: only the smooth part of the sum over images, that of charges spread as "
      "Gaussians with this Ewald factor, as maps made of the grid of smooth particle-mesh Ewald have it; "
      "0.25 is "
      "usual there",
      Default{"all"});
  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, line.tuning(), arguments.method, Computed::values);
  add_backend_options(advanced, line.tuning(), arguments.backend, Computed::values);
  add_computing_options(advanced, line.tuning(), arguments.field);
  add_checkpoint_options(line.group("Long runs"), line.tuning(), arguments.checkpoint);
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
    fail<UsageError>("-o is missing; give the file that the mean goes to, for example -o mean.dx");
  check_map_name(arguments.output);
  if (is_standard_output(arguments.output) && map_files(arguments).size() > 1)
    fail<UsageError>("--statistics needs the name of a file to call others after it, and -o is -; give one");
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
    throw Interrupted(signal, " before the first frames were summed; nothing is written");
  std::string left = "; " + arguments.output + " has the mean over " + count_of(average.frames, "frame") +
                     " of " + grouped(average.chosen);
  if (const auto state = arguments.checkpoint.file())
    left += ", and --resume " + *state + " goes on from there";
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
        warn(result.run, stages.observer(), {path + " is not written: " + *why});
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

int average_command(const std::vector<std::string>& words, std::ostream& out) {
  AverageArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments);
  arguments.field.threads = usable_threads(arguments.field.threads);
  std::ostream& summary = summary_stream(outputs_of(arguments), out);
  const BackendOptions backend = backend_options(arguments.backend);
  const auto gpu_start =
      start_gpu_while_reading(backend, arguments.structure.path(), arguments.field.threads);
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
        observer.warning(std::string("no checkpoint is written: ") + error.what());
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
                                 stages, {&gpu_backend()});
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
