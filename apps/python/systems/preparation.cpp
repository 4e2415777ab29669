#include "python/systems/preparation.hpp"

#include <pybind11/stl.h>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "jobs/box/solvation_report.hpp"
#include "jobs/place/job/placement_messages.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/run.hpp"
#include "output/chemistry_report.hpp"
#include "python/choices.hpp"
#include "python/errors.hpp"
#include "python/following.hpp"
#include "python/job_options.hpp"
#include "python/systems/box_keywords.hpp"
#include "python/systems/made_system.hpp"

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
        name, " is for files, and structure has been read; give it to ionwell.read, or give paths here");
  };
  for (const char* const name : {"solute", "ignore", "charges", "assembly", "frame", "define", "include",
                                 "ligands", "ph", "five_phosphate", "crystal_ions", "gap_ends"})
    if (keywords.has(name)) refuse(name);
  for (const char* const name : {"replace_nonstandard", "allow_missing"})
    if (keywords.flag(name)) refuse(name);
  if (keywords.has("input_water") && source.read.water != InputWater::solute)
    fail<UsageError>(
        "input_water='ignore' is for files, and structure has been read; give it to ionwell.read, or give "
        "paths here");
  source.read.defines = source.structure->defines;
  source.read.includes = source.structure->includes;
  return source;
}

SharedInput read_source(const GivenStructure& source, const InputOptions& options, Stages& stages) {
  if (source.structure) return source.structure;
  return stages.run("read", [&](const Progress& shown) {
    const auto input = std::make_shared<HeldInput>();
    static_cast<Input&>(*input) = read_input(source.paths, options, [&](double) { shown(0.0); });
    return input;
  });
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
  Following following(progress);
  const auto system = std::make_shared<MadeSystem>();
  following.run_alone([&] {
    Stages stages(following.observer());
    system->input = read_source(source, source.read, stages);
    system->read = source.read;
    system->water_model = solvation.water_model;
    system->threads = solvation.fill.threads;
    const Structure& structure = system->input->system.acting();
    tell(structure.warnings, stages.observer(), *system);
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

/// What prepare does once the structure is in water.
void place_in_box(MadeSystem& system, Job& job, bool allow_fewer, Stages& stages) {
  Result& result = system.result.emplace(run(job, stages, {&gpu_backend()}));
  const RunObserver& observer = stages.observer();
  warn(result.run, observer, pair_warnings(*system.prepared, result.placement));
  if (const auto warning = repelled_ions_warning(result)) warn(result.run, observer, {*warning});
  const bool too_few = std::ssize(result.placement.ions) < result.placement.requested;
  if (too_few && allow_fewer && !result.placement.ions.empty())
    warn(result.run, observer, {too_few_message(result, {})});
  system.remaining.emplace(remaining_box(*system.prepared, result));
  update_costs(result, stages);
  system.warnings = result.run.warnings;
  system.report = with_chemistry(json_report(result), system.input->chemistry);
}

SystemPointer prepare_source(const py::object& given, const IonChoices& choices, const py::dict& options,
                             const py::object& progress) {
  const JobOptions keywords(options);
  const GivenStructure source = source_of(given, keywords);
  const auto system = std::make_shared<MadeSystem>();
  system->naming = ion_names_of(choices.ion_names);
  const std::vector<std::string> ion_texts =
      choices.ions.is_none() ? std::vector<std::string>() : JobOptions::ion_texts(choices.ions);
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
  {
    static const Structure none;
    Job checked{.structure = none};  // before anything is read
    keywords.fill(checked);
    validate(checked.exclusion);
    pair_potential(checked.electrostatics);
  }
  Following following(progress);
  following.run_alone([&] {
    Stages stages(following.observer());
    system->input = read_source(source, options_with_crystal_waters(source), stages);
    system->read = source.read;
    const IonRequests ions =
        parse_ion_requests(ion_texts, net_charge_e(system->input->system.atoms()), system->naming);
    system->prepared.emplace(stages.run(
        "solvate", [&](const Progress&) { return prepare_box(system->input->system, solvation); }));
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
  const Placement& placement = system->result->placement;
  if (std::ssize(placement.ions) < placement.requested && (!choices.allow_fewer || placement.ions.empty()))
    fail_for_too_few(too_few_message(*system->result, {}) +
                         (placement.ions.empty() ? "" : " (allow_fewer=True takes those that did)"),
                     py::cast(system));
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
