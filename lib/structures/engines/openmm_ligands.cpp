// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/openmm_ligands.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/first_names.hpp"
#include "structures/engines/openmm_residues.hpp"

namespace ionwell {
namespace {

/// The atoms of a residue of the force field, and bonds by their numbers.
struct ResidueOfFile {
  std::string path;
  std::vector<Label> atoms;
  std::vector<std::pair<std::size_t, std::size_t>> bonds;
};
using ResiduesOfFiles = std::map<std::string, ResidueOfFile, std::less<>>;

ResiduesOfFiles residues_of(const std::vector<EngineLigand>& ligands) {
  ResiduesOfFiles residues;
  for (const EngineLigand& ligand : ligands) {
    const OpenmmResidues read = read_openmm_residues(ligand.text, ligand.path);
    const std::span<const Atom> atoms = read.atoms;
    std::vector<ResidueOfFile*> of_atom;
    std::vector<std::size_t> begins;
    for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
      end = end_of_residue(atoms, begin);
      const auto [at, is_new] =
          residues.try_emplace(std::string(atoms[begin].residue.view()), ResidueOfFile{ligand.path, {}, {}});
      for (std::size_t n = begin; n < end; ++n) {
        if (is_new) at->second.atoms.push_back(atoms[n].name);
        of_atom.push_back(is_new ? &at->second : nullptr);
        begins.push_back(begin);
      }
    }
    for (const AtomLink& bond : read.bonds)
      if (of_atom[bond.first] != nullptr)
        of_atom[bond.first]->bonds.emplace_back(bond.first - begins[bond.first],
                                                bond.second - begins[bond.first]);
  }
  return residues;
}

const ResidueOfFile* residue_in_files(const ResiduesOfFiles& residues, const Atom& atom) {
  const auto found = residues.find(atom.residue.view());
  return found == residues.end() ? nullptr : &found->second;
}

/// By atom of the template: its number, or that of no atom where it is missing.
std::vector<std::size_t> places_in(const ResidueOfFile& of_file, std::span<const Atom> residue) {
  std::vector<std::size_t> found;
  for (const Label& name : of_file.atoms)
    found.push_back(std::size_t(std::ranges::find(residue, name, &Atom::name) - residue.begin()));
  return found;
}

}  // namespace

void check_openmm_ligands(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const std::vector<EngineLigand>& ligands) {
  if (ligands.empty()) return;
  const ResiduesOfFiles known = residues_of(ligands);
  for (const PerceivedResidue& residue : chemistry.residues) {
    const Atom& first = atoms[residue.begin];
    const ResidueOfFile* const of_file = residue_in_files(known, first);
    if (of_file == nullptr) continue;
    const std::string name = describe_residue(first);
    if (residue.before != nothing || residue.after != nothing)
      fail(of_file->path, ": ", name,
           " is a residue of a chain, but --ligand is for molecules of one residue here; write for AMBER or "
           "CHARMM, whose prmtop and PSF OpenMM reads");
    const std::span<const Atom> own = atoms.subspan(residue.begin, residue.end - residue.begin);
    std::vector<std::string> lacking, others;
    const std::vector<std::size_t> at = places_in(*of_file, own);
    for (std::size_t m = 0; m < at.size(); ++m)
      if (at[m] == own.size()) lacking.emplace_back(of_file->atoms[m].view());
    for (const Atom& atom : own)
      if (std::ranges::find(of_file->atoms, atom.name) == of_file->atoms.end())
        others.emplace_back(atom.name.view());
    if (!lacking.empty())
      fail(of_file->path, ": has ", first_names(lacking), ", which ", name,
           " lacks; give both files the same atoms");
    if (!others.empty())
      fail(of_file->path, ": has no atom for ", name, ' ', first_names(others),
           "; give both files the same atoms");
  }
}

std::vector<std::pair<std::size_t, std::size_t>> openmm_ligand_bonds(
    std::span<const Atom> atoms, const Chemistry& chemistry, const std::vector<EngineLigand>& ligands) {
  std::vector<std::pair<std::size_t, std::size_t>> bonds;
  if (ligands.empty()) return bonds;
  const ResiduesOfFiles known = residues_of(ligands);
  for (const PerceivedResidue& residue : chemistry.residues) {
    const ResidueOfFile* const of_file = residue_in_files(known, atoms[residue.begin]);
    if (of_file == nullptr) continue;
    const std::vector<std::size_t> at =
        places_in(*of_file, atoms.subspan(residue.begin, residue.end - residue.begin));
    for (const auto& [first, second] : of_file->bonds)
      bonds.emplace_back(residue.begin + at[first], residue.begin + at[second]);
  }
  return bonds;
}

}  // namespace ionwell
