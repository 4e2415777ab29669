// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/made_residue.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/templates/residue_charges.hpp"

namespace ionwell {
namespace {

constexpr std::size_t no_number = ResidueTemplate::no_atom;

bool is_hydrogen_of(const ResidueTemplate& residue, std::size_t atom) {
  return residue.atoms[atom].element == ElementSymbol("H");
}

/// The heavy atom that a hydrogen is bonded to.
std::size_t carrier_of(const ResidueTemplate& residue, std::size_t hydrogen) {
  for (const TemplateBond& bond : residue.bonds) {
    if (bond.first == hydrogen) return bond.second;
    if (bond.second == hydrogen) return bond.first;
  }
  return no_number;
}

int heavy_bonds(const ResidueTemplate& residue, std::size_t atom) {
  int count = 0;
  for (const TemplateBond& bond : residue.bonds)
    if (bond.first == atom || bond.second == atom)
      count += is_hydrogen_of(residue, bond.first == atom ? bond.second : bond.first) ? 0 : 1;
  return count;
}

bool are_bonded(const ResidueTemplate& residue, std::size_t first, std::size_t second) {
  return std::any_of(residue.bonds.begin(), residue.bonds.end(), [&](const TemplateBond& bond) {
    return (bond.first == first && bond.second == second) || (bond.first == second && bond.second == first);
  });
}

/// Both have the hydrogen at the same atom, which has as many other bonds, and these to the same atoms: C1'
/// of pseudouridine has one to C5, and that of uridine to N1.
bool have_same_hydrogen(const ResidueTemplate& a, std::size_t in_a, const ResidueTemplate& b,
                        std::size_t in_b) {
  const std::size_t p = carrier_of(a, in_a), q = carrier_of(b, in_b);
  if (p == no_number || q == no_number || a.atoms[p].name != b.atoms[q].name ||
      heavy_bonds(a, p) != heavy_bonds(b, q))
    return false;
  for (std::size_t n = 0; n < a.atoms.size(); ++n) {
    const std::size_t there = b.find(a.atoms[n].name.view());
    if (are_bonded(a, p, n) && !is_hydrogen_of(a, n) && there != no_number && !are_bonded(b, q, there))
      return false;
  }
  return true;
}

/// The heavy atoms that one is bonded to, by name.
std::vector<std::string_view> bonded_to(const ResidueTemplate& residue, std::size_t atom) {
  std::vector<std::string_view> names;
  for (const TemplateBond& bond : residue.bonds) {
    if (bond.first != atom && bond.second != atom) continue;
    const std::size_t other = bond.first == atom ? bond.second : bond.first;
    if (!is_hydrogen_of(residue, other)) names.push_back(residue.atoms[other].name.view());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Both have the atom bonded to the same other ones, and these as well: where C5 carries the sugar, C6 is not
/// where N1 has it.
bool can_be_built(const ResidueTemplate& a, std::size_t in_a, const ResidueTemplate& b, std::size_t in_b) {
  if (is_hydrogen_of(a, in_a)) return true;  // have_same_hydrogen was asked
  const std::vector<std::string_view> names = bonded_to(a, in_a);
  if (names != bonded_to(b, in_b)) return false;
  return std::all_of(names.begin(), names.end(), [&](std::string_view name) {
    return bonded_to(a, a.find(name)) == bonded_to(b, b.find(name));
  });
}

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Atoms whose charges at an end of a chain are not those within it.
bool is_of_end(const ResidueTemplate& residue, std::string_view name) {
  const bool first = (residue.ends.first == ChainEnd::five_hydroxyl && is_any_of(name, {"O5'", "HO5'"})) ||
                     (residue.ends.first == ChainEnd::n_terminal &&
                      is_any_of(name, {"N", "H", "H1", "H2", "H3", "CA", "HA"}));
  const bool last = (residue.ends.last == ChainEnd::three_hydroxyl && is_any_of(name, {"O3'", "HO3'"})) ||
                    (residue.ends.last == ChainEnd::c_terminal && is_any_of(name, {"C", "O", "OXT"}));
  return first || last;
}

/// Puts a residue together.
class ResidueMaker {
 public:
  ResidueMaker(std::span<const Atom> residue, std::span<const Label> sent, const ResiduePlan& plan,
               std::span<const Atom> answer)
      : residue_(residue),
        goal_(*plan.goal),
        parent_(*plan.parent),
        atoms_(goal_.atoms.size()),
        charges_e_(goal_.atoms.size()),
        parent_charges_e_(goal_.atoms.size()),
        loses_phosphate_(plan.loses_phosphate) {
    numbers_ = numbers_in_goal(residue, goal_);
    for (std::size_t n = 0; n < residue.size(); ++n) {
      if (numbers_[n] != no_number && !atoms_[numbers_[n]])
        put(numbers_[n], residue[n], amber_radius_A(goal_.atoms[numbers_[n]].element.view()));
      else
        numbers_[n] = no_number;
    }
    for (const Atom& atom : answer) take(atom, sent);
    for (std::size_t m = 0; m < atoms_.size(); ++m)  // built at an atom that is not there
      if (atoms_[m] && is_hydrogen_of(goal_, m) && !is_in_file(m) && !has_carrier(m)) atoms_[m].reset();
  }

  std::vector<Atom> make(bool library) {
    for (std::size_t m = 0; m < charges_e_.size(); ++m) {
      const std::optional<double> listed = library ? library_charge_e(goal_, m) : std::nullopt;
      const bool is_end = is_of_end(goal_, goal_.atoms[m].name.view()) && parent_charges_e_[m];
      charges_e_[m] = listed && !is_end ? *listed : parent_charges_e_[m].value_or(plain_charge_e(m));
      if (const std::optional<double> of_end = carboxylate_charge_e(m)) charges_e_[m] = *of_end;
      const bool has_phosphate = goal_.ends.first == ChainEnd::five_phosphate;
      if (has_phosphate && goal_.atoms[m].name == Label("O5'")) charges_e_[m] = plain_charge_e(m);
    }
    spread();
    merge();
    std::vector<Atom> atoms = in_order_of_file();
    for (Atom& atom : atoms) atom.ends_chain = false;
    return atoms;
  }

 private:
  void put(std::size_t number, const Atom& atom, double radius_A) {
    atoms_[number] = atom;
    atoms_[number]->radius_A = radius_A;
  }

  /// What was built is behind what the file has. Of the atoms that the goal lacks, hydrogens of another state
  /// stay, uncharged; heavy ones are removed, or the caller says that they are lost.
  std::vector<Atom> in_order_of_file() {
    std::vector<Atom> atoms;
    for (std::size_t n = 0; n < residue_.size(); ++n) {
      if (numbers_[n] != no_number) {
        add(numbers_[n], atoms);
        atoms_[numbers_[n]].reset();
      } else if (residue_[n].element == "H" &&
                 !(loses_phosphate_ && is_phosphate_atom(residue_[n].name.view()))) {
        atoms.push_back(residue_[n]);
        atoms.back().charge_e = 0.0;
      }
    }
    for (std::size_t m = 0; m < atoms_.size(); ++m)
      if (atoms_[m]) add(m, atoms);
    return atoms;
  }

  bool is_in_file(std::size_t number) const {
    return std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end();
  }

  bool has_carrier(std::size_t hydrogen) const {
    const std::size_t carrier = carrier_of(goal_, hydrogen);
    return carrier != no_number && atoms_[carrier];
  }

  void add(std::size_t number, std::vector<Atom>& atoms) const {
    atoms.push_back(*atoms_[number]);
    atoms.back().charge_e = charges_e_[number];
  }

  /// An atom of PDB2PQR's.
  void take(const Atom& atom, std::span<const Label> sent) {
    answer_e_ += atom.charge_e;
    for (std::size_t n = 0; n < sent.size(); ++n)
      if (sent[n] == atom.name && !sent[n].empty()) {
        if (numbers_[n] == no_number) return;
        parent_charges_e_[numbers_[n]] = atom.charge_e;
        if (parent_.find(goal_.atoms[numbers_[n]].name.view()) == no_number) return;  // another element
        atoms_[numbers_[n]]->position_A = atom.position_A;                            // it may turn amides
        atoms_[numbers_[n]]->radius_A = atom.radius_A;
        return;
      }
    const std::size_t in_parent = number_in_parent(atom.name);
    if (in_parent == no_number) return;
    const Label name = parent_.atoms[in_parent].name;
    const std::size_t in_goal = goal_.find(name.view());
    if (in_goal == no_number) return;
    const bool is_hydrogen = is_hydrogen_of(goal_, in_goal);
    if (is_hydrogen && !have_same_hydrogen(goal_, in_goal, parent_, in_parent)) return;
    parent_charges_e_[in_goal] = atom.charge_e;
    if (atoms_[in_goal] || !can_be_built(goal_, in_goal, parent_, in_parent)) return;
    Atom built = atom;
    built.residue = residue_.front().residue;
    built.name = name;
    put(in_goal, built, atom.radius_A);
  }

  std::size_t number_in_parent(Label name) const {
    for (std::size_t n = 0; n < parent_.atoms.size(); ++n)
      if (parent_.name_in(NamingScheme::pdb2pqr, n) == name) return n;
    return parent_.find(name.view());
  }

  /// Of an end that PDB2PQR did not make: AMBER's of alanine (Cornell et al., J. Am. Chem. Soc. 117:5179,
  /// 1995).
  std::optional<double> carboxylate_charge_e(std::size_t number) const {
    if (goal_.ends.last != ChainEnd::c_terminal || parent_.ends.last == ChainEnd::c_terminal ||
        goal_.kind != ResidueClass::amino_acid)
      return std::nullopt;
    constexpr std::pair<std::string_view, double> carboxylate[] = {
        {"C", 0.7731}, {"O", -0.8055}, {"OXT", -0.8055}};
    for (const auto& [name, charge_e] : carboxylate)
      if (goal_.atoms[number].name.view() == name) return charge_e;
    return std::nullopt;
  }

  /// Of an atom that neither PDB2PQR nor the libraries have.
  double plain_charge_e(std::size_t number) const {
    // AMBER's phosphate within a chain (Cornell et al., J. Am. Chem. Soc. 117:5179, 1995).
    constexpr std::pair<std::string_view, double> phosphate[] = {
        {"P", 1.1662}, {"OP1", -0.776}, {"OP2", -0.776}, {"O5'", -0.4989}};
    for (const auto& [name, charge_e] : phosphate)
      if (goal_.atoms[number].name.view() == name) return charge_e;
    return 0.0;
  }

  /// What is missing to the formal charge and what PDB2PQR's ends have besides theirs, over the atoms. A
  /// phosphate at an end has it at the oxygen that the chain would have.
  void spread() {
    double rest_e = goal_.charge_e() + answer_e_ - parent_.charge_e();
    std::size_t count = 0;
    for (const double charge_e : charges_e_) rest_e -= charge_e;
    if (goal_.ends.first == ChainEnd::five_phosphate) {
      charges_e_[goal_.find("OP3")] += rest_e;
      return;
    }
    for (const auto& atom : atoms_) count += atom.has_value() ? 1 : 0;
    for (std::size_t m = 0; m < atoms_.size(); ++m)
      if (atoms_[m]) charges_e_[m] += rest_e / double(count);
  }

  /// The charges of atoms that are not there: hydrogens first, then others, go to what they are bonded to.
  void merge() {
    for (std::size_t m = 0; m < atoms_.size(); ++m)
      if (!atoms_[m] && is_hydrogen_of(goal_, m)) give_away(m, carrier_of(goal_, m));
    for (std::size_t m = 0; m < atoms_.size(); ++m) {
      if (atoms_[m] || is_hydrogen_of(goal_, m)) continue;
      std::size_t to = no_number;
      for (const TemplateBond& bond : goal_.bonds)
        if (bond.first == m || bond.second == m) {
          const std::size_t other = bond.first == m ? bond.second : bond.first;
          if (atoms_[other]) to = other;
        }
      give_away(m, to);
    }
  }

  void give_away(std::size_t from, std::size_t to) {
    if (to == no_number)
      for (std::size_t m = 0; m < atoms_.size() && to == no_number; ++m)
        if (atoms_[m]) to = m;
    if (to != no_number) charges_e_[to] += std::exchange(charges_e_[from], 0.0);
  }

  std::span<const Atom> residue_;
  const ResidueTemplate& goal_;
  const ResidueTemplate& parent_;
  std::vector<std::optional<Atom>> atoms_;  // by number in the goal
  std::vector<double> charges_e_;
  std::vector<std::optional<double>> parent_charges_e_;
  std::vector<std::size_t> numbers_;  // in the goal, by atom of the file
  bool loses_phosphate_ = false;
  double answer_e_ = 0.0;
};

}  // namespace

double amber_radius_A(std::string_view element) {
  constexpr std::pair<std::string_view, double> radii_A[] = {
      {"H", 1.387}, {"C", 1.908}, {"N", 1.824},  {"O", 1.6612}, {"S", 2.0},
      {"P", 2.1},   {"F", 1.75},  {"CL", 1.948}, {"BR", 2.22},  {"SE", 2.0}};
  for (const auto& [symbol, radius_A] : radii_A)
    if (symbol == element) return radius_A;
  return 2.0;
}

bool takes_built_atom(const ResiduePlan& plan, std::string_view name) {
  const std::size_t in_goal = plan.goal->find(name), in_parent = plan.parent->find(name);
  return in_goal != no_number && in_parent != no_number &&
         can_be_built(*plan.goal, in_goal, *plan.parent, in_parent);
}

std::vector<Label> unbuilt_atoms(std::span<const Atom> residue, const ResiduePlan& plan) {
  const std::vector<std::size_t> there = numbers_in_goal(residue, *plan.goal);
  std::vector<Label> names;
  for (std::size_t m = 0; m < plan.goal->atoms.size(); ++m) {
    const Label name = plan.goal->atoms[m].name;
    const bool is_there = std::find(there.begin(), there.end(), m) != there.end();
    if (!is_there && !is_hydrogen_of(*plan.goal, m) && !takes_built_atom(plan, name.view()))
      names.push_back(name);
  }
  return names;
}

std::vector<Atom> made_residue(std::span<const Atom> residue, std::span<const Label> sent,
                               const ResiduePlan& plan, std::span<const Atom> answer, bool library) {
  return ResidueMaker(residue, sent, plan, answer).make(library);
}

std::vector<Atom> made_cap(std::span<const Atom> residue, const ResidueTemplate& cap) {
  // A cap is its own parent, to which PDB2PQR has nothing to say.
  ResiduePlan plan;
  plan.parent = plan.goal = &cap;
  const std::vector<Label> none(residue.size());
  std::vector<Atom> atoms = ResidueMaker(residue, none, plan, {}).make(true);
  // Those of PDB2PQR's AMBER.DAT, where they depend on the carbon or nitrogen.
  constexpr double radius_on_nitrogen_A = 0.6, radius_of_acetyl_A = 1.487;
  for (Atom& atom : atoms)
    if (const std::size_t at = cap.find(atom.name.view()); at != ResidueTemplate::no_atom) {
      if (!is_hydrogen_of(cap, at)) continue;
      const bool is_on_nitrogen = cap.atoms[carrier_of(cap, at)].element == ElementSymbol("N");
      if (is_on_nitrogen) atom.radius_A = radius_on_nitrogen_A;
      if (cap.residue == Label("ACE")) atom.radius_A = radius_of_acetyl_A;
    }
  return atoms;
}

}  // namespace ionwell
