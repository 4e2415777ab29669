// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/chain_pieces.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/residue_runs.hpp"

namespace ionwell {
namespace {

/// What takes part in a chain: residues with a chain bond, and lone ones that by name could have one.
bool is_of_chain(const WorkingResidue& residue) {
  return residue.before != nothing || residue.after != nothing ||
         (is_polymer(residue.role) && residue.first_atom != nothing) ||
         (is_polymer(residue.role) && residue.last_atom != nothing);
}

class PieceFinder {
 public:
  PieceFinder(WorkingResidues& working, const std::vector<ResidueLink>& links, const EntryRecords& records)
      : working_(working), residues_(working.residues()), records_(records) {
    for (const ResidueLink& link : links)
      linked_.insert(std::minmax(working.residue_of(link.first), working.residue_of(link.second)));
  }

  FoundPieces find() {
    for (std::uint32_t r = 0; r < residues_.size(); ++r)
      if (is_of_chain(residues_[r]) && residues_[r].before == nothing) walk(r);
    for (std::uint32_t r = 0; r < residues_.size(); ++r)  // what is left goes round
      if (is_of_chain(residues_[r]) && residues_[r].piece == nothing) walk(r);
    take_roles_of_neighbours();
    find_gaps();
    return std::move(found_);
  }

 private:
  void walk(std::uint32_t start) {
    ChainPiece piece;
    const auto number = std::uint32_t(found_.pieces.size());
    for (std::uint32_t r = start; r != nothing && residues_[r].piece == nothing; r = residues_[r].after) {
      residues_[r].piece = number;
      piece.residues.push_back(r);
    }
    piece.is_ring = residues_[start].before != nothing;
    found_.pieces.push_back(std::move(piece));
  }

  /// A residue without a template is an amino acid or a nucleotide when it is among such; GTP by itself is a
  /// ligand.
  void take_roles_of_neighbours() {
    for (ChainPiece& piece : found_.pieces) {
      const auto counts = [&](ResidueRole role) {
        return std::count_if(piece.residues.begin(), piece.residues.end(),
                             [&](std::uint32_t r) { return residues_[r].role == role; });
      };
      const ResidueRole role = counts(ResidueRole::nucleotide) > counts(ResidueRole::amino_acid)
                                   ? ResidueRole::nucleotide
                                   : ResidueRole::amino_acid;
      for (const std::uint32_t r : piece.residues) {
        WorkingResidue& residue = residues_[r];
        const bool is_modified =
            residue.match == nullptr || residue.found()->parent != residue.found()->residue;
        if (piece.residues.size() > 1 && !is_polymer(residue.role)) residue.role = role;
        if (piece.residues.size() == 1 && is_modified) {
          const std::string_view name = first_atom_of(r).residue.view();
          residue.role =
              residue_table().is_known("cofactor", name) ? ResidueRole::cofactor : ResidueRole::ligand;
          residue.piece = nothing;
        }
      }
    }
    // Pieces of ligands are none; the others keep their order.
    std::erase_if(found_.pieces,
                  [&](const ChainPiece& piece) { return residues_[piece.residues[0]].piece == nothing; });
    for (std::uint32_t n = 0; n < found_.pieces.size(); ++n)
      for (const std::uint32_t r : found_.pieces[n].residues) residues_[r].piece = n;
  }

  const Atom& first_atom_of(std::uint32_t r) const { return working_.atoms()[residues_[r].begin]; }

  void find_gaps() {
    std::vector<std::uint32_t> chain;  // residues in pieces, up to a TER or to another chain
    const auto end_chain = [&] {
      if (is_in_no_order(chain)) sort_by_number(chain);
      for (std::size_t n = 1; n < chain.size(); ++n)
        if (residues_[chain[n]].before == nothing && is_gap(chain[n - 1], chain[n]))
          found_.gaps.push_back(gap(chain[n - 1], chain[n]));
      chain.clear();
    };
    for (std::uint32_t r = 0; r < residues_.size(); ++r) {
      if (residues_[r].piece != nothing) {
        if (!chain.empty() && !is_of_one_chain(chain.back(), r)) end_chain();
        chain.push_back(r);
      }
      if (working_.atoms()[residues_[r].end - 1].ends_chain) end_chain();
    }
    end_chain();
  }

  bool is_of_one_chain(std::uint32_t a, std::uint32_t b) const {
    return first_atom_of(a).chain == first_atom_of(b).chain &&
           first_atom_of(a).segment == first_atom_of(b).segment;
  }

