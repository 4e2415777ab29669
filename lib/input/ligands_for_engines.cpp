// SPDX-License-Identifier: BSD-3-Clause
#include "input/ligands_for_engines.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "files/input_file.hpp"
#include "input/ligand_charges.hpp"
#include "structures/charmm/residue_topology.hpp"
#include "structures/engines/openmm_residues.hpp"
#include "structures/gromacs/topology.hpp"
#include "structures/mol2.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

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

/// Of all residues that it has; parameters have none.
std::vector<Atom> atoms_of(const EngineLigand& ligand) {
  switch (ligand.kind) {
    case LigandKind::mol2:
      return read_mol2(ligand.text, ligand.path, Mol2Charges::optional).atoms;
    case LigandKind::leap_library:
      return read_leap_library(ligand.text, ligand.path).atoms;
    case LigandKind::charmm_topology:
      return read_charmm_residues(ligand.text, ligand.path).atoms;
    case LigandKind::openmm_force_field:
      return read_openmm_residues(ligand.text, ligand.path).atoms;
    case LigandKind::gromacs_topology:
      if (!has_only_gromacs_parameters(ligand.text)) return read_gromacs_ligand(ligand.path);
      break;
    case LigandKind::leap_parameters:
    case LigandKind::charmm_parameters:
      break;
  }
  return {};
}

std::string residue_name(const EngineLigand& ligand, const Atom& atom) {
  return ligand.kind == LigandKind::mol2 ? component_name(atom) : std::string(atom.residue.view());
}

/// Its residues as spans of `atoms`.
std::vector<std::span<const Atom>> residues_of(std::span<const Atom> atoms) {
  std::vector<std::span<const Atom>> residues;
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    end = residue_at(atoms, begin).end;
    residues.push_back(atoms.subspan(begin, end - begin));
  }
  return residues;
}

bool has_atom(std::span<const Atom> residue, const Atom& wanted) {
  return std::any_of(residue.begin(), residue.end(),
                     [&](const Atom& atom) { return atom.name == wanted.name; });
}

/// That an end of a chain has besides the atoms of a residue within one, under names of any program.
bool is_of_end(std::string_view name) {
  constexpr std::string_view names[] = {"OXT", "OT1", "OT2", "HXT", "H",    "H1",   "H2",  "H3", "HN",
                                        "HT1", "HT2", "HT3", "OP3", "HO5'", "HO3'", "H5T", "H3T"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Names of atoms of the one that the other lacks, but lone pairs; hydrogens too where they count.
std::string missing_names(std::span<const Atom> of, std::span<const Atom> in, bool with_hydrogens) {
  const bool is_of_chain = std::any_of(of.begin(), of.end(), [](const Atom& atom) {
    return atom.name == Label("CA") || atom.name == Label("C4'");
  });
  std::string text;
  for (const Atom& atom : of)
    if (!has_atom(in, atom) && !atom.name.view().starts_with("LP") &&
        (with_hydrogens ? !is_of_chain || !is_of_end(atom.name.view()) : element_of(atom) != "H"))
      text.append(text.empty() ? "" : ", ").append(atom.name.view());
  return text;
}

/// Hydrogens may be missing in the structure: they are built.
void check_atoms(const EngineLigand& ligand, std::span<const Atom> file, std::span<const Atom> residue) {
  const std::string unknown = missing_names(residue, file, true),
                    lacking = missing_names(file, residue, false);
  if (!unknown.empty())
    fail(ligand.path, ": has no atom for ", describe_residue(residue.front()), ' ', unknown,
         lacking.empty() ? "" : " (and has " + lacking + ", which that lacks)",
         "; give a file of that residue, with the atom names of the structure");
  if (!lacking.empty())
    fail(ligand.path, ": has ", lacking, ", which ", describe_residue(residue.front()),
         " lacks; build the missing atoms in the structure, or give a file of the same molecule");
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
                       ": is a file for LEaP, but no folder for AMBER is written; add --for amber, or give a "
                       "mol2 file or a topology");
    if (of_charmm && !is_among(engines, LigandsOf::charmm))
      fail<UsageError>("--ligand ", path,
                       ": is a file for psfgen, but no folder for CHARMM is written; add --for charmm, or "
                       "give a mol2 file or a topology");
    if (of_openmm && !is_among(engines, LigandsOf::openmm))
      fail<UsageError>("--ligand ", path,
                       ": is a file for OpenMM, but no folder for OpenMM is written; add --for openmm, or "
                       "give a mol2 file or a topology");
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
    const std::vector<Atom> atoms = atoms_of(ligand);
    for (const std::span<const Atom> residue : residues_of(atoms))
      ligand.residues.push_back(residue_name(ligand, residue.front()));
    ligands.push_back(std::move(ligand));
  }
  return ligands;
}

void check_ligand_residues(const std::vector<EngineLigand>& ligands, std::span<const Atom> atoms) {
  if (ligands.empty()) return;
  std::unordered_map<std::string_view, std::vector<std::span<const Atom>>> by_name;
  for (const std::span<const Atom> residue : residues_of(atoms))
    by_name[residue.front().residue.view()].push_back(residue);
  for (const EngineLigand& ligand : ligands) {
    const std::vector<Atom> of_file = atoms_of(ligand);
    bool is_used = of_file.empty();
    std::set<std::string> compared;  // of copies in the file the first one counts
    for (const std::span<const Atom> unit : residues_of(of_file)) {
      const std::string name = residue_name(ligand, unit.front());
      if (!compared.insert(name).second) continue;
      const bool has_ends = residue_table().find(name) != nullptr;  // with other atoms in chains
      const auto found = by_name.find(name);
      if (found == by_name.end()) continue;
      is_used = true;
      if (has_ends) continue;
      for (const std::span<const Atom> residue : found->second) check_atoms(ligand, unit, residue);
    }
    if (!is_used)
      fail(ligand.path, ": is of ", ligand.residues.front(),
           ", but the structure has no residue of that name; give the residue in this file the name that it "
           "has in the structure");
  }
}

}  // namespace ionwell
