// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/box/prepare.hpp"
#include "compute/backend.hpp"
#include "jobs/box/ions_at_sites.hpp"
#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/placement_messages.hpp"

#include <cmath>
#include <iostream>

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/preset.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "files/new_folder.hpp"
#include "ionwell/box_arguments.hpp"
#include "ionwell/commands.hpp"
#include "ionwell/gpu_start.hpp"
#include "ionwell/hydration_arguments.hpp"
#include "ionwell/ion_arguments.hpp"
#include "ionwell/output/system_options.hpp"
#include "ionwell/running/checkpoint_arguments.hpp"
#include "ionwell/site_arguments.hpp"
#include "ionwell/solvation_arguments.hpp"
#include "ionwell/structure_input.hpp"
#include "ionwell/summaries/box_summary.hpp"
#include "ionwell/summaries/chemistry_summary.hpp"
#include "ionwell/summaries/placement_summary.hpp"
#include "ionwell/summaries/plan_summary.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "ionwell/summaries/solvation_summary.hpp"
#include "ionwell/summaries/structure_summary.hpp"
#include "ionwell/terminal_observer.hpp"
#include "ionwell/views/view_outputs.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/run.hpp"
#include "output/chemistry_report.hpp"
#include "output/engine_input.hpp"
#include "output/folder_checks.hpp"
#include "output/solvated_files.hpp"
#include "placement/ion.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

struct PrepareArguments {
  StructureArguments structure;
  SystemOutput output;
  IonArguments ions;
  SiteArguments sites;
  std::vector<std::string> hydrate;  // NAME[:N]
  BoxRequest box;
  SolvationRequest solvation;
  ElectrostaticsOptions electrostatics;
  FieldOptions field;
  BackendArguments backend;
  RunArguments run;
  ViewArguments views;  // the page alone
  std::optional<std::string> preset, save_preset;
  std::vector<OptionSetting> settings;  // of all options, which refer to this
  CheckpointArguments checkpoint;
};

PresetRules preset_rules() {
  return {.command = "prepare",
          .left_out = {"output", "report", "html", "quiet", "preset", "save-preset", "checkpoint",
                       "checkpoint-every", "resume", "threads", "simd", "backend", "devices", "gpu-memory",
                       "keep-pdb2pqr", "include"}};
}

void add_options(CommandLine& line, PrepareArguments& arguments) {
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  OptionGroup& ions = line.group("Ions");
  add_ion_options(ions, arguments.ions);
  add_site_options(ions, line.tuning(), arguments.sites, SiteIons::before_water);
  add_hydrate_option(ions, arguments.hydrate);
  OptionGroup& salt = line.group("Water and salt");
  add_salt_options(salt, line.tuning(), arguments.box);
  add_water_options(salt, line.tuning(), arguments.solvation);
  add_box_options(salt, line.tuning(), arguments.box);
  add_cell_options(line.group("Cell"), arguments.solvation);
  add_structure_options(line, arguments.structure, WaterChoices::crystal);
  OptionGroup& output = line.group("Output");
  output.add("output,o", arguments.output.path, "FILE",
             "file for the whole system; its ending sets the format: .pdb, .cif, .gro, .pqr, .crd, .rst7 or "
             ".xyz, also with .gz; - is PDB on standard output");
  output.require_last();
  add_engine_option(output, arguments.output);
  add_ion_names_option(output, arguments.output);
  add_water_names_option(output, arguments.output);
  add_serials_option(output, arguments.output);
  add_run_options(output, arguments.run);
  add_html_option(output, arguments.views);
  OptionGroup& preset = line.group("Presets");
  preset.add("preset", arguments.preset, "FILE",
             "use the options in this file; options on the command line override them");
  preset.add("save-preset", arguments.save_preset, "FILE",
             "write the options of this run to a file (JSON), except files and options for computing");
  add_electrostatics_options(line.group("Electrostatics"), arguments.electrostatics);
  OptionGroup& computing = line.group("Computing");
  add_backend_options(computing, line.tuning(), arguments.backend, Computed::ions);
  add_computing_options(computing, line.tuning(), arguments.field);
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
}

