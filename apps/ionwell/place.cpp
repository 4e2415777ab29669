// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "compute/backend.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "files/new_folder.hpp"
#include "files/output_file.hpp"
#include "ionwell/box_arguments.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/hydration_arguments.hpp"
#include "ionwell/ion_arguments.hpp"
#include "ionwell/output/system_options.hpp"
#include "ionwell/pb_arguments.hpp"
#include "ionwell/potential_options.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/site_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/box_summary.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/placement_summary.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "ionwell/views/view_outputs.hpp"
#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/placement_messages.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/job/result_map.hpp"
#include "jobs/place/run.hpp"
#include "jobs/place/sites_first.hpp"
#include "maps/map_file.hpp"
#include "output/chemistry_report.hpp"
#include "output/engine_input.hpp"
#include "output/placed_files.hpp"
#include "placement/ion.hpp"
#include "placement/place_ions.hpp"
#include "potential/request/pb_request.hpp"
#include "programs/child_process.hpp"
#include "solvation/simulation_cell.hpp"
#include "structures/assign_radii.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

struct PlaceArguments {
  StructureArguments structure;
  SystemOutput output;
  ViewArguments views;
  IonArguments ions;
  HydrationArguments hydration;
  BoxRequest box;
  bool no_refine = false;
  std::optional<std::string> map_before, map_after;
  ImportedMapArguments map;
  PbArguments pb;
  SiteArguments sites;
  LatticeRequest lattice;
  ElectrostaticsOptions electrostatics;
  MethodArguments method;
  FieldOptions field;
  BackendArguments backend;
  RunArguments run;
  CheckpointArguments checkpoint;
  GivenOptions given;

  /// The first map that is saved, for a viewer.
  const std::optional<std::string>& shown_map() const { return map_before ? map_before : map_after; }
};

bool parse(const std::vector<std::string>& words, PlaceArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "place",
       .synopsis = "STRUCTURE [COORDINATES] --ion NAME:COUNT[:CHARGE] ... -o IONS.pdb",
       .about = "Places ions around a charged structure, one at a time, each at the lattice point where its "
                "energy in the potential of the solute and of the ions already placed is lowest. " +
                std::string(about_structure_files),
       .examples =
           "  ionwell place rna.pqr --ion MG:12 -o ions.pdb\n"
           "      twelve Mg2+ in the bare Coulomb potential, the published protocol\n"
           "  ionwell place rna.pqr.gz --ion MG:6 --ion NA:neutralize --ddd 3 --ion-names amber -o ions.pdb\n"
           "      six Mg2+, then Na+ until the net charge is zero, with a distance-dependent dielectric\n"
           "  ionwell place rna.pqr --map pot.dx --ion NA:20 --max-energy 0 --allow-fewer -o ions.pdb\n"
           "      up to 20 Na+ in the potential of a Poisson-Boltzmann solver, while their energy is "
           "negative\n"
           "  ionwell place rna.pqr --pb own --ion MG:24 -o ions.pdb\n"
           "      the published hybrid protocol: the equation is solved again after every five ions\n"
           "  ionwell place rna.pqr --model sites --ion MG:12 -o ions.pdb\n"
           "      twelve Mg2+ where crystals of RNA have them\n"
           "  ionwell place rna.pqr --model sites --ion MG:likely:0.3 -o ions.pdb\n"
           "      as many as have a site within 3 A with a probability of at least 30 %\n"
           "  ionwell place rna.pqr --model sites --ion MG:likely --ion NA:neutralize --ionic-strength 0.15 "
           "-o ions.pdb\n"
           "      the likely Mg2+, then Na+ around the RNA with these until the net charge is zero\n",
       .common = {"ion", "ion-solute", "ion-ion", "model", "hydrate", "salt", "pH", "output", "for",
                  "with-solute", "html", "ionic-strength", "pb"}});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);

  OptionGroup& ions = line.group("Ions");
  add_ion_options(ions, arguments.ions);
  add_site_options(ions, line.tuning(), arguments.sites, SiteIons::all);
  add_hydration_options(ions, line.tuning(), arguments.hydration);
  OptionGroup& box = line.group("Water and salt");
  add_salt_options(box, line.tuning(), arguments.box);
  add_box_options(box, line.tuning(), arguments.box);

  add_structure_options(line, arguments.structure, WaterChoices::with_replace);
  OptionGroup& output = line.group("Output");
  output.add(
      "output,o", arguments.output.path, "FILE",
      "file for the ions; its ending sets the format: .pdb, .cif, .gro, .pqr, .crd (CHARMM), .rst7, .xyz, "
      "also with .gz; - is PDB on standard output");
  output.require_last();
  add_ion_names_option(output, arguments.output);
  add_engine_option(output, arguments.output);
  output.add_flag("with-solute", arguments.output.with_solute, "write the solute before the ions");
  add_serials_option(output, arguments.output);
  output.add("save-map", arguments.map_before, "FILE",
             "write the potential of the solute alone [kT/e] to a " + map_endings);
  output.add("save-map-after", arguments.map_after, "FILE",
             "write the potential of the solute and the placed ions [kT/e]");
  add_run_options(output, arguments.run);
  add_view_options(output, arguments.views);
  add_lattice_options(line.group("Lattice"), arguments.lattice, LatticeOf::sums_and_solutions);
  add_electrostatics_options(line.group("Electrostatics"), arguments.electrostatics);
  add_map_options(line.group("Imported potential"), line.tuning(), arguments.map, Update::coulomb);
  add_pb_options(line.group("Poisson-Boltzmann"), line.tuning(), arguments.pb);

  OptionGroup& advanced = line.group("Computing");
  add_method_options(advanced, line.tuning(), arguments.method, Computed::ions);
  add_backend_options(advanced, line.tuning(), arguments.backend, Computed::ions);
  add_computing_options(advanced, line.tuning(), arguments.field);
  line.tuning().add_flag(
      "no-refine", arguments.no_refine,
      "choose points by the single-precision values of the lattice instead of double-precision sums");
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  line.add_rules(place_rules());
  if (!line.parse(words, out)) return false;
  arguments.given = line.given(words);
  return true;
}

