// SPDX-License-Identifier: BSD-3-Clause
#include "python/average.hpp"

#include <pybind11/stl.h>

#include "compute/backend.hpp"
#include "core/text/note.hpp"
#include "gpu/backend.hpp"
#include "jobs/average/average.hpp"
#include "jobs/average/average_maps.hpp"
#include "jobs/average/average_report.hpp"
#include "python/choices.hpp"
#include "python/following.hpp"
#include "python/job_options.hpp"
#include "python/map.hpp"
#include "python/systems/box_keywords.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

/// The maps of an average; those that were not asked for, or need more frames than there are, are null.
struct AveragedMaps {
  std::int64_t frames = 0;
  std::shared_ptr<SharedMap> mean, deviation, error;
  std::vector<std::string> warnings;
  std::string report;
};

/// What average is told beside the keywords of other calls.
struct AverageChoices {
  bool deviation, error;
  MapUnit unit;
  std::string command;
};

FrameRange range_in(const Keywords& keywords) {
  FrameRange range;
  range.first = keywords.whole_number("first").value_or(range.first);
  range.last = keywords.whole_number("last").value_or(range.last);
  range.every = keywords.whole_number("every").value_or(range.every);
  return range;
}

FrameOptions frames_in(const Keywords& keywords) {
  FrameOptions frames{.keeps_images = keywords.flag("keep_images"),
                      .skips_bad = keywords.flag("skip_bad_frames")};
  if (keywords.has("fit")) frames.fit = keywords.text("fit");
  if (keywords.has("reference")) frames.reference = path_text(keywords["reference"]);
  return frames;
}

AverageJob average_job(const JobOptions& keywords, const TrajectoryInput& input,
                       const AverageChoices& choices) {
  AverageJob job{.input = input, .frames = frames_in(keywords), .command = choices.command};
  keywords.fill(job);
  job.ewald_factor_per_A = keywords.number("ewald_factor");
  job.blocks = keywords.whole_number("blocks").value_or(job.blocks);
  job.statistics = {.deviation = choices.deviation, .error = choices.error};
  keywords.choose("lattice_from", job.lattice_from, lattice_from_words());
  keywords.choose("boundary", job.boundary, boundary_words());
  if (job.boundary == Boundary::periodic)
    for (const char* const name : {"method", "msm_cutoff", "msm_spacing", "msm_basis", "accuracy"})
      if (keywords.has(name)) fail<UsageError>(name, " is for boundary='open'; leave it out");
  if (job.ewald_factor_per_A && job.boundary != Boundary::periodic)
    fail<UsageError>("ewald_factor needs boundary='periodic'; add that, or leave it out");
  validate(job.lattice);
  pair_potential(job.electrostatics);
  return job;
}

std::shared_ptr<SharedMap> map_in_average(AverageResult& result, AverageMap which, MapUnit unit,
                                          Stages& stages) {
  if (const auto why = missing_because(result, which)) {
    warn(result.run, stages.observer(), {std::string(to_string(which)) + " is None: " + *why});
    return nullptr;
  }
  return shared_map(average_map(result, which, unit));
}

std::shared_ptr<AveragedMaps> average_files(const std::vector<std::string>& paths, const py::dict& options,
                                            const AverageChoices& choices, const py::object& progress) {
  const JobOptions keywords(options);
  {
    static const TrajectoryInput none{};
    average_job(keywords, none, choices);  // before anything is read
  }
  const InputOptions read = input_options(keywords);
  const FrameRange range = range_in(keywords);
  const bool skips_bad = keywords.flag("skip_bad_frames");
  Following following(progress);
  const auto maps = std::make_shared<AveragedMaps>();
  following.run_alone([&] {
    Stages stages(following.observer());
    const TrajectoryInput input = stages.run(
        "read", [&](const Progress&) { return read_trajectory_input(paths, read, range, skips_bad); });
    AverageResult result = average(
        [&] {
          const py::gil_scoped_acquire acquire;
          return average_job(keywords, input, choices);
        }(),
        stages, {&gpu_backend()});
    maps->frames = result.summary.frames;
    maps->mean = map_in_average(result, AverageMap::mean, choices.unit, stages);
    if (choices.deviation)
      maps->deviation = map_in_average(result, AverageMap::deviation, choices.unit, stages);
    if (choices.error) maps->error = map_in_average(result, AverageMap::error, choices.unit, stages);
    update_costs(result, stages);
    maps->warnings = result.run.warnings;
    maps->report = json_report(result);
    return 0;
  });
  following.tell_warnings();
  return maps;
}

}  // namespace

void add_average(py::module_& module) {
  module.def(
      "average",
      [](const std::vector<std::string>& paths, const py::dict& options, bool deviation, bool error,
         const std::string& unit, const std::string& command, const py::object& progress) {
        return average_files(paths, options, {deviation, error, unit_of(unit), command}, progress);
      },
      "paths"_a, "options"_a, py::kw_only(), "deviation"_a, "error"_a, "unit"_a, "command"_a, "progress"_a);

  py::class_<AveragedMaps, std::shared_ptr<AveragedMaps>>(
      module, "Average", "The mean potential of a trajectory, returned by ionwell.average.")
      .def("__repr__",
           [](const AveragedMaps& self) {
             return "<ionwell.Average over " + std::to_string(self.frames) + " frames>";
           })
      .def_property_readonly(
          "frames", [](const AveragedMaps& self) { return self.frames; }, "Number of frames in the mean.")
      .def_property_readonly(
          "mean", [](const AveragedMaps& self) { return self.mean; }, "The mean at each point, a Map.")
      .def_property_readonly(
          "sd", [](const AveragedMaps& self) { return self.deviation; },
          "The standard deviation over frames, a Map, if sd=True; otherwise None.")
      .def_property_readonly(
          "se", [](const AveragedMaps& self) { return self.error; },
          "The standard error of the mean, by blocks of frames, a Map, if se=True; otherwise None.")
      .def_property_readonly(
          "report", [](const AveragedMaps& self) { return report_of(self.report); },
          "The report of the run as a dict, as written by --report.")
      .def_property_readonly(
          "warnings", [](const AveragedMaps& self) { return warnings_of(self.warnings); },
          "The warnings of the run, which were also issued as Python warnings.")
      .def_property_readonly(
          "notes", [](const AveragedMaps& self) { return notes_of(self.warnings); },
          "The notes of the run, on which no action is needed.");
}

}  // namespace ionwell::python
