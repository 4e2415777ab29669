// SPDX-License-Identifier: BSD-3-Clause
#include "output/solvated_files.hpp"

#include "core/chemistry/composition.hpp"
#include "core/version.hpp"
#include "jobs/place/job/report.hpp"
#include "output/folder_checks.hpp"
#include "output/result_ions.hpp"
#include "output/structure_file.hpp"
#include "solvation/written_waters.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/pdb/pdb_header.hpp"

namespace ionwell {
namespace {

/// The atoms of the files, and which of them are not in the system.
struct WholeInput {
  std::vector<Atom> atoms;
  std::vector<AtomRange> left_out;
};

/// The solute with what was left out of it, in the order of a topology, which says what is where: after
/// check_left_out.
WholeInput whole_input(const Input& input, const SolvatedParts& parts) {
  WholeInput whole;
  whole.atoms = input.system.atoms_of_files();
  const std::span<const Atom> all = whole.atoms;
  std::size_t placed = 0, replaced = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    const Residue residue = residue_at(all, begin);
    bool is_in = true;
    const std::size_t first = placed;
    for (std::size_t i = begin; i < residue.end; ++i) {
      if (parts.is_in_solute.empty() || parts.is_in_solute[i])
        whole.atoms[i].position_A = parts.solute[placed++].position_A;
      else
        is_in = false;
    }
    const bool is_replaced = replaced < parts.replaced.size() && parts.replaced[replaced].begin == first;
    if (!is_in || is_replaced) whole.left_out.push_back({begin, residue.end});
    if (is_in && is_replaced) ++replaced;
    begin = residue.end;
  }
  return whole;
}

/// The solute without the waters that ions took the places of.
std::vector<Atom> remaining_solute(const SolvatedParts& parts) {
  return remaining_atoms({.atoms = parts.solute, .replaced = parts.replaced});
}

}  // namespace

SolvatedParts solvated_parts(const Input& input, const Solvation& solvation) {
  return {.solute = solvation.solute,
          .is_in_solute = input.system.has_role({AtomRole::acts}),
          .waters = solvation.waters,
          .cell = solvation.cell,
          .remarks = {"ionwell " + std::string(version()) + ": " + input.system.acting().path + " in " +
                      std::string(solvation.waters.tiles.model().full_name) + " water"}};
}

SolvatedParts prepared_parts(const PreparedBox& prepared, const RemainingBox& remaining,
                             const Result& result) {
  std::vector<EngineIon> ions;
  if (prepared.sites) ions = engine_ions(*prepared.sites);
  const std::vector<EngineIon> placed = engine_ions(result);
  ions.insert(ions.end(), placed.begin(), placed.end());
  return {.solute = prepared.solute(),
          .is_in_solute = prepared.in_box,
          .replaced = remaining.replaced,
          .ions = std::move(ions),
          .waters = remaining.waters,
          .cell = prepared.solvation.cell,
          .remarks = protocol_remarks(result)};
}

std::vector<Atom> system_atoms(const Input& input, const SolvatedParts& parts, IonNaming naming) {
  const std::vector<Atom> solute = remaining_solute(parts);
  std::vector<Atom> atoms =
      written_atoms({.solute = solute, .ions = named_ions(parts.ions, naming), .names = solute_names(input)});
  const std::size_t first = atoms.size();
  atoms.resize(first + std::size_t(parts.waters.size()) * parts.waters.atoms_each());
  parts.waters.make_atoms(0, water_labels(solute, WaterNames::pdb, SystemFormat::pdb),
                          std::span(atoms).subspan(first));
  return atoms;
}

void add_solvated_files(const SystemOutput& output, const Input& input, const InputOptions& options,
                        const SolvatedParts& parts, OutputFiles& files, int threads,
                        const std::function<void(double)>& progress) {
  const std::vector<std::string> records = records_without_places(input.system.header_records());
  const WaterNames names = output.names_of_waters();
  if (output.engine) {
    std::vector<Atom> waters(std::size_t(parts.waters.size()) * parts.waters.atoms_each());
    parts.waters.make_atoms(0, water_labels(parts.solute, names, SystemFormat::pdb), waters);
    WholeInput whole;
    if (keeps_topology(*output.engine, input)) whole = whole_input(input, parts);
    const bool is_whole = !whole.atoms.empty();
    add_engine_files(*output.engine, output.path,
                     {.atoms = is_whole ? std::span<const Atom>(whole.atoms) : parts.solute,
                      .ions = parts.ions,
                      .replaced = is_whole ? whole.left_out : parts.replaced,
                      .waters = waters,
                      .water_model = std::string(parts.waters.tiles.model().name),
                      .cell = parts.cell,
                      .remarks = parts.remarks,
                      .topology = input.topology,
                      .header_records = records,
                      .defines = options.defines,
                      .includes = options.includes,
                      .ligands = input.ligands,
                      .links = input.entry_links},
                     files);
    return;
  }
  std::vector<Atom> remaining;
  if (!parts.replaced.empty()) remaining = remaining_solute(parts);
  const std::span<const Atom> solute = parts.replaced.empty() ? parts.solute : remaining;
  const WaterLabels labels = water_labels(solute, names, system_format(output.path));
  const PlacedSystem system{.remarks = parts.remarks,
                            .records = records,
                            .solute = solute,
                            .ions = named_ions(parts.ions, output.naming),
                            .solvent = written_waters(parts.waters, labels),
                            .cell = parts.cell,
                            .names = solute_names(input),
                            .serials = output.serials};
  write_system(files.add(output.path), system, threads, progress);
}

}  // namespace ionwell
