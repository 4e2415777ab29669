// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/engine_residues.hpp"

#include <string>
#include <vector>

#include "structures/engines/openmm_ligands.hpp"

namespace ionwell {
namespace {

/// AMBER's residues, but for modified ones and phosphates at a 5' end.
bool openmm_has(const ResidueTemplate& residue) {
  return residue.called_in(NamingScheme::amber) && residue.parent == residue.residue &&
         residue.ends.first != ChainEnd::five_phosphate;
}

}  // namespace

std::vector<LigandsOf> ligands_for(std::optional<Engine> engine) {
  if (engine == Engine::amber) return {LigandsOf::leap};
  if (engine == Engine::charmm) return {LigandsOf::charmm};
  if (engine == Engine::openmm) return {LigandsOf::openmm};
  if (engine == Engine::gromacs) return {LigandsOf::gromacs};
  return {};
}

bool names_residues(Engine engine, const std::optional<TopologyFile>& topology) {
  return (engine == Engine::amber || engine == Engine::charmm || engine == Engine::openmm) && !topology;
}

NamedResidues engine_residues(Engine engine, std::span<const Atom> atoms,
                              const std::vector<EngineLigand>& ligands, std::span<const RecordedBond> links) {
  const std::vector<EngineLigand> own = ligands_of(ligands, ligands_for(engine).front());
  const auto knows = [&](std::string_view residue) { return has_residue(own, residue); };
  NamingChoice choice{
      .scheme = NamingScheme::amber, .program = "AMBER's force fields", .knows = knows, .links = links};
  if (engine == Engine::charmm) {
    choice.scheme = NamingScheme::charmm;
    choice.program = "CHARMM's force fields";
  } else if (engine == Engine::openmm) {
    choice = {.scheme = NamingScheme::pdb,
              .program = "OpenMM's force fields",
              .knows = knows,
              .links = links,
              .remedy =
                  "give the force field of a ligand (.xml) with --ligand, or write for AMBER or CHARMM, "
                  "whose prmtop and PSF OpenMM reads",
              .has = openmm_has};
  }
  NamedResidues named = named_residues(atoms, choice);
  if (engine == Engine::openmm) check_openmm_ligands(atoms, named.chemistry, own);
  if (engine != Engine::charmm) check_ends(atoms, named, choice.program);  // charmm_pieces has its own
  return named;
}

}  // namespace ionwell
