// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/atoms_to_build.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

using Place = Vec3<double>;

// AMBER's bonds (parm94): CB-SG and SG-SG, P-O of a phosphate, C2'-O2'.
constexpr double carbon_sulfur_A = 1.81, disulfide_A = 2.038, phosphate_oxygen_A = 1.48, hydroxyl_A = 1.41;
// Of a disulfide, CB is 3.0 A from the other sulfur; what is not bound stays 3.5 A away.
constexpr double shortest_across_A = 2.7, longest_across_A = 3.4;

double length(const Place& v) {
  return std::sqrt(dot(v, v));
}

double angle_degrees(const Place& a, const Place& centre, const Place& b) {
  const Place u = a - centre, v = b - centre;
  return std::acos(std::clamp(dot(u, v) / (length(u) * length(v)), -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

Place to_three_decimals(const Place& p) {
  const auto round = [](double x) { return std::round(x * 1000.0) / 1000.0 + 0.0; };
  return {round(p.x), round(p.y), round(p.z)};
}

class AtomBuilder {
 public:
  AtomBuilder(std::span<const Atom> atoms, const Chemistry& chemistry, const EntryRecords& records,
              const ChemistryChoices& choices, const ResidueUse& use)
      : atoms_(atoms), chemistry_(chemistry), records_(records), choices_(choices), use_(use) {}

  std::vector<AtomToBuild> build() {
    for (const ChainGap& gap : chemistry_.gaps) {
      at_gaps_.insert(gap.before);
      behind_gaps_.insert(gap.after);
    }
    for (const ResidueLink& link : chemistry_.links)
      for (const auto& [atom, partner] : {std::pair(link.first, link.second), {link.second, link.first}})
        if (!use_.ignores(chemistry_.residue_of(partner))) bound_.insert(atom);
    for (const MetalSite& site : chemistry_.metals) bound_.insert(site.ligands.begin(), site.ligands.end());
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const PerceivedResidue& residue = chemistry_.residues[r];
      if (residue.found == nullptr || !is_polymer(residue.role)) continue;
      if (!use_.acts(r) || use_.has_charges(first(r).residue.view())) continue;
      if (residue.role == ResidueRole::amino_acid) {
        build_end(r);
        if (residue.found->residue == Label("CYS") && named(r, "SG") == nullptr) build_sulfur(r);
      } else if (residue.role == ResidueRole::nucleotide) {
        build_phosphate_oxygen(r);
        build_hydroxyl(r);
      }
    }
    return std::move(built_);
  }

 private:
  const Atom& first(std::uint32_t r) const { return atoms_[chemistry_.residues[r].begin]; }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return atoms_.subspan(residue.begin, residue.end - residue.begin);
  }
  const Atom* named(std::uint32_t r, std::string_view name, std::string_view other = {}) const {
    for (const Atom& atom : atoms_of(r))
      if (atom.name.view() == name || (!other.empty() && atom.name.view() == other)) return &atom;
    return nullptr;
  }
  bool is_bound(const Atom& atom) const { return bound_.contains(std::uint32_t(&atom - atoms_.data())); }

  void add(std::uint32_t r, const char* name, const char* element, const Place& position_A, std::string why,
           std::string what) {
    Atom atom = first(r);
    atom.name = name;
    atom.element = element;
    atom.position_A = to_three_decimals(position_A);
    atom.charge_e = atom.radius_A = 0.0;
    atom.ends_chain = false;
    built_.push_back({r, atom, std::move(what), std::move(why)});
  }

  /// In the plane of CA, C and O, as the nitrogen of a next residue. Where a gap gets caps there is one.
  void build_end(std::uint32_t r) {
    const ResidueEnds ends = ends_of(chemistry_, r);
    if (!ends.is_first || !ends.is_last || named(r, "OXT", "OT2") != nullptr) return;
    if (choices_.gap_ends == GapEnds::capped && (at_gaps_.contains(r) || behind_gaps_.contains(r))) return;
    const Atom *const carbon = named(r, "C"), *const alpha = named(r, "CA"),
                      *const oxygen = named(r, "O", "OT1");
    if (carbon == nullptr || alpha == nullptr || oxygen == nullptr) return;
    if (is_bound(*carbon)) return;  // as in the ester of an aminoacyl-tRNA
    const Place u = alpha->position_A - carbon->position_A, v = oxygen->position_A - carbon->position_A;
    if (length(cross(u, v)) < 0.1) return;  // they lie on a line
    const Place away = (1.0 / length(u)) * u + (1.0 / length(v)) * v;
    constexpr double carboxylate_A = 1.25;
    add(r, "OXT", "O", carbon->position_A - (carboxylate_A / length(away)) * away,
        "it is a single residue with both ends of a chain", "OXT built");
  }

  /// Opposite to the other three atoms at the phosphorus.
  void build_phosphate_oxygen(std::uint32_t r) {
    const bool is_first = ends_of(chemistry_, r).is_first && !behind_gaps_.contains(r);
    const Atom* const phosphorus = named(r, "P");
    if (choices_.five_phosphate != FivePhosphate::keep || !is_first || phosphorus == nullptr ||
        is_bound(*phosphorus) || named(r, "OP3", "O3P") != nullptr)
      return;
    const ResidueTemplate& found = *chemistry_.residues[r].found;
    if (residue_table().find(found.name.view(), {ChainEnd::five_phosphate, ChainEnd::none}) == nullptr)
      return;
    Place sum{0.0, 0.0, 0.0};
    for (const Atom* const other : {named(r, "OP1", "O1P"), named(r, "OP2", "O2P"), named(r, "O5'", "O5*")}) {
      if (other == nullptr) return;
      const Place bond = other->position_A - phosphorus->position_A;
      if (length(bond) < 0.5) return;
      sum = sum + (1.0 / length(bond)) * bond;
    }
    if (length(sum) < 0.1) return;
    add(r, "OP3", "O", phosphorus->position_A - (phosphate_oxygen_A / length(sum)) * sum,
        "the file does not have it; --five-phosphate keep", "OP3 of its 5' phosphate built");
  }

  /// O2' of a ribose, without which its nucleotide would be made a deoxy one: on the side of O3'.
  void build_hydroxyl(std::uint32_t r) {
    const ResidueTemplate& found = *chemistry_.residues[r].found;
    if (found.find("O2'") == ResidueTemplate::no_atom || named(r, "O2'", "O2*") != nullptr) return;
    const Atom *const centre = named(r, "C2'", "C2*"), *const before = named(r, "C1'", "C1*"),
                      *const after = named(r, "C3'", "C3*"), *const oxygen = named(r, "O3'", "O3*");
    if (centre == nullptr || before == nullptr || after == nullptr || oxygen == nullptr) return;
    const Place u = before->position_A - centre->position_A, v = after->position_A - centre->position_A;
    const Place across = cross(u, v), between = (1.0 / length(u)) * u + (1.0 / length(v)) * v;
    if (length(across) < 0.1) return;  // they lie on a line
    constexpr double half_angle = 0.5 * 109.5 * std::numbers::pi / 180.0;
    const Place away = (-std::cos(half_angle) / length(between)) * between,
                aside = (std::sin(half_angle) / length(across)) * across;
    const Place one = centre->position_A + hydroxyl_A * (away + aside),
                other = centre->position_A + hydroxyl_A * (away - aside);
    const bool is_one = length(one - oxygen->position_A) < length(other - oxygen->position_A);
    add(r, "O2'", "O", is_one ? one : other, "the file does not have it", "O2' of its ribose built");
  }

  void build_sulfur(std::uint32_t r) {
    std::uint32_t partner = recorded_partner(r);
    const bool is_recorded = partner != nothing;
    if (!is_recorded) partner = partner_by_distance(r);
    if (partner == nothing) return;
    const std::string bond = "disulfide bond to " + describe_residue(first(partner));
    const Atom* const carbon = named(r, "CB");
    const Atom* const sulfur = named(partner, "SG");
    const double across_A =
        carbon != nullptr && sulfur != nullptr ? length(carbon->position_A - sulfur->position_A) : 0.0;
    const bool is_possible = across_A > disulfide_A - carbon_sulfur_A + 1.0 &&
                             across_A < disulfide_A + carbon_sulfur_A && !is_bound(*sulfur);
    if (!is_possible) {
      built_.push_back({r, std::nullopt, "no " + bond,
                        "its SG is not in the file, and cannot be placed where the bond would be"});
      return;
    }
    taken_.insert(partner);
    const std::string why =
        is_recorded ? "the entry records the bond"
                    : "its CB is " + distance_text(across_A) + " from that SG, which has no other bond";
    add(r, "SG", "S", sulfur_place(r, partner, *carbon, *sulfur), "it is not in the file; " + why,
        "SG built, for a " + bond);
  }

  /// On the circle that has both distances, where the angles at CB and at the other sulfur are best.
  Place sulfur_place(std::uint32_t r, std::uint32_t partner, const Atom& carbon, const Atom& sulfur) const {
    constexpr double at_carbon = 114.0, at_sulfur = 104.0;
    const Place &c = carbon.position_A, &s = sulfur.position_A;
    const double d = length(s - c);
    const Place axis = (1.0 / d) * (s - c);
    const double along = (d * d + carbon_sulfur_A * carbon_sulfur_A - disulfide_A * disulfide_A) / (2.0 * d);
    const double radius = std::sqrt(std::max(0.0, carbon_sulfur_A * carbon_sulfur_A - along * along));
    const Place helper = std::abs(axis.x) < 0.7 ? Place{1.0, 0.0, 0.0} : Place{0.0, 1.0, 0.0};
    Place u = cross(axis, helper);
    u = (1.0 / length(u)) * u;
    const Place v = cross(axis, u);
    const Atom *const alpha = named(r, "CA"), *const beta = named(partner, "CB");
    Place best = c;
    double lowest = 1e30;
    for (int step = 0; step < 360; ++step) {
      const double phi = step * std::numbers::pi / 180.0;
      const Place p = c + along * axis + (radius * std::cos(phi)) * u + (radius * std::sin(phi)) * v;
      double misses = 0.0;
      if (alpha != nullptr) misses += std::abs(angle_degrees(alpha->position_A, c, p) - at_carbon);
      if (beta != nullptr) misses += std::abs(angle_degrees(beta->position_A, s, p) - at_sulfur);
      if (misses >= lowest) continue;
      lowest = misses;
      best = p;
    }
    return best;
  }

  bool is_cysteine(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return residue.role == ResidueRole::amino_acid && residue.found != nullptr &&
           residue.found->residue == Label("CYS");
  }

  std::uint32_t recorded_partner(std::uint32_t r) const {
    const auto is_it = [](const RecordedResidue& id, const Atom& atom) {
      return id.chain == atom.chain && id.number == atom.residue_number &&
             (id.insertion_code == atom.insertion_code ||
              (id.insertion_code == ' ' && atom.insertion_code == '\0'));
    };
    for (const RecordedBond& bond : records_.bonds) {
      if (bond.first_atom != Label("SG") || bond.second_atom != Label("SG") || bond.is_across_symmetry)
        continue;
      const bool is_first = is_it(bond.first_residue, first(r));
      if (!is_first && !is_it(bond.second_residue, first(r))) continue;
      const RecordedResidue& other = is_first ? bond.second_residue : bond.first_residue;
      for (std::uint32_t q = 0; q < chemistry_.residues.size(); ++q)
        if (q != r && is_cysteine(q) && is_it(other, first(q))) return q;
    }
    return nothing;
  }

  std::uint32_t partner_by_distance(std::uint32_t r) const {
    const Atom* const carbon = named(r, "CB");
    if (carbon == nullptr) return nothing;
    std::uint32_t found = nothing;
    double nearest_A = longest_across_A;
    for (std::uint32_t q = 0; q < chemistry_.residues.size(); ++q) {
      if (q == r || !is_cysteine(q) || taken_.contains(q)) continue;
      const Atom* const sulfur = named(q, "SG");
      if (sulfur == nullptr || is_bound(*sulfur)) continue;
      const double distance_A = length(sulfur->position_A - carbon->position_A);
      if (distance_A < shortest_across_A || distance_A >= nearest_A) continue;
      nearest_A = distance_A;
      found = q;
    }
    return found;
  }

  std::span<const Atom> atoms_;
  const Chemistry& chemistry_;
  const EntryRecords& records_;
  const ChemistryChoices& choices_;
  const ResidueUse& use_;
  std::set<std::uint32_t> at_gaps_, behind_gaps_, taken_;  // residues
  std::set<std::uint32_t> bound_;                          // atoms, by links and metals
  std::vector<AtomToBuild> built_;
};

}  // namespace

