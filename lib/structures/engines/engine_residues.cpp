#include "structures/engines/engine_residues.hpp"

namespace ionwell {

bool names_residues(Engine engine, const std::optional<TopologyFile>& topology) {
  return (engine == Engine::amber || engine == Engine::charmm || engine == Engine::openmm) && !topology;
}

NamedResidues engine_residues(Engine engine, std::span<const Atom> atoms) {
  if (engine == Engine::amber)
    return named_residues(atoms, {.scheme = NamingScheme::amber, .program = "AMBER's force fields"});
  if (engine == Engine::openmm)
    return named_residues(atoms, {.scheme = NamingScheme::pdb,
                                  .program = "OpenMM's force fields",
                                  .has = [](const ResidueTemplate& residue) {
                                    return residue.called_in(NamingScheme::amber) &&
                                           residue.parent == residue.residue;
                                  }});
  return named_residues(atoms, {.scheme = NamingScheme::charmm, .program = "CHARMM's force field"});
}

}  // namespace ionwell
