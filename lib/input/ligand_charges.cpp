#include "input/ligand_charges.hpp"

#include <algorithm>

#include "chemistry/decisions/made_residue.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "files/input_file.hpp"
#include "structures/mol2.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

bool is_hydrogen(const Atom& atom) {
  return element_of(atom) == "H";
}

std::size_t nearest_heavy_atom(std::span<const Atom> atoms, const Atom& hydrogen) {
  std::size_t nearest = atoms.size();
  double least_A2 = 0.0;
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    if (is_hydrogen(atoms[n])) continue;
    const double d2 = distance_squared(atoms[n].position_A, hydrogen.position_A);
    if (nearest < atoms.size() && d2 >= least_A2) continue;
    nearest = n;
    least_A2 = d2;
  }
  return nearest;
}

/// The component's name: programs write LIG1 for the first LIG, and the PDB has names of three letters.
std::string component_name(const Atom& atom) {
  constexpr std::size_t longest = 3;
  std::string name(atom.residue.view());
  const std::string number = std::to_string(atom.residue_number);
  if (name.size() > longest && name.size() > number.size() && name.ends_with(number))
    name.resize(name.size() - number.size());
  return name;
}

}  // namespace

LigandCharges::LigandCharges(std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    const FileBytes bytes = read_input_file(path);
    if (!is_mol2(bytes.text()))
      fail(path, ": is not a mol2 file, which --ligand reads; convert it, for example by Open Babel");
    const Structure read = read_mol2(bytes.text(), path);
    for (std::size_t begin = 0, end = 0; begin < read.atoms.size(); begin = end) {
      end = residue_at(read.atoms, begin).end;
      const std::string name = component_name(read.atoms[begin]);
      const auto [at, is_new] = ligands_.try_emplace(name);
      if (!is_new)
        fail(path, ": residue ", quote(name), " has charges already, from ", at->second.path,
             "; give it once");
      at->second = {path,
                    {read.atoms.begin() + std::ptrdiff_t(begin), read.atoms.begin() + std::ptrdiff_t(end)}};
    }
  }
}

const std::string& LigandCharges::path_of(std::string_view residue) const {
  return ligands_.at(std::string(residue)).path;
}

std::vector<std::string> LigandCharges::unused_warnings(std::span<const Atom> atoms) const {
  std::vector<std::string> warnings;
  for (const auto& [name, ligand] : ligands_) {
    const bool is_used = std::any_of(atoms.begin(), atoms.end(),
                                     [&name](const Atom& atom) { return atom.residue.view() == name; });
    if (!is_used)
      warnings.push_back("--ligand: " + ligand.path + ": no residue of the structure is called " +
                         quote(name) + ", so that the file has no effect");
  }
  return warnings;
}

std::vector<Atom> LigandCharges::charged(std::span<const Atom> residue) const {
  const Ligand& ligand = ligands_.at(std::string(residue.front().residue.view()));
  std::vector<Atom> atoms(residue.begin(), residue.end());
  std::vector<std::size_t> place(ligand.atoms.size(), atoms.size());
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const auto found = std::find_if(ligand.atoms.begin(), ligand.atoms.end(),
                                    [&](const Atom& other) { return other.name == atoms[n].name; });
    if (found == ligand.atoms.end() || place[std::size_t(found - ligand.atoms.begin())] < atoms.size())
      fail(ligand.path, ": has no atom for ", describe(atoms[n]),
           "; give a file of that residue, with the entry's names of atoms");
    atoms[n].charge_e = found->charge_e;
    atoms[n].radius_A = amber_radius_A(element_of(atoms[n]));
    atoms[n].ends_chain = false;
    place[std::size_t(found - ligand.atoms.begin())] = n;
  }
  const auto is_missing = [&](std::size_t m) { return place[m] == atoms.size(); };
  const auto refuse = [&](const Atom& missing) {
    fail(ligand.path, ": has the atom ", missing.name, ", which ", describe_residue(residue.front()),
         " lacks; build it in the structure, or give a file of the same molecule");
  };
  for (std::size_t m = 0; m < place.size(); ++m)
    if (is_missing(m) && !is_hydrogen(ligand.atoms[m])) refuse(ligand.atoms[m]);
  // All heavy atoms have a place now, and so has what carries a hydrogen.
  for (std::size_t m = 0; m < place.size(); ++m) {
    if (!is_missing(m)) continue;
    const std::size_t carrier = nearest_heavy_atom(ligand.atoms, ligand.atoms[m]);
    if (carrier == ligand.atoms.size()) refuse(ligand.atoms[m]);
    atoms[place[carrier]].charge_e += ligand.atoms[m].charge_e;
  }
  return atoms;
}

}  // namespace ionwell
