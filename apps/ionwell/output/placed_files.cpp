#include "ionwell/output/placed_files.hpp"

#include <algorithm>
#include <filesystem>

#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "jobs/place/job/report.hpp"
#include "output/solvated_files.hpp"
#include "solvation/simulation_cell.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

std::vector<AtomRange> replaced_atoms(const Result& result) {
  std::vector<AtomRange> replaced;
  if (!result.box) return replaced;
  for (const BoxWater& water : result.box->replaced) replaced.push_back({water.begin, water.end});
  std::sort(replaced.begin(), replaced.end(),
            [](const AtomRange& a, const AtomRange& b) { return a.begin < b.begin; });
  return replaced;
}

/// Ranges of the kept atoms as those of all atoms.
std::vector<AtomRange> among_all_atoms(std::vector<AtomRange> ranges, const Input& input) {
  if (input.ignored.empty()) return ranges;
  std::vector<std::size_t> place;  // of each kept atom
  for (std::size_t i = 0; i < input.ignored.size(); ++i)
    if (!input.ignored[i]) place.push_back(i);
  for (auto& [begin, end] : ranges) begin = place[begin], end = place[end - 1] + 1;
  return ranges;
}

/// Standard output gets no part.
std::string partial_path(const std::string& output) {
  std::filesystem::path path(is_standard_output(output) ? "ions.pdb" : output);
  const std::string packed = path.extension() == ".gz" ? ".gz" : "";
  if (!packed.empty()) path.replace_extension();
  const std::string extension = path.extension().string();
  return path.replace_extension(".partial" + extension + packed).string();
}

}  // namespace

EngineSystem engine_system(Engine engine, const Input& input, const InputOptions& options,
                           const Result& result, std::span<const Atom> waters) {
  const bool has_all = keeps_topology(engine, input);
  return {.atoms = has_all ? input.all_atoms() : input.kept_atoms(),
          .ions = engine_ions(result),
          .replaced = has_all ? among_all_atoms(replaced_atoms(result), input) : replaced_atoms(result),
          .waters = waters,
          .water_model = std::string(result.hydration ? result.hydration->water : std::string_view()),
          .cell = written_cell(result.structure),
          .cell_centre_A = input.cell_centre_A,
          .remarks = protocol_remarks(result),
          .topology = input.topology,
          .header_records = written_cell(result.structure) ? input.header_records
                                                           : records_without_places(input.header_records),
          .defines = options.defines,
          .includes = options.includes};
}

bool has_cell(const SystemOutput& output, const Result& result) {
  return output.with_solute || result.box;
}

std::vector<std::string> topology_warnings(Engine engine, const Input& input) {
  if (input.ignored.empty() || !keeps_topology(engine, input)) return {};
  const std::int64_t ignored = std::ssize(input.ignored) - std::ssize(input.not_ignored);
  const double charge_e = net_charge_e(input.all_atoms()) - net_charge_e(input.kept_atoms());
  return {"the topology of the folder still has " + count_of(ignored, "ignored atom") + ", whose charge of " +
          charge_text(charge_e) + " e is not counted; take them out of " + input.topology->path +
          ", or leave --ignore out"};
}

std::string placed_file(const SystemOutput& output, const Input& input, const Result& result,
                        HydratedAs written_as) {
  const HydratedAtoms hydrated = hydrated_atoms(result, output, written_as);
  const std::vector<EngineIon> placed = engine_ions(result);
  std::vector<EngineIon> ions;
  ions.reserve(hydrated.ions.size());
  for (const std::size_t n : hydrated.ions) ions.push_back(placed[n]);
  PlacedSystem system{.remarks = protocol_remarks(result),
                      .ions = named_ions(ions, output.naming),
                      .names = input.is_pqr ? SoluteNames::pdb : SoluteNames::own,
                      .serials = output.serials};
  if (has_cell(output, result)) {
    system.cell = written_cell(result.structure);
    system.records = input.header_records;
  }
  if (!result.box) {
    (output.with_solute ? system.solute : system.around) = result.structure.atoms;
    system.behind = hydrated.behind;
    return system_bytes(system, output.path);
  }
  const EngineSystem box{.atoms = input.kept_atoms(), .replaced = replaced_atoms(result)};
  const std::vector<Atom> remaining = remaining_atoms(box);
  // None of the atoms in front of the ions was replaced.
  system.solute = std::span(remaining).first(result.box->ions_before);
  system.behind = std::span(remaining).subspan(result.box->ions_before);
  return system_bytes(system, output.path);
}

void add_placed_files(const SystemOutput& output, const Input& input, const InputOptions& options,
                      const Result& result, HydratedAs written_as, OutputFiles& files) {
  if (!output.engine) {
    files.add(output.path).write(placed_file(output, input, result, written_as));
    return;
  }
  const HydratedAtoms hydrated = hydrated_atoms(result, output, written_as);
  add_engine_files(*output.engine, output.path,
                   engine_system(*output.engine, input, options, result, hydrated.behind), files);
}

std::string save_partial(const SystemOutput& output, const Input& input, const Result& result) {
  if (result.placement.ions.empty()) return "";
  const std::string path =
      partial_path(output.engine ? (std::filesystem::path(output.path) / "ions.pdb").string() : output.path);
  try {
    write_file(path, placed_file(output, input, result));
  } catch (const Error& error) {
    return std::string("; the ions placed so far could not be saved either: ") + error.what();
  }
  const auto saved = std::ssize(result.placement.ions);
  return "; the " + count_of(saved, "ion") + " placed before " + (saved == 1 ? "is" : "are") + " in " + path;
}

}  // namespace ionwell
