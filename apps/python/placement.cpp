// SPDX-License-Identifier: BSD-3-Clause
#include "python/placement.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "core/text/note.hpp"
#include "files/new_folder.hpp"
#include "files/output_file.hpp"
#include "gpu/backend.hpp"
#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/placement_messages.hpp"
#include "jobs/place/job/report.hpp"
#include "jobs/place/run.hpp"
#include "jobs/place/sites_first.hpp"
#include "output/chemistry_report.hpp"
#include "output/folder_checks.hpp"
#include "output/placed_files.hpp"
#include "output/views/html_report.hpp"
#include "python/arrays/arrays.hpp"
#include "python/choices.hpp"
#include "python/errors.hpp"
#include "python/file_choices.hpp"
#include "python/following.hpp"
#include "python/job_options.hpp"
#include "python/map.hpp"
#include "python/structure.hpp"
#include "python/word_choice.hpp"
#include "structures/assign_radii.hpp"
#include "structures/structure_checks.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

/// A result with all that it looks at.
struct PlacedResult {
  SharedInput input;
  std::shared_ptr<const Structure> structure;  // the input's, or one with radii
  Job job;                                     // that it is of, without ions that came before at sites
  Result result;
  HydratedAs hydrated_as = HydratedAs::waters;
  std::shared_ptr<SharedMap> solute_map, map;  // where they were asked for

  const std::vector<PlacedIon>& ions() const { return result.placement.ions; }
};

/// The input's, but for a solver, which needs radii.
std::shared_ptr<const Structure> structure_for(const SharedInput& input, Source source) {
  std::shared_ptr<const Structure> own(input, &input->system.acting());
  if (source != Source::solver) return own;
  const auto completed = std::make_shared<Structure>(*own);
  complete_radii(*completed);
  return completed;
}

HydratedAs hydrated_as_of(const Keywords& keywords) {
  if (!keywords.has("hydrate_as")) return HydratedAs::waters;
  return chosen<HydratedAs>(keywords.text("hydrate_as"), "hydrate_as",
                            {{"waters", HydratedAs::waters}, {"residue", HydratedAs::residue}});
}

HydrationOptions hydration_in(const Keywords& keywords, HydratedAs written_as) {
  const std::vector<std::string> texts = JobOptions::hydration_texts(keywords);
  if (texts.empty() && (keywords.has("hydrate_as") || keywords.has("hydrate_water")))
    fail<UsageError>(keywords.has("hydrate_as") ? "hydrate_as" : "hydrate_water",
                     " needs hydrate, which is not given; add that, or leave it out");
  return hydration_options(
      texts, keywords.has("hydrate_water") ? keywords.text("hydrate_water") : std::string("tip3p"),
      written_as);
}

struct PlaceSettings {
  bool allow_fewer, maps;
  std::string ion_names, command;
  HydratedAs hydrated_as;
};

/// Ions at sites of crystals that come before those of a job.
struct IonsBefore {
  SiteOptions sites;
  IonsBySite ions;
};

bool are_too_few(const Placement& placement) {
  return std::ssize(placement.ions) < placement.requested;
}

/// Runs `job`, whose ions are around those that come before, if any. Where these have no room and that is an
/// error, they are the result.
Result run_both(Job& job, const std::optional<IonsBefore>& before, const PlaceSettings& settings,
                Stages& stages) {
  if (!before) return run(job, stages, {&gpu_backend()});
  Result sites = run(job_at_sites(job, before->sites, before->ions), stages, {&gpu_backend()});
  if (are_too_few(sites.placement)) {
    if (!settings.allow_fewer || sites.placement.ions.empty()) return sites;
    warn(sites.run, stages.observer(), {too_few_message(sites, job.lattice)});
  }
  continue_around(job, sites, before->ions);
  Result result = run(job, stages, {&gpu_backend()});
  job.sites = nullptr;  // the result has its ions
  return result;
}

