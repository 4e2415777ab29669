// SPDX-License-Identifier: BSD-3-Clause
#include "python/systems/preparation.hpp"

#include <pybind11/stl.h>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "jobs/box/ions_at_sites.hpp"
#include "jobs/box/solvation_report.hpp"
#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/placement_messages.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/run.hpp"
#include "output/chemistry_report.hpp"
#include "output/engine_input.hpp"
#include "output/folder_checks.hpp"
#include "python/choices.hpp"
#include "python/errors.hpp"
#include "python/following.hpp"
#include "python/job_options.hpp"
#include "python/systems/box_keywords.hpp"
#include "python/systems/made_system.hpp"
#include "structures/engines/engine_residues.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

using SystemPointer = std::shared_ptr<MadeSystem>;

/// What is put into water: a structure, or the files to read it from.
struct GivenStructure {
  SharedInput structure;  // null: to be read
  std::vector<std::string> paths;
  InputOptions read;
};

GivenStructure source_of(const py::object& given, const Keywords& keywords) {
  GivenStructure source{.read = input_options(keywords)};
  if (!py::isinstance<HeldInput>(given)) {
    source.paths = given.cast<std::vector<std::string>>();
    if (source.paths.empty()) fail<UsageError>("structure is an empty list; give the path of a structure");
    return source;
  }
  source.structure = given.cast<SharedInput>();
  const auto refuse = [](const char* name) {
    fail<UsageError>(
        name, " is for files, but structure is already read; give it to ionwell.read, or give paths here");
  };
  for (const char* const name : {"solute", "ignore", "charges", "assembly", "frame", "define", "include",
                                 "ligands", "ph", "five_phosphate", "crystal_ions", "gap_ends"})
    if (keywords.has(name)) refuse(name);
  for (const char* const name : {"replace_nonstandard", "allow_missing"})
    if (keywords.flag(name)) refuse(name);
  if (keywords.has("input_water") && source.read.water != InputWater::solute)
    fail<UsageError>(
        "input_water='ignore' is for files, but structure is already read; give it to ionwell.read, or give "
        "paths here");
  source.read.defines = source.structure->defines;
  source.read.includes = source.structure->includes;
  return source;
}

/// What was read, complete for the engine that the system is made for.
SharedInput read_source(const GivenStructure& source, const InputOptions& options, const SystemOutput& output,
                        const std::string& water_model, Stages& stages) {
  if (source.structure && !output.engine) return source.structure;
  return stages.run("read", [&](const Progress& shown) {
    const auto ticks = [&](double) { shown(0.0); };
    const auto input = std::make_shared<HeldInput>(source.structure ? *source.structure : HeldInput{});
    if (!source.structure) static_cast<Input&>(*input) = read_input(source.paths, options, ticks);
    complete_for_engine(output, *input, water_model, ticks);
    return input;
  });
}

/// What can be refused before a file is read.
void check_engine_before(const GivenStructure& source, const SystemOutput& output,
                         const std::string& water_model) {
  if (!source.structure) check_engine_files(output, source.paths, water_model);
}

std::optional<std::string> engine_of(const Keywords& keywords) {
  return keywords.has("engine") ? std::optional(keywords.text("engine")) : std::nullopt;
}

/// The program's way: the same messages, in the same order.
void tell(const std::vector<std::string>& warnings, const RunObserver& observer, MadeSystem& system) {
  for (const std::string& warning : warnings) observer.warning(warning);
  system.warnings.insert(system.warnings.end(), warnings.begin(), warnings.end());
}

SystemPointer solvate_source(const py::object& given, const py::dict& options, const std::string& command,
                             const py::object& progress) {
  const Keywords keywords(options);
  GivenStructure source = source_of(given, keywords);
  source.read.needs_charges = false;
  SolvationOptions solvation = solvation_options(solvation_request(keywords), source.read.water);
  solvation.fill.threads = keywords.threads();
  const SystemOutput output = engine_output(keywords, IonNaming::pdb);
  if (output.engine) source.read.ligands_for = ligands_for(output.engine);
  source.read.charges_entries = output.engine == Engine::gromacs;
  check_engine_before(source, output, solvation.water_model);
  Following following(progress);
  const auto system = std::make_shared<MadeSystem>();
  system->engine = engine_of(keywords);
  following.run_alone([&] {
    Stages stages(following.observer());
    system->input = read_source(source, source.read, output, solvation.water_model, stages);
    system->read = source.read;
    system->water_model = solvation.water_model;
    system->threads = solvation.fill.threads;
    const Structure& structure = system->input->system.acting();
    tell(structure.warnings, stages.observer(), *system);
    if (output.engine)
      check_left_out(*output.engine, *system->input, system->input->system.has_role({AtomRole::acts}));
    system->solvation.emplace(stages.run("solvate", [&](const Progress&) {
      return solvate(
          structure, solvation,
          links_of_kept(system->input->system.links(), system->input->system.has_role({AtomRole::acts})));
    }));
    tell(system->solvation->warnings, stages.observer(), *system);
    system->report = with_chemistry(solvation_report(*system->solvation, {.command = command,
                                                                          .structure = structure,
                                                                          .output = "",
                                                                          .warnings = system->warnings,
                                                                          .timings_s = stages.times()}),
                                    system->input->chemistry);
    return 0;
  });
  following.tell_warnings();
  return system;
}

