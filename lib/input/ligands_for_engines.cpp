#include "input/ligands_for_engines.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "files/input_file.hpp"
#include "input/ligand_charges.hpp"
#include "structures/charmm/residue_topology.hpp"
#include "structures/mol2.hpp"

namespace ionwell {
namespace {

void add_residues(const std::vector<Atom>& atoms, bool by_component, EngineLigand& ligand) {
  for (const Atom& atom : atoms) {
    const std::string name = by_component ? component_name(atom) : std::string(atom.residue.view());
    if (std::find(ligand.residues.begin(), ligand.residues.end(), name) == ligand.residues.end())
      ligand.residues.push_back(name);
  }
}

bool is_among(const std::vector<LigandsOf>& engines, LigandsOf wanted) {
  return std::find(engines.begin(), engines.end(), wanted) != engines.end();
}

}  // namespace

std::vector<EngineLigand> ligands_for_engines(const std::vector<std::string>& paths,
                                              const std::vector<LigandsOf>& engines) {
  std::vector<EngineLigand> ligands;
  for (const std::string& path : paths) {
    InputFile input(path);
    const std::optional<LigandKind> of_leap = leap_kind(path, input.head());
    const std::optional<LigandKind> of_charmm = charmm_kind(path);
    if (of_leap && !is_among(engines, LigandsOf::leap))
      fail<UsageError>("--ligand ", path,
                       ": is a file for LEaP, and no folder is written for it; add --for "
                       "amber, or give a mol2 file or a topology");
    if (of_charmm && !is_among(engines, LigandsOf::charmm))
      fail<UsageError>("--ligand ", path,
                       ": is a file for psfgen, and no folder is written for it; add --for "
                       "charmm, or give a mol2 file or a topology");
    if (!of_leap && !of_charmm && !is_mol2(input.head())) continue;
    EngineLigand ligand{path, of_charmm.value_or(of_leap.value_or(LigandKind::mol2)), {}, {}};
    const FileBytes bytes = read_input_file(std::move(input));
    ligand.text = std::string(bytes.text());
    if (ligand.kind == LigandKind::mol2)
      add_residues(read_mol2(ligand.text, path, Mol2Charges::optional).atoms, true, ligand);
    if (ligand.kind == LigandKind::leap_library)
      add_residues(read_leap_library(ligand.text, path).atoms, false, ligand);
    if (ligand.kind == LigandKind::charmm_topology)
      add_residues(read_charmm_residues(ligand.text, path).atoms, false, ligand);
    ligands.push_back(std::move(ligand));
  }
  return ligands;
}

void check_ligand_residues(const std::vector<EngineLigand>& ligands, std::span<const Atom> atoms) {
  for (const EngineLigand& ligand : ligands) {
    const std::vector<EngineLigand> one = {ligand};
    const bool is_used = ligand.residues.empty() ||
                         std::any_of(atoms.begin(), atoms.end(),
                                     [&](const Atom& atom) { return has_residue(one, atom.residue.view()); });
    if (!is_used)
      fail(ligand.path, ": is of ", ligand.residues.front(),
           ", and the structure has no residue of that name; name the residue in this file as it is in the "
           "structure");
  }
}

}  // namespace ionwell
