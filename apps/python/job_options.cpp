// SPDX-License-Identifier: BSD-3-Clause
#include "python/job_options.hpp"

#include <algorithm>
#include <cmath>

#include "compute/accurate_sum.hpp"
#include "core/error.hpp"
#include "jobs/at_points/computed_sum.hpp"
#include "jobs/place/job/site_model_file.hpp"
#include "potential/request/pb_request.hpp"
#include "python/arrays/arrays.hpp"
#include "python/choices.hpp"
#include "python/word_choice.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

constexpr unsigned charges = 1, maps = 2, solver_run = 4, site_model = 8;

/// Keywords that not every source of a potential has a use for.
constexpr std::pair<const char*, unsigned> used_by[] = {{"dielectric", charges},
                                                        {"ddd", charges},
                                                        {"ionic_strength", charges | maps},
                                                        {"temperature", charges | maps | solver_run},
                                                        {"method", charges | site_model},
                                                        {"msm_cutoff", charges},
                                                        {"msm_spacing", charges},
                                                        {"msm_basis", charges},
                                                        {"accuracy", charges},
                                                        {"map_unit", maps},
                                                        {"map_interpolation", maps | solver_run},
                                                        {"update", maps | solver_run},
                                                        {"update_dielectric", maps | solver_run},
                                                        {"pb_every", solver_run},
                                                        {"pb_options", solver_run},
                                                        {"pb_energy", solver_run},
                                                        {"pb_timeout", solver_run},
                                                        {"pb_program", solver_run},
                                                        {"keep_scratch", solver_run},
                                                        {"refine", charges | maps | solver_run},
                                                        {"model_file", site_model}};

unsigned bit_of(Source source) {
  return source == Source::charges  ? charges
         : source == Source::maps   ? maps
         : source == Source::solver ? solver_run
                                    : site_model;
}

const char* keyword_of(Source source) {
  return source == Source::maps ? "map" : source == Source::solver ? "pb" : "model";
}

std::string count_text(const std::string& name, const py::handle& count) {
  if (is_text(count)) return count.cast<std::string>();
  if (const auto number = whole(count)) return std::to_string(*number);
  fail<UsageError>(
      "ions['", name, "'] is ", shown(count),
      "; it must be a whole number, 'neutralize', or a pair of that and the charge [e]; with model='sites' "
      "also 'likely', or a pair of that and the probability");
}

std::string ion_text(const std::string& name, const py::handle& value) {
  if (name.empty() || name.find(':') != std::string::npos)
    fail<UsageError>("ions has the name '", name, "'; it must be one such as 'MG'");
  if (!py::isinstance<py::tuple>(value)) return name + ':' + count_text(name, value);
  const auto pair = value.cast<py::tuple>();
  if (pair.size() != 2 || PyNumber_Check(pair[1].ptr()) == 0)
    fail<UsageError>("ions['", name, "'] is ", shown(value),
                     "; it must be (count, charge), for example (3, 4)");
  const std::string charge = py::str(pair[1]);
  return name + ':' + count_text(name, pair[0]) + ':' + charge;
}

}  // namespace

Source JobOptions::source() const {
  std::vector<Source> sources;
  if (has("map")) sources.push_back(Source::maps);
  if (has("pb")) sources.push_back(Source::solver);
  if (has("model")) sources.push_back(Source::sites);
  if (sources.size() > 1)
    fail<UsageError>(keyword_of(sources[0]), " and ", keyword_of(sources[1]),
                     " are both given, but only one of them can give the potential; leave one of them out");
  return sources.empty() ? Source::charges : sources.front();
}

void JobOptions::check_together(unsigned also) const {
  const Source from = source();
  for (const auto& [name, sources] : used_by) {
    if (!has(name) || (sources & (bit_of(from) | also)) != 0) continue;
    if (from != Source::charges)
      fail<UsageError>(name, " cannot be used with ", keyword_of(from),
                       ", whose potential does not use it; leave one of them out");
    const char* const wanted = (sources & maps) != 0         ? "map or pb"
                               : (sources & solver_run) != 0 ? "pb"
                                                             : "model";
    fail<UsageError>(name, " is for ", std::string_view(name) == "map_unit" ? "map" : wanted,
                     "; add that, or leave it out");
  }
}

