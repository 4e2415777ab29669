// SPDX-License-Identifier: BSD-3-Clause
#include "python/sampling/sampling_keywords.hpp"

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "python/arrays/arrays.hpp"
#include "python/cells.hpp"
#include "python/systems/box_keywords.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

std::vector<double> distances_in(const Keywords& keywords) {
  std::vector<double> distances_A(std::begin(usual_within_A), std::end(usual_within_A));
  if (!keywords.has("within")) return distances_A;
  const py::array_t<double, py::array::c_style | py::array::forcecast> given(
      real_array(keywords["within"], "within"));
  if (given.ndim() > 1)
    fail<UsageError>("within is ", shown(keywords["within"]), "; it must be distances [A]");
  distances_A.assign(given.data(), given.data() + given.size());
  std::sort(distances_A.begin(), distances_A.end());
  distances_A.erase(std::unique(distances_A.begin(), distances_A.end()), distances_A.end());
  return distances_A;
}

/// Keywords that belong to one sampler only.
void check_sampler(const Keywords& keywords, SampleMethod method) {
  const bool is_brownian = method == SampleMethod::brownian;
  if (is_brownian && keywords.has("sweeps")) fail<UsageError>("sweeps is for sampler='mc'; use steps");
  for (const char* const name : {"steps", "time_step", "diffusions"})
    if (!is_brownian && keywords.has(name))
      fail<UsageError>(name, " is for sampler='bd'; add that, or leave it out");
}

SampleOptions sample_options(const Keywords& keywords) {
  SampleOptions options;
  keywords.choose("sampler", options.method, sampler_words());
  check_sampler(keywords, options.method);
  const bool is_brownian = options.method == SampleMethod::brownian;
  options.length = is_brownian ? keywords.whole_number("steps").value_or(usual_steps)
                               : keywords.whole_number("sweeps").value_or(usual_sweeps);
  options.equilibration = keywords.whole_number("equilibration").value_or(usual_equilibration);
  options.every =
      keywords.whole_number("sample_every").value_or(is_brownian ? usual_steps_apart : usual_sweeps_apart);
  options.replicas = int(keywords.whole_number("replicas").value_or(options.replicas));
  options.blocks = int(keywords.whole_number("blocks").value_or(options.blocks));
  const std::int64_t seed = keywords.whole_number("seed").value_or(std::int64_t(options.seed));
  if (seed < 0) fail<UsageError>("seed is ", seed, "; it must not be negative");
  options.seed = std::uint64_t(seed);
  options.threads = keywords.threads();
  options.brownian.time_step_ps = keywords.number("time_step").value_or(options.brownian.time_step_ps);
  return options;
}

ObservableOptions observable_options(const Keywords& keywords) {
  ObservableOptions options{.density_spacing_A = keywords.number("density_spacing"),
                            .within_A = distances_in(keywords),
                            .groups = {}};
  if (keywords.flag("density") && !options.density_spacing_A)
    options.density_spacing_A = usual_density_spacing_A;
  options.radial_reach_A = keywords.number("rdf_reach").value_or(options.radial_reach_A);
  options.radial_step_A = keywords.number("rdf_step").value_or(options.radial_step_A);
  return options;
}

void set_start(const Keywords& keywords, SamplingJob& job) {
  if (!keywords.has("start")) return;
  const std::string start = path_text(keywords["start"]);
  if (start == "greedy") return;
  if (start == "random") {
    job.start = SampleStart::random;
    return;
  }
  if (!std::filesystem::exists(start))
    fail<UsageError>(
        "start is '", start,
        "', but there is no such file; give 'greedy', 'random' or the path of a PDB file of ions");
  job.start = SampleStart::file;
  job.start_path = start;
}

}  // namespace

SamplingJob sampling_job(const JobOptions& keywords, const std::vector<std::string>& ions, IonNaming naming,
                         const Structure& structure) {
  SamplingJob job{.structure = structure};
  keywords.fill(job);
  IonRequests requests = parse_ion_requests(ions, net_charge_e(structure.atoms), naming);
  job.ions = std::move(requests.requests);
  job.warnings = std::move(requests.warnings);
  job.salts = parse_salts(salt_texts(keywords), naming);
  for (const SaltRequest& salt : job.salts)
    if (salt.compartment != Compartment::whole)
      fail<UsageError>("salt ", salt.text,
                       " names one side of a membrane, but there is no membrane here; leave ",
                       to_string(salt.compartment), " out");
  keywords.choose("boundary", job.boundary, sample_boundary_words());
  if (job.boundary == SampleBoundary::periodic && keywords.has("accuracy"))
    fail<UsageError>("accuracy is for boundary='open': images are summed by Ewald's method; leave it out");
  if (keywords.has("cell")) job.cell = cell_in(keywords["cell"]);
  keywords.choose("interpolation", job.interpolation, interpolation_words());
  keywords.choose("repulsion", job.repulsion, repulsion_words());
  job.radii_A = keywords.named_numbers("radii");
  job.diffusions_A2_ps = keywords.named_numbers("diffusions");
  set_start(keywords, job);
  job.sample = sample_options(keywords);
  job.bulk.sweeps = keywords.whole_number("bulk_sweeps").value_or(job.bulk.sweeps);
  job.observables = observable_options(keywords);
  job.around = keywords.texts("around", "selection");
  return job;
}

}  // namespace ionwell::python
