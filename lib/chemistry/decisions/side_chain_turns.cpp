// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/side_chain_turns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "chemistry/decisions/metal_states.hpp"
#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "core/cell_list.hpp"

namespace ionwell {
namespace {

/// The ends of a side chain that look alike when they are turned by 180 degrees.
struct TurnedEnds {
  std::string_view residue;
  std::pair<std::string_view, std::string_view> exchanged[2];  // what binds no metal, and what may
};

constexpr TurnedEnds turned_ends[] = {
    {"ASN", {{"ND2", "OD1"}, {}}}, {"GLN", {{"NE2", "OE1"}, {}}}, {"HIS", {{"CD2", "ND1"}, {"CE1", "NE2"}}}};

class TurnFinder {
 public:
  TurnFinder(std::span<const Atom> atoms, const Chemistry& chemistry, const ChemistryChoices& choices,
             const ResidueUse& use)
      : atoms_(atoms), chemistry_(chemistry), choices_(choices), use_(use) {}

  std::vector<ExchangedPlaces> find() {
    std::vector<std::uint32_t> metals;
    for (const MetalSite& site : chemistry_.metals)
      if (is_metal_there(site, chemistry_, choices_, use_)) metals.push_back(site.metal);
    if (metals.empty()) return {};
    for (const ResidueLink& link : chemistry_.links) linked_.insert(linked_.end(), {link.first, link.second});
    std::vector<Vec3<double>> positions_A;
    for (const std::uint32_t metal : metals) positions_A.push_back(atoms_[metal].position_A);
    const CellList list(positions_A, farthest_nitrogen_A);
    std::vector<ExchangedPlaces> turns;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r)
      if (const TurnedEnds* const ends = ends_of_residue(r))
        for (const std::uint32_t metal : metals_near(r, metals, list))
          if (auto turn = turn_at(r, *ends, metal)) {
            turns.push_back(std::move(*turn));
            break;
          }
    return turns;
  }

 private:
  /// Those that an atom of the residue may be within reach of, in the order of atoms.
  std::set<std::uint32_t> metals_near(std::uint32_t r, const std::vector<std::uint32_t>& metals,
                                      const CellList& list) const {
    std::set<std::uint32_t> found;
    for (std::uint32_t n = chemistry_.residues[r].begin; n < chemistry_.residues[r].end; ++n) {
      const Vec3<double>& p = atoms_[n].position_A;
      list.near({p, p}, farthest_nitrogen_A, [&](std::uint32_t m) { found.insert(metals[m]); });
    }
    return found;
  }

  const TurnedEnds* ends_of_residue(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    if (residue.role != ResidueRole::amino_acid || residue.found == nullptr) return nullptr;
    const auto* const ends =
        std::find_if(std::begin(turned_ends), std::end(turned_ends),
                     [&](const TurnedEnds& other) { return other.residue == residue.found->residue.view(); });
    return ends == std::end(turned_ends) ? nullptr : ends;
  }

  std::uint32_t named(std::uint32_t r, std::string_view name) const {
    for (std::uint32_t n = chemistry_.residues[r].begin; n < chemistry_.residues[r].end; ++n)
      if (atoms_[n].name.view() == name) return n;
    return nothing;
  }

  double distance_A(std::uint32_t a, std::uint32_t b) const {
    return std::sqrt(distance_squared(atoms_[a].position_A, atoms_[b].position_A));
  }

  /// The nearest of them to the metal is one that binds none.
  std::optional<ExchangedPlaces> turn_at(std::uint32_t r, const TurnedEnds& ends, std::uint32_t metal) const {
    ExchangedPlaces turn{r, {}, {}, {}};
    std::uint32_t nearest = nothing, other = nothing;
    double nearest_A = farthest_nitrogen_A;
    bool is_right = false;
    for (const auto& [wrong_name, right_name] : ends.exchanged) {
      if (wrong_name.empty()) break;
      const std::uint32_t wrong = named(r, wrong_name), right = named(r, right_name);
      if (wrong == nothing || right == nothing) return {};
      turn.atoms.emplace_back(wrong, right);
      for (const std::uint32_t atom : {wrong, right})
        if (const double away_A = distance_A(atom, metal); away_A <= nearest_A) {
          nearest_A = away_A;
          nearest = atom;
          other = atom == wrong ? right : wrong;
          is_right = atom == right;
        }
    }
    if (nearest == nothing || is_right) return {};
    for (const auto& [wrong, right] : turn.atoms)
      if (is_linked(wrong) || is_linked(right) || is_at_metal(right, metal)) return {};
    const bool is_ring = ends.residue == "HIS";
    const std::string name(atoms_[nearest].name.view()), binder(atoms_[other].name.view());
    const std::string there = distance_text(nearest_A) + " from " + describe_residue(atoms_[metal]);
    if (has_hydrogens_near(turn)) {
      turn.atoms.clear();
      turn.what = (is_ring ? "its ring stays, with " : "its amide stays, with ") + name + " at a metal";
      turn.why = "its hydrogens are in the file, although " + name + " is " + there;
    } else {
      turn.what = (is_ring ? "its ring is flipped: " : "its amide is flipped: ") + binder + " is bound to " +
                  describe_residue(atoms_[metal]);
      turn.why = name + " is " + there + " in the file, and metals bind " +
                 (is_ring ? "N of a ring" : "O of an amide");
    }
    return turn;
  }

  bool is_linked(std::uint32_t atom) const {
    return std::find(linked_.begin(), linked_.end(), atom) != linked_.end();
  }

  /// One metal on either side decides nothing.
  bool is_at_metal(std::uint32_t atom, std::uint32_t besides) const {
    return std::any_of(chemistry_.metals.begin(), chemistry_.metals.end(), [&](const MetalSite& site) {
      return site.metal != besides && std::binary_search(site.ligands.begin(), site.ligands.end(), atom);
    });
  }

  /// Whether atoms that would be exchanged have hydrogens.
  bool has_hydrogens_near(const ExchangedPlaces& turn) const {
    constexpr double longest_A = 1.3;
    const PerceivedResidue& residue = chemistry_.residues[turn.residue];
    for (std::uint32_t n = residue.begin; n < residue.end; ++n)
      if (is_named_as_hydrogen(atoms_[n].name.view()))
        for (const auto& [wrong, right] : turn.atoms)
          if (std::min(distance_A(n, wrong), distance_A(n, right)) <= longest_A) return true;
    return false;
  }

  std::span<const Atom> atoms_;
  const Chemistry& chemistry_;
  const ChemistryChoices& choices_;
  const ResidueUse& use_;
  std::vector<std::uint32_t> linked_;  // atoms
};

}  // namespace

std::vector<ExchangedPlaces> turns_at_metals(std::span<const Atom> atoms, const Chemistry& chemistry,
                                             const ChemistryChoices& choices, const ResidueUse& use) {
  return TurnFinder(atoms, chemistry, choices, use).find();
}

}  // namespace ionwell
