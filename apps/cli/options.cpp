// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options.hpp"

#include <algorithm>

#include "cli/option_words.hpp"
#include "compute/accurate_sum.hpp"
#include "compute/poisson_boltzmann/published_lattice.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

void add_lattice_options(OptionGroup& group, LatticeRequest& lattice, LatticeOf what) {
  const auto usual = [&](double of_a_sum, double of_a_solution) {
    return Default{default_text(of_a_sum) +
                   (what == LatticeOf::sums ? "" : "; with --pb " + default_text(of_a_solution))};
  };
  group.add("spacing", lattice.spacing_A, "A", "distance between lattice points",
            usual(LatticeOptions{}.spacing_A, published_pb_spacing_A));
  group.add("border", lattice.border_A, "A", "distance from the solute's atoms to the faces of the lattice",
            usual(LatticeOptions{}.border_A, published_pb_border_A));
  group.add("box", lattice.box, "X0,Y0,Z0,X1,Y1,Z1", "lattice between two corners [A], instead of --border",
            Default{"automatic, by --border"});
}

void add_electrostatics_options(OptionGroup& group, ElectrostaticsOptions& electrostatics) {
  group.add("dielectric", electrostatics.dielectric, "E", "constant dielectric",
            Default{"1, vacuum; with --ionic-strength " + default_text(water_dielectric) + ", water"});
  group.add("ddd", electrostatics.ddd_per_A, "A^-1",
            "distance-dependent dielectric: this value times the distance; 3 is common");
  group.add("ionic-strength", electrostatics.ionic_strength_M, "M",
            "Debye-Hueckel screening by a 1:1 salt of this concentration [mol/L]");
  group.add("temperature", electrostatics.temperature_K, "K",
            "temperature, for energies and potentials in units of kT");
}

namespace {

/// How far results depend on how they are computed; `values`: those of a lattice or of points.
const char* agreement(Computed what, const char* values) {
  switch (what) {
    case Computed::ions:
      return "; the ions are the same";
    case Computed::samples:
      return "; averages agree within their errors";
    case Computed::values:
      break;
  }
  return values;
}

constexpr const char* but_for_rounding = "; values agree except for rounding";

}  // namespace

void add_method_options(OptionGroup& group, OptionGroup& tuning, MethodArguments& method, Computed what) {
  group.add_choice("method", method.method, method_words(),
                   std::string("direct sum or multilevel summation; auto chooses the faster one") +
                       agreement(what, "; values agree within multilevel summation's error"));
  group.add(
      "accuracy", method.accuracy, "E",
      std::string("in place of --method: the largest relative error (no unit) of values on the lattice, with "
                  "the cheapest sum that keeps it; the root mean square difference from exact sums divided "
                  "by that of the potential, ") +
          (what == Computed::ions ? "where ions can go; the ions are the same"
                                  : "more than 1 A from all atoms"),
      Default{"off"});
  const MultilevelOptions usual;
  tuning.add("msm-cutoff", method.cutoff_A, "A",
             "cutoff of the short-range part of multilevel summation, which is summed pair by pair",
             Default{default_text(usual.cutoff_A)});
  tuning.add("msm-spacing", method.spacing_A, "A", "spacing of the finest grid of multilevel summation",
             Default{default_text(usual.spacing_A)});
  tuning.add_choice(
      "msm-basis", method.basis, basis_words(),
      "basis functions of multilevel summation; the published ones are cubic, with --tune msm-cutoff=12 "
      "--tune msm-spacing=2",
      Default{std::string(to_string(usual.basis))});
}

void add_threads_option(OptionGroup& group, int& threads) {
  group.add(
      "threads", threads, "N",
      "number of threads, at most one for each core; 0: OMP_NUM_THREADS if it is set, otherwise one for each "
      "core");
}

void add_computing_options(OptionGroup& group, OptionGroup& tuning, FieldOptions& field) {
  add_threads_option(group, field.threads);
  tuning.add_choice("simd", field.simd, simd_words(),
                    "instruction set of the inner loops; results agree except for rounding");
}

