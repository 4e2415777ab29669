#include "cli/options.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
void add_lattice_options(OptionGroup& group, LatticeRequest& lattice) {
  group.add("spacing", lattice.spacing_A, "A",
            "distance between lattice points (default " + default_text(LatticeOptions{}.spacing_A) + ")");
  group.add("border", lattice.border_A, "A",
            "lattice beyond the solute's atoms, on every side (default " +
                default_text(LatticeOptions{}.border_A) + ")");
  group.add("box", lattice.box, "X0,Y0,Z0,X1,Y1,Z1", "lattice between two corners [A], in place of --border");
}

void add_electrostatics_options(OptionGroup& group, ElectrostaticsOptions& electrostatics) {
  group.add("dielectric", electrostatics.dielectric, "E",
            "constant dielectric (default 1, a vacuum; with --ionic-strength water's, " +
                default_text(water_dielectric) + ")");
  group.add("ddd", electrostatics.ddd_per_A, "K", "distance-dependent dielectric K r; 3 is usual");
  group.add("ionic-strength", electrostatics.ionic_strength_M, "M",
            "Debye-Hueckel screening by a 1:1 salt of M mol/L");
  group.add("temperature", electrostatics.temperature_K, "K",
            "temperature of the kT in energies and potentials");
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

constexpr const char* but_for_rounding = "; values agree but for rounding";

}  // namespace

void add_method_options(OptionGroup& group, OptionGroup& tuning, MethodArguments& method, Computed what) {
  group.add_choice("method", method.method,
                   {{"auto", Method::automatic}, {"direct", Method::direct}, {"msm", Method::multilevel}},
                   std::string("direct sum or multilevel summation, auto for the faster one") +
                       agreement(what, "; values agree within multilevel summation's error"));
  const MultilevelOptions usual;
  tuning.add("msm-cutoff", method.cutoff_A, "A",
             "reach of the part that multilevel summation sums pair by pair (default " +
                 default_text(usual.cutoff_A) + ")");
  tuning.add(
      "msm-spacing", method.spacing_A, "A",
      "spacing of the finest grid of multilevel summation (default " + default_text(usual.spacing_A) + ")");
  tuning.add("msm-basis", method.basis, "WORD",
             "basis of multilevel summation: cubic (published, with --tune msm-cutoff=12 --tune "
             "msm-spacing=2), bspline4, "
             "bspline6, bspline8 "
             "(default " +
                 std::string(to_string(usual.basis)) + ")");
}

void add_computing_options(OptionGroup& group, OptionGroup& tuning, FieldOptions& field) {
  group.add(
      "threads", field.threads, "N",
      "threads to compute with, at most one for each core; 0: as OMP_NUM_THREADS says, or else one for each");
  tuning.add_choice("simd", field.simd,
                    {{"auto", SimdLevel::automatic},
                     {"baseline", SimdLevel::baseline},
                     {"avx2", SimdLevel::avx2},
                     {"avx512", SimdLevel::avx512}},
                    "instruction set of the inner loops; results agree but for rounding");
}

void add_backend_options(OptionGroup& group, OptionGroup& tuning, BackendArguments& backend, Computed what) {
  group.add_choice("backend", backend.backend,
                   {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"gpu", Backend::gpu}},
                   std::string("where to compute, auto for a GPU where that is faster") +
                       agreement(what, but_for_rounding));
  group.add(
      "devices", backend.devices, "N,N,...",
      "GPUs to use, as 'ionwell info' numbers them: the first keeps the lattice and the others help with the "
      "potential; a lattice too large for one is shared by all");
  tuning.add("gpu-memory", backend.memory_GB, "GB",
             "memory to use of each GPU at most (default what is free); a lattice that does not fit stays in "
             "host memory, and the GPUs compute it part by part");
}

const std::string map_endings =
    "map file: OpenDX (.dx, .dx.gz, .dxbin), HDF5 (.h5, .cmap), CCP4 (.mrc for ChimeraX and PyMOL, .ccp4 for "
    "Coot), cube (.cube) or UHBD (.grd)";

namespace {

template <typename Unit>
std::vector<std::pair<std::string, Unit>> unit_choices() {
  return {{"kT/e", MapUnit::kT_e},
          {"kcal/mol/e", MapUnit::kcal_mol_e},
          {"kJ/mol/e", MapUnit::kJ_mol_e},
          {"mV", MapUnit::mV},
          {"V", MapUnit::V}};
}

}  // namespace

void add_map_unit_option(OptionGroup& group, MapUnit& unit, const std::string& text) {
  group.add_choice("map-unit", unit, unit_choices<MapUnit>(), text);
}

void add_map_unit_option(OptionGroup& group, std::optional<MapUnit>& unit, const std::string& text) {
  add_unit_choice(group, "map-unit", unit, text);
}

void add_unit_choice(OptionGroup& group, const std::string& name, std::optional<MapUnit>& unit,
                     const std::string& text) {
  group.add_choice(name, unit, unit_choices<std::optional<MapUnit>>(), text);
}

void add_run_options(OptionGroup& group, RunArguments& run) {
  group.add("report", run.report, "FILE", "what was done, for programs (JSON), - for standard output");
  group.add_flag("quiet", run.quiet, "print warnings and errors only");
}

int usable_threads(int asked) {
  if (asked < 0)
    fail<UsageError>("--threads is ", asked, "; it must be 1 or more, or 0 for as many as there are cores (",
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
  if (!arguments.basis) return summation;
  for (const MultilevelBasis basis : {MultilevelBasis::cubic, MultilevelBasis::bspline4,
                                      MultilevelBasis::bspline6, MultilevelBasis::bspline8})
    if (*arguments.basis == to_string(basis)) {
      summation.multilevel.basis = basis;
      return summation;
    }
  fail<UsageError>("--tune msm-basis is '", *arguments.basis,
                   "'; it must be cubic, bspline4, bspline6 or bspline8");
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
                       "'; it must be numbers of GPUs with commas between them, for example 0,1");
    options.devices.push_back(*number);
    if (end == text.size()) return options;
    text.remove_prefix(end + 1);
  }
}

}  // namespace ionwell