std::vector<RequestedOutput> outputs_of(const PlaceArguments& arguments) {
  std::vector<RequestedOutput> outputs = {{"-o", arguments.output.file()},
                                          {"--save-map", arguments.map_before},
                                          {"--save-map-after", arguments.map_after},
                                          {"--report", arguments.run.report},
                                          requested_checkpoint(arguments.checkpoint)};
  for (RequestedOutput& view : requested_views(arguments.views, arguments.output))
    outputs.push_back(std::move(view));
  return outputs;
}

/// The options of a potential that is not summed, in the solution that a solver is told of.
void validate_potential(const PlaceArguments& arguments) {
  ElectrostaticsOptions electrostatics = arguments.electrostatics;
  ImportedMapArguments map = arguments.map;
  if (arguments.pb.given()) adopt_solution(arguments.pb.pb, electrostatics, map.update);
  validate(map, electrostatics);
  validate(arguments.pb);
}

/// Everything that can be refused before a file is read.
void validate(const PlaceArguments& arguments) {
  validate(arguments.output, "for the ions, for example -o ions.pdb");
  if (arguments.ions.ions.empty() && arguments.box.salts.empty())
    fail<UsageError>("--ion is missing; say which ions to place, for example --ion MG:7");
  read_likely_ions(arguments.ions.ions);
  box_options(arguments.box, arguments.output.names_of_ions());
  arguments.hydration.options();
  validate(arguments.lattice);
  validate(exclusion_of(arguments.ions));
  summation_options(arguments.method);
  backend_options(arguments.backend);
  validate_potential(arguments);
  validate(arguments.checkpoint);
  for (const auto& map : {arguments.map_before, arguments.map_after})
    if (map) check_map_name(*map);
  validate(arguments.views, arguments.output, arguments.shown_map());
  std::vector<std::string> inputs = arguments.map.files.paths;
  inputs.insert(inputs.end(), arguments.structure.files.begin(), arguments.structure.files.end());
  check_inputs(inputs);
  check_engine_files(arguments.output, arguments.structure.files, {});
  check_outputs(inputs, outputs_of(arguments));
  if (arguments.pb.given()) check_left_free(partial_path(arguments.output), inputs, outputs_of(arguments));
}

void print_result(std::ostream& out, const Result& result, const PlaceArguments& arguments,
                  const std::vector<std::string>& views) {
  out << '\n';
  print_ion_table(out, result.placement, result.structure, output_table_style());
  out << '\n';
  if (result.box) print_box_result(out, result);
  if (result.hydration) print_hydration(out, *result.hydration);
  print_row(out, "net charge", charge_text(charge_before_e(result)), " e before, ",
            charge_text(charge_after_e(result)), " e after");
  print_solvation_energy(out, result.potential);
  if (read_likely_ions(arguments.ions.ions).least_probability) print_expected_sites(out, result);
  print_times(out, result.run);
  std::vector<std::optional<std::string>> written = {arguments.output.path, arguments.map_before,
                                                     arguments.map_after, arguments.run.report,
                                                     arguments.views.html};
  written.insert(written.end(), views.begin(), views.end());
  print_files(out, written);
}