/// What the program does between reading and writing.
std::shared_ptr<PlacedResult> run_job(const SharedInput& input,
                                      const std::shared_ptr<const Structure>& structure, Job job,
                                      const std::optional<IonsBefore>& before, const PlaceSettings& settings,
                                      const RunObserver& observer) {
  std::shared_ptr<SharedMap> solute_map, map;
  RunObserver with_maps = observer;
  if (settings.maps)
    with_maps.filled = [&](const Result& so_far, const Progress&) {
      solute_map = shared_map(map_of(so_far, MapContents::solute));
    };
  Stages stages(with_maps);
  Result result = run_both(job, before, settings, stages);
  if (settings.maps) map = shared_map(map_of(result, MapContents::solute_and_ions));
  if (const auto warning = repelled_ions_warning(result)) warn(result.run, observer, {*warning});
  if (are_too_few(result.placement) && settings.allow_fewer && !result.placement.ions.empty())
    warn(result.run, observer, {too_few_message(result, job.lattice)});
  update_costs(result, stages);
  result.field.reset();
  return std::make_shared<PlacedResult>(PlacedResult{
      input, structure, job, std::move(result), settings.hydrated_as, std::move(solute_map), std::move(map)});
}

/// The ions of `job`, whose options are filled in; those at sites that come before them, if any, are the
/// result.
std::optional<IonsBefore> take_ions(const JobOptions& options, const py::object& ions, IonNaming naming,
                                    Job& job) {
  const std::vector<std::string> texts = JobOptions::ion_texts(ions);
  const double charge_e = net_charge_e(job.structure.atoms);
  if (options.source() != Source::sites) {
    options.fill(job);
    if (const auto least = read_likely_ions(texts).least_probability) stop_below(nullptr, *least);
    IonRequests requests = parse_ion_requests(texts, charge_e, naming);
    job.ions = std::move(requests.requests);
    job.warnings = std::move(requests.warnings);
    return {};
  }
  const IonsBySite by_site(texts, charge_e, naming, options.sites().model);
  if (by_site.has_others()) {
    options.fill_around_sites(job);
    return IonsBefore{options.sites_alone(), by_site};
  }
  options.fill(job);
  if (by_site.least_probability())
    stop_below(std::get_if<SiteOptions>(&job.source), *by_site.least_probability());
  job.ions = by_site.at_sites();
  job.warnings = by_site.warnings();
  return {};
}

std::shared_ptr<PlacedResult> place(const SharedInput& input, const py::object& ions, const py::dict& given,
                                    const PlaceSettings& settings, const py::object& progress) {
  const JobOptions options(given);
  const std::shared_ptr<const Structure> structure = structure_for(input, options.source());
  require_charges(*structure);
  Job job{.structure = *structure, .command = settings.command};
  const std::optional<IonsBefore> before = take_ions(options, ions, ion_names_of(settings.ion_names), job);
  job.hydration = hydration_in(options, settings.hydrated_as);
  job.field.every_point = settings.maps;
  if (settings.maps && (options.source() == Source::solver || options.source() == Source::sites))
    fail<UsageError>("maps=True cannot be used with ", options.source() == Source::solver ? "pb" : "model",
                     ", which has no single map; leave it out");
  Following following(progress);
  const RunObserver observer = following.observer();
  const auto work = [&] { return run_job(input, structure, job, before, settings, observer); };
  const auto placed = options.source() == Source::solver ? following.run_alone(work) : following.run(work);
  following.tell_warnings();
  const Placement& placement = placed->result.placement;
  if (are_too_few(placement) && (!settings.allow_fewer || placement.ions.empty()))
    fail_for_too_few(too_few_message(placed->result, job.lattice) +
                         (placement.ions.empty() ? "" : " (allow_fewer=True returns the placed ones)"),
                     py::cast(placed));
  return placed;
}

PlacedRun run_of(const PlacedResult& placed) {
  return {.input = *placed.input,
          .result = placed.result,
          .defines = placed.input->defines,
          .includes = placed.input->includes};
}

