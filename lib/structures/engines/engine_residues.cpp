#include "structures/engines/engine_residues.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text/first_names.hpp"

namespace ionwell {
namespace {

/// The atom of a residue that is that one of a template of its names; or nothing.
std::uint32_t atom_of(const Chemistry& chemistry, const PerceivedResidue& residue, Label name) {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (chemistry.found_atoms[n] != Chemistry::no_atom &&
        residue.found->atoms[chemistry.found_atoms[n]].name == name)
      return n;
  return nothing;
}

/// Throws for nucleotides that are no ends, where a chain ends: AMBER's have whole charges only together.
void check_ends(std::span<const Atom> atoms, const NamedResidues& named) {
  const Chemistry& chemistry = named.chemistry;
  std::vector<bool> is_linked(atoms.size());
  for (const ResidueLink& link : chemistry.links) is_linked[link.first] = is_linked[link.second] = true;
  std::vector<std::string> open;
  for (std::size_t r = 0; r < named.residues.size(); ++r) {
    const PerceivedResidue& residue = chemistry.residues[r];
    const ResidueTemplate* const as = named.residues[r].as;
    if (as == nullptr || residue.role != ResidueRole::nucleotide) continue;
    for (const auto& [neighbour, atom] :
         {std::pair(residue.before, as->link_before), std::pair(residue.after, as->link_after)}) {
      if (neighbour != nothing || atom == ResidueTemplate::no_atom) continue;
      const std::uint32_t n = atom_of(chemistry, residue, as->atoms[atom].name);
      if (n != nothing && !is_linked[n]) open.push_back(describe(atoms[n]));
    }
  }
  if (!open.empty())
    fail("AMBER's force fields have nucleotides within a chain and at its ends, and nothing is bound to ",
         first_names(open), "; do not leave out a residue of a chain by --ignore, or build what is missing");
}

/// AMBER's residues, but for modified ones and phosphates at a 5' end.
bool openmm_has(const ResidueTemplate& residue) {
  return residue.called_in(NamingScheme::amber) && residue.parent == residue.residue &&
         residue.ends.first != ChainEnd::five_phosphate;
}

}  // namespace

std::vector<LigandsOf> ligands_for(std::optional<Engine> engine) {
  if (engine == Engine::amber) return {LigandsOf::leap};
  if (engine == Engine::charmm) return {LigandsOf::charmm};
  return {};
}

bool names_residues(Engine engine, const std::optional<TopologyFile>& topology) {
  return (engine == Engine::amber || engine == Engine::charmm || engine == Engine::openmm) && !topology;
}

NamedResidues engine_residues(Engine engine, std::span<const Atom> atoms,
                              const std::vector<EngineLigand>& ligands) {
  const std::vector<EngineLigand> own =
      ligands_of(ligands, engine == Engine::amber ? LigandsOf::leap : LigandsOf::charmm);
  const auto knows = [&](std::string_view residue) { return has_residue(own, residue); };
  if (engine == Engine::charmm)
    return named_residues(
        atoms, {.scheme = NamingScheme::charmm, .program = "CHARMM's force fields", .knows = knows});
  NamedResidues named = named_residues(
      atoms,
      engine == Engine::openmm
          ? NamingChoice{.scheme = NamingScheme::pdb, .program = "OpenMM's force fields", .has = openmm_has}
          : NamingChoice{.scheme = NamingScheme::amber, .program = "AMBER's force fields", .knows = knows});
  check_ends(atoms, named);
  return named;
}

}  // namespace ionwell
