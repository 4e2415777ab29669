// SPDX-License-Identifier: BSD-3-Clause
#include "output/structure_file.hpp"

#include "solvation/simulation_cell.hpp"
#include "structures/engines/engine_ions.hpp"

namespace ionwell {

SoluteNames solute_names(const Input& input) {
  return input.is_pqr ? SoluteNames::pdb : SoluteNames::own;
}

std::string structure_file(const SystemOutput& output, const FileContents& contents) {
  PlacedSystem system{.remarks = contents.remarks,
                      .ions = named_ions(contents.ions, output.naming),
                      .behind = contents.behind,
                      .names = solute_names(contents.input),
                      .serials = output.serials};
  if (output.with_solute) {
    system.cell = written_cell(contents.structure);
    system.records = contents.input.system.header_records();
  }
  (output.with_solute ? system.solute : system.around) = contents.structure.atoms;
  return system_bytes(system, output.path);
}

std::vector<std::string> structure_file_warnings(const SystemOutput& output, const Structure& structure) {
  return output.with_solute ? system_warnings(structure.cell, output.path) : std::vector<std::string>();
}

}  // namespace ionwell
