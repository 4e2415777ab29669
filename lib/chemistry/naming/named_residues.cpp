#include "chemistry/naming/named_residues.hpp"

#include <algorithm>
#include <utility>

#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "core/text/first_names.hpp"

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
      : atoms_(atoms), choice_(choice), chemistry_(perceive(atoms)) {}

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
    const std::span<const Atom> atoms = atoms_of(residue);
    const ResidueTemplate* const shown = shown_template(residue);
    if (shown->name != Label("CYM")) return nullptr;
    const bool has_charges =
        std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.charge_e != 0.0; });
    const double of_ends_e = shown->charge_e() + 1.0;
    constexpr double half_e = 0.5;
    if (!has_charges || net_charge_e(atoms) < of_ends_e - half_e) return nullptr;
    return residue_table().find("CYS", shown->ends);
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

  /// Otherwise it is noted why.
  bool is_accepted(const PerceivedResidue& residue, const Fit& fit) {
    const std::string name = describe_residue(atoms_[residue.begin]);
    if (fit.residue == nullptr) {
      faults_.push_back(name);
      return false;
    }
    if (!fit.residue->called_in(choice_.scheme)) {
      faults_.push_back(name + " (" + describe(*fit.residue) + ')');
      return false;
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
    return text.empty() && lacks.empty();
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
         "; replace modified residues by --replace-nonstandard, leave residues out by --ignore, or give the "
         "program's own file of a ligand by --ligand");
  }

  std::span<const Atom> atoms_;
  const NamingChoice& choice_;
  Chemistry chemistry_;
  std::vector<std::string> faults_;
};

}  // namespace

NamedResidues named_residues(std::span<const Atom> atoms, const NamingChoice& choice) {
  return ResidueNamer(atoms, choice).named();
}

}  // namespace ionwell