/// The waters of files stay, as those of a crystal do: they are in the box, and do not act.
InputOptions options_with_crystal_waters(const GivenStructure& source) {
  InputOptions options = source.read;
  if (options.water != InputWater::ignore) options.water = InputWater::replace;
  options.may_be_uncharged = true;  // a job with ions to place by energy refuses it
  return options;
}

struct IonChoices {
  py::object ions;
  bool allow_fewer;
  std::string ion_names, command;
};

bool are_too_few(const Placement& placement) {
  return std::ssize(placement.ions) < placement.requested;
}

/// What is placed at the sites of crystals, before the water; its ions are known once files are read.
struct Sites {
  SiteOptions model;
  std::vector<std::string> hydrate;
};

std::optional<Sites> sites_in(const Keywords& keywords, const std::vector<std::string>& hydrate) {
  if (!keywords.has("model")) {
    if (keywords.has("model_file"))
      fail<UsageError>("model_file needs model, which is not given; add that, or leave it out");
    if (!hydrate.empty())
      fail<UsageError>(
          "hydrate needs ions at sites (model='sites'), because ions that replace waters are surrounded by "
          "water already; add that, or leave it out");
    return {};
  }
  py::dict of_model;  // the distances that are given are those of ions in water
  for (const char* const name : {"model", "model_file"})
    if (keywords.has(name)) of_model[name] = keywords[name];
  for (const std::string& text : hydrate) parse_hydration_request(text);
  return Sites{JobOptions(of_model).sites(), hydrate};
}

/// The keywords without those of ions at sites.
py::dict in_water_only(const py::dict& options) {
  py::dict others;
  for (const auto& [name, value] : options)
    if (const auto text = name.cast<std::string>(); text != "model" && text != "model_file")
      others[name] = value;
  return others;
}

/// Ions at sites, and what the program says of them.
Result place_before_water(const Sites& sites, const Job& like, const BoxOptions& box,
                          const MadeSystem& system, bool allow_fewer, const std::vector<IonRequest>& ions,
                          Stages& stages) {
  const Structure& acting = system.input->system.acting();
  require_charges(acting);
  const SiteStage stage{.sites = sites.model,
                        .ions = ions,
                        .hydration = shells_at_sites(sites.hydrate, ions, system.water_model),
                        .backend = like.backend,
                        .field = like.field,
                        .command = like.command,
                        .salts = box.salt.salts};
  Result result = place_at_sites(acting, stage, stages, {&gpu_backend()});
  const RunObserver& observer = stages.observer();
  if (const auto few = too_few_at_sites(result); few && allow_fewer && !result.placement.ions.empty())
    warn(result.run, observer, {*few});
  if (const auto warning = repelled_ions_warning(result)) warn(result.run, observer, {*warning});
  return result;
}

/// What prepare does once the structure is in water.
void place_in_box(MadeSystem& system, Job& job, bool allow_fewer, Stages& stages) {
  Result& result = system.result.emplace(run(job, stages, {&gpu_backend()}));
  const RunObserver& observer = stages.observer();
  if (const std::optional<Result>& sites = system.prepared->sites) {
    result.run.warnings.insert(result.run.warnings.begin(), sites->run.warnings.begin(),
                               sites->run.warnings.end());
    system.ions = sites->placement.ions;
  }
  system.ions.insert(system.ions.end(), result.placement.ions.begin(), result.placement.ions.end());
  warn(result.run, observer, pair_warnings(*system.prepared, result.placement));
  if (const auto warning = repelled_ions_warning(result)) warn(result.run, observer, {*warning});
  if (are_too_few(result.placement) && allow_fewer && !result.placement.ions.empty())
    warn(result.run, observer, {too_few_message(result, {})});
  system.remaining.emplace(remaining_box(*system.prepared, result));
  update_costs(result, stages);
  system.warnings = result.run.warnings;
  system.report = with_chemistry(json_report(result), system.input->chemistry);
}

