// SPDX-License-Identifier: BSD-3-Clause
#include "python/sampling/sampled_ions.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "compute/backend.hpp"
#include "core/text/note.hpp"
#include "files/output_file.hpp"
#include "gpu/backend.hpp"
#include "jobs/sample/sampling_files.hpp"
#include "output/chemistry_report.hpp"
#include "output/structure_file.hpp"
#include "python/arrays/arrays.hpp"
#include "python/choices.hpp"
#include "python/file_choices.hpp"
#include "python/following.hpp"
#include "python/map.hpp"
#include "python/sampling/sampling_keywords.hpp"
#include "python/structure.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

/// What was seen of ions that moved.
struct SampledIons {
  SharedInput input;
  Structure structure;  // with radii
  IonNaming naming = IonNaming::pdb;
  std::int64_t samples = 0;
  double lowest_kT = 0.0;
  std::vector<EngineIon> lowest;  // by species
  std::vector<std::string> remarks;
  std::vector<std::pair<std::string, std::shared_ptr<SharedMap>>> densities, occupancies;  // by species
  std::string radial;  // CSV; empty without groups
  std::vector<std::string> warnings;
  std::string report;  // JSON
};

using SamplePointer = std::shared_ptr<SampledIons>;

std::shared_ptr<SharedMap> shared_ion_map(const SamplingResult& result, std::size_t species,
                                          IonMapKind kind) {
  IonMap made = ion_map(result, species, kind);
  auto map = std::make_shared<SharedMap>();
  map->header = made;
  map->values = std::move(made.values);
  return map;
}

void keep_observed(const SamplingResult& result, SampledIons& sampled) {
  sampled.samples = result.sample.samples;
  sampled.lowest_kT = result.sample.lowest_kT;
  sampled.lowest = lowest_ions(result);
  sampled.remarks = sampling_remarks(result);
  const std::vector<std::string> names = species_names(result.model.species);
  if (result.observables.density_spacing_A)
    for (std::size_t s = 0; s < names.size(); ++s) {
      sampled.densities.emplace_back(names[s], shared_ion_map(result, s, IonMapKind::density));
      sampled.occupancies.emplace_back(names[s], shared_ion_map(result, s, IonMapKind::occupancy));
    }
  if (!result.sample.radial.empty()) sampled.radial = radial_csv(result);
  sampled.warnings = result.run.warnings;
  sampled.report = with_chemistry(json_report(result), sampled.input->chemistry);
}

SamplePointer sample_structure(const SharedInput& input, const py::object& ions, const py::dict& options,
                               const std::string& ion_names, const std::string& command,
                               const py::object& progress) {
  const JobOptions keywords(options);
  const auto sampled = std::make_shared<SampledIons>();
  sampled->input = input;
  sampled->naming = ion_names_of(ion_names);
  sampled->structure = input->system.acting();
  complete_radii(sampled->structure);
  const std::vector<std::string> texts =
      ions.is_none() ? std::vector<std::string>() : JobOptions::ion_texts(ions);
  SamplingJob job = sampling_job(keywords, texts, sampled->naming, sampled->structure);
  job.command = command;
  validate(job);
  Following following(progress);
  following.run_alone([&] {
    Stages stages(following.observer());
    SamplingResult result = sample_ions(job, stages, {&gpu_backend()});
    update_costs(result.run, stages);
    keep_observed(result, *sampled);
    return 0;
  });
  following.tell_warnings();
  return sampled;
}

std::string lowest_file(const SampledIons& sampled, const SystemOutput& output) {
  return structure_file(output, {.input = *sampled.input,
                                 .structure = sampled.structure,
                                 .ions = sampled.lowest,
                                 .remarks = sampled.remarks});
}

void save_sample(const SampledIons& sampled, const std::filesystem::path& name, const FileChoices& choices) {
  const SystemOutput output = file_output(name.string(), choices, IonNaming::pdb, "for the ions");
  tell_warnings(structure_file_warnings(output, sampled.structure));
  const py::gil_scoped_release release;
  write_file(output.path, lowest_file(sampled, output));
}

py::dict maps_by_name(const std::vector<std::pair<std::string, std::shared_ptr<SharedMap>>>& maps) {
  py::dict all;
  for (const auto& [name, map] : maps) all[py::str(name)] = map;
  return all;
}