/// Saves the potential that the result's field holds now.
void save_map(const std::string& path, const Result& result, MapContents contents, OutputFiles& files,
              const Progress& progress) {
  const ResultMapToWrite map = map_to_write(result, contents);
  write_map(files.add(path), map, map.all(), result.run.threads, progress);
}

PlacedRun placed_run(const PlaceArguments& arguments, const Input& input, const Result& result) {
  const InputOptions& options = arguments.structure.options;
  return {.input = input, .result = result, .defines = options.defines, .includes = options.includes};
}

/// What is left when the ions are placed: warnings, files, the terminal.
int finish(const PlaceArguments& arguments, const Input& input, const Job& job, Result& result,
           Stages& stages, OutputFiles& files, std::ostream& out, const Backends& backends) {
  const bool too_few = placed_too_few(arguments.ions, arguments.run.report, input.chemistry,
                                      too_few_message(result, arguments.lattice), result, stages);
  if (const auto warning = repelled_ions_warning(result)) warn(result.run, stages.observer(), {*warning});
  const PlacedFiles placed(arguments.output, placed_run(arguments, input, result),
                           arguments.hydration.written_as);
  warn(result.run, stages.observer(), placed.warnings());

  const CoarseMap coarse = prepare_page(arguments.views, job, stages, backends);
  const std::vector<std::string> views = stages.run("write", [&](const Progress& progress) {
    if (arguments.map_after)
      save_map(*arguments.map_after, result, MapContents::solute_and_ions, files, progress);
    placed.add_to(files);
    return add_viewer_script(
        arguments.views,
        {job, input, arguments.structure.options, arguments.output, placed.hydrated(), arguments.shown_map()},
        result, files);
  });
  update_costs(result, stages);
  add_page(arguments.views, result, coarse, input.chemistry, files);
  if (arguments.run.report)
    files.add(*arguments.run.report).write(with_chemistry(json_report(result), input.chemistry));
  files.commit();
  if (!arguments.run.quiet) print_result(out, result, arguments, views);
  return too_few ? too_few_placed : done;
}

/// Of the ions that no model of sites places.
SourceOptions source_of(const PlaceArguments& arguments) {
  if (arguments.pb.given()) return pb_options(arguments.pb);
  if (arguments.map.given()) return arguments.map.files;
  return summation_options(arguments.method);
}

/// But for its ions.
Job job_of(const PlaceArguments& arguments, const Input& input, const std::vector<std::string>& words) {
  Job job{.structure = input.system.acting(),
          .ions = {},
          .source = source_of(arguments),
          .electrostatics = arguments.electrostatics,
          .update = arguments.map.update,
          .lattice = arguments.lattice,
          .exclusion = exclusion_of(arguments.ions),
          .boundary = arguments.box.boundary,
          .backend = backend_options(arguments.backend),
          .field = arguments.field,
          .box = {},
          .hydration = arguments.hydration.options(),
          .command = command_text("place", words)};
  if (input.replaces_water)
    job.box =
        SolvatedBoxJob{input.system.atoms(), box_options(arguments.box, arguments.output.names_of_ions())};
  if (arguments.ions.max_energy_kT) job.most_kT = *arguments.ions.max_energy_kT;
  for (const auto& map : {arguments.map_before, arguments.map_after})
    if (map) job.map_names.push_back(*map);
  return job;
}

/// The observer of a run: what it tells goes to the terminal, the solute's map to a file, and of a run that
/// stops the ions; `saved` then says where.
RunObserver observer_of(const PlaceArguments& arguments, const Input& input, std::ostream& out,
                        OutputFiles& files, std::string& saved) {
  RunObserver observer = terminal_observer(progress_style(arguments.run.quiet));
  if (!arguments.run.quiet)
    observer.planned = [&](const Result& planned) {
      if (arguments.sites.given() && planned.potential.method != "sites") {
        print_plan_around_sites(out, planned);
        return;
      }
      print_plan(out, planned);
      print_decisions(out, input.chemistry);
    };
  if (arguments.map_before)
    observer.filled = [&](const Result& so_far, const Progress& progress) {
      save_map(*arguments.map_before, so_far, MapContents::solute, files, progress);
    };
  observer.stopped = [&](const Result& so_far) {
    saved = save_partial(arguments.output, placed_run(arguments, input, so_far));
  };
  return observer;
}