std::vector<AtomToBuild> atoms_to_build(std::span<const Atom> atoms, const Chemistry& chemistry,
                                        const EntryRecords& records, const ChemistryChoices& choices,
                                        const ResidueUse& use) {
  return AtomBuilder(atoms, chemistry, records, choices, use).build();
}

CompletedEntry completed_entry(std::span<const Atom> atoms, const EntryRecords& records,
                               const Chemistry& chemistry, std::span<const AtomToBuild> built) {
  CompletedEntry entry;
  entry.records = records;
  std::vector<std::uint32_t> numbers(atoms.size());
  auto next = built.begin();  // they are in the order of the residues
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    const PerceivedResidue& residue = chemistry.residues[r];
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) {
      numbers[n] = std::uint32_t(entry.atoms.size());
      entry.atoms.push_back(atoms[n]);
      entry.origins.push_back(n);
    }
    for (; next != built.end() && next->residue == r; ++next) {
      if (!next->atom) continue;
      entry.atoms.push_back(*next->atom);
      entry.origins.push_back(residue.end - 1);
      std::swap(entry.atoms.back().ends_chain, entry.atoms[entry.atoms.size() - 2].ends_chain);
    }
  }
  for (auto& [first, second] : entry.records.connected_atoms) {
    if (first < numbers.size()) first = numbers[first];
    if (second < numbers.size()) second = numbers[second];
  }
  return entry;
}

}  // namespace ionwell