bool parse(const std::vector<std::string>& words, PrepareArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "prepare",
       .synopsis = std::string(structure_files) + " --ion NAME:COUNT ... --salt FORMULA:M -o FILE",
       .about =
           "Prepares a structure for a simulation: it assigns charges, adds a periodic cell of water, "
           "replaces waters by ions where their energy is lowest, adds salt, and writes the input files of "
           "an engine. With --model sites, Mg2+ is placed first, where crystals of RNA have it. The result "
           "is that of 'ionwell solvate' followed by 'ionwell place' with the same options. " +
           std::string(about_structure_files),
       .examples =
           "  ionwell prepare rna.pqr --ion MG:4 --ion NA:neutralize --salt NaCl:0.15 -o system.pdb\n"
           "      four Mg2+, Na+ until the net charge is zero, and 0.15 mol/L of NaCl, in a cube of TIP3P\n"
           "  ionwell prepare topol.top conf.gro --salt KCl:0.1 --cell-shape dodecahedron --for gromacs -o "
           "run\n"
           "      after GROMACS's pdb2gmx: grompp reads run/topol.top and run/conf.gro\n"
           "  ionwell prepare 1ehz.pdb --ion MG:12 --salt NaCl:0.15 --water-model opc --for amber -o run "
           "--save-preset opc.json\n"
           "      with charges from PDB2PQR; opc.json keeps the options for the next structure\n"
           "  ionwell prepare 1ehz.pdb --model sites --ion MG:6 --hydrate MG:6 --salt NaCl:0.15 --for amber "
           "-o run\n"
           "      six Mg2+ with their waters where crystals have them, then water, counter-ions and salt\n"
           "  ionwell prepare 1ehz.pdb --model sites --ion MG:likely --ion NA:neutralize --for amber -o run\n"
           "      as many Mg2+ as are likely to be near a site, Na+ for the rest of the charge, and water\n"
           "  ionwell prepare 4tna.pdb --preset opc.json --ion MG:9 --for amber -o other\n"
           "      the same options with nine Mg2+\n",
       .common = {"ion", "model", "hydrate", "salt", "water-model", "padding", "cell-shape", "pH", "output",
                  "for", "html", "preset"}});
  add_options(line, arguments);
  line.add_rules(prepare_rules());
  std::vector<std::string> preset;
  const GivenOptions given = line.given(words);
  if (given.has("preset") && !given.has("help") && !given.has("help-all"))
    preset = preset_words(given.value("preset"), preset_rules(), line.settings(), given);
  arguments.settings = arguments.checkpoint.settings = line.settings();
  return line.parse(words, out, preset);
}

std::vector<RequestedOutput> outputs_of(const PrepareArguments& arguments) {
  return {{"-o", arguments.output.file()},
          {"--report", arguments.run.report},
          {"--html", arguments.views.html},
          {"--save-preset", arguments.save_preset},
          requested_checkpoint(arguments.checkpoint)};
}

/// What the options mean, once all is refused that can be before a file is read.
struct Preparation {
  SolvationOptions solvation;
  BoxOptions box;
  std::optional<SiteOptions> sites;
};

Preparation validated(const PrepareArguments& arguments) {
  validate(arguments.output, "for the system, for example -o system.pdb");
  if (arguments.ions.ions.empty() && arguments.box.salts.empty())
    fail<UsageError>(
        "--ion and --salt are missing; say which ions to place, for example --ion NA:neutralize or --salt "
        "NaCl:0.15, or use 'ionwell solvate' for water alone");
  Preparation preparation{solvation_options(arguments.solvation, arguments.structure.options.water),
                          box_options(arguments.box, arguments.output.names_of_ions())};
  preparation.solvation.fill.threads = arguments.field.threads;
  // The distances that are given are those of ions in water.
  if (arguments.sites.given()) preparation.sites = site_options(arguments.sites, {}, Method::automatic);
  if (const auto least = read_likely_ions(arguments.ions.ions).least_probability)
    stop_below(preparation.sites ? &*preparation.sites : nullptr, *least);
  for (const std::string& text : arguments.hydrate) parse_hydration_request(text);
  validate(exclusion_of(arguments.ions));
  pair_potential(arguments.electrostatics);
  backend_options(arguments.backend);
  validate(arguments.checkpoint);
  std::vector<std::string> inputs = arguments.structure.files;
  if (arguments.preset) inputs.push_back(*arguments.preset);
  if (arguments.sites.model_file) inputs.push_back(*arguments.sites.model_file);
  check_inputs(inputs);
  check_engine_files(arguments.output, arguments.structure.files, preparation.solvation.water_model);
  check_outputs(inputs, outputs_of(arguments));
  return preparation;
}

/// The structure, whose own waters stay as those of a crystal do: they are in the box, and do not act.
Input read(const PrepareArguments& arguments, const std::string& water_model) {
  StructureArguments structure = arguments.structure;
  if (structure.options.water != InputWater::ignore) structure.options.water = InputWater::replace;
  structure.options.may_be_uncharged =
      !arguments.sites.given() && (!arguments.box.salts.empty() || arguments.box.waters_act);
  Input input = read_input(structure.files, structure.options);
  complete_for_engine(arguments.output, input, water_model);
  return input;
}

