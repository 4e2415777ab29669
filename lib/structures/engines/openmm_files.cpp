// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/openmm_files.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "core/chemistry/composition.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/text/quoting.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/engines/engine_residues.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/engines/openmm_ligands.hpp"
#include "structures/writers/mmcif_writer.hpp"

namespace ionwell {
namespace {

constexpr std::string_view head = R"(#!/usr/bin/env python3
"""Minimises the system in system.cif and runs it for a while; the result is in run.cif.

    python3 run.py [FORCE FIELD] [STEPS]
"""
import os
import re
import sys

try:
    import openmm
    from openmm import app, unit
except ImportError:  # before OpenMM 7.6
    from simtk import openmm, unit
    from simtk.openmm import app

)";

constexpr std::string_view script = R"(name = sys.argv[1] if len(sys.argv) > 1 else next(iter(FORCE_FIELDS))
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
if name not in FORCE_FIELDS:
    sys.exit(f"no force field '{name}' here; take one of {', '.join(FORCE_FIELDS)}")

folder = os.path.dirname(os.path.abspath(__file__))
)";

constexpr std::string_view take_force_field = R"(structure = app.PDBxFile(os.path.join(folder, "system.cif"))
try:
    force_field = app.ForceField(*FORCE_FIELDS[name])
except ValueError as problem:
    sys.exit(f"OpenMM {openmm.Platform.getOpenMMVersion()} lacks a file of {name}; another version or force field may have it: {problem}")
)";

constexpr std::string_view take_force_field_and_ligands =
    R"(structure = app.PDBxFile(os.path.join(folder, "system.cif"))
try:
    force_field = app.ForceField(*FORCE_FIELDS[name], *(os.path.join(folder, ligand) for ligand in LIGANDS))
except (KeyError, ValueError) as problem:
    sys.exit(f"OpenMM {openmm.Platform.getOpenMMVersion()} does not take {name} with {', '.join(LIGANDS)}: {problem}")


def by_name(field, residue, *how):
    """The template of a ligand: by its atoms and bonds alone it may be one of the force field's, too."""
    return field._templates.get(residue.name) if residue.name in LIGAND_RESIDUES else None


force_field.registerTemplateMatcher(by_name)
)";

constexpr std::string_view model_script = R"(

def variant(residue):
    """The state that a residue's hydrogens show, where OpenMM would add others."""
    names = {atom.name for atom in residue.atoms()}
    if residue.name == "CYS" and "HG" not in names:
        return "CYX"
    if residue.name == "LYS" and "HZ2" in names and len(names & {"HZ1", "HZ2", "HZ3"}) == 2:
        return "LYN"
    return None


def stop(problem):
    """Says which residue has no template, and what to do."""
    number = re.search(r'No template found for residue (\d+)', str(problem))
    residue = list(structure.topology.residues())[int(number[1]) - 1] if number else None
    place = f" It is {residue.name} {residue.id} of chain {residue.chain.id} in system.cif." if residue else ""
    sys.exit(
        f"{name}: {problem}{place} Take another force field of {', '.join(FORCE_FIELDS)}, or make the folder anew: with "
        "--ligand and the force field of a ligand (.xml), with --replace-nonstandard, with --ignore for what can be left "
        "out, or with --for amber or --for charmm, whose prmtop and PSF OpenMM reads."
    )


model = app.Modeller(structure.topology, structure.positions)
)";
// OpenMM moves them by a system of the force field, whose waters lack sites that are no atoms.
constexpr std::string_view hydrogens_before_sites =
    "model.addHydrogens(variants=[variant(residue) for residue in model.topology.residues()])  # those that "
    "are missing\n";
constexpr std::string_view hydrogens_script = R"(try:
    model.addHydrogens(force_field, variants=[variant(residue) for residue in model.topology.residues()])  # those that are missing
except Exception as problem:  # OpenMM has no class of its own for some
    stop(problem)
)";

constexpr std::string_view charge_check = R"(