  std::pair<int, char> number_of(std::uint32_t r) const {
    return {first_atom_of(r).residue_number, first_atom_of(r).insertion_code};
  }

  /// Whether the numbers of a chain go down so often that the file has no order, as after sorting by names.
  bool is_in_no_order(const std::vector<std::uint32_t>& chain) const {
    std::size_t down = 0;
    for (std::size_t n = 1; n < chain.size(); ++n) down += number_of(chain[n]) < number_of(chain[n - 1]);
    return down > 2 && 4 * down > chain.size();
  }

  void sort_by_number(std::vector<std::uint32_t>& chain) const {
    std::stable_sort(chain.begin(), chain.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return number_of(a) < number_of(b); });
  }

  bool is_gap(std::uint32_t before, std::uint32_t after) const {
    const Atom &a = first_atom_of(before), &b = first_atom_of(after);
    const bool go_on = b.residue_number > a.residue_number ||
                       (b.residue_number == a.residue_number && b.insertion_code != a.insertion_code);
    return residues_[before].after == nothing && residues_[before].role == residues_[after].role && go_on &&
           !linked_.contains(std::minmax(before, after));
  }

  ChainGap gap(std::uint32_t before, std::uint32_t after) const {
    const std::uint32_t a = residues_[before].last_atom, b = residues_[after].first_atom;
    return {before, after, a == nothing || b == nothing ? 0.0 : working_.distance_A(a, b),
            missing(before, after)};
  }

  std::vector<Label> missing(std::uint32_t before, std::uint32_t after) const {
    const Atom &a = first_atom_of(before), &b = first_atom_of(after);
    std::vector<Label> names;
    for (const MissingResidue& residue : records_.missing)
      if (residue.residue.chain == a.chain && residue.residue.number >= a.residue_number &&
          residue.residue.number <= b.residue_number)
        names.push_back(residue.name);
    if (!records_.missing.empty()) return names;
    for (const ChainSequence& sequence : records_.sequences)
      if (sequence.chain == a.chain) return missing_in(sequence, before, after);
    return names;
  }

  /// What the sequence has between the last residues before the gap and the first behind it.
  std::vector<Label> missing_in(const ChainSequence& sequence, std::uint32_t before,
                                std::uint32_t after) const {
    constexpr std::size_t compared = 4;
    std::vector<Label> head, tail;
    for (std::uint32_t r = before; r != nothing && head.size() < compared; r = residues_[r].before)
      head.insert(head.begin(), first_atom_of(r).residue);
    for (std::uint32_t r = after; r != nothing && tail.size() < compared; r = residues_[r].after)
      tail.push_back(first_atom_of(r).residue);
    const auto& names = sequence.residues;
    const std::int64_t expected =
        std::int64_t(first_atom_of(after).residue_number) - first_atom_of(before).residue_number - 1;
    std::optional<std::vector<Label>> found;  // the first, unless another has as many as the numbers say
    for (auto from = names.begin(); from != names.end(); ++from) {
      from = std::search(from, names.end(), head.begin(), head.end());
      if (from == names.end()) break;
      const auto end_of_head = from + std::ptrdiff_t(head.size());
      if (expected >= 0 && names.end() - end_of_head >= expected + std::ptrdiff_t(tail.size()) &&
          std::equal(tail.begin(), tail.end(), end_of_head + expected))
        return {end_of_head, end_of_head + expected};
      const auto to = std::search(end_of_head, names.end(), tail.begin(), tail.end());
      if (!found && to != names.end()) found.emplace(end_of_head, to);
    }
    return found.value_or(std::vector<Label>{});
  }

