// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/summaries/chemistry_json.hpp"

#include <algorithm>
#include <string>

#include "compute/json_parts.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

constexpr int distance_decimals = 3;  // [A], as in PDB files

class ChemistryReport {
 public:
  explicit ChemistryReport(const PerceivedEntry& entry)
      : atoms_(entry.structure.atoms), chemistry_(entry.chemistry) {}

  Json json() const {
    Json residues = Json::object(), pieces = Json::array(), gaps = Json::array(), links = Json::array(),
         metals = Json::array(), notes = Json::array();
    for (std::size_t role = 0; role < residue_roles; ++role)
      if (chemistry_.counts[role] > 0)
        residues[std::string(to_string(ResidueRole(role)))] = chemistry_.counts[role];
    for (const ChainPiece& piece : chemistry_.pieces) pieces.push_back(piece_json(piece));
    for (const ChainGap& gap : chemistry_.gaps) gaps.push_back(gap_json(gap));
    for (const ResidueLink& link : chemistry_.links)
      links.push_back({{"kind", to_string(link.kind)},
                       {"atoms", {atom_json(link.first), atom_json(link.second)}},
                       {"distance_A", with_decimals(link.distance_A, distance_decimals)},
                       {"is_recorded", link.is_recorded}});
    for (const MetalSite& site : chemistry_.metals) {
      Json ligands = Json::array();
      for (const std::uint32_t ligand : site.ligands) ligands.push_back(atom_json(ligand));
      metals.push_back({{"atom", atom_json(site.metal)}, {"ligands", ligands}});
    }
    for (const ChemistryNote& note : chemistry_.notes)
      notes.push_back({{"residue", residue_json(note.residue)}, {"what", note.what}, {"why", note.why}});
    return {{"residues", residues}, {"pieces", pieces}, {"gaps", gaps},
            {"links", links},       {"metals", metals}, {"notes", notes}};
  }

 private:
  static Json named(const Atom& atom) {
    return {{"name", atom.residue.view()}, {"number", residue_id_text(atom)}, {"chain", atom.chain.view()}};
  }

  Json residue_json(std::uint32_t r) const { return named(atoms_[chemistry_.residues[r].begin]); }

  Json atom_json(std::uint32_t n) const {
    return {{"residue", named(atoms_[n])}, {"name", atoms_[n].name.view()}};
  }

  /// The charge is null where a residue has no template.
  Json piece_json(const ChainPiece& piece) const {
    int charge_e = 0;
    bool is_known = true;
    for (const std::uint32_t r : piece.residues) {
      const ResidueTemplate* const standard = chemistry_.residues[r].standard;
      is_known = is_known && standard != nullptr;
      charge_e += standard == nullptr ? 0 : standard->charge_e();
    }
    return {{"first", residue_json(piece.residues.front())},
            {"last", residue_json(piece.residues.back())},
            {"residues", piece.residues.size()},
            {"is_ring", piece.is_ring},
            {"charge_e", is_known ? Json(charge_e) : Json(nullptr)}};
  }

  Json gap_json(const ChainGap& gap) const {
    Json missing = Json::array();
    for (const Label& name : gap.missing) missing.push_back(name.view());
    return {{"before", residue_json(gap.before)},
            {"after", residue_json(gap.after)},
            {"distance_A",
             gap.distance_A > 0.0 ? Json(with_decimals(gap.distance_A, distance_decimals)) : Json(nullptr)},
            {"missing", missing}};
  }

  const std::vector<Atom>& atoms_;
  const Chemistry& chemistry_;
};

}  // namespace

Json chemistry_json(const PerceivedEntry& entry) {
  return ChemistryReport(entry).json();
}

}  // namespace ionwell