void add_lowest(py::class_<SampledIons, SamplePointer>& sample) {
  sample
      .def_property_readonly(
          "positions",
          [](const SampledIons& self) {
            py::array_t<double> rows({py::ssize_t(self.lowest.size()), py::ssize_t(3)});
            double* at = rows.mutable_data();
            for (const EngineIon& ion : self.lowest)
              for (const double x : {ion.position_A.x, ion.position_A.y, ion.position_A.z}) *at++ = x;
            return rows;
          },
          "Positions [A] in the configuration of lowest energy that was found, (n, 3), by kind of ion.")
      .def_property_readonly(
          "names",
          [](const SampledIons& self) {
            py::list names;
            for (const EngineIon& ion : self.lowest) names.append(ion.name);
            return py::module_::import("numpy").attr("array")(names, "dtype"_a = "str");
          },
          "Names of its ions, (n,).")
      .def_property_readonly(
          "charges",
          [](const SampledIons& self) {
            std::vector<double> charges;
            for (const EngineIon& ion : self.lowest) charges.push_back(ion.charge_e);
            return array_of(charges);
          },
          "Their charges [e], (n,).")
      .def_property_readonly(
          "energy", [](const SampledIons& self) { return self.lowest_kT; },
          "Its energy [kT], relative to the bath of salt if there is one.")
      .def(
          "to_pdb",
          [](const SampledIons& self, const std::string& ion_names, bool with_solute) {
            return lowest_file(self,
                               file_output("ions.pdb", {.ion_names = ion_names, .with_solute = with_solute},
                                           IonNaming::pdb, "for the ions"));
          },
          py::kw_only(), "ion_names"_a = "pdb", "with_solute"_a = false,
          "That configuration as the text of a PDB file, as the program writes it; ion_names and with_solute "
          "as in Result.")
      .def(
          "save",
          [](const SampledIons& self, const std::filesystem::path& path, const std::string& ion_names,
             bool with_solute, const std::string& pdb_serials) {
            save_sample(self, path,
                        {.ion_names = ion_names, .pdb_serials = pdb_serials, .with_solute = with_solute});
          },
          "path"_a, py::kw_only(), "ion_names"_a = "pdb", "with_solute"_a = false,
          "pdb_serials"_a = "wrapped",
          "Writes that configuration in the format given by the ending of the file; ion_names, with_solute "
          "and pdb_serials as in Result.");
}

}  // namespace

void add_sampling(py::module_& module) {
  module.def("sample", &sample_structure, "structure"_a, "ions"_a, "options"_a, py::kw_only(), "ion_names"_a,
             "command"_a, "progress"_a);

  py::class_<SampledIons, SamplePointer> sample(
      module, "Sample", "Sampled ions and their averages, returned by ionwell.sample.");
  add_lowest(sample);
  sample
      .def("__repr__",
           [](const SampledIons& self) {
             return "<ionwell.Sample: " + std::to_string(self.samples) + " samples of ions around '" +
                    self.input->system.acting().path + "'>";
           })
      .def_property_readonly(
          "samples", [](const SampledIons& self) { return self.samples; }, "Number of samples.")
      .def_property_readonly(
          "densities", [](const SampledIons& self) { return maps_by_name(self.densities); },
          "Mean density of each ion [mol/L], a dict of names and Maps whose points are the centres of cells; "
          "empty without density=True or density_spacing.")
      .def_property_readonly(
          "occupancies", [](const SampledIons& self) { return maps_by_name(self.occupancies); },
          "Mean number of each ion in such a cell, also a dict of names and Maps.")
      .def_property_readonly(
          "rdf_csv", [](const SampledIons& self) { return self.radial; },
          "The radial distributions as the text that the program writes with --rdf; empty without around.")
      .def_property_readonly(
          "report", [](const SampledIons& self) { return report_of(self.report); },
          "The report of the run as a dict, as written by --report, with the means and their errors.")
      .def_property_readonly(
          "warnings", [](const SampledIons& self) { return warnings_of(self.warnings); },
          "The warnings of the run, which were also issued as Python warnings.")
      .def_property_readonly(
          "notes", [](const SampledIons& self) { return notes_of(self.warnings); },
          "The notes of the run, on which no action is needed.");
}

}  // namespace ionwell::python