/// Places the ions of a job without a model of sites.
Result run_by_energy(const PlaceArguments& arguments, Job& job, double solute_charge_e, Stages& stages,
                     const Backends& backends) {
  if (const auto least = read_likely_ions(arguments.ions.ions).least_probability) stop_below(nullptr, *least);
  IonRequests ions =
      parse_ion_requests(arguments.ions.ions, solute_charge_e, arguments.output.names_of_ions());
  job.ions = std::move(ions.requests);
  job.warnings = std::move(ions.warnings);
  return run(job, stages, backends);
}

/// Places ions at sites, and the others of a job around them; `sites` has the first and must outlive the
/// result.
Result run_at_sites(const PlaceArguments& arguments, const Input& input, Job& job, Stages& stages,
                    const Backends& backends, std::optional<Result>& sites) {
  const Method method = arguments.method.method;
  SiteOptions options = site_options(arguments.sites, arguments.ions, method);
  const IonsBySite ions(arguments.ions.ions, net_charge_e(job.structure.atoms),
                        arguments.output.names_of_ions(), options.model);
  if (!ions.has_others()) {
    if (ions.least_probability()) stop_below(&options, *ions.least_probability());
    job.source = options;
    job.ions = ions.at_sites();
    job.warnings = ions.warnings();
    return run(job, stages, backends);
  }
  options = site_options(arguments.sites, {}, method);  // the distances that are given are the others'
  sites.emplace(run(job_at_sites(job, options, ions), stages, backends));
  placed_too_few(arguments.ions, arguments.run.report, input.chemistry,
                 too_few_message(*sites, arguments.lattice), *sites, stages);
  continue_around(job, *sites, ions);
  return run(job, stages, backends);
}

/// Files that the result depends on besides the structure's.
std::vector<std::string> more_inputs(const PlaceArguments& arguments) {
  std::vector<std::string> files = arguments.map.files.paths;
  if (arguments.sites.model_file) files.push_back(*arguments.sites.model_file);
  return files;
}

}  // namespace

int place_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  PlaceArguments arguments;
  if (!parse(words, arguments, out)) return done;
  arguments.map.solved = arguments.pb.given();
  validate(arguments);
  arguments.field.threads = usable_threads(arguments.field.threads);
  if (!arguments.map.given()) pair_potential(arguments.electrostatics);
  arguments.field.every_point = arguments.map_before || arguments.map_after;
  arguments.field.refine = !arguments.no_refine;
  arguments.structure.options.may_be_uncharged = !arguments.box.salts.empty() || arguments.box.waters_act;
  arguments.structure.options.replace_in_box = !arguments.map.given() && !arguments.pb.given();
  arguments.structure.options.ligands_for = ligands_for(arguments.output.engine);
  const auto gpu_start =
      start_gpu_while_reading(backend_options(arguments.backend), arguments.structure.path(),
                              arguments.field.threads, arguments.method.method);
  std::ostream& summary = summary_stream(outputs_of(arguments), out);
  NewFolder folder(arguments.output.folder());
  OutputFiles files;
  std::string saved;
  Input input;
  Stages stages(observer_of(arguments, input, summary, files, saved));
  stages.run("read", [&](const Progress&) {
    input = read_input(arguments.structure.files, arguments.structure.options);
    complete_for_engine(arguments.output, input, {});
  });
  if (arguments.pb.given()) complete_radii(input.system.acting());
  check_view_of_map(arguments.views, arguments.output, arguments.shown_map(), input.system.acting());
  refuse_without_effect(place_in_box_rules(input.replaces_water), arguments.given);
  const std::span<const Atom> charged =
      input.replaces_water ? input.system.atoms() : input.system.acting().atoms;
  Job job = job_of(arguments, input, words);
  const auto checkpoint = open_checkpoint(arguments.checkpoint, "place",
                                          {charged, input.system.acting().cell, more_inputs(arguments)});
  if (checkpoint) stages.save_to(*checkpoint);
  if (!arguments.run.quiet) print_checkpoint(summary, checkpoint.get());
  std::optional<Result> sites;
  Result result = run_noting(checkpoint.get(), saved, [&] {
    return arguments.sites.given() ? run_at_sites(arguments, input, job, stages, backends, sites)
                                   : run_by_energy(arguments, job, net_charge_e(charged), stages, backends);
  });
  const int code = finish(arguments, input, job, result, stages, files, summary, backends);
  folder.keep();
  return code;
}

}  // namespace ionwell
