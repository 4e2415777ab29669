// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/naming/named_residues.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "core/text/first_names.hpp"
#include "core/text/quoting.hpp"

namespace ionwell {
namespace {

bool is_hydrogen(const ResidueTemplate& residue, std::size_t atom) {
  return residue.atoms[atom].element == ElementSymbol("H");
}

/// Which of a template's atoms a residue has, and what fits neither.
struct Fit {
  const ResidueTemplate* residue = nullptr;
  std::vector<std::size_t> atoms;  // of the template, by atom of the residue; or no_atom
  std::vector<std::size_t> lacks;  // atoms of the template

  bool has_all_atoms() const {
    return std::find(atoms.begin(), atoms.end(), ResidueTemplate::no_atom) == atoms.end();
  }
  bool lacks_heavy_atoms() const {
    return std::any_of(lacks.begin(), lacks.end(), [&](std::size_t n) { return !is_hydrogen(*residue, n); });
  }
  bool is_exact() const { return has_all_atoms() && lacks.empty(); }
};

class ResidueNamer {
 public:
  ResidueNamer(std::span<const Atom> atoms, const NamingChoice& choice)
      : atoms_(atoms),
        choice_(choice),
        chemistry_(perceive(atoms, {.bonds = {choice.links.begin(), choice.links.end()}})) {}

  NamedResidues named() {
    std::vector<NamedResidue> residues;
    residues.reserve(chemistry_.residues.size());
    for (const PerceivedResidue& residue : chemistry_.residues) residues.push_back(named(residue));
    check_links();
    refuse();
    return {std::move(chemistry_), std::move(residues)};
  }

 private:
  std::span<const Atom> atoms_of(const PerceivedResidue& residue) const {
    return atoms_.subspan(residue.begin, residue.end - residue.begin);
  }

  bool keeps_names(const PerceivedResidue& residue) const {
    return residue.role == ResidueRole::water || residue.role == ResidueRole::lipid ||
           (choice_.knows && choice_.knows(atoms_[residue.begin].residue.view()));
  }

  NamedResidue named(const PerceivedResidue& residue) {
    NamedResidue result;
    if (!keeps_names(residue)) {
      const Fit fit = fit_of(residue);
      if (is_accepted(residue, fit)) {
        result.as = fit.residue;
        for (const std::size_t n : fit.atoms) result.atoms.push_back(fit.residue->name_in(choice_.scheme, n));
        for (const std::size_t n : fit.lacks) result.lacks.push_back(fit.residue->name_in(choice_.scheme, n));
        return result;
      }
    }
    for (const Atom& atom : atoms_of(residue)) result.atoms.push_back(atom.name);
    return result;
  }

  /// What its atoms show, where they are all there and no others; otherwise what it has to be at its place,
  /// with hydrogens that are not there.
  Fit fit_of(const PerceivedResidue& residue) const {
    if (residue.found == nullptr) return {};
    if (const ResidueTemplate* const thiol = thiol_template(residue)) return fit_to(residue, thiol);
    if (const ResidueTemplate* const acid = acid_template(residue)) return fit_to(residue, acid);
    Fit shown = fit_to(residue, shown_template(residue));
    if (shown.is_exact() || residue.standard == nullptr) return shown;
    const Fit standard = fit_to(residue, residue.standard);
    return standard.has_all_atoms() && !standard.lacks_heavy_atoms() ? standard : shown;
  }

  /// CYM and CYX have the same atoms: a bond tells.
  const ResidueTemplate* shown_template(const PerceivedResidue& residue) const {
    const ResidueTemplate& found = *residue.found;
    if (found.name != Label("CYX") && found.name != Label("CYM")) return &found;
    const bool is_bridged = residue.standard != nullptr && residue.standard->name == Label("CYX");
    const ResidueTemplate* const shown = residue_table().find(is_bridged ? "CYX" : "CYM", found.ends);
    return shown == nullptr ? &found : shown;
  }

  /// Of a cysteine without a proton, a bond and a charge: what its sulfur was bound to was left out, and the
  /// program builds the proton. nullptr for others.
  const ResidueTemplate* thiol_template(const PerceivedResidue& residue) const {
    const ResidueTemplate* const shown = shown_template(residue);
    if (shown->name != Label("CYM")) return nullptr;
    const double of_ends_e = shown->charge_e() + 1.0;
    constexpr double half_e = 0.5;
    if (!has_charges(residue) || net_charge_e(atoms_of(residue)) < of_ends_e - half_e) return nullptr;
    return residue_table().find("CYS", shown->ends);
  }

  /// Of a phosphate at a 5' end whose charge is that of HPO4-, without its proton, which the program builds.
  /// nullptr for others.
  const ResidueTemplate* acid_template(const PerceivedResidue& residue) const {
    const ResidueTemplate& found = *residue.found;
    constexpr double half_e = 0.5;
    if (found.ends.first != ChainEnd::five_phosphate_2 || !has_charges(residue)) return nullptr;
    if (net_charge_e(atoms_of(residue)) < found.charge_e() + half_e) return nullptr;
    return residue_table().find(found.name.view(), {ChainEnd::five_phosphate, found.ends.last});
  }

  bool has_charges(const PerceivedResidue& residue) const {
    const std::span<const Atom> atoms = atoms_of(residue);
    return std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.charge_e != 0.0; });
  }