def check_charge(system):
    """OpenMM chooses the state of a residue by its atoms and bonds: not another one than the ions were placed for."""
    force = next(force for force in system.getForces() if isinstance(force, openmm.NonbondedForce))
    charges = (force.getParticleParameters(n)[0] for n in range(force.getNumParticles()))
    found = sum(charge.value_in_unit(unit.elementary_charge) for charge in charges)
    if abs(found - CHARGE) > 0.01:
        sys.exit(
            f"{name}: the system has {found:.2f} e, and {CHARGE} e in ionwell's report: a residue has another state here. "
            "Compare the residues of system.cif with the report's chemistry, or make the folder anew with --for amber or "
            "--for charmm, whose prmtop and PSF OpenMM reads."
        )


)";
constexpr std::string_view dry_charge_check = R"(try:
    check_charge(force_field.createSystem(model.topology))
except Exception as problem:  # OpenMM has no class of its own for some
    stop(problem)
)";
constexpr std::string_view make_system = R"(periodic = model.topology.getPeriodicBoxVectors() is not None
method = app.PME if periodic else app.NoCutoff
try:
    system = force_field.createSystem(model.topology, nonbondedMethod=method, constraints=app.HBonds)
except Exception as problem:  # OpenMM has no class of its own for some
    stop(problem)
)";
constexpr std::string_view run =
    R"(integrator = openmm.LangevinMiddleIntegrator(300 * unit.kelvin, 1 / unit.picosecond, 2 * unit.femtosecond)
simulation = app.Simulation(model.topology, system, integrator)
simulation.context.setPositions(model.positions)
simulation.minimizeEnergy()
energy = simulation.context.getState(getEnergy=True).getPotentialEnergy()
print("minimised:", energy)
simulation.step(steps)
state = simulation.context.getState(getPositions=True, getEnergy=True)
print(f"after {steps} steps:", state.getPotentialEnergy())
with open(os.path.join(folder, "run.cif"), "w") as out:
    app.PDBxFile.writeFile(simulation.topology, state.getPositions(), out)
)";

/// The force fields that have this water.
std::string force_fields(const EngineWater& water) {
  std::string entries;
  if (!water.openmm_amber.empty())
    entries += "\"amber14\": [\"amber14-all.xml\", \"" + std::string(water.openmm_amber) + "\"]";
  if (!water.openmm_charmm.empty())
    entries += std::string(entries.empty() ? "" : ", ") + "\"charmm36\": [\"charmm36.xml\", \"" +
               std::string(water.openmm_charmm) + "\"]";
  return "FORCE_FIELDS = {" + entries + "}\n";
}

bool has_water(std::span<const Atom> atoms) {
  for (const Atom& atom : atoms)
    if (residue_kind(atom.residue.view()) == ResidueKind::water) return true;
  return false;
}

/// Whether waters have sites besides their three atoms; those of a crystal lack them.
bool has_sites_of_water(std::span<const Atom> atoms) {
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    end = residue_at(atoms, begin).end;
    if (end - begin > 3 && residue_kind(atoms[begin].residue.view()) == ResidueKind::water) return true;
  }
  return false;
}

/// The ligands' files, under names of the folder.
std::vector<EngineFile> ligand_copies(const EngineSystem& system) {
  std::vector<EngineFile> files;
  if (!names_residues(Engine::openmm, system.topology)) return files;
  for (EngineLigand& ligand : ligands_of(system.ligands, LigandsOf::openmm))
    files.push_back({"ligand" + std::to_string(files.size() + 1) + ".xml", std::move(ligand.text)});
  return files;
}

/// [e] of all that is written; none where something else than water has no charges, which do not tell then.
std::optional<long> known_charge_e(const EngineSystem& system) {
  double sum_e = 0.0;
  for (std::size_t begin = 0, end = 0; begin < system.atoms.size(); begin = end) {
    end = residue_at(system.atoms, begin).end;
    const std::span<const Atom> residue = system.atoms.subspan(begin, end - begin);
    const bool has_charges =
        std::any_of(residue.begin(), residue.end(), [](const Atom& atom) { return atom.charge_e != 0.0; });
    if (!has_charges && residue_kind(residue[0].residue.view()) != ResidueKind::water) return {};
    sum_e += net_charge_e(residue);
  }
  for (const EngineIon& ion : system.ions) sum_e += ion.charge_e;
  const long rounded_e = std::lround(sum_e);
  if (std::abs(sum_e - double(rounded_e)) > 0.01) return {};
  return rounded_e;
}

