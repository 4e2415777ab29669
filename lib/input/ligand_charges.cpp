// SPDX-License-Identifier: BSD-3-Clause
#include "input/ligand_charges.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <optional>
#include <set>

#include "chemistry/decisions/made_residue.hpp"
#include "chemistry/naming/drawn_template.hpp"
#include "chemistry/naming/missing_hydrogens.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/text_stream.hpp"
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

/// By its bonds within the atoms from `begin` on.
std::size_t bound_heavy_atom(std::span<const Atom> atoms, std::size_t begin, std::size_t hydrogen,
                             std::span<const AtomLink> bonds) {
  for (const AtomLink& bond : bonds) {
    const std::size_t here = begin + hydrogen;
    if (bond.first != here && bond.second != here) continue;
    const std::size_t other = bond.first == here ? bond.second : bond.first;
    if (other >= begin && other - begin < atoms.size() && !is_hydrogen(atoms[other - begin]))
      return other - begin;
  }
  return atoms.size();
}

std::vector<std::size_t> carriers_of(std::span<const Atom> atoms, std::size_t begin, const LigandFile& file) {
  std::vector<std::size_t> carriers(atoms.size(), atoms.size());
  for (std::size_t n = 0; n < atoms.size(); ++n)
    if (is_hydrogen(atoms[n]))
      carriers[n] = file.has_positions ? nearest_heavy_atom(atoms, atoms[n])
                                       : bound_heavy_atom(atoms, begin, n, file.bonds);
  return carriers;
}

/// By the numbers of these atoms.
std::vector<std::pair<std::size_t, std::size_t>> bonds_within(std::span<const Atom> atoms, std::size_t begin,
                                                              const LigandFile& file) {
  std::vector<std::pair<std::size_t, std::size_t>> bonds;
  const auto is_within = [&](std::size_t n) { return n >= begin && n - begin < atoms.size(); };
  for (const AtomLink& bond : file.bonds)
    if (is_within(bond.first) && is_within(bond.second))
      bonds.emplace_back(bond.first - begin, bond.second - begin);
  return bonds;
}

/// Whether a topology of a whole system has such residues besides those that it is given for.
bool is_common(std::string_view name, std::span<const Atom> atoms) {
  const ResidueKind kind = residue_kind({.name = name,
                                         .atoms = atoms.size(),
                                         .first_atom = atoms.front().name.view(),
                                         .element = atoms.front().element.view()});
  if (kind == ResidueKind::water || kind == ResidueKind::ion) return true;
  const ResidueTemplate* const found = residue_table().find(name);
  if (found != nullptr) return found->called_in(NamingScheme::pdb2pqr).has_value();
  return kind == ResidueKind::protein || kind == ResidueKind::nucleic_acid;
}

/// Whether copies of a residue have the same names and charges.
bool are_alike(std::span<const Atom> atoms, std::span<const Atom> others) {
  constexpr double rounding_e = 1e-6;
  return std::equal(atoms.begin(), atoms.end(), others.begin(), others.end(),
                    [](const Atom& a, const Atom& b) {
                      return a.name == b.name && std::abs(a.charge_e - b.charge_e) <= rounding_e;
                    });
}

/// "C1, C2, C3 and 5 more".
template <typename Names>
std::string first_of(const Names& names) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t n = 0;
  for (const auto& name : names) {
    if (n++ == most) return text + " and " + std::to_string(names.size() - most) + " more";
    (text += n == 1 ? "" : ", ") += name;
  }
  return text;
}

void refuse_lacking(const std::string& path, std::span<const Atom> residue,
                    const std::vector<std::string>& lacking) {
  if (lacking.empty()) return;
  fail(path, ": has the atom", lacking.size() == 1 ? " " : "s ", first_of(lacking), ", which ",
       describe_residue(residue.front()), " lacks; build ", lacking.size() == 1 ? "it" : "them",
       " in the structure, or give a file of the same molecule");
}

}  // namespace

std::string component_name(const Atom& atom) {
  constexpr std::size_t longest = 3;
  std::string name(atom.residue.view());
  const std::string number = std::to_string(atom.residue_number);
  if (name.size() > longest && name.size() > number.size() && name.ends_with(number))
    name.resize(name.size() - number.size());
  return name;
}