  WorkingResidues& working_;
  std::vector<WorkingResidue>& residues_;
  const EntryRecords& records_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> linked_;  // residues
  FoundPieces found_;
};

bool has_hydrogens(const WorkingResidues& working, const WorkingResidue& residue) {
  for (std::uint32_t n = residue.begin; n < residue.end; ++n)
    if (working.is_hydrogen(n)) return true;
  return false;
}

/// Whether the hydrogens that the residue's own state has and the variant `found` has not are absent because
/// the state is another one: the atom that would bear them has others in the file, or has none in the
/// variant, and all others of the residue are there. A file may have some hydrogens only: those of amides, or
/// of carbons, or all but those on O and S.
bool tells_state(const WorkingResidues& working, const WorkingResidue& residue, bool has_file_hydroxyls) {
  const ResidueTemplate& found = *residue.found();
  const ResidueTemplate* const usual = residue_table().find(found.residue.view(), found.ends);
  const auto bearer_in = [](const ResidueTemplate& of, const TemplateBond& bond) {
    const bool is_first = of.atoms[bond.first].element == ElementSymbol("H");
    return is_first ? std::pair(bond.first, bond.second) : std::pair(bond.second, bond.first);
  };
  bool is_told = true;
  if (usual == nullptr || found.residue == Label("HIS")) return is_told;  // either hydrogen tells
  for (const TemplateBond& bond : usual->bonds) {
    const auto [hydrogen, bearer] = bearer_in(*usual, bond);
    const TemplateAtom& lost = usual->atoms[hydrogen];
    if (lost.element != ElementSymbol("H") || found.find(lost.name.view()) != ResidueTemplate::no_atom)
      continue;
    bool bears_others = false, has_them = true, has_all = true;
    for (const TemplateBond& other : found.bonds) {
      const auto [own, heavy] = bearer_in(found, other);
      if (found.atoms[own].element != ElementSymbol("H")) continue;
      const bool is_there = working.atom_of(residue, own) != nothing;
      if (found.atoms[heavy].name == usual->atoms[bearer].name) {
        bears_others = true;
        has_them = has_them && is_there;
      }
      has_all = has_all && is_there;
    }
    is_told = is_told && (bears_others ? has_them : has_all && has_file_hydroxyls);
  }
  return is_told;
}

/// The variant by its hydrogens; without any by its name, HIP or ASH, where that is not the residue's own.
Label standard_name(const WorkingResidues& working, const WorkingResidue& residue, ResidueState state) {
  const ResidueTemplate& found = *residue.found();
  if (found.residue == Label("CYS")) {
    if (state.is_bridged) return "CYX";
    if (state.is_metal_bound && working.named(residue, "HG") == nothing) return "CYM";
    if (found.name == Label("CYX")) return "CYS";
  }
  // A proton on the oxygen that templates have none on.
  if (found.residue == Label("ASP") && working.named(residue, "HD1") != nothing) return "ASH";
  if (found.residue == Label("GLU") && working.named(residue, "HE1") != nothing) return "GLH";
  const Label& called = working.atoms()[residue.begin].residue;
  if (called != found.residue) return found.name;
  const bool is_told =
      has_hydrogens(working, residue) && tells_state(working, residue, state.has_file_hydroxyls);
  return is_told ? found.name : found.residue;
}

}  // namespace

FoundPieces find_pieces(WorkingResidues& working, const std::vector<ResidueLink>& links,
                        const EntryRecords& records) {
  return PieceFinder(working, links, records).find();
}

const ResidueTemplate* standard_template(const WorkingResidues& working,
                                         const std::vector<ChainPiece>& pieces, const WorkingResidue& residue,
                                         ResidueState state) {
  if (residue.match == nullptr) return nullptr;
  const ResidueTable& table = residue_table();
  const Label name = standard_name(working, residue, state);
  if (residue.piece == nothing || !is_polymer(residue.role)) return table.find(name.view());
  const bool is_nucleotide = residue.role == ResidueRole::nucleotide;
  const bool is_ring = pieces[residue.piece].is_ring;
  ChainEnds ends;
  if (residue.before == nothing && !is_ring && !state.is_bound_before) {
    ends.first = is_nucleotide ? ChainEnd::five_hydroxyl : ChainEnd::n_terminal;
    if (residue.found()->ends.first == ChainEnd::n_terminal_neutral)
      ends.first = ChainEnd::n_terminal_neutral;
  }
  if (residue.after == nothing && !is_ring && !state.is_bound_after) {
    ends.last = is_nucleotide ? ChainEnd::three_hydroxyl : ChainEnd::c_terminal;
    if (residue.found()->ends.last == ChainEnd::c_terminal_neutral) ends.last = ChainEnd::c_terminal_neutral;
  }
  // Caps have no ends, GTP begins a chain as it is, and a cyclic phosphate ends it.
  for (const ChainEnds& tried : {ends, ChainEnds{ends.first, {}}, ChainEnds{{}, ends.last}, ChainEnds{}})
    if (const ResidueTemplate* const found = table.find(name.view(), tried)) return found;
  return nullptr;
}

}  // namespace ionwell