/// The ions at sites, which come before the water, and what there is to say of them.
Result at_sites(const PrepareArguments& arguments, const Preparation& preparation, const Input& input,
                const std::vector<IonRequest>& ions, const std::vector<std::string>& words, Stages& stages,
                const Backends& backends) {
  const SiteStage stage{
      .sites = *preparation.sites,
      .ions = ions,
      .hydration = shells_at_sites(arguments.hydrate, ions, preparation.solvation.water_model),
      .backend = backend_options(arguments.backend),
      .field = arguments.field,
      .command = command_text("prepare", words),
      .salts = preparation.box.salt.salts};
  Result sites = place_at_sites(input.system.acting(), stage, stages, backends);
  placed_too_few(arguments.ions, arguments.run.report, input.chemistry, too_few_at_sites(sites).value_or(""),
                 sites, stages);
  if (const auto warning = repelled_ions_warning(sites)) warn(sites.run, stages.observer(), {*warning});
  return sites;
}

/// All that is there before the ions in water, for a checkpoint; none without one.
std::vector<Atom> atoms_before(const CheckpointArguments& checkpoint, const Input& input,
                               const std::optional<Result>& sites) {
  if (!checkpoint.given()) return {};
  std::vector<Atom> atoms(input.system.atoms().begin(), input.system.atoms().end());
  if (!sites) return atoms;
  const std::vector<Atom> added = atoms_at_sites(*sites);
  atoms.insert(atoms.end(), added.begin(), added.end());
  return atoms;
}

Job job_of(const PrepareArguments& arguments, const PreparedBox& prepared, const BoxOptions& box,
           const IonRequests& ions, const std::vector<std::string>& words) {
  Job job{.structure = prepared.system.acting(),
          .ions = ions.requests,
          .source = SummationOptions{},
          .electrostatics = arguments.electrostatics,
          .update = {},
          .lattice = {},
          .exclusion = exclusion_of(arguments.ions),
          .backend = backend_options(arguments.backend),
          .field = arguments.field,
          .box = prepared.box(box),
          .command = command_text("prepare", words),
          .warnings = ions.warnings};
  job.warnings.insert(job.warnings.end(), prepared.warnings.begin(), prepared.warnings.end());
  if (arguments.ions.max_energy_kT) job.most_kT = *arguments.ions.max_energy_kT;
  return job;
}

/// "4 MG (+2), 18 NA (+1)": those that were not placed at random, in the order of placement.
std::string placed_by_energy(const Placement& placement) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const PlacedIon& ion : placement.ions) {
    if (ion.by_chance) continue;
    const std::string name = ion.species.name + " (" + charge_text(ion.species.charge_e) + ')';
    if (counts.empty() || counts.back().first != name) counts.emplace_back(name, 0);
    ++counts.back().second;
  }
  std::string text;
  for (const auto& [name, count] : counts) text += (text.empty() ? "" : ", ") + grouped(count) + ' ' + name;
  return text;
}

void print_result(std::ostream& out, const PrepareArguments& arguments, const Input& input,
                  const SolvationOptions& solvation, const PreparedBox& prepared,
                  const RemainingBox& remaining, const Result& result) {
  const Solvation& made = prepared.solvation;
  print_structure_kinds(out, prepared.sites ? input.system.acting() : prepared.system.acting(),
                        input.replaces_water ? CellUse::made : CellUse::unused);
  print_decisions(out, input.chemistry);
  print_own_cell(out, input.system.acting());
  if (prepared.sites) {
    print_row(out, "at sites", describe_ions(prepared.sites->placement), "; ",
              describe_method(*prepared.sites));
    if (read_likely_ions(arguments.ions.ions).least_probability) print_expected_sites(out, *prepared.sites);
    if (prepared.sites->hydration) print_hydration(out, *prepared.sites->hydration);
  }
  print_solvation_cell(out, solvation, made);
  print_solvation(out, made);
  print_row(out, "electrostatics", describe_electrostatics(result.potential.electrostatics), "; ",
            describe_method(result));
  if (result.box) print_box_plan(out, *result.box);
  if (const std::string ions = placed_by_energy(result.placement); !ions.empty())
    print_row(out, "by energy", ions);
  if (result.box) print_box_result(out, result);
  std::int64_t gone = 0;
  for (const AtomRange& range : remaining.replaced) gone += std::int64_t(range.end - range.begin);
  print_row(out, "system",
            count_of(std::ssize(prepared.solute()) - gone +
                         (prepared.sites ? std::ssize(prepared.sites->placement.ions) : 0) +
                         std::ssize(result.placement.ions) +
                         remaining.waters.size() * std::int64_t(remaining.waters.atoms_each()),
                     "atom"));
  print_row(out, "net charge", charge_text(charge_before_e(result)), " e before, ",
            charge_text(charge_after_e(result)), " e after");
  print_times(out, result.run);
  print_files(out,
              {arguments.output.path, arguments.run.report, arguments.views.html, arguments.save_preset});
}

}  // namespace