LigandCharges::LigandCharges(std::span<const std::string> paths, std::span<const Atom> entry,
                             const std::vector<LigandsOf>& engines) {
  std::set<std::string, std::less<>> wanted;
  if (!paths.empty())
    for (const Atom& atom : entry)
      if (!wanted.contains(atom.residue.view())) wanted.emplace(atom.residue.view());
  std::map<std::string, Ligand> without_charges;
  for (std::size_t number = 0; number < paths.size(); ++number) {
    const std::string& path = paths[number];
    const LigandFile file = read_ligand_file(path, engines);
    if (file.has_only_parameters) continue;
    warnings_.insert(warnings_.end(), file.warnings.begin(), file.warnings.end());
    const std::span<const Atom> all = file.atoms;
    const bool is_of_one_name =
        std::all_of(all.begin(), all.end(), [&](const Atom& a) { return a.residue == all[0].residue; });
    std::set<std::string> names;
    bool is_used = false;
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      end = residue_at(all, begin).end;
      const std::span<const Atom> atoms = all.subspan(begin, end - begin);
      const std::string name =
          file.is_topology ? std::string(atoms[0].residue.view()) : component_name(atoms[0]);
      if (file.is_topology && !is_of_one_name && is_common(name, atoms)) continue;
      names.insert(name);
      if (!wanted.contains(name)) continue;
      is_used = true;
      const auto known = ligands_.find(name);
      if (known != ligands_.end() && known->second.file == number && are_alike(known->second.atoms, atoms))
        continue;
      Ligand ligand{path,
                    number,
                    {atoms.begin(), atoms.end()},
                    carriers_of(atoms, begin, file),
                    file.is_whole,
                    file.is_whole ? bonds_within(atoms, begin, file)
                                  : std::vector<std::pair<std::size_t, std::size_t>>()};
      if (file.uncharged.contains(name))
        without_charges.try_emplace(name, std::move(ligand));
      else
        add(name, ligand);
    }
    if (names.empty())
      fail(path,
           ": contains only amino acids, nucleotides, water and ions, whose charges PDB2PQR knows; give a "
           "file of the ligand");
    if (!is_used)
      fail(path, ": has charges of ", first_of(names), ", but the structure has no residue of ",
           names.size() == 1 ? "that name" : "these names",
           "; give the residue in this file the name that it has in the structure");
  }
  for (auto& [name, ligand] : without_charges) take_charges(name, std::move(ligand));
}

/// From another file, with the same names.
void LigandCharges::take_charges(std::string_view name, Ligand template_of) {
  const auto known = ligands_.find(std::string(name));
  if (known == ligands_.end())
    fail(template_of.path, ": has no charges for ", name,
         "; give them as attributes 'charge' of its atoms, or with another --ligand (mol2)");
  const std::vector<Atom>& charged = known->second.atoms;
  for (Atom& atom : template_of.atoms) {
    const auto same =
        std::ranges::find_if(charged, [&](const Atom& other) { return other.name == atom.name; });
    if (same == charged.end())
      fail(known->second.path, ": has no charge for ", name, ' ', atom.name, " of ", template_of.path,
           "; use the same atom names in both files");
    atom.charge_e = same->charge_e;
    if (atom.element.empty()) atom.element = same->element;
  }
  if (charged.size() != template_of.atoms.size())
    fail(known->second.path, ": has ", charged.size(), " atoms of ", name, ", and ", template_of.path,
         " has ", template_of.atoms.size(), "; give files of the same molecule");
  template_of.file = known->second.file;
  known->second = std::move(template_of);
}

