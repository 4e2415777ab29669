#include "ionwell/run_report.hpp"

#include <iomanip>
#include <iostream>
#include <sstream>

#include "cli/memory.hpp"
#include "cli/options.hpp"
#include "core/large_array.hpp"
#include "core/text/count_text.hpp"
#include "core/version.hpp"
#include "ionwell/run_summary.hpp"
#include "ionwell/structure_input.hpp"
#include "maps/map_file.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// `word` as a shell takes it back.
std::string quoted(const std::string& word) {
  const char* const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + '\'';
}

/// What there is to say of it: nothing when it is on one GPU.
std::string where_the_lattice_is(const GpuLayout& layout) {
  if (layout.lattice_on == LatticeOn::host) return ", a part at a time; the lattice is in host memory";
  return layout.lattice_on == LatticeOn::devices ? ", each with a part of the lattice" : "";
}

}  // namespace

RunReport start_report(const std::string& command, const std::vector<std::string>& words,
                       const Structure& structure, const LatticeGeometry& lattice,
                       const ElectrostaticsOptions& electrostatics, const SolverOptions& solver,
                       const BackendChoice& backend, const FieldOptions& field) {
  const SimdLevel simd = field.simd == SimdLevel::automatic ? best_simd_level() : field.simd;
  RunReport report{.command = "ionwell " + command,
                   .structure = structure,
                   .lattice = lattice,
                   .electrostatics = electrostatics,
                   .method = std::string(to_string(solver.method)),
                   .device = std::string(to_string(simd)),
                   .threads = thread_count(field.threads)};
  if (backend.backend == Backend::gpu) {
    report.backend = to_string(backend.backend);
    report.device.clear();
    for (const GpuDevice& device : backend.devices)
      report.device += (report.device.empty() ? "" : ", ") + device.name;
    report.lattice_on = to_string(backend.layout.lattice_on);
  }
  if (solver.method == Method::multilevel) report.multilevel = solver.multilevel;
  report.refined = field.refine;
  for (const std::string& word : words) report.command += ' ' + quoted(word);
  warn(report, temperature_warnings(electrostatics.temperature_K));
  return report;
}

void warn(RunReport& report, const std::vector<std::string>& warnings) {
  print_warnings(std::cerr, warnings);
  report.warnings.insert(report.warnings.end(), warnings.begin(), warnings.end());
}

void warn_of_placement(RunReport& report, const std::string& map) {
  if (const auto warning = placement_warning(map, report.lattice)) warn(report, {*warning});
}

void finish_report(RunReport& report, const Stages& stages) {
  report.timings_s = stages.times();
  report.timings_s.emplace_back("total", stages.total_seconds());
  report.host_peak_bytes = peak_memory_bytes();
  if (report.backend != to_string(Backend::gpu)) return;
  report.device_start_up_s = gpu_start_up_s();
  report.device_use = report.statistics ? report.statistics->device : DeviceUse{};
}

std::string solute_potential(const RunReport& report) {
  if (!report.imported)
    return std::string(solute_potential_by) + describe_electrostatics(report.electrostatics);
  std::string text = "the potential of";
  for (const std::string& path : report.imported->paths)
    text.append(&path == &report.imported->paths.front() ? " " : ", ").append(path);
  return text;
}

void write_field(OutputFile& file, PotentialField& field, const RunReport& report, MapUnit unit,
                 const std::string& what, const Progress& progress) {
  LargeArray<float> values(std::size_t(report.lattice.size()));
  const std::span<float> all(values.data(), values.size());
  field.copy_values(all);
  const double temperature_K = report.electrostatics.temperature_K;
  if (unit != MapUnit::kT_e) {
    const double factor = volts(MapUnit::kT_e, temperature_K) / volts(unit, temperature_K);
    for (float& value : all) value = float(factor * double(value));
  }
  const MapHeader header{.lattice = report.lattice,
                         .unit = unit,
                         .temperature_K = temperature_K,
                         .provenance = {{"program", "ionwell " + std::string(version())},
                                        {"command", report.command},
                                        {"structure", report.structure.path},
                                        {"method", what + "; " + describe_method(report)}}};
  write_map(file, header, std::span<const float>(all), report.threads, progress);
}

void print_plan(std::ostream& out, const RunReport& report, const BackendChoice& backend) {
  print_structure(out, report.structure);
  print_lattice(out, report.lattice);
  if (report.imported)
    for (const std::string& path : report.imported->paths) print_row(out, "potential", path);
  print_row(out, report.imported ? "ions act by" : "electrostatics",
            report.imported && !report.imported->ions_act ? "nothing, but keep their distance"
                                                          : describe_electrostatics(report.electrostatics));
  print_row(out, "method", report.exclusion ? describe_placement(report) : describe_method(report));
  if (backend.backend == Backend::gpu)
    print_row(out, "computed on", report.device, where_the_lattice_is(backend.layout));
  else
    print_row(out, "computed on", count_of(report.threads, "CPU thread"), " with ", report.device,
              " instructions", backend.reason.empty() ? "" : " (" + backend.reason + ")");
  out.flush();
}

void print_times(std::ostream& out, const RunReport& report) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << report.timings_s.back().second << " s: ";
  for (std::size_t i = 0; i + 1 < report.timings_s.size(); ++i)
    text << (i == 0 ? "" : ", ") << report.timings_s[i].first << ' ' << report.timings_s[i].second;
  print_row(out, "time", text.str());
}

}  // namespace ionwell
