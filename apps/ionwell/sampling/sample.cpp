// SPDX-License-Identifier: BSD-3-Clause
#include "compute/backend.hpp"
#include "core/text/count_text.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/sampling/sample_arguments.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/sample_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "jobs/sample/sampling_files.hpp"
#include "jobs/sample/sampling_start.hpp"
#include "maps/map_file.hpp"
#include "output/chemistry_report.hpp"
#include "output/structure_file.hpp"
#include "potential/equation_maps.hpp"
#include "programs/child_process.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell {
namespace {

/// From the first stage on that it is told of, signals end the sampling with what there is, and the search
/// for chemical potentials at once. Before that they end the program, as always.
class SampleInterrupt {
 public:
  bool is_asked() {
    if (signal_ != 0) return true;
    if (!notes_) return false;
    try {
      notes_->check();
    } catch (const Interrupted& interrupted) {
      signal_ = interrupted.signal;
    }
    return signal_ != 0;
  }
  int signal() const { return signal_; }

  /// Tells `observer`, too.
  RunObserver watching(RunObserver observer) {
    const auto shown_stage = observer.stage;
    observer.stage = [this, shown_stage](const std::string& name, const std::string& shown) -> Progress {
      const Progress progress = shown_stage(name, shown);
      const bool has_no_result = name == "chemical potential";
      if ((has_no_result || name == "sample") && !notes_) notes_.emplace();
      return [this, progress, has_no_result](double done) {
        if (progress) progress(done);
        if (has_no_result) notes_->check();
      };
    };
    return observer;
  }

 private:
  std::optional<SignalNotes> notes_;
  int signal_ = 0;
};

[[noreturn]] void end_sample_interrupted(int signal, const SampleArguments& arguments,
                                         const SampleResult& sample, const Checkpoint* checkpoint) {
  const std::string saved = checkpoint == nullptr ? "" : checkpoint->note();
  if (sample.samples == 0)
    throw Interrupted(signal, " before the first sample" + (saved.empty() ? "; nothing is written" : saved));
  throw Interrupted(signal, "; " + arguments.output.path + " is from the " +
                                count_of(sample.samples, "sample") + " taken so far" + saved);
}

/// Files that the result depends on besides the structure's.
std::vector<std::string> more_inputs(const SampleArguments& arguments) {
  std::vector<std::string> files = arguments.map.files.paths;
  if (arguments.starts_from_file()) files.push_back(arguments.start);
  return files;
}

/// The maps that are asked for: of what, of which species, and their files.
struct IonMapFile {
  IonMapKind kind;
  std::size_t species;
  std::string path;
};

std::vector<IonMapFile> ion_map_files(const SampleArguments& arguments,
                                      const std::vector<std::string>& names) {
  std::vector<IonMapFile> files;
  for (const auto& [kind, path] : {std::pair(IonMapKind::density, arguments.density),
                                   std::pair(IonMapKind::occupancy, arguments.occupancy)})
    for (std::size_t s = 0; path && s < names.size(); ++s)
      files.push_back({kind, s, equation_map_path(*path, names[s])});
  return files;
}

/// Writes what there is of a sample, all files or none; gives their names.
std::vector<std::optional<std::string>> write_sample(const SampleArguments& arguments, const Input& input,
                                                     SamplingResult& result, Stages& stages) {
  OutputFiles files;
  std::vector<std::optional<std::string>> written = {arguments.output.path};
  warn(result.run, stages.observer(), structure_file_warnings(arguments.output, result.structure));
  stages.run("write", [&](const Progress& progress) {
    files.add(arguments.output.path)
        .write(structure_file(arguments.output, {.input = input,
                                                 .structure = result.structure,
                                                 .ions = lowest_ions(result),
                                                 .remarks = sampling_remarks(result)}));
    for (const auto& [kind, species, path] : ion_map_files(arguments, species_names(result.model.species))) {
      const IonMap map = ion_map(result, species, kind);
      write_map(files.add(path), map, map.all(), result.run.threads, progress);
      written.emplace_back(path);
    }
    if (arguments.rdf) files.add(*arguments.rdf).write(radial_csv(result));
  });
  written.push_back(arguments.rdf);
  update_costs(result.run, stages);
  if (arguments.run.report)
    files.add(*arguments.run.report).write(with_chemistry(json_report(result), input.chemistry));
  files.commit();
  written.push_back(arguments.run.report);
  return written;
}

}  // namespace

int sample_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  SampleArguments arguments;
  if (!parse(words, arguments, out)) return done;
  validate(arguments);
  arguments.field.threads = usable_threads(arguments.field.threads);
  std::ostream& summary = summary_stream(outputs_of_sample(arguments), out);
  {  // What can be refused before the structure is read: how many ions neutralize it is not known yet.
    const Structure nothing;
    SampleArguments counted = arguments;
    counted.ions.clear();
    SamplingJob job = sampling_job(counted, nothing, {});
    if (!arguments.ions.empty()) job.ions.emplace_back();
    validate(job);
  }
  const auto gpu_start = start_gpu_while_reading(backend_options(arguments.backend),
                                                 arguments.structure.path(), arguments.field.threads);
  arguments.structure.options.may_be_uncharged = true;  // its ions have charges
  SampleInterrupt interrupt;
  Stages stages(interrupt.watching(terminal_observer(progress_style(arguments.run.quiet))));
  Input input = stages.run("read", [&](const Progress&) {
    return read_input(arguments.structure.files, arguments.structure.options);
  });
  complete_radii(input.system.acting());
  SamplingJob job = sampling_job(arguments, input.system.acting(), command_text("sample", words));
  job.should_stop = [&] { return interrupt.is_asked(); };
  std::vector<RequestedOutput> outputs = outputs_of_sample(arguments);
  for (const std::string& species : species_names(sampling_species(job).species))
    for (const auto& [path, option] :
         {std::pair(arguments.density, "--density"), {arguments.occupancy, "--occupancy"}})
      if (path) outputs.push_back({option, equation_map_path(*path, species)});
  check_outputs(arguments.inputs(), outputs);
  const auto checkpoint =
      open_checkpoint(arguments.checkpoint, "sample",
                      {input.system.acting().atoms, input.system.acting().cell, more_inputs(arguments)});
  if (checkpoint) stages.save_to(*checkpoint);
  if (!arguments.run.quiet) print_checkpoint(summary, checkpoint.get());
  SamplingResult result =
      run_noting(checkpoint.get(), {}, [&] { return sample_ions(job, stages, backends); });
  if (result.sample.samples == 0)
    end_sample_interrupted(interrupt.signal(), arguments, result.sample, checkpoint.get());
  const auto written = write_sample(arguments, input, result, stages);
  if (!arguments.run.quiet) {
    print_sample(summary, result, input.chemistry);
    print_times(summary, result.run);
    print_files(summary, written);
  }
  if (result.sample.is_interrupted)
    end_sample_interrupted(interrupt.signal(), arguments, result.sample, checkpoint.get());
  return done;
}

}  // namespace ionwell
