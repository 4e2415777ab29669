// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/metal_states.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_notes.hpp"

namespace ionwell {
namespace {

// Of a tyrosine: an oxygen with a hydrogen may be a ligand of larger ions, farther away.
constexpr double longest_phenolate_A = 2.3;

class MetalDecider {
 public:
  MetalDecider(std::span<const Atom> atoms, const Chemistry& chemistry, const ChemistryChoices& choices,
               const ResidueUse& use)
      : atoms_(atoms), chemistry_(chemistry), choices_(choices), use_(use) {}

  std::vector<std::string> reasons_to_free() const {
    std::vector<std::string> reasons(chemistry_.residues.size());
    std::vector<std::uint8_t> bound(reasons.size(), 0);
    const auto add = [&](std::uint32_t sulfur, bool is_there, const std::string& reason) {
      if (atoms_[sulfur].name != Label("SG")) return;
      const std::uint32_t r = residue_of(sulfur);
      if (is_there)
        bound[r] = 1;
      else
        reasons[r] = reason;
    };
    for (const MetalSite& site : chemistry_.metals)
      for (const std::uint32_t ligand : site.ligands)
        add(ligand, is_there(site), "the metal at its SG is ignored");
    for (const ResidueLink& link : chemistry_.links)
      for (const auto& [atom, partner] : {std::pair(link.first, link.second), {link.second, link.first}}) {
        const std::uint32_t r = residue_of(partner);
        add(atom, !use_.ignores(r),
            describe_residue(atoms_[partner]) + ", which its SG is bound to, is ignored");
      }
    for (std::size_t r = 0; r < reasons.size(); ++r)
      if (bound[r]) reasons[r].clear();
    return reasons;
  }

  void decide(ChemistryDecisions& decisions) {
    const auto is_left_out = [&](const MetalSite& site) {  // another one is in its place
      return decisions.plans[residue_of(site.metal)].fate == ResidueFate::removed;
    };
    for (const MetalSite& site : chemistry_.metals)
      if (is_there(site) && !is_left_out(site)) decide(site, decisions);
    for (const MetalSite& site : chemistry_.metals)
      if (is_there(site) && is_left_out(site)) free_cysteines(site, decisions);
  }

 private:
  const PerceivedResidue& residue(std::uint32_t r) const { return chemistry_.residues[r]; }
  std::uint32_t residue_of(std::uint32_t atom) const { return chemistry_.residue_of(atom); }

  bool is_there(const MetalSite& site) const { return is_metal_there(site, chemistry_, choices_, use_); }

  void decide(const MetalSite& site, ChemistryDecisions& decisions) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> bound;  // atoms by residue
    for (const std::uint32_t ligand : site.ligands) bound[residue_of(ligand)].push_back(ligand);
    for (const auto& [r, ligands] : bound) {
      const PerceivedResidue& ligand = residue(r);
      if (ligand.role != ResidueRole::amino_acid || ligand.found == nullptr) continue;
      if (ligand.found->residue == Label("CYS"))
        decide_cysteine(r, ligands, site, decisions);
      else if (ligand.found->residue == Label("HIS"))
        decide_histidine(r, nearest(ligands, {"ND1", "NE2"}, site), site, decisions);
      else if (ligand.found->residue == Label("LYS"))
        note_lysine(r, nearest(ligands, {"NZ"}, site), site, decisions);
      else if (ligand.found->residue == Label("TYR"))
        note_tyrosine(r, nearest(ligands, {"OH"}, site), site, decisions);
    }
  }

  /// Of those names, which the backbone's are none of; nothing: none binds.
  std::uint32_t nearest(const std::vector<std::uint32_t>& ligands, std::initializer_list<Label> names,
                        const MetalSite& site) const {
    std::uint32_t found = nothing;
    double least_A2 = 0.0;
    for (const std::uint32_t n : ligands) {
      if (std::find(names.begin(), names.end(), atoms_[n].name) == names.end()) continue;
      const double d2 = distance_squared(atoms_[n].position_A, atoms_[site.metal].position_A);
      if (found == nothing || d2 < least_A2) {
        found = n;
        least_A2 = d2;
      }
    }
    return found;
  }

  void decide_cysteine(std::uint32_t r, const std::vector<std::uint32_t>& ligands, const MetalSite& site,
                       ChemistryDecisions& decisions) {
    const ResidueTemplate* const standard = residue(r).standard;
    if (standard == nullptr || decisions.plans[r].is_replaced) return;  // the force field has no CYM
    const std::uint32_t sulfur = nearest(ligands, {"SG"}, site);
    if (sulfur == nothing || !takes_proton_of_thiol(element_by_name(atoms_[site.metal], true).view())) return;
    if (standard->name == Label("CYM") && noted_.insert(r).second)
      decisions.rows.push_back({r, "deprotonated (CYM)", distance_to(sulfur, site), {}});
    else if (standard->name == Label("CYS") && noted_.insert(r).second)
      decisions.rows.push_back(
          {r, "protonated (CYS)", "its HG is in the file, although " + distance_to(sulfur, site), {}});
  }