  Fit fit_to(const PerceivedResidue& residue, const ResidueTemplate* goal) const {
    Fit fit{goal, {}, {}};
    std::vector<bool> is_there(goal->atoms.size());
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) {
      const std::uint16_t found = chemistry_.found_atoms[n];
      std::size_t at = ResidueTemplate::no_atom;
      if (found != Chemistry::no_atom)
        at = goal == residue.found ? found : goal->find(residue.found->atoms[found].name.view());
      if (at != ResidueTemplate::no_atom) is_there[at] = true;
      fit.atoms.push_back(at);
    }
    for (std::size_t n = 0; n < is_there.size(); ++n)
      if (!is_there[n]) fit.lacks.push_back(n);
    return fit;
  }

  bool program_has(const ResidueTemplate& residue) const {
    return residue.called_in(choice_.scheme) && (!choice_.has || choice_.has(residue));
  }

  /// Otherwise it is noted why.
  bool is_accepted(const PerceivedResidue& residue, const Fit& fit) {
    const std::size_t faults = faults_.size();
    find_faults(residue, fit);
    if (faults_.size() == faults) return true;
    const bool has_parent = residue.found != nullptr && residue.found->parent != residue.found->residue;
    if (is_polymer(residue.role) || has_parent)
      has_chain_fault_ = true;
    else
      loose_.insert(std::string(atoms_[residue.begin].residue.view()));
    return false;
  }

  void find_faults(const PerceivedResidue& residue, const Fit& fit) {
    const std::string name = describe_residue(atoms_[residue.begin]);
    if (fit.residue == nullptr) {
      faults_.push_back(name);
      return;
    }
    if (!program_has(*fit.residue)) {
      faults_.push_back(name + " (" + describe(*fit.residue) + ')');
      return;
    }
    std::string text;
    for (std::size_t n = 0; n < fit.atoms.size(); ++n)
      if (fit.atoms[n] == ResidueTemplate::no_atom)
        text.append(" ").append(atoms_[residue.begin + n].name.view());
    if (!text.empty()) faults_.push_back(name + " (" + describe(*fit.residue) + " has no" + text + ')');
    std::string lacks;
    for (const std::size_t n : fit.lacks)
      if (!is_hydrogen(*fit.residue, n)) lacks.append(" ").append(fit.residue->atoms[n].name.view());
    if (!lacks.empty()) faults_.push_back(name + " (lacks" + lacks + ')');
  }

  void check_links() {
    for (const ResidueLink& link : chemistry_.links) {
      if (link.kind == LinkKind::disulfide || link.kind == LinkKind::phosphodiester) continue;
      faults_.push_back(std::string(to_string(link.kind)) + " bond of " + describe(atoms_[link.first]) +
                        " to " + describe(atoms_[link.second]));
    }
  }

  void refuse() const {
    if (faults_.empty()) return;
    fail(choice_.program, " have no ", first_names(faults_),
         has_chain_fault_ ? "; replace modified residues with --replace-nonstandard, " : "; ", leaving_out(),
         choice_.remedy);
  }

  /// What is in no chain can be selected by its names.
  std::string leaving_out() const {
    std::string names;
    for (const std::string& name : loose_) names += ' ' + name;
    if (names.empty() || !std::ranges::all_of(loose_, is_plain_word))
      return "leave residues out with --ignore, ";
    return "leave " + std::string(has_chain_fault_ ? "others" : "them") + " out with --ignore 'resname" +
           names + "', ";
  }

  std::span<const Atom> atoms_;
  const NamingChoice& choice_;
  Chemistry chemistry_;
  std::vector<std::string> faults_;
  bool has_chain_fault_ = false;
  std::set<std::string> loose_;  // names of refused residues that are in no chain
};

/// The atom of a residue that is that one of a template of its names; or nothing.
std::uint32_t atom_of(const Chemistry& chemistry, const PerceivedResidue& residue, Label name) {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (chemistry.found_atoms[n] != Chemistry::no_atom &&
        residue.found->atoms[chemistry.found_atoms[n]].name == name)
      return n;
  return nothing;
}

}  // namespace

void check_ends(std::span<const Atom> atoms, const NamedResidues& named, std::string_view program) {
  const Chemistry& chemistry = named.chemistry;
  std::vector<bool> is_linked(atoms.size());
  for (const ResidueLink& link : chemistry.links) is_linked[link.first] = is_linked[link.second] = true;
  std::vector<std::string> open;
  for (std::size_t r = 0; r < named.residues.size(); ++r) {
    const PerceivedResidue& residue = chemistry.residues[r];
    const ResidueTemplate* const as = named.residues[r].as;
    if (as == nullptr || (residue.role != ResidueRole::nucleotide && residue.role != ResidueRole::amino_acid))
      continue;
    const bool is_alone = residue.before == nothing && residue.after == nothing;
    if (is_alone && residue.role == ResidueRole::amino_acid) continue;  // as the file has it
    for (const auto& [neighbour, atom] :
         {std::pair(residue.before, as->link_before), std::pair(residue.after, as->link_after)}) {
      if (neighbour != nothing || atom == ResidueTemplate::no_atom) continue;
      const std::uint32_t n = atom_of(chemistry, residue, as->atoms[atom].name);
      if (n != nothing && !is_linked[n]) open.push_back(describe(atoms[n]));
    }
  }
  if (!open.empty())
    fail(program, " have residues within a chain and at its ends, but nothing is bound to ",
         first_names(open),
         "; do not leave out a residue of a chain with --ignore, or build the missing residues");
}

NamedResidues named_residues(std::span<const Atom> atoms, const NamingChoice& choice) {
  return ResidueNamer(atoms, choice).named();
}

}  // namespace ionwell
