// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "programs/pdb2pqr_files.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

/// A count and the first few of things, for a warning.
class Listed {
 public:
  void add(const std::string& name) {
    constexpr std::int64_t most = 8;
    if (count_++ < most) names_ += (names_.empty() ? "" : ", ") + name;
  }
  bool any() const { return count_ > 0; }

  /// "3 residues (LIG 1 A, LIG 2 A, LIG 3 A)".
  std::string text(std::string_view one) const {
    const auto shown = 1 + std::count(names_.begin(), names_.end(), ',');
    return count_of(count_, one) + " (" + names_ + (shown < count_ ? ", ...)" : ")");
  }

 private:
  std::int64_t count_ = 0;
  std::string names_;
};

/// Puts the residues of PDB2PQR's files back in their place.
class OutputReader {
 public:
  OutputReader(const Structure& structure, const Pdb2pqrInput& input, std::span<const Structure> outputs,
               LossReport losses)
      : structure_(structure), input_(input), losses_(losses) {
    for (std::size_t file = 0; file < outputs.size(); ++file) add_groups(file, outputs[file].atoms);
    result_.path = structure.path;
    result_.cell = structure.cell;
    result_.warnings = structure.warnings;
  }

  Structure read(std::span<const MissingAtom> built) {
    for (const Pdb2pqrResidue& residue : input_.residues) {
      const std::span<const Atom> atoms =
          std::span(structure_.atoms).subspan(residue.begin, residue.end - residue.begin);
      if (residue.fate == Pdb2pqrFate::sent) {
        add_sent(residue, atoms);
      } else if (residue.fate == Pdb2pqrFate::ion) {
        add_ion(atoms);
      } else if (residue.fate == Pdb2pqrFate::water) {
        ++waters_;
      } else {
        (residue.fate == Pdb2pqrFate::unknown ? unknown_ : incomplete_).add(describe_residue(atoms.front()));
      }
      const bool ends_chain =
          std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.ends_chain; });
      if (ends_chain && !result_.atoms.empty()) result_.atoms.back().ends_chain = true;
    }
    if (sent_back_ == 0 && !input_.pdb_texts.empty())
      fail(structure_.path, ": PDB2PQR's force field has charges for none of its residues (",
           unknown_.text("residue"), "); use another one: AMBER has those of proteins and nucleic acids");
    add_warnings(built);
    return std::move(result_);
  }

 private:
  using Key = std::tuple<std::size_t, char, int>;  // file, chain, number

  void add_groups(std::size_t file, std::span<const Atom> atoms) {
    for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
      const Atom& first = atoms[begin];
      const auto same = [&](const Atom& a) {
        return a.chain == first.chain && a.residue_number == first.residue_number;
      };
      for (end = begin + 1; end < atoms.size() && same(atoms[end]);) ++end;
      const char chain = first.chain.empty() ? ' ' : first.chain.view()[0];
      groups_.emplace(Key{file, chain, first.residue_number}, atoms.subspan(begin, end - begin));
    }
  }

  void add_sent(const Pdb2pqrResidue& residue, std::span<const Atom> atoms) {
    const auto found = groups_.find({residue.file, residue.chain, residue.number});
    if (found == groups_.end()) return unknown_.add(describe_residue(atoms.front()));
    ++sent_back_;
    std::vector<bool> matched(atoms.size(), false);
    const std::size_t first = result_.atoms.size();
    std::vector<const Atom*> partners(found->second.size(), nullptr);
    const auto match = [&](const auto& is_partner) {
      for (std::size_t i = 0; i < partners.size(); ++i)
        for (std::size_t j = 0; j < atoms.size() && partners[i] == nullptr; ++j)
          if (!matched[j] && is_partner(found->second[i], atoms[j])) {
            matched[j] = true;
            partners[i] = &atoms[j];
          }
    };
    // By name, and what has another one (O1P is OP1) by its place.
    match([](const Atom& out, const Atom& in) { return out.name == in.name; });
    match([this](const Atom& out, const Atom& in) { return is_there(out, in); });
    for (std::size_t i = 0; i < partners.size(); ++i)
      result_.atoms.push_back(charged(found->second[i], partners[i], atoms.front()));
    for (std::size_t i = 0; i < partners.size(); ++i)
      if (partners[i] == nullptr) shorten_bond(first, result_.atoms[first + i]);
    if (result_.atoms.size() == first) return;
    for (std::size_t j = 0; j < atoms.size(); ++j)
      if (!matched[j] && element_of(atoms[j]) != "H") dropped_from(residue, atoms[j]).add(describe(atoms[j]));
  }

  /// PDB2PQR fits a residue's hydrogens to all of its atoms: where the entry has them bent, one may lie as
  /// far as 1.4 A away. `first`: where its residue begins.
  void shorten_bond(std::size_t first, Atom& hydrogen) {
    constexpr double longest_A = 1.2, of_nitrogen_A = 1.01, of_oxygen_A = 0.96, of_carbon_A = 1.09;
    if (element_of(hydrogen) != "H") return;
    const Atom* carrier = nullptr;
    for (const Atom& atom : std::span(result_.atoms).subspan(first))
      if (element_of(atom) != "H" &&
          (carrier == nullptr || distance_squared(atom.position_A, hydrogen.position_A) <
                                     distance_squared(carrier->position_A, hydrogen.position_A)))
        carrier = &atom;
    if (carrier == nullptr) return;
    const std::string_view element = element_of(*carrier);
    const double bond_A = element == "N" ? of_nitrogen_A : element == "O" ? of_oxygen_A : of_carbon_A;
    const double length_A = std::sqrt(distance_squared(carrier->position_A, hydrogen.position_A));
    if (length_A <= longest_A || element == "S" || element == "SE") return;
    hydrogen.position_A =
        carrier->position_A + (bond_A / length_A) * (hydrogen.position_A - carrier->position_A);
    shortened_.add(describe(hydrogen));
  }

  /// The atoms that PDB2PQR leaves out for the same reason as this one.
  Listed& dropped_from(const Pdb2pqrResidue& residue, const Atom& atom) {
    const std::string_view name = atom.name.view();
    const bool is_of_phosphate =
        name == "P" || name.starts_with("OP") || (name.starts_with('O') && name.ends_with('P'));
    if (is_of_phosphate && residue_kind(atom.residue.view()) == ResidueKind::nucleic_acid) return phosphates_;
    const auto in_chain =
        std::count_if(input_.residues.begin(), input_.residues.end(), [&](const Pdb2pqrResidue& other) {
          return other.fate == Pdb2pqrFate::sent && other.file == residue.file &&
                 other.chain == residue.chain;
        });
    return name == "OXT" && in_chain == 1 ? ends_ : dropped_;
  }

  bool is_there(const Atom& out, const Atom& in) const {
    constexpr double rounding_A = 0.002;  // PDB2PQR writes three decimals
    return distance_squared(out.position_A, in.position_A + input_.shift_A) < rounding_A * rounding_A;
  }

  Atom charged(const Atom& out, const Atom* partner, const Atom& first) const {
    Atom atom = partner != nullptr ? *partner : first;
    if (partner == nullptr) {
      atom.name = out.name;
      atom.element = {};
      atom.element = element_of(atom);
    }
    if (partner == nullptr || !is_there(out, *partner)) atom.position_A = out.position_A - input_.shift_A;
    atom.charge_e = out.charge_e;
    atom.radius_A = out.radius_A;
    atom.ends_chain = false;
    return atom;
  }

  void add_ion(std::span<const Atom> atoms) {
    const std::string_view name = atoms.front().residue.view(), centre = central_atom(name);
    const auto central = std::find_if(atoms.begin(), atoms.end(),
                                      [&](const Atom& atom) { return atom.name == Label(centre); });
    Atom atom = central == atoms.end() ? atoms.front() : *central;
    const std::optional<FormalIon> ion =
        formal_ion({.name = name, .atoms = atoms.size(), .first_atom = atoms.front().name.view()});
    atom.charge_e = ion->charge_e;
    atom.radius_A = ionic_radius_A(ion->element, ion->charge_e).value_or(0.0);
    atom.element = ion->element;
    result_.atoms.push_back(atom);
    ions_.add(describe_residue(atom));
  }

  void add_warnings(std::span<const MissingAtom> built) {
    const auto warn = [this](const std::string& text) {
      result_.warnings.push_back(structure_.path + ": " + text);
    };
    const auto add_note = [this](const std::string& text) {
      result_.warnings.push_back(note(structure_.path + ": " + text));
    };
    if (losses_ == LossReport::warnings) {
      add_loss_warnings(warn);
      if (!built.empty())
        add_note("missing in the file, built by PDB2PQR: " + list_of(built, structure_, input_));
    }
    if (input_.selenomethionines > 0)
      add_note(count_of(input_.selenomethionines, "selenomethionine") +
               (input_.selenomethionines == 1 ? " has" : " have") + " the charges of methionine");
    if (shortened_.any())
      add_note(
          "PDB2PQR placed hydrogens farther than 1.2 A from their atoms; ionwell moved them to the length of "
          "a bond: " +
          shortened_.text("atom"));
    if (ions_.any()) add_note("with formal charge and ionic radius: " + ions_.text("ion"));
    if (waters_ > 0) add_note(count_of(waters_, "water") + (waters_ == 1 ? " was" : " were") + " left out");
  }

  template <typename Warn>
  void add_loss_warnings(const Warn& warn) {
    if (unknown_.any())
      warn("left out, because the force field of PDB2PQR has no charges for them: " +
           unknown_.text("residue"));
    if (incomplete_.any())
      warn("left out, because too few atoms are present to build the others: " + incomplete_.text("residue"));
    if (phosphates_.any())
      warn("left out by PDB2PQR, which starts a nucleic acid with a hydroxyl: " + phosphates_.text("atom"));
    if (ends_.any())
      warn(
          "left out by PDB2PQR, which treats a single residue of a chain as a first residue, so that the "
          "charge of a last one is missing: " +
          ends_.text("atom"));
    if (dropped_.any())
      warn("left out by PDB2PQR, which has no such atom in these residues: " + dropped_.text("atom"));
  }

  const Structure& structure_;
  const Pdb2pqrInput& input_;
  LossReport losses_;
  std::map<Key, std::span<const Atom>> groups_;
  Structure result_;
  std::int64_t sent_back_ = 0, waters_ = 0;
  Listed unknown_, incomplete_, phosphates_, ends_, dropped_, ions_, shortened_;
};

}  // namespace

Structure charged_structure(const Structure& structure, const Pdb2pqrInput& input,
                            std::span<const Structure> outputs, std::span<const MissingAtom> built,
                            LossReport losses) {
  return OutputReader(structure, input, outputs, losses).read(built);
}

std::string list_of(std::span<const MissingAtom> atoms, const Structure& structure,
                    const Pdb2pqrInput& input) {
  Listed listed;
  for (const MissingAtom& atom : atoms) {
    const Atom& first = structure.atoms[input.residues[atom.residue].begin];
    listed.add(describe_residue(first) + ' ' + atom.name);
  }
  return listed.text("atom");
}

}  // namespace ionwell