int prepare_command(const std::vector<std::string>& words, std::ostream& out, const Backends& backends) {
  PrepareArguments arguments;
  if (!parse(words, arguments, out)) return done;
  arguments.field.threads = usable_threads(arguments.field.threads);
  const Preparation preparation = validated(arguments);
  arguments.structure.options.ligands_for = ligands_for(arguments.output.engine);
  const auto gpu_start = start_gpu_while_reading(backend_options(arguments.backend),
                                                 arguments.structure.path(), arguments.field.threads);
  NewFolder folder(arguments.output.folder());
  Stages stages(terminal_observer(progress_style(arguments.run.quiet)));
  const Input input =
      stages.run("read", [&](const Progress&) { return read(arguments, preparation.solvation.water_model); });
  if (arguments.output.engine) check_left_out(*arguments.output.engine, input, atoms_in_box(input.system));
  const double charge_e = net_charge_e(input.system.atoms());
  const IonNaming naming = arguments.output.names_of_ions();
  IonRequests ions;
  std::optional<Result> sites;
  if (preparation.sites) {
    const IonsBySite by_site(arguments.ions.ions, charge_e, naming, preparation.sites->model);
    sites.emplace(at_sites(arguments, preparation, input, by_site.at_sites(), words, stages, backends));
    ions = by_site.others(sites->placement);
    ions.warnings.insert(ions.warnings.begin(), by_site.warnings().begin(), by_site.warnings().end());
  } else {
    ions = parse_ion_requests(arguments.ions.ions, charge_e, naming);
  }
  const std::vector<Atom> before = atoms_before(arguments.checkpoint, input, sites);
  const PreparedBox prepared = stages.run("solvate", [&](const Progress&) {
    return prepare_box(input.system, preparation.solvation, std::move(sites));
  });
  const Job job = job_of(arguments, prepared, preparation.box, ions, words);
  const auto checkpoint =
      open_checkpoint(arguments.checkpoint, "prepare", {before, input.system.acting().cell, {}});
  if (checkpoint) stages.save_to(*checkpoint);
  Result result = run_noting(checkpoint.get(), {}, [&] { return run(job, stages, backends); });
  if (prepared.sites) {
    const std::vector<std::string>& told = prepared.sites->run.warnings;
    result.run.warnings.insert(result.run.warnings.begin(), told.begin(), told.end());
  }
  const bool too_few =
      placed_too_few(arguments.ions, arguments.run.report, input.chemistry, too_few_message(result, {}),
                     result, stages) ||
      (prepared.sites && std::ssize(prepared.sites->placement.ions) < prepared.sites->placement.requested);
  warn(result.run, stages.observer(), pair_warnings(prepared, result.placement));
  if (const auto warning = repelled_ions_warning(result)) warn(result.run, stages.observer(), {*warning});
  warn(result.run, stages.observer(),
       arguments.output.engine ? engine_warnings(*arguments.output.engine, {.atoms = input.system.atoms(),
                                                                            .cell = prepared.solvation.cell,
                                                                            .topology = input.topology})
                               : system_warnings(prepared.solvation.cell, arguments.output.path));

  const RemainingBox remaining = remaining_box(prepared, result);
  const CoarseMap coarse = prepare_page(arguments.views, job, stages, backends);
  OutputFiles files;
  stages.run("write", [&](const Progress& progress) {
    add_solvated_files(arguments.output, input, arguments.structure.options,
                       prepared_parts(prepared, remaining, result), files, arguments.field.threads, progress);
  });
  update_costs(result, stages);
  add_page(arguments.views, result, coarse, input.chemistry, files);
  if (arguments.run.report)
    files.add(*arguments.run.report).write(with_chemistry(json_report(result), input.chemistry));
  if (arguments.save_preset) {
    complete(arguments.solvation);
    complete(arguments.box);
    files.add(*arguments.save_preset).write(preset_text(preset_rules(), arguments.settings));
  }
  files.commit();
  folder.keep();
  if (!arguments.run.quiet)
    print_result(summary_stream(outputs_of(arguments), out), arguments, input, preparation.solvation,
                 prepared, remaining, result);
  return too_few ? too_few_placed : done;
}

}  // namespace ionwell