  /// Those that no other metal binds.
  void free_cysteines(const MetalSite& site, ChemistryDecisions& decisions) {
    for (const std::uint32_t n : site.ligands) {
      const std::uint32_t r = residue_of(n);
      ResiduePlan& plan = decisions.plans[r];
      if (atoms_[n].name != Label("SG") || plan.fate != ResidueFate::sent || plan.sent_as != Label("CYM") ||
          residue(r).found->name == Label("CYM") || !noted_.insert(r).second)
        continue;
      plan.sent_as = "CYS";
      decisions.rows.push_back({r, "protonated (CYS)", "the metal at its SG is left out", {}});
    }
  }

  /// "SG is 2.30 A from ZN 5 A".
  std::string distance_to(std::uint32_t atom, const MetalSite& site) const {
    const Atom &ligand = atoms_[atom], &metal = atoms_[site.metal];
    const double distance_A = std::sqrt(distance_squared(ligand.position_A, metal.position_A));
    return std::string(ligand.name.view()) + " is " + distance_text(distance_A) + " from " +
           describe_residue(metal);
  }

  /// The proton is on the other nitrogen, unless the file has it.
  void decide_histidine(std::uint32_t r, std::uint32_t atom, const MetalSite& site,
                        ChemistryDecisions& decisions) {
    if (atom == nothing) return;
    const std::string_view bound = atoms_[atom].name.view();
    const double d2 = distance_squared(atoms_[atom].position_A, atoms_[site.metal].position_A);
    const bool is_near = d2 <= farthest_nitrogen_A * farthest_nitrogen_A;
    const bool is_named =
        atoms_[residue(r).begin].residue != Label("HIS") || residue(r).found->name != Label("HIS");
    if (!is_near || is_named) return;
    const Label state = bound == "ND1" ? "HIE" : "HID";
    Label& sent_as = decisions.plans[r].sent_as;
    if (turned_.contains(r) && sent_as != state) return note_bridge(r, sent_as, atom, site, decisions);
    if (!sent_as.empty()) return;
    sent_as = state;
    turned_.insert(r);
    decisions.rows.push_back({r,
                              bound == "ND1" ? "its proton is on NE2 (HIE)" : "its proton is on ND1 (HID)",
                              distance_to(atom, site),
                              {}});
  }

  /// Between two metals it has no proton, and -1 e, which force fields lack.
  void note_bridge(std::uint32_t r, Label sent_as, std::uint32_t atom, const MetalSite& site,
                   ChemistryDecisions& decisions) const {
    decisions.rows.push_back(
        {r, "keeps one proton (" + std::string(sent_as.view()) + ") between two metals",
         distance_to(atom, site) + ", too; as imidazolate it would have -1 e, and no proton there",
         "--ignore"});
  }

  /// A phenolate would be right, which force fields lack.
  void note_tyrosine(std::uint32_t r, std::uint32_t atom, const MetalSite& site,
                     ChemistryDecisions& decisions) const {
    const ResidueTemplate* const standard = residue(r).standard;
    if (atom == nothing || standard == nullptr || standard->name != Label("TYR") ||
        distance_squared(atoms_[atom].position_A, atoms_[site.metal].position_A) >
            longest_phenolate_A * longest_phenolate_A)
      return;
    decisions.rows.push_back({r,
                              "keeps its HH although it binds a metal",
                              distance_to(atom, site) + "; without it, it would have -1 e",
                              {}});
  }

  /// A proton less would be right, but force fields may lack LYN, and the distance may be wrong.
  void note_lysine(std::uint32_t r, std::uint32_t atom, const MetalSite& site,
                   ChemistryDecisions& decisions) const {
    const ResidueTemplate* const standard = residue(r).standard;
    if (atom == nothing || standard == nullptr || standard->name != Label("LYS")) return;
    decisions.rows.push_back({r,
                              "stays NH3+ although it binds a metal",
                              distance_to(atom, site) + "; with the name LYN in the file it would be neutral",
                              {}});
  }

  std::span<const Atom> atoms_;
  const Chemistry& chemistry_;
  const ChemistryChoices& choices_;
  const ResidueUse& use_;
  std::set<std::uint32_t> noted_;   // cysteines
  std::set<std::uint32_t> turned_;  // histidines whose proton a metal has sent to the other nitrogen
};

}  // namespace

bool is_metal_there(const MetalSite& site, const Chemistry& chemistry, const ChemistryChoices& choices,
                    const ResidueUse& use) {
  const std::uint32_t r = chemistry.residue_of(site.metal);
  const bool is_left_out =
      chemistry.residues[r].role == ResidueRole::ion && choices.crystal_ions == CrystalIons::ignore;
  return !is_left_out && !use.ignores(r);
}

std::vector<std::string> reasons_to_free(std::span<const Atom> atoms, const Chemistry& chemistry,
                                         const ChemistryChoices& choices, const ResidueUse& use) {
  return MetalDecider(atoms, chemistry, choices, use).reasons_to_free();
}

void decide_metals(std::span<const Atom> atoms, const Chemistry& chemistry, const ChemistryChoices& choices,
                   const ResidueUse& use, ChemistryDecisions& decisions) {
  MetalDecider(atoms, chemistry, choices, use).decide(decisions);
}

}  // namespace ionwell