/// Throws TooFewPlaced, with the system, where not all ions found room and that is an error.
void check_placed(const Result& result, const std::string& message, bool allow_fewer,
                  const SystemPointer& system) {
  const Placement& placement = result.placement;
  if (!are_too_few(placement) || (allow_fewer && !placement.ions.empty())) return;
  fail_for_too_few(message + (placement.ions.empty() ? "" : " (allow_fewer=True returns the placed ones)"),
                   py::cast(system));
}

SystemPointer prepare_source(const py::object& given, const IonChoices& choices, const py::dict& options,
                             const py::object& progress) {
  const JobOptions keywords(in_water_only(options));
  std::optional<Sites> sites = sites_in(Keywords(options), JobOptions::hydration_texts(Keywords(options)));
  GivenStructure source = source_of(given, keywords);
  const auto system = std::make_shared<MadeSystem>();
  const SystemOutput output = engine_output(keywords, ion_names_of(choices.ion_names));
  if (output.engine) source.read.ligands_for = ligands_for(output.engine);
  system->engine = engine_of(keywords);
  system->naming = output.names_of_ions();
  const std::vector<std::string> ion_texts =
      choices.ions.is_none() ? std::vector<std::string>() : JobOptions::ion_texts(choices.ions);
  if (const auto least = read_likely_ions(ion_texts).least_probability)
    stop_below(sites ? &sites->model : nullptr, *least);
  const BoxRequest asked = box_request(keywords);
  if (ion_texts.empty() && asked.salts.empty())
    fail<UsageError>(
        "ions and salt are missing; say which ions to place, for example {'NA': 'neutralize'} or "
        "salt={'NaCl': 0.15}, or use ionwell.solvate for water alone");
  const BoxOptions box = box_options(asked, system->naming);
  SolvationOptions solvation = solvation_options(solvation_request(keywords), source.read.water);
  solvation.fill.threads = keywords.threads();
  system->water_model = solvation.water_model;
  system->threads = solvation.fill.threads;
  static const Structure none;
  Job checked{.structure = none, .command = choices.command};  // before anything is read
  keywords.fill(checked);
  validate(checked.exclusion);
  pair_potential(checked.electrostatics);
  check_engine_before(source, output, solvation.water_model);
  Following following(progress);
  following.run_alone([&] {
    Stages stages(following.observer());
    system->input =
        read_source(source, options_with_crystal_waters(source), output, solvation.water_model, stages);
    system->read = source.read;
    const System& files = system->input->system;
    if (output.engine) check_left_out(*output.engine, *system->input, atoms_in_box(files));
    const double charge_e = net_charge_e(files.atoms());
    IonRequests ions;
    std::optional<Result> before;
    if (sites) {
      const IonsBySite by_site(ion_texts, charge_e, system->naming, sites->model.model);
      before.emplace(
          place_before_water(*sites, checked, box, *system, choices.allow_fewer, by_site.at_sites(), stages));
      ions = by_site.others(before->placement);
      ions.warnings.insert(ions.warnings.begin(), by_site.warnings().begin(), by_site.warnings().end());
    } else {
      ions = parse_ion_requests(ion_texts, charge_e, system->naming);
    }
    system->prepared.emplace(stages.run(
        "solvate", [&](const Progress&) { return prepare_box(files, solvation, std::move(before)); }));
    Job& job = system->job.emplace(Job{
        .structure = system->prepared->system.acting(), .ions = ions.requests, .command = choices.command});
    {
      const py::gil_scoped_acquire acquire;
      keywords.fill(job);
    }
    job.box = system->prepared->box(box);
    job.warnings = ions.warnings;
    job.warnings.insert(job.warnings.end(), system->prepared->warnings.begin(),
                        system->prepared->warnings.end());
    place_in_box(*system, job, choices.allow_fewer, stages);
    return 0;
  });
  following.tell_warnings();
  if (const std::optional<Result>& before = system->prepared->sites)
    check_placed(*before, too_few_at_sites(*before).value_or(""), choices.allow_fewer, system);
  check_placed(*system->result, too_few_message(*system->result, {}), choices.allow_fewer, system);
  return system;
}

}  // namespace

void add_preparation(py::module_& module) {
  module.def("solvate", solvate_source, "structure"_a, "options"_a, py::kw_only(), "command"_a, "progress"_a);
  module.def(
      "prepare",
      [](const py::object& structure, const py::object& ions, const py::dict& options, bool allow_fewer,
         const std::string& ion_names, const std::string& command, const py::object& progress) {
        return prepare_source(structure, {ions, allow_fewer, ion_names, command}, options, progress);
      },
      "structure"_a, "ions"_a, "options"_a, py::kw_only(), "allow_fewer"_a, "ion_names"_a, "command"_a,
      "progress"_a);
}

}  // namespace ionwell::python