/// That the ligands' files have, each once.
std::string quoted_residues(const EngineSystem& system) {
  std::set<std::string> residues;
  for (const EngineLigand& ligand : ligands_of(system.ligands, LigandsOf::openmm))
    residues.insert(ligand.residues.begin(), ligand.residues.end());
  std::string text;
  for (const std::string& residue : residues)
    if (is_plain_word(residue)) text += (text.empty() ? "\"" : ", \"") + residue + '"';
  return text;
}

std::string run_script(const EngineSystem& system, const std::vector<EngineFile>& ligands) {
  std::string text(head);
  text.append(force_fields(engine_water(system.water_model)));
  if (!ligands.empty()) {
    std::string names;
    for (const EngineFile& ligand : ligands) names += (names.empty() ? "\"" : ", \"") + ligand.name + '"';
    text += "LIGANDS = [" + names + "]\n";
    text += "LIGAND_RESIDUES = {" + quoted_residues(system) + "}\n";
  }
  const std::optional<long> charge_e = known_charge_e(system);
  const bool is_wet = has_water(system.atoms);
  if (charge_e) text += "CHARGE = " + std::to_string(*charge_e) + "  # [e]\n";
  text.append(script).append(ligands.empty() ? take_force_field : take_force_field_and_ligands);
  text.append(model_script);
  text.append(has_sites_of_water(system.atoms) ? hydrogens_before_sites : hydrogens_script);
  if (charge_e) text.append(charge_check);
  if (charge_e && !is_wet) text.append(dry_charge_check);
  if (is_wet)
    text += "model.addExtraParticles(force_field)  # missing virtual sites of waters\n";
  else
    text +=
        "# Water and more salt, after the ions are in their positions:\n"
        "# model.addSolvent(force_field, padding=1.2 * unit.nanometer, ionicStrength=0.15 * unit.molar)\n";
  text.append(make_system);
  if (charge_e && is_wet) text += "check_charge(system)\n";
  return text.append(run);
}

/// Labels of chains, each its own.
class ChainLabels {
 public:
  /// The chain's name, with a number where that is taken.
  Label unique(std::string_view chain) {
    std::string label(chain.empty() ? "X" : chain);
    for (int n = 2; !taken_.insert(label).second; ++n) {
      const std::string number = std::to_string(n);
      label = std::string(chain.substr(0, Label::capacity - number.size())) + number;
    }
    return std::string_view(label);
  }

 private:
  std::set<std::string> taken_;
};

/// By the numbers of residues in their new order.
std::vector<Atom> reordered(std::span<const Atom> atoms, const Chemistry& chemistry,
                            const std::vector<std::uint32_t>& order) {
  std::vector<Atom> all;
  all.reserve(atoms.size());
  for (const std::uint32_t r : order) {
    const PerceivedResidue& residue = chemistry.residues[r];
    all.insert(all.end(), atoms.begin() + residue.begin, atoms.begin() + residue.end);
  }
  return all;
}

/// A system as OpenMM reads it: residues and atoms have the PDB's names, by which it knows their bonds. It
/// binds neighbours in a chain, so that a chain ends where there is no bond; of other bonds it is told.
class OpenmmAtoms {
 public:
  OpenmmAtoms(std::span<const Atom> atoms, const EngineSystem& system)
      : named_(engine_residues(Engine::openmm, atoms, system.ligands, system.links)),
        atoms_(atoms.begin(), atoms.end()) {
    // OpenMM builds the hydrogens of an end where a chain begins or ends in the file.
    if (const auto order = residues_along_bonds(named_.chemistry); !std::ranges::is_sorted(order)) {
      atoms_ = reordered(atoms, named_.chemistry, order);
      named_ = engine_residues(Engine::openmm, atoms_, system.ligands, system.links);
    }
    links_ = openmm_ligand_bonds(atoms_, named_.chemistry, ligands_of(system.ligands, LigandsOf::openmm));
    label_chains();
    for (std::uint32_t r = 0; r < residues().size(); ++r) {
      name(r);
      if (const std::uint32_t after = residues()[r].after; after != nothing && after != r + 1)
        links_.emplace_back(link_atom(r, &ResidueTemplate::link_after),
                            link_atom(after, &ResidueTemplate::link_before));
    }
    for (const ResidueLink& link : named_.chemistry.links) links_.emplace_back(link.first, link.second);
  }