std::optional<Box> JobOptions::box() const {
  if (!has("box")) return {};
  const py::object corners = (*this)["box"];
  if (!py::isinstance<py::sequence>(corners) || py::len(corners) != 2)
    fail<UsageError>("box is ", shown(corners),
                     "; it must be the lowest and the highest corner, ((x, y, z), (x, y, z)) [A]");
  return Box{vector_in(corners[py::int_(0)], "box[0]"), vector_in(corners[py::int_(1)], "box[1]")};
}

LatticeRequest JobOptions::lattice() const {
  return {.spacing_A = number("spacing"), .border_A = number("border"), .box = box()};
}

ElectrostaticsOptions JobOptions::electrostatics() const {
  ElectrostaticsOptions options{.dielectric = number("dielectric"),
                                .ddd_per_A = number("ddd"),
                                .ionic_strength_M = number("ionic_strength")};
  if (const auto temperature_K = number("temperature")) options.temperature_K = *temperature_K;
  return options;
}

IonUpdate JobOptions::update() const {
  IonUpdate update{.dielectric = number("update_dielectric")};
  choose("update", update.rule, update_words());
  return update;
}

BackendOptions JobOptions::backend() const {
  BackendOptions options;
  choose("backend", options.backend, backend_words());
  if (!has("devices") && !has("gpu_memory")) return options;
  if (options.backend == Backend::cpu)
    fail<UsageError>(has("devices") ? "devices" : "gpu_memory",
                     " is for GPUs, but backend='cpu' uses none; leave one of them out");
  if (has("devices")) options.devices = devices();
  if (const auto memory_GB = number("gpu_memory")) {
    constexpr double bytes_per_GB = 1e9, most_GB = 1e6;
    if (!(*memory_GB > 0.0 && *memory_GB <= most_GB))
      fail<UsageError>("gpu_memory is ", *memory_GB, " GB; it must be greater than 0");
    options.memory_bytes = std::int64_t(bytes_per_GB * *memory_GB);
  }
  return options;
}

std::vector<int> JobOptions::devices() const {
  const py::object given = (*this)["devices"];
  std::vector<int> numbers;
  if (py::isinstance<py::iterable>(given) && !is_text(given))
    for (const py::handle device : given) {
      const auto number = whole(device);
      const bool is_one = number && *number >= 0 && *number <= std::numeric_limits<int>::max();
      numbers.push_back(is_one ? int(*number) : -1);
    }
  if (numbers.empty() || *std::min_element(numbers.begin(), numbers.end()) < 0)
    fail<UsageError>("devices is ", shown(given),
                     "; it must be a list of numbers of GPUs, for example [0, 1]");
  return numbers;
}

FieldOptions JobOptions::field() const {
  FieldOptions options;
  options.threads = threads();
  if (has("refine")) options.refine = py::bool_((*this)["refine"]);
  choose("simd", options.simd, simd_words());
  return options;
}

MapFiles JobOptions::map_files() const {
  MapFiles files{.paths = texts("map", "path")};
  if (has("map_unit")) files.unit = unit_of(text("map_unit"));
  choose("map_interpolation", files.interpolation, map_interpolation_words());
  return files;
}

SummationOptions JobOptions::summation() const {
  SummationOptions options{.accuracy = number("accuracy")};
  if (options.accuracy) check_accuracy(*options.accuracy);
  choose("method", options.method, method_words());
  for (const char* const name : {"method", "msm_cutoff", "msm_spacing", "msm_basis"})
    if (options.accuracy && has(name) &&
        (name != std::string("method") || options.method != Method::automatic))
      fail<UsageError>(name,
                       " cannot be used with accuracy: it chooses the method and its parameters; leave "
                       "one of them out");
  if (!has("msm_cutoff") && !has("msm_spacing") && !has("msm_basis")) return options;
  if (options.method == Method::direct)
    fail<UsageError>("method='direct' has no msm keywords; leave it out, or use method='msm'");
  options.method = Method::multilevel;
  options.multilevel.cutoff_A = number("msm_cutoff").value_or(options.multilevel.cutoff_A);
  options.multilevel.spacing_A = number("msm_spacing").value_or(options.multilevel.spacing_A);
  choose("msm_basis", options.multilevel.basis, basis_words());
  return options;
}

