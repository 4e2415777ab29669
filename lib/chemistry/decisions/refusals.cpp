// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/decisions/incomplete_residues.hpp"
#include "chemistry/decisions/residue_selection.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/first_names.hpp"

namespace ionwell {
namespace {

class Refuser {
 public:
  Refuser(std::span<const Atom> atoms, const Chemistry& chemistry, const ChemistryDecisions& decisions)
      : atoms_(atoms), chemistry_(chemistry) {
    for (std::uint32_t r = 0; r < decisions.plans.size(); ++r) {
      const ResiduePlan& plan = decisions.plans[r];
      if (plan.fate != ResidueFate::refused) continue;
      if (plan.same_place_as != nothing)
        shared_.push_back({r, " (on " + describe_residue(first(plan.same_place_as)) + ')'});
      else if (!plan.lacks.empty())
        add_incomplete(r, plan);
      else
        unknown_.push_back({r, " (" + std::string(to_string(role(r))) + ')', plan.is_replaceable});
    }
  }

  std::string text() const {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; and ") + part; };
    if (!unknown_.empty()) add(text_of_unknown());
    if (!incomplete_.empty())
      add("too few atoms of " + count_of(std::ssize(incomplete_), "residue") +
          " are present to build the others: " + names(incomplete_) +
          "; build them first, for example with PDBFixer, " +
          (has_modified_ ? "replace them by their parent residues with --replace-nonstandard, " : "") +
          "leave them out with " + ignoring(incomplete_) + ", or run with --allow-missing, which drops them");
    if (!shared_.empty())
      add(count_of(std::ssize(shared_), "residue") +
          (shared_.size() == 1 ? " is at the position of another one, and both would count: "
                               : " are at the positions of others, and both would count: ") +
          names(shared_) + "; remove one of the copies from the file, leave it out with " +
          ignoring(shared_) + ", or run with --allow-missing, which drops the second one");
    return text;
  }

 private:
  struct Refused {
    std::uint32_t residue = 0;
    std::string note;
    bool is_replaceable = false;
  };

  void add_incomplete(std::uint32_t r, const ResiduePlan& plan) {
    incomplete_.push_back({r, " (" + too_few_atoms_text(plan.lacks) + ')'});
    has_modified_ = has_modified_ || plan.goal != nullptr;
  }

  const Atom& first(std::uint32_t r) const { return atoms_[chemistry_.residues[r].begin]; }
  ResidueRole role(std::uint32_t r) const { return chemistry_.residues[r].role; }

  std::string names(const std::vector<Refused>& refused) const {
    std::vector<std::string> all;
    for (const Refused& one : refused) all.push_back(describe_residue(first(one.residue)) + one.note);
    return first_names(all);
  }

  std::string ignoring(const std::vector<Refused>& refused) const {
    std::vector<std::uint32_t> residues;
    for (const Refused& one : refused) residues.push_back(one.residue);
    const std::string selection = residue_selection(atoms_, chemistry_, residues);
    return selection.empty() ? "--ignore" : "--ignore '" + selection + '\'';
  }

  /// Additives by that word, others by name or number.
  std::string ignoring_ligands(const std::vector<Refused>& ligands) const {
    std::vector<std::uint32_t> residues;
    for (const Refused& one : ligands)
      if (!residue_table().is_known("additive", first(one.residue).residue.view()))
        residues.push_back(one.residue);
    if (residues.empty()) return "--ignore additive";
    std::string selection = residue_selection(atoms_, chemistry_, residues);
    if (selection.empty()) return "--ignore";
    if (residues.size() == ligands.size()) return "--ignore '" + selection + '\'';
    const bool is_one = selection.find(" and ") == selection.npos || selection.find(" or ") != selection.npos;
    return "--ignore 'additive or " + (is_one ? selection : '(' + selection + ')') + '\'';
  }

  /// Of some it is not known what they were made from.
  std::string remedies_in_chain(const std::vector<Refused>& residues) const {
    std::vector<Refused> replaceable;
    for (const Refused& one : residues)
      if (one.is_replaceable) replaceable.push_back({one.residue, {}});
    if (replaceable.empty()) return "give charges with --ligand FILE, ";
    if (replaceable.size() == residues.size())
      return "replace them by their parent residues with --replace-nonstandard, ";
    return "replace " + names(replaceable) +
           " by their parent residues with --replace-nonstandard, give charges of the others with --ligand "
           "FILE, ";
  }

  std::string text_of_unknown() const {
    std::vector<Refused> of_chains, others;
    for (const Refused& one : unknown_) (is_polymer(role(one.residue)) ? of_chains : others).push_back(one);
    std::vector<Refused> all = of_chains;
    all.insert(all.end(), others.begin(), others.end());
    std::string text =
        "PDB2PQR has no charges for " + count_of(std::ssize(all), "residue") + ": " + names(all);
    if (!others.empty())
      text += "; give charges by --ligand FILE (mol2, prmtop, PSF, .itp), or leave them out with " +
              ignoring_ligands(others);
    if (std::any_of(others.begin(), others.end(),
                    [this](const Refused& one) { return role(one.residue) == ResidueRole::bead; }))
      text += "; for beads, give the structure with all its atoms";
    if (!of_chains.empty())
      text += "; in a chain, " + remedies_in_chain(of_chains) + "or leave them out with --allow-missing";
    return text;
  }

  std::span<const Atom> atoms_;
  const Chemistry& chemistry_;
  std::vector<Refused> unknown_, incomplete_, shared_;
  bool has_modified_ = false;  // among the incomplete ones
};

}  // namespace

ChemistryDecision refusal_row(std::span<const Atom> atoms, const Chemistry& chemistry,
                              const ChemistryDecisions& decisions, std::uint32_t residue) {
  const ResiduePlan& plan = decisions.plans[residue];
  if (plan.same_place_as != nothing)
    return {residue, "overlaps another residue: the run stops",
            "it is at the position of " +
                describe_residue(atoms[chemistry.residues[plan.same_place_as].begin]) +
                ", and both would count",
            "--ignore, --allow-missing"};
  if (!plan.lacks.empty())
    return {residue, "incomplete: the run stops", too_few_atoms_text(plan.lacks),
            "--ignore, --allow-missing"};
  const ResidueRole role = chemistry.residues[residue].role;
  return {residue, "without charges: the run stops",
          std::string(to_string(role)) + " that PDB2PQR does not know",
          plan.is_replaceable ? "--replace-nonstandard, --allow-missing"
          : is_polymer(role)  ? "--ligand, --allow-missing"
                              : "--ligand, --ignore"};
}

void refuse_residues(const std::string& path, std::span<const Atom> atoms, const Chemistry& chemistry,
                     const ChemistryDecisions& decisions) {
  const std::string text = Refuser(atoms, chemistry, decisions).text();
  if (!text.empty()) fail(path, ": ", text);
}

}  // namespace ionwell
