#include "python/potential.hpp"

#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "python/arrays.hpp"
#include "python/choices.hpp"
#include "python/following.hpp"
#include "python/job_options.hpp"
#include "python/map.hpp"
#include "python/structure.hpp"
#include "run/report.hpp"
#include "run/run.hpp"
#include "structures/assign_radii.hpp"

namespace ionwell::python {
namespace py = pybind11;
using namespace py::literals;
namespace {

/// Refuses keywords that are for the other kind of potential.
void refuse(const JobOptions& options, std::initializer_list<const char*> names, const char* why) {
  for (const char* const name : names)
    if (options.has(name)) fail<UsageError>(name, why);
}

Structure with_radii(const Structure& structure) {
  Structure completed = structure;
  complete_radii(completed);
  return completed;
}

std::shared_ptr<SharedMap> potential_map(const SharedInput& input, const py::dict& given,
                                         const std::string& unit, const std::string& command,
                                         const py::object& progress) {
  const JobOptions options(given);
  refuse(options, {"map", "error"}, " is for the potential at points; add at, or leave it out");
  const bool is_solved = options.source() == Source::solver;
  const Structure completed = is_solved ? with_radii(input->structure) : Structure();
  Job job{.structure = is_solved ? completed : input->structure, .command = command};
  options.fill(job);
  job.field.every_point = true;
  const MapUnit in = unit_of(unit);
  Following following(progress);
  const auto work = [&] {
    Stages stages(following.observer());
    Result result = run(job, stages, {&gpu_backend()});
    std::shared_ptr<SharedMap> map = shared_map(result, MapContents::solute, in);
    update_costs(result, stages);
    map->report = json_report(result);
    return map;
  };
  auto map = is_solved ? following.run_alone(work) : following.run(work);
  following.tell_warnings();
  return map;
}

py::array potential_at(const SharedInput& input, const py::object& at, const py::dict& given,
                       const std::string& unit, const std::string& command, const py::object& progress) {
  const JobOptions options(given);
  const bool is_solved = options.source() == Source::solver;
  refuse(options, {"msm_cutoff", "msm_spacing", "msm_basis"}, " is for a map; leave out at, or this");
  if (!is_solved)
    refuse(options, {"spacing", "border", "box"}, " is for the lattice of a map or of pb; leave it out");
  if (options.source() != Source::charges)
    refuse(options, {"error"}, " is for the sum of charges; leave it out");
  PointSet points;
  points.path = "at";
  points.positions_A = positions_in(at, "at");
  const Structure completed = is_solved ? with_radii(input->structure) : Structure();
  PointJob job{.structure = is_solved ? completed : input->structure, .points = points, .command = command};
  options.fill(job);
  const double temperature_K = job.electrostatics.temperature_K;
  const double factor = volts(MapUnit::kT_e, temperature_K) / volts(unit_of(unit), temperature_K);
  Following following(progress);
  const auto work = [&] {
    Stages stages(following.observer());
    return potential_at_points(job, stages, {&gpu_backend()}).potential_kT_e;
  };
  std::vector<double> values = is_solved ? following.run_alone(work) : following.run(work);
  following.tell_warnings();
  if (factor != 1.0)
    for (double& value : values) value *= factor;
  return array_of(values);
}

}  // namespace

void add_potential(py::module_& module) {
  module.def("potential_map", potential_map, "structure"_a, "options"_a, py::kw_only(), "unit"_a, "command"_a,
             "progress"_a);
  module.def("potential_at", potential_at, "structure"_a, "at"_a, "options"_a, py::kw_only(), "unit"_a,
             "command"_a, "progress"_a);
}

}  // namespace ionwell::python