PbOptions JobOptions::solver() const {
  PbOptions options;
  options.solved_by = chosen(text("pb"), "pb", solver_words());
  options.every = int(whole_number("pb_every").value_or(options.every));
  options.solvation_energy = flag("pb_energy");
  for (const char* const name : {"pb_timeout", "pb_program", "keep_scratch"})
    if (has(name) && options.solved_by != PbSolvedBy::apbs)
      fail<UsageError>(name, " needs pb='apbs'; add that, or leave it out");
  options.apbs.timeout_s = number("pb_timeout").value_or(options.apbs.timeout_s);
  if (has("pb_program")) options.apbs.program = path_text((*this)["pb_program"]);
  if (has("keep_scratch")) options.apbs.keep_scratch = path_text((*this)["keep_scratch"]);
  if (has("pb_options") && !py::isinstance<py::dict>((*this)["pb_options"]))
    fail<UsageError>("pb_options is ", shown((*this)["pb_options"]),
                     "; it must be a dict of APBS settings, for example {'pdie': 2}");
  if (has("pb_options"))
    for (const auto& [key, value] : py::dict((*this)["pb_options"]))
      options.options.push_back(std::string(py::str(key)) + '=' + std::string(py::str(value)));
  validate(options);
  return options;
}

SiteOptions JobOptions::sites() const {
  SiteOptions options = sites_alone();
  options.model.ion_heavy_atom_A = number("ion_solute").value_or(options.model.ion_heavy_atom_A);
  options.model.ion_ion_A = number("ion_ion").value_or(options.model.ion_ion_A);
  return options;
}

SiteOptions JobOptions::sites_alone() const {
  SiteOptions options{.method = summation().method};
  const bool learned = chosen<bool>(text("model"), "model", {{"sites", true}, {"site-terms", false}});
  if (has("model_file")) {
    options.path = path_text((*this)["model_file"]);
    options.model = read_site_model(options.path);
  } else if (learned) {
    options.model = learned_site_model();
  }
  return options;
}

SourceOptions JobOptions::source_options() const {
  switch (source()) {
    case Source::maps:
      return map_files();
    case Source::solver:
      return solver();
    case Source::sites:
      return sites();
    default:
      return summation();
  }
}

template <typename SomeJob>
void JobOptions::fill_common(SomeJob& job, unsigned also) const {
  check_together(also);
  if (source() == Source::solver && has("map_interpolation"))
    fail<UsageError>("map_interpolation is for map and has no effect with pb here; leave it out");
  job.electrostatics = electrostatics();
  job.update = update();
  job.lattice = lattice();
  job.backend = backend();
  job.field = field();
}

void JobOptions::fill(Job& job) const {
  fill_ions(job, source_options(), 0);
}

void JobOptions::fill_around_sites(Job& job) const {
  fill_ions(job, summation(), charges);
}

void JobOptions::fill_ions(Job& job, SourceOptions&& origin, unsigned also) const {
  fill_common(job, also);
  job.source = std::move(origin);
  if (auto* const pb = std::get_if<PbOptions>(&job.source))
    pb->radius_A = named_numbers("radii");
  else if (has("radii"))
    fail<UsageError>("radii needs pb; add that, or leave it out");
  job.exclusion.ion_solute_A = number("ion_solute").value_or(job.exclusion.ion_solute_A);
  job.exclusion.ion_ion_A = number("ion_ion").value_or(job.exclusion.ion_ion_A);
  choose("boundary", job.boundary, boundary_words());
  job.most_kT = number("max_energy").value_or(job.most_kT);
}

void JobOptions::fill(PotentialRequest& request) const {
  if (source() == Source::sites)
    fail<UsageError>("model uses more than a potential and has no map; leave it out");
  fill_common(request);
  request.field.every_point = true;
  if (source() == Source::maps)
    request.origin = map_files();
  else if (source() == Source::solver)
    request.origin = solver();
  else
    request.origin = summation();
}