void save(const PlacedResult& placed, const std::filesystem::path& name, const FileChoices& choices) {
  const SystemOutput output = file_output(name.string(), choices, IonNaming::pdb, "for the ions");
  if (output.engine) {
    check_engine(*output.engine, placed.input->topology, {});
    check_engine_input(*output.engine, *placed.input);
  }
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release release;
    const PlacedFiles saved(output, run_of(placed), placed.hydrated_as);
    warnings = saved.warnings();
    NewFolder folder(output.folder());
    OutputFiles files;
    saved.add_to(files);
    files.commit();
    folder.keep();
  }
  tell_warnings(warnings);
}

/// An array with what `of(ion)` gives for each ion.
template <typename T, typename Of>
py::array_t<T> by_ion(const PlacedResult& placed, const Of& of) {
  py::array_t<T> values(py::ssize_t(placed.ions().size()));
  std::transform(placed.ions().begin(), placed.ions().end(), values.mutable_data(), of);
  return values;
}

py::array_t<double> positions(const PlacedResult& placed) {
  py::array_t<double> all({py::ssize_t(placed.ions().size()), py::ssize_t(3)});
  double* at = all.mutable_data();
  for (const PlacedIon& ion : placed.ions())
    for (const double x : {ion.position_A.x, ion.position_A.y, ion.position_A.z}) *at++ = x;
  return all;
}

py::object names(const PlacedResult& placed) {
  py::list all;
  for (const PlacedIon& ion : placed.ions()) all.append(ion.species.name);
  return py::module_::import("numpy").attr("array")(all, "dtype"_a = "str");
}

std::string representation(const PlacedResult& placed) {
  return "<ionwell.Result: " + std::to_string(placed.ions().size()) + " ions around '" +
         placed.structure->path + "'>";
}

void add_arrays(py::class_<PlacedResult, std::shared_ptr<PlacedResult>>& result) {
  result.def_property_readonly("positions", positions, "Positions [A], (n, 3), in the order of placement.")
      .def_property_readonly(
          "energies",
          [](const PlacedResult& placed) {
            return by_ion<double>(placed, [](const PlacedIon& ion) { return ion.energy_kT; });
          },
          "Energies [kT], (n,): charge times the potential of the solute and of the ions placed before.")
      .def_property_readonly(
          "charges",
          [](const PlacedResult& placed) {
            return by_ion<double>(placed, [](const PlacedIon& ion) { return ion.species.charge_e; });
          },
          "Charges [e], (n,).")
      .def_property_readonly("names", names, "Names as they were given, (n,).")
      .def_property_readonly(
          "nearest_atoms",
          [](const PlacedResult& placed) {
            return by_ion<std::int64_t>(placed,
                                        [](const PlacedIon& ion) { return std::int64_t(ion.nearest_atom); });
          },
          "Index of the nearest atom of the structure, (n,).")
      .def_property_readonly(
          "nearest_atom_distances",
          [](const PlacedResult& placed) {
            return by_ion<double>(placed, [](const PlacedIon& ion) { return ion.nearest_solute_A; });
          },
          "Distance [A] to the nearest atom, (n,).")
      .def_property_readonly(
          "nearest_ion_distances",
          [](const PlacedResult& placed) {
            return by_ion<double>(placed, [](const PlacedIon& ion) { return ion.nearest_ion_A; });
          },
          "Distance [A] to the nearest other ion, (n,); inf if there is none.")
      .def_property_readonly(
          "lattice_indices",
          [](const PlacedResult& placed) {
            return by_ion<std::int64_t>(placed, [](const PlacedIon& ion) { return ion.lattice_index; });
          },
          "Number of the lattice point, (n,): i + nx (j + ny k).");
}

}  // namespace

