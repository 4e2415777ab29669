// SPDX-License-Identifier: BSD-3-Clause
#include "python/potential.hpp"

#include "compute/backend.hpp"
#include "compute/hand_over.hpp"
#include "core/error.hpp"
#include "gpu/backend.hpp"
#include "output/chemistry_report.hpp"
#include "potential/lattice_potential.hpp"
#include "potential/potential_report.hpp"
#include "python/arrays/arrays.hpp"
#include "python/choices.hpp"
#include "python/following.hpp"
#include "python/job_options.hpp"
#include "python/map.hpp"
#include "python/structure.hpp"
#include "structures/assign_radii.hpp"
#include "structures/structure_checks.hpp"

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

/// For a map that is to stay on a GPU. Throws UsageError and Error, before anything is computed, where it
/// cannot.
void require_one_device(PotentialRequest& request) {
  if (request.backend.backend == Backend::cpu)
    fail<UsageError>(
        "keep_on_device=True keeps the map on a GPU, but backend='cpu' uses none; leave one of them out");
  request.backend.backend = Backend::gpu;
  const DeviceList& there = gpu_backend().devices();
  if (there.devices.empty())
    fail("keep_on_device=True keeps the map on a GPU, but ", there.problem, "; leave it out");
}

/// make_map(result) of the run, with its report.
template <typename MakeMap>
auto potential_map(const SharedInput& input, const py::dict& given, bool keep_on_device,
                   const std::string& command, const py::object& progress, const MakeMap& make_map) {
  const JobOptions options(given);
  refuse(options, {"map", "alpb", "solute_dielectric"},
         " is for the potential at points; add at, or leave it out");
  require_charges(input->system.acting());
  const bool is_solved = options.source() == Source::solver;
  const Structure completed = is_solved ? with_radii(input->system.acting()) : Structure();
  PotentialRequest request{.structure = is_solved ? completed : input->system.acting(), .command = command};
  options.fill(request);
  if (keep_on_device) require_one_device(request);
  Following following(progress);
  const auto work = [&] {
    Stages stages(following.observer());
    return handing_over(request, [&](const PotentialRequest& now) {
      LatticePotential made = compute_potential(now, stages, {&gpu_backend()});
      auto map = make_map(made);
      update_costs(made, stages);
      map->report = with_chemistry(json_report(made), input->chemistry);
      return map;
    });
  };
  auto map = is_solved ? following.run_alone(work) : following.run(work);
  following.tell_warnings();
  return map;
}

std::shared_ptr<SharedMap> map_on_host(const SharedInput& input, const py::dict& given,
                                       const std::string& unit, const std::string& command,
                                       const py::object& progress) {
  const MapUnit in = unit_of(unit);
  return potential_map(input, given, false, command, progress,
                       [in](const LatticePotential& made) { return shared_map(map_of(made, in)); });
}

std::shared_ptr<SharedDeviceMap> map_on_device(const SharedInput& input, const py::dict& given,
                                               const std::string& unit, const std::string& command,
                                               const py::object& progress) {
  const MapUnit in = unit_of(unit);
  return potential_map(input, given, true, command, progress,
                       [in](const LatticePotential& made) { return shared_device_map(made, in); });
}

py::array potential_at(const SharedInput& input, const py::object& at, const py::dict& given,
                       const std::string& unit, const std::string& command, const py::object& progress) {
  const JobOptions options(given);
  const bool is_solved = options.source() == Source::solver;
  refuse(options, {"msm_cutoff", "msm_spacing", "msm_basis", "pb_energy"},
         " is for a map; leave out at, or this");
  if (!is_solved)
    refuse(options, {"spacing", "border", "box"}, " is for the lattice of a map or of pb; leave it out");
  if (options.source() != Source::charges)
    refuse(options, {"accuracy"}, " is for the sum of charges; leave it out");
  require_charges(input->system.acting());
  PointSet points;
  points.path = "at";
  points.positions_A = positions_in(at, "at");
  const Structure completed = is_solved ? with_radii(input->system.acting()) : Structure();
  PointJob job{
      .structure = is_solved ? completed : input->system.acting(), .points = points, .command = command};
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
  module.def("potential_map", map_on_host, "structure"_a, "options"_a, py::kw_only(), "unit"_a, "command"_a,
             "progress"_a);
  module.def("potential_on_device", map_on_device, "structure"_a, "options"_a, py::kw_only(), "unit"_a,
             "command"_a, "progress"_a);
  module.def("potential_at", potential_at, "structure"_a, "at"_a, "options"_a, py::kw_only(), "unit"_a,
             "command"_a, "progress"_a);
}

}  // namespace ionwell::python