void JobOptions::fill(SamplingJob& job) const {
  fill_common(job);
  job.lattice.border_A = number("wall_distance");
  job.source = source_options();
}

void JobOptions::fill(AverageJob& job) const {
  job.electrostatics = electrostatics();
  job.summation = summation();
  job.lattice = lattice();
  job.backend = backend();
  job.field = field();
  job.field.every_point = true;
}

AlpbOptions JobOptions::alpb() const {
  for (const char* const name : {"map", "pb", "ddd"})
    if (has(name)) fail<UsageError>(name, " cannot be used with alpb; leave one of them out");
  AlpbOptions options;
  options.temperature_K = number("temperature").value_or(options.temperature_K);
  options.solvent_dielectric = number("dielectric").value_or(options.solvent_dielectric);
  options.ionic_strength_M = number("ionic_strength").value_or(options.ionic_strength_M);
  options.solute_dielectric = number("solute_dielectric").value_or(options.solute_dielectric);
  return options;
}

void JobOptions::fill(PointJob& job) const {
  check_together();
  if (source() == Source::maps && has("ionic_strength"))
    fail<UsageError>(
        "ionic_strength has no effect with map, whose potential is already screened; leave it out");
  if (source() == Source::maps && backend().backend == Backend::gpu)
    fail<UsageError>("backend='gpu' has no effect with map: maps are interpolated on the CPU; leave it out");
  job.electrostatics = electrostatics();
  job.backend = backend();
  job.field = field();
  job.field.every_point = true;
  job.sum.threads = job.field.threads;
  job.sum.simd = job.field.simd;
  switch (source()) {
    case Source::maps:
      job.model = map_files();
      break;
    case Source::solver:
      job.model =
          SolvedPb{solver(), lattice(), map_files().interpolation.value_or(MapInterpolation::trilinear)};
      break;
    default:
      job.model = SummedCharges{};
  }
  if (has("alpb") && flag("alpb")) job.model = alpb();
  if (has("solute_dielectric") && !flag("alpb"))
    fail<UsageError>("solute_dielectric needs alpb; add that, or leave it out");
  choose("method", job.sum.method, point_method_words());
  job.sum.error = number("accuracy").value_or(job.sum.error);
  validate(job.sum);
  check_backend(job.sum, job.backend.backend);
}

std::vector<std::string> JobOptions::hydration_texts(const Keywords& keywords) {
  if (!keywords.has("hydrate") || !py::isinstance<py::dict>(keywords["hydrate"]))
    return keywords.texts("hydrate", "string such as 'MG:6'");
  std::vector<std::string> texts;
  for (const auto& [name, count] : py::dict(keywords["hydrate"])) {
    const std::optional<std::int64_t> number = whole(count);
    if (!is_text(name) || (!number && !count.is_none()))
      fail<UsageError>("hydrate is ", shown(keywords["hydrate"]),
                       "; it must be a dict of names of ions and numbers of waters, for example {'MG': 6}");
    texts.push_back(name.cast<std::string>() + (number ? ':' + std::to_string(*number) : ""));
  }
  return texts;
}

std::vector<std::string> JobOptions::ion_texts(const py::object& ions) {
  std::vector<std::string> texts;
  if (is_text(ions)) return {ions.cast<std::string>()};
  if (py::isinstance<py::dict>(ions)) {
    for (const auto& [name, count] : ions.cast<py::dict>()) {
      if (!is_text(name))
        fail<UsageError>("ions has the name ", shown(name), "; it must be a string such as 'MG'");
      texts.push_back(ion_text(name.cast<std::string>(), count));
    }
  } else if (py::isinstance<py::iterable>(ions)) {
    for (const py::handle text : ions) {
      if (!is_text(text)) fail<UsageError>("ions has ", shown(text), "; it must be a string such as 'MG:12'");
      texts.push_back(text.cast<std::string>());
    }
  }
  if (texts.empty())
    fail<UsageError>("ions is ", shown(ions),
                     "; say which ions to place, for example {'MG': 12, 'NA': 'neutralize'}");
  return texts;
}

}  // namespace ionwell::python
