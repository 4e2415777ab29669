// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/entry_facts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace ionwell::test {
namespace {

class Facts {
 public:
  Facts(const Chemistry& chemistry, std::span<const Atom> atoms) : chemistry_(chemistry), atoms_(atoms) {}

  std::string text() {
    for (const ChainPiece& piece : chemistry_.pieces) add("pieces", piece_text(piece));
    for (const ChainGap& gap : chemistry_.gaps)
      add("gaps", chain(gap.before) + ' ' + residue_id_text(first(gap.before)) + '-' +
                      residue_id_text(first(gap.after)) + ' ' + std::to_string(gap.missing.size()));
    for (const ResidueLink& link : chemistry_.links) add_link(link);
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) add_residue(r);
    for (const MetalSite& site : chemistry_.metals) add_bound(site);
    for (const std::string& text : bound_) add("metal-bound", text);
    for (const auto& [role, names] : counts_)
      for (const auto& [name, count] : names) add(role, name + ' ' + std::to_string(count));
    std::size_t on_axes = 0;
    for (const ChemistryNote& note : chemistry_.notes) on_axes += note.what == "on an axis of symmetry";
    if (on_axes > 0) add("on-axes", std::to_string(on_axes));
    if (!chemistry_.shared_places.empty()) add("doubled", std::to_string(chemistry_.shared_places.size()));
    return lines();
  }

 private:
  const Atom& first(std::uint32_t r) const { return atoms_[chemistry_.residues[r].begin]; }
  std::string chain(std::uint32_t r) const { return std::string(first(r).chain.view()); }
  std::string named(std::uint32_t r) const {
    return chain(r) + ' ' + std::string(first(r).residue.view()) + ' ' + residue_id_text(first(r));
  }
  std::uint32_t residue_of(std::uint32_t atom) const {
    const auto behind =
        std::upper_bound(chemistry_.residues.begin(), chemistry_.residues.end(), atom,
                         [](std::uint32_t n, const PerceivedResidue& residue) { return n < residue.begin; });
    return std::uint32_t(behind - chemistry_.residues.begin()) - 1;
  }

  void add(const std::string& word, const std::string& text) {
    if (lists_.try_emplace(word).second) order_.push_back(word);
    lists_[word].push_back(text);
  }

  std::string piece_text(const ChainPiece& piece) const {
    std::int64_t charge_e = 0;
    for (const std::uint32_t r : piece.residues)
      if (const ResidueTemplate* const standard = chemistry_.residues[r].standard; standard != nullptr)
        charge_e += standard->charge_e();
    const std::uint32_t begin = piece.residues.front();
    std::string text = chain(begin) + ' ' + residue_id_text(first(begin)) + '-' +
                       residue_id_text(first(piece.residues.back())) + ' ' +
                       std::to_string(piece.residues.size()) + ' ' + std::to_string(charge_e);
    for (const ChemistryNote& note : chemistry_.notes)
      if (note.residue == begin && note.what == "begins with a phosphate") text += " p";
    return text + (piece.is_ring ? " o" : "");
  }

  void add_link(const ResidueLink& link) {
    const std::uint32_t a = residue_of(link.first), b = residue_of(link.second);
    if (link.kind == LinkKind::disulfide)
      add("disulfides",
          chain(a) + ' ' + residue_id_text(first(a)) + ' ' + chain(b) + ' ' + residue_id_text(first(b)));
    else
      add("links", named(a) + ' ' + std::string(atoms_[link.first].name.view()) + " - " + named(b) + ' ' +
                       std::string(atoms_[link.second].name.view()));
  }

  void add_residue(std::uint32_t r) {
    const PerceivedResidue& residue = chemistry_.residues[r];
    if (residue.piece != nothing) {
      if (residue.found == nullptr)
        add("unknown", named(r));
      else if (residue.found->parent != residue.found->residue)
        add("modified", named(r));
      return;
    }
    const std::string role =
        residue.role == ResidueRole::amino_acid ? "peptides" : std::string(to_string(residue.role)) + 's';
    ++counts_[role][std::string(first(r).residue.view())];
  }

  void add_bound(const MetalSite& site) {
    for (const std::uint32_t ligand : site.ligands) {
      const std::uint32_t r = residue_of(ligand);
      const PerceivedResidue& residue = chemistry_.residues[r];
      const std::string_view name = atoms_[ligand].name.view();
      if (residue.role == ResidueRole::amino_acid && residue.standard != nullptr &&
          (name.starts_with('N') || name.starts_with('S')))
        bound_.insert(named(r) + ' ' + std::string(residue.standard->name.view()));
    }
  }

  std::string lines() const {
    std::string text;
    for (const std::string& word : order_) {
      text += word + std::string(word.size() < 11 ? 11 - word.size() : 0, ' ');
      std::string separator = " ";
      for (const std::string& item : lists_.at(word)) {
        text += separator + item;
        separator = ", ";
      }
      text += '\n';
    }
    return text;
  }

  const Chemistry& chemistry_;
  std::span<const Atom> atoms_;
  std::vector<std::string> order_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
  std::set<std::string> bound_;
};

}  // namespace

std::string entry_facts(const Chemistry& chemistry, std::span<const Atom> atoms) {
  return Facts(chemistry, atoms).text();
}

}  // namespace ionwell::test
