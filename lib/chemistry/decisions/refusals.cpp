#include <algorithm>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/first_names.hpp"

namespace ionwell {
void refuse_residues(const std::string& path, std::span<const Atom> atoms, const Chemistry& chemistry,
                     const ChemistryDecisions& decisions) {
  std::vector<std::string> of_chains, others, words;
  bool has_additives = false, has_others = false, has_beads = false;
  for (std::size_t r = 0; r < decisions.plans.size(); ++r) {
    if (decisions.plans[r].fate != ResidueFate::refused) continue;
    const PerceivedResidue& residue = chemistry.residues[r];
    const Atom& first = atoms[residue.begin];
    const std::string text = describe_residue(first) + " (" + std::string(to_string(residue.role)) + ')';
    (is_polymer(residue.role) ? of_chains : others).push_back(text);
    has_beads = has_beads || residue.role == ResidueRole::bead;
    if (is_polymer(residue.role)) continue;
    if (residue_table().is_known("additive", first.residue.view())) {
      has_additives = true;
    } else if (const std::string word(first.residue.view());
               std::find(words.begin(), words.end(), word) == words.end()) {
      has_others = true;
      words.push_back(word);
    }
  }
  if (of_chains.empty() && others.empty()) return;
  std::string ignored = has_additives ? "additive" : "";
  if (has_others) {
    ignored += has_additives ? " or resname" : "resname";
    for (const std::string& word : words) ignored += ' ' + word;
  }
  std::string text = path + ": PDB2PQR has no charges for ";
  std::vector<std::string> all = of_chains;
  all.insert(all.end(), others.begin(), others.end());
  text += count_of(std::ssize(all), "residue") + ": " + first_names(all);
  if (!others.empty())
    text += "; give charges by --ligand FILE (mol2, prmtop, PSF, .itp), or leave them out by --ignore '" +
            ignored + '\'';
  if (has_beads) text += "; of beads, give the structure with all its atoms";
  if (!of_chains.empty())
    text +=
        "; in a chain, build what they were made from by --replace-nonstandard, or leave them out by "
        "--allow-missing";
  fail(text);
}

}  // namespace ionwell
