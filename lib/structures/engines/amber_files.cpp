#include "structures/engines/amber_files.hpp"

#include "core/chemistry/composition.hpp"
#include "core/text/lines.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/writers/pdb_writer.hpp"

namespace ionwell {
namespace {

bool is_deoxyribonucleotide(std::string_view residue) {
  return residue.size() > 1 && residue[0] == 'D' && std::string_view("ACGT").find(residue[1]) != residue.npos;
}

/// The force fields of what there is, as AmberTools 23 calls them; OL3, OL15 and ff19SB are its
/// recommendations.
std::string sources(const EngineSystem& system) {
  const Composition composition = composition_of(system.atoms);
  bool dna = false, rna = false;
  for (std::size_t begin = 0; begin < system.atoms.size();) {
    const Residue residue = residue_at(system.atoms, begin);
    if (residue.kind == ResidueKind::nucleic_acid)
      (is_deoxyribonucleotide(system.atoms[begin].residue.view()) ? dna : rna) = true;
    begin = residue.end;
  }
  std::string text;
  if (composition.protein.residues > 0) text += "source leaprc.protein.ff19SB\n";
  if (rna) text += "source leaprc.RNA.OL3\n";
  if (dna) text += "source leaprc.DNA.OL15\n";
  if (composition.lipid.residues > 0) text += "source leaprc.lipid21\n";
  if (composition.unknown.residues > 0) {
    text += "source leaprc.gaff2\n# LEaP needs parameters (loadAmberPrep, loadOff) for:";
    for (const NameCount& name : composition.unknown_names) text.append(" ").append(name.name.view());
    text += '\n';
  }
  return text + "source leaprc.water.tip3p\n";  // and the ions' parameters for it
}

std::string leap_script(const EngineSystem& system) {
  std::string text = "# tleap -f leap.in\n";
  for (const std::string& remark : system.remarks) text.append("# ").append(remark).append("\n");
  text += sources(system);
  text +=
      "mol = loadPdb solute.pdb\n"
      "ions = loadPdb ions.pdb\n"
      "sys = combine { mol ions }\n";
  if (system.cell) {
    const auto& lengths = system.cell->lengths_A;
    text += "set sys box { " + std::to_string(lengths.x) + ' ' + std::to_string(lengths.y) + ' ' +
            std::to_string(lengths.z) + " }\n";
  }
  return text +
         "check sys\n"
         "charge sys\n"
         "saveAmberParm sys system.prmtop system.rst7\n"
         "savePdb sys system.pdb\n"
         "quit\n";
}

}  // namespace

std::vector<EngineFile> amber_files(const EngineSystem& system) {
  return {{"solute.pdb",
           pdb_text({.records = system.header_records, .solute = system.atoms, .cell = system.cell})},
          {"ions.pdb", ions_pdb(system, IonNaming::amber)},
          {"leap.in", leap_script(system)}};
}

}  // namespace ionwell
