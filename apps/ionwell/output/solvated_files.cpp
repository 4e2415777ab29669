#include "ionwell/output/solvated_files.hpp"

#include "solvation/written_waters.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/pdb/pdb_header.hpp"

namespace ionwell {

void add_solvated_files(const SystemOutput& output, const Input& input, const InputOptions& options,
                        const SolvatedParts& parts, OutputFiles& files, int threads,
                        const std::function<void(double)>& progress) {
  const std::vector<std::string> records = records_without_places(input.header_records);
  const WaterNames names = output.names_of_waters();
  if (output.engine) {
    std::vector<Atom> waters(std::size_t(parts.waters.size()) * parts.waters.atoms_each());
    parts.waters.make_atoms(0, water_labels(parts.solute, names, SystemFormat::pdb), waters);
    add_engine_files(output,
                     {.atoms = parts.solute,
                      .ions = parts.ions,
                      .replaced = parts.replaced,
                      .waters = waters,
                      .water_model = std::string(parts.waters.tiles.model().name),
                      .cell = parts.cell,
                      .remarks = parts.remarks,
                      .inputs = input.files,
                      .header_records = records,
                      .defines = options.defines,
                      .includes = options.includes},
                     files);
    return;
  }
  std::vector<Atom> remaining;
  if (!parts.replaced.empty())
    remaining = remaining_atoms({.atoms = parts.solute, .replaced = parts.replaced});
  const std::span<const Atom> solute = parts.replaced.empty() ? parts.solute : remaining;
  const WaterLabels labels = water_labels(solute, names, system_format(output.path));
  const PlacedSystem system{.remarks = parts.remarks,
                            .records = records,
                            .solute = solute,
                            .ions = named_ions(parts.ions, output.naming),
                            .solvent = written_waters(parts.waters, labels),
                            .cell = parts.cell,
                            .names = input.is_pqr ? SoluteNames::pdb : SoluteNames::own,
                            .serials = output.serials};
  write_system(files.add(output.path), system, threads, progress);
}

}  // namespace ionwell