void add_placement(py::module_& module) {
  module.def(
      "place",
      [](const SharedInput& structure, const py::object& ions, const py::dict& options, bool allow_fewer,
         bool maps, const std::string& ion_names, const std::string& command, const py::object& progress) {
        const HydratedAs hydrated_as = hydrated_as_of(Keywords(options));
        return place(structure, ions, options, {allow_fewer, maps, ion_names, command, hydrated_as},
                     progress);
      },
      "structure"_a, "ions"_a, "options"_a, py::kw_only(), "allow_fewer"_a, "maps"_a, "ion_names"_a,
      "command"_a, "progress"_a);

  py::class_<PlacedResult, std::shared_ptr<PlacedResult>> result(
      module, "Result",
      "Placed ions, returned by ionwell.place; arrays have a row for each ion, in the order of placement.");
  add_arrays(result);
  result.def("__len__", [](const PlacedResult& placed) { return placed.ions().size(); })
      .def("__repr__", representation)
      .def_property_readonly(
          "structure", [](const PlacedResult& placed) { return placed.input; },
          "The Structure that the ions are around.")
      .def_property_readonly(
          "requested", [](const PlacedResult& placed) { return placed.result.placement.requested; },
          "Number of requested ions.")
      .def_property_readonly(
          "report",
          [](const PlacedResult& placed) {
            return report_of(with_chemistry(json_report(placed.result), placed.input->chemistry));
          },
          "The report of the run as a dict, as written by --report.")
      .def_property_readonly(
          "warnings", [](const PlacedResult& placed) { return warnings_of(placed.result.run.warnings); },
          "The warnings of the run, which were also issued as Python warnings.")
      .def_property_readonly(
          "notes", [](const PlacedResult& placed) { return notes_of(placed.result.run.warnings); },
          "The notes of the run, on which no action is needed.")
      .def_property_readonly(
          "solute_map", [](const PlacedResult& placed) { return placed.solute_map; },
          "Potential of the solute, a Map in kT/e, if maps=True; otherwise None.")
      .def_property_readonly(
          "map", [](const PlacedResult& placed) { return placed.map; },
          "Potential of the solute and the ions, a Map in kT/e, if maps=True; otherwise None.")
      .def(
          "to_pdb",
          [](const PlacedResult& placed, const std::string& ion_names, bool with_solute) {
            const SystemOutput output = file_output(
                "ions.pdb", {.ion_names = ion_names, .with_solute = with_solute}, IonNaming::pdb, "");
            return PlacedFiles(output, run_of(placed), placed.hydrated_as).bytes();
          },
          py::kw_only(), "ion_names"_a = "pdb", "with_solute"_a = false,
          "The ions as the text of a PDB file, as the program writes it. ion_names: 'pdb', 'charmm', 'amber' "
          "or 'gromacs', the naming of the ions; with_solute: write the atoms of the solute before them.")
      .def(
          "html",
          [](const PlacedResult& placed) {
            const py::gil_scoped_release release;
            return html_report(placed.result, coarse_map(placed.job, {&gpu_backend()}),
                               placed.input->chemistry);
          },
          "A page about the ions, as the text of one HTML file that needs no network, like --html: a 3-D "
          "view, a table, energies, distances, times, warnings and "
          "notes. It computes the potential of the solute again, on few points, for the surfaces.")
      .def(
          "save",
          [](const PlacedResult& placed, const std::filesystem::path& path, const std::string& ion_names,
             bool with_solute, const std::optional<std::string>& engine, const std::string& pdb_serials) {
            save(placed, path,
                 {.engine = engine,
                  .ion_names = ion_names,
                  .pdb_serials = pdb_serials,
                  .with_solute = with_solute});
          },
          "path"_a, py::kw_only(), "ion_names"_a = "pdb", "with_solute"_a = false, "engine"_a = py::none(),
          "pdb_serials"_a = "wrapped",
          R"(Writes the ions as the program does, byte for byte: in the format that the name of the file asks for, .pdb,
.cif, .gro, .pqr, .crd (CHARMM), .rst7, .xyz, also with .gz; or, with engine='gromacs', 'amber', 'charmm' (NAMD, too),
'openmm' or 'vmd', a new folder of the solute and the ions as this program takes them. ion_names, with_solute: as of
to_pdb; pdb_serials: 'wrapped', 'hex' or 'hybrid36', past 99,999. Waters around ions are behind these. All files appear
when they are complete, or none does.)");
}

}  // namespace ionwell::python
