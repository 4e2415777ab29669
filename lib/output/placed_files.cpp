// SPDX-License-Identifier: BSD-3-Clause
#include "output/placed_files.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "jobs/place/job/report.hpp"
#include "output/folder_checks.hpp"
#include "output/result_ions.hpp"
#include "output/structure_file.hpp"
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

/// Ranges of the system's atoms as those of all in the files.
std::vector<AtomRange> ranges_in_files(std::vector<AtomRange> ranges, const System& system) {
  if (system.ignored().empty()) return ranges;
  const std::vector<std::size_t> numbers = system.numbers_in_files();
  for (auto& [begin, end] : ranges) begin = numbers[begin], end = numbers[end - 1] + 1;
  return ranges;
}

}  // namespace

std::string partial_path(const SystemOutput& output) {
  std::filesystem::path path(output.path);
  if (output.engine) {  // next to the folder, which must be empty when the run is resumed
    path = path.lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (path.filename() == "." || path.filename() == "..") path = std::filesystem::canonical(path);
    return path.string() + ".partial.pdb";
  }
  if (is_standard_output(output.path)) path = "ions.pdb";
  const std::string packed = path.extension() == ".gz" ? ".gz" : "";
  if (!packed.empty()) path.replace_extension();
  const std::string extension = path.extension().string();
  return path.replace_extension(".partial" + extension + packed).string();
}

PlacedFiles::PlacedFiles(const SystemOutput& output, const PlacedRun& run, HydratedAs written_as)
    : output_(output), run_(run), hydrated_(hydrated_atoms(run.result, output, written_as)) {
  if (keeps_ignored()) atoms_of_files_ = run.input.system.atoms_of_files();
}

bool PlacedFiles::keeps_ignored() const {
  return output_.engine && !run_.input.system.ignored().empty() &&
         keeps_topology(*output_.engine, run_.input);
}

bool PlacedFiles::has_cell() const {
  return output_.with_solute || run_.result.box;
}

EngineSystem PlacedFiles::engine_system() const {
  const System& system = run_.input.system;
  const Result& result = run_.result;
  const std::optional<UnitCell> cell = written_cell(result.structure);
  std::vector<AtomRange> replaced = replaced_atoms(result);
  return {.atoms = keeps_ignored() ? std::span<const Atom>(atoms_of_files_) : system.atoms(),
          .ions = engine_ions(result),
          .replaced = keeps_ignored() ? ranges_in_files(std::move(replaced), system) : std::move(replaced),
          .waters = hydrated_.behind,
          .water_model = std::string(result.hydration ? result.hydration->water : std::string_view()),
          .cell = cell,
          .cell_centre_A = system.cell_centre_A(),
          .remarks = protocol_remarks(result),
          .topology = run_.input.topology,
          .header_records = cell ? system.header_records() : records_without_places(system.header_records()),
          .defines = run_.defines,
          .includes = run_.includes,
          .ligands = run_.input.ligands,
          .links = run_.input.entry_links};
}

std::vector<std::string> PlacedFiles::topology_warnings() const {
  if (!keeps_ignored()) return {};
  const std::span<const Atom> ignored = run_.input.system.ignored();
  return {"the topology of the folder still has " + count_of(std::ssize(ignored), "ignored atom") +
          ", whose charge of " + charge_text(net_charge_e(ignored)) + " e is not counted; remove them from " +
          run_.input.topology->path + ", or leave --ignore out"};
}

std::vector<std::string> PlacedFiles::warnings() const {
  if (!output_.engine)
    return has_cell() ? system_warnings(run_.result.structure.cell, output_.path)
                      : std::vector<std::string>();
  std::vector<std::string> all = topology_warnings();
  for (std::string& warning : engine_warnings(*output_.engine, engine_system()))
    all.push_back(std::move(warning));
  return all;
}

std::string PlacedFiles::bytes() const {
  const Result& result = run_.result;
  const std::vector<EngineIon> placed = engine_ions(result);
  std::vector<EngineIon> ions;
  ions.reserve(hydrated_.ions.size());
  for (const std::size_t n : hydrated_.ions) ions.push_back(placed[n]);
  if (!result.box)
    return structure_file(output_, {.input = run_.input,
                                    .structure = result.structure,
                                    .ions = std::move(ions),
                                    .remarks = protocol_remarks(result),
                                    .behind = hydrated_.behind});
  const EngineSystem box{.atoms = run_.input.system.atoms(), .replaced = replaced_atoms(result)};
  const std::vector<Atom> remaining = remaining_atoms(box);
  PlacedSystem system{.remarks = protocol_remarks(result),
                      .records = run_.input.system.header_records(),
                      .ions = named_ions(ions, output_.naming),
                      .cell = written_cell(result.structure),
                      .names = solute_names(run_.input),
                      .serials = output_.serials};
  // None of the atoms in front of the ions was replaced.
  system.solute = std::span(remaining).first(result.box->ions_before);
  system.behind = std::span(remaining).subspan(result.box->ions_before);
  return system_bytes(system, output_.path);
}

void PlacedFiles::add_to(OutputFiles& files) const {
  if (output_.engine)
    add_engine_files(*output_.engine, output_.path, engine_system(), files);
  else
    files.add(output_.path).write(bytes());
}

std::string save_partial(const SystemOutput& output, const PlacedRun& run) {
  if (run.result.placement.ions.empty()) return "";
  const std::string path = partial_path(output);
  try {
    write_file(path, PlacedFiles(output, run).bytes());
  } catch (const Error& error) {
    return std::string("; the ions placed so far could not be saved either: ") + error.what();
  }
  const auto saved = std::ssize(run.result.placement.ions);
  return "; the " + count_of(saved, "ion") + " placed before " + (saved == 1 ? "is" : "are") + " in " + path;
}

}  // namespace ionwell
