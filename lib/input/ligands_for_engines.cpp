#include "input/ligands_for_engines.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "files/input_file.hpp"
#include "input/ligand_charges.hpp"
#include "structures/charmm/residue_topology.hpp"
#include "structures/engines/openmm_residues.hpp"
#include "structures/gromacs/topology.hpp"
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

/// Each molecule of one residue.
std::vector<Atom> read_gromacs_ligand(const std::string& path) {
  const GromacsTopology read = read_gromacs_topology(path, {.preprocessor = {}, .may_be_part = true});
  std::vector<Atom> atoms;
  for (const GromacsMoleculeType& type : read.types) {
    for (const Atom& atom : type.atoms)
      if (atom.residue != type.atoms[0].residue || atom.residue_number != type.atoms[0].residue_number)
        fail(path, ": molecule ", type.name, " has several residues, ", describe_residue(type.atoms[0]),
             " and ", describe_residue(atom), "; give files of molecules of one residue each");
    atoms.insert(atoms.end(), type.atoms.begin(), type.atoms.end());
  }
  return atoms;
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
    const std::optional<LigandKind> of_openmm = openmm_kind(path), of_gromacs = gromacs_kind(path);
    if (of_leap && !is_among(engines, LigandsOf::leap))
      fail<UsageError>("--ligand ", path,
                       ": is a file for LEaP, and no folder is written for it; add --for "
                       "amber, or give a mol2 file or a topology");
    if (of_charmm && !is_among(engines, LigandsOf::charmm))
      fail<UsageError>("--ligand ", path,
                       ": is a file for psfgen, and no folder is written for it; add --for "
                       "charmm, or give a mol2 file or a topology");
    if (of_openmm && !is_among(engines, LigandsOf::openmm))
      fail<UsageError>("--ligand ", path,
                       ": is a file for OpenMM, and no folder is written for it; add --for "
                       "openmm, or give a mol2 file or a topology");
    const bool is_for_gromacs = of_gromacs && is_among(engines, LigandsOf::gromacs);
    if (!of_leap && !of_charmm && !of_openmm && !is_for_gromacs && !is_mol2(input.head())) continue;
    const LigandKind kind = of_charmm        ? *of_charmm
                            : of_leap        ? *of_leap
                            : of_openmm      ? *of_openmm
                            : is_for_gromacs ? *of_gromacs
                                             : LigandKind::mol2;
    EngineLigand ligand{path, kind, {}, {}};
    const FileBytes bytes = read_input_file(std::move(input));
    ligand.text = std::string(bytes.text());
    if (ligand.kind == LigandKind::mol2)
      add_residues(read_mol2(ligand.text, path, Mol2Charges::optional).atoms, true, ligand);
    if (ligand.kind == LigandKind::leap_library)
      add_residues(read_leap_library(ligand.text, path).atoms, false, ligand);
    if (ligand.kind == LigandKind::charmm_topology)
      add_residues(read_charmm_residues(ligand.text, path).atoms, false, ligand);
    if (ligand.kind == LigandKind::openmm_force_field)
      add_residues(read_openmm_residues(ligand.text, path).atoms, false, ligand);
    if (ligand.kind == LigandKind::gromacs_topology && !has_only_gromacs_parameters(ligand.text))
      add_residues(read_gromacs_ligand(path), false, ligand);
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