void add_backend_options(OptionGroup& group, OptionGroup& tuning, BackendArguments& backend, Computed what) {
  group.add_choice(
      "backend", backend.backend, backend_words(),
      std::string("where to compute; auto uses a GPU if that is faster") + agreement(what, but_for_rounding));
  group.add(
      "devices", backend.devices, "N,N,...",
      "GPUs that may be used, numbered as in 'ionwell info': the first one holds the lattice, and others "
      "help to compute the potential where that saves more time than their start takes; a lattice too large "
      "for one GPU is distributed over all",
      Default{"the first one"});
  tuning.add("gpu-memory", backend.memory_GB, "GB",
             "largest amount of memory to use on each GPU; a lattice that does not fit stays in host memory, "
             "and the GPUs compute it in parts",
             Default{"all that is free"});
}

const std::string map_endings =
    "map file: OpenDX (.dx, .dx.gz, .dxbin), HDF5 (.h5, .cmap), CCP4 (.mrc for ChimeraX and PyMOL, .ccp4 for "
    "Coot), cube (.cube) or UHBD (.grd)";

namespace {

OptionWords<MapUnit> unit_words() {
  return {{"kT/e", MapUnit::kT_e},
          {"kcal/mol/e", MapUnit::kcal_mol_e},
          {"kJ/mol/e", MapUnit::kJ_mol_e},
          {"mV", MapUnit::mV},
          {"V", MapUnit::V}};
}

}  // namespace

void add_map_unit_option(OptionGroup& group, std::optional<MapUnit>& unit, const std::string& text) {
  group.add_choice("map-unit", unit, unit_words(), text, Default{"from the file"});
}

void add_to_unit_option(OptionGroup& group, MapUnit& unit) {
  group.add_choice("to-unit", unit, unit_words(), "unit of the written values");
}

void add_to_unit_option(OptionGroup& group, std::optional<MapUnit>& unit) {
  group.add_choice("to-unit", unit, unit_words(), "unit of the written values", Default{"unchanged"});
}

void add_run_options(OptionGroup& group, RunArguments& run) {
  group.add("report", run.report, "FILE",
            "write a report of the run for programs (JSON); - is standard output");
  group.add_flag("quiet", run.quiet, "print warnings and errors only");
}

int usable_threads(int asked) {
  if (asked < 0)
    fail<UsageError>("--threads is ", asked, "; it must be 1 or more, or 0 for one for each core (",
                     available_cores(), ")");
  return std::min(thread_count(asked), available_cores());
}

SummationOptions summation_options(const MethodArguments& arguments) {
  SummationOptions summation;
  summation.method = arguments.method;
  if (arguments.cutoff_A || arguments.spacing_A || arguments.basis) {
    summation.method = Method::multilevel;
  }
  if (arguments.cutoff_A) summation.multilevel.cutoff_A = *arguments.cutoff_A;
  if (arguments.spacing_A) summation.multilevel.spacing_A = *arguments.spacing_A;
  if (arguments.basis) summation.multilevel.basis = *arguments.basis;
  if (arguments.accuracy) check_accuracy(*arguments.accuracy);
  summation.accuracy = arguments.accuracy;
  return summation;
}

BackendOptions backend_options(const BackendArguments& arguments) {
  BackendOptions options{.backend = arguments.backend};
  if (arguments.memory_GB) {
    constexpr double bytes_per_GB = 1e9, most_GB = 1e6;
    if (!(*arguments.memory_GB > 0.0 && *arguments.memory_GB <= most_GB))
      fail<UsageError>("--tune gpu-memory is ", *arguments.memory_GB, " GB; it must be greater than 0");
    options.memory_bytes = std::int64_t(bytes_per_GB * *arguments.memory_GB);
  }
  if (!arguments.devices) return options;
  std::string_view text = *arguments.devices;
  for (;;) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::optional<int> number = parse_integer(text.substr(0, end));
    if (!number || *number < 0)
      fail<UsageError>("--devices is '", *arguments.devices,
                       "'; it must be numbers of GPUs, separated by commas, for example 0,1");
    options.devices.push_back(*number);
    if (end == text.size()) return options;
    text.remove_prefix(end + 1);
  }
}

}  // namespace ionwell