void LigandCharges::add(std::string_view name, const Ligand& ligand) {
  const auto [at, is_new] = ligands_.try_emplace(std::string(name), ligand);
  if (!is_new && at->second.file != ligand.file)
    fail(ligand.path, ": residue ", quote(name), " has charges already, from ", at->second.path,
         "; give it once");
  if (!is_new)
    fail(ligand.path, ": has residues ", describe_residue(at->second.atoms[0]), " and ",
         describe_residue(ligand.atoms[0]),
         ", whose atoms or charges differ; give a file with only one of them");
  const double sum_e = net_charge_e(ligand.atoms);
  constexpr double tolerance_e = 0.01;  // what rounding of the charges in a file adds up to
  if (std::abs(sum_e - std::round(sum_e)) <= tolerance_e) return;
  TextStream text;
  text << ligand.path << ": the charges of " << name << " add up to " << std::fixed << std::setprecision(3)
       << sum_e << " e, not an integer; does the file have the whole residue?";
  warnings_.push_back(text.str());
}

std::vector<Atom> LigandCharges::charged(std::span<const Atom> residue) const {
  const Ligand& ligand = ligands_.at(std::string(residue.front().residue.view()));
  std::vector<Atom> atoms(residue.begin(), residue.end());
  const std::size_t none = atoms.size();
  std::vector<std::size_t> place(ligand.atoms.size(), none);
  std::vector<std::string> unknown, lacking;
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const auto found = std::find_if(ligand.atoms.begin(), ligand.atoms.end(),
                                    [&](const Atom& other) { return other.name == atoms[n].name; });
    const auto m = std::size_t(found - ligand.atoms.begin());
    if (m == ligand.atoms.size() || place[m] != none) {
      unknown.emplace_back(atoms[n].name.view());
      continue;
    }
    atoms[n].charge_e = found->charge_e;
    atoms[n].radius_A = amber_radius_A(element_of(atoms[n]));
    atoms[n].ends_chain = false;
    place[m] = n;
  }
  if (ligand.is_whole && unknown.empty()) return whole(ligand, atoms, place);
  for (std::size_t m = 0; m < place.size(); ++m) {
    if (place[m] != none) continue;
    const std::size_t carrier = ligand.carriers[m];
    if (carrier == place.size() || place[carrier] == none)
      lacking.emplace_back(ligand.atoms[m].name.view());
    else
      atoms[place[carrier]].charge_e += ligand.atoms[m].charge_e;
  }
  const std::string also = lacking.empty() ? "" : " (and has " + first_of(lacking) + ", which that lacks)";
  if (!unknown.empty())
    fail(ligand.path, ": has no atom for ", describe_residue(residue.front()), ' ', first_of(unknown), also,
         "; give a file of that residue, with the atom names of the entry");
  refuse_lacking(ligand.path, residue, lacking);
  return atoms;
}

/// `residue` has its charges; `place`: of each atom of the ligand in it.
std::vector<Atom> LigandCharges::whole(const Ligand& ligand, std::span<const Atom> residue,
                                       const std::vector<std::size_t>& place) {
  std::vector<TemplateAtom> drawn;
  std::vector<std::optional<Vec3<double>>> positions_A(place.size());
  for (std::size_t m = 0; m < place.size(); ++m) {
    const Atom& atom = place[m] < residue.size() ? residue[place[m]] : ligand.atoms[m];
    drawn.push_back({atom.name, ElementSymbol(element_of(atom)), 0});
    if (place[m] < residue.size()) positions_A[m] = atom.position_A;
  }
  const std::vector<std::optional<Vec3<double>>> built_A =
      missing_hydrogens(drawn_template(drawn, ligand.bonds), positions_A);
  std::vector<Atom> atoms;
  std::vector<std::string> lacking;
  for (std::size_t m = 0; m < place.size(); ++m) {
    if (!positions_A[m] && !built_A[m]) {
      lacking.emplace_back(ligand.atoms[m].name.view());
      continue;
    }
    Atom& atom = atoms.emplace_back(positions_A[m] ? residue[place[m]] : residue.front());
    atom.name = ligand.atoms[m].name;
    atom.element = drawn[m].element;
    atom.charge_e = ligand.atoms[m].charge_e;
    atom.radius_A = amber_radius_A(drawn[m].element.view());
    atom.position_A = positions_A[m] ? *positions_A[m] : *built_A[m];
  }
  refuse_lacking(ligand.path, residue, lacking);
  return atoms;
}

}  // namespace ionwell