  const std::vector<Atom>& atoms() const { return atoms_; }
  const std::vector<std::pair<std::size_t, std::size_t>>& links() const { return links_; }

 private:
  const std::vector<PerceivedResidue>& residues() const { return named_.chemistry.residues; }

  bool begins_chain(std::uint32_t r) const {
    return residues()[r].piece != nothing && (r == 0 || residues()[r].before != r - 1);
  }

  /// Chains get their names first, then what is in none of them.
  void label_chains() {
    ChainLabels labels;
    std::vector<Label> of_chain(residues().size());
    for (std::uint32_t r = 0; r < residues().size(); ++r) {
      if (residues()[r].piece == nothing) continue;
      of_chain[r] =
          begins_chain(r) ? labels.unique(atoms_[residues()[r].begin].chain.view()) : of_chain[r - 1];
    }
    std::map<std::string, Label, std::less<>> loose;
    for (std::uint32_t r = 0; r < residues().size(); ++r) {
      const PerceivedResidue& residue = residues()[r];
      Label label = of_chain[r];
      if (residue.piece == nothing) {
        const std::string chain(atoms_[residue.begin].chain.view());
        if (!loose.contains(chain)) loose.emplace(chain, labels.unique(chain));
        label = loose.find(chain)->second;
      }
      for (std::uint32_t n = residue.begin; n < residue.end; ++n) atoms_[n].chain = label;
    }
  }

  void name(std::uint32_t r) {
    const NamedResidue& named = named_.residues[r];
    if (named.as == nullptr) return;
    const bool is_amino_first = named.as->ends.first == ChainEnd::n_terminal,
               is_neutral_lysine = named.as->name == Label("LYN");
    for (std::uint32_t n = residues()[r].begin; n < residues()[r].end; ++n) {
      atoms_[n].residue = named.as->residue;
      Label name = named.atoms[n - residues()[r].begin];
      if (is_amino_first && name == Label("H1")) name = "H";        // as it has H, H2 and H3
      if (is_neutral_lysine && name == Label("HZ3")) name = "HZ1";  // as it has HZ1 and HZ2
      atoms_[n].name = name;
    }
  }

  std::size_t link_atom(std::uint32_t r, std::size_t ResidueTemplate::*link) const {
    const NamedResidue& named = named_.residues[r];
    const Label name = named.as->atoms[named.as->*link].name;
    const auto at = std::find(named.atoms.begin(), named.atoms.end(), name);
    return residues()[r].begin + std::size_t(at - named.atoms.begin());
  }

  NamedResidues named_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
  std::vector<Atom> atoms_;
};

}  // namespace

std::vector<EngineFile> openmm_files(const EngineSystem& system) {
  std::optional<OpenmmAtoms> named;
  if (names_residues(Engine::openmm, system.topology)) named.emplace(system.atoms, system);
  const std::vector<Atom> atoms =
      with_engine_waters(named ? std::span<const Atom>(named->atoms()) : system.atoms, Engine::openmm);
  PlacedSystem placed{.remarks = system.remarks,
                      .solute = atoms,
                      .ions = named_ions(system.ions, IonNaming::pdb),
                      .cell = system.cell};
  if (named) placed.links = named->links();
  std::vector<EngineFile> ligands = ligand_copies(system);
  std::vector<EngineFile> files = {{"system.cif", mmcif_text(placed)},
                                   {"run.py", run_script(system, ligands)}};
  std::ranges::move(ligands, std::back_inserter(files));
  return files;
}

}  // namespace ionwell
