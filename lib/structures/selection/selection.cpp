// SPDX-License-Identifier: BSD-3-Clause
#include "structures/selection/selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/composition.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/nearest_words.hpp"
#include "structures/selection/near_atoms.hpp"
#include "structures/selection/wildcards.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

using Mask = std::vector<std::uint8_t>;

/// A label as a number, to look it up by.
std::uint64_t key_of(const Label& label) {
  return std::bit_cast<std::uint64_t>(label);
}

Label label_of(const Atom& atom, LabelField field) {
  switch (field) {
    case LabelField::chain:
      return atom.chain;
    case LabelField::segment:
      return atom.segment;
    case LabelField::residue:
      return atom.residue;
    case LabelField::name:
      return atom.name;
    case LabelField::element:
      break;
  }
  return atom.element.empty() ? Label(element_of(atom)) : Label(atom.element.view());
}

std::string_view plural_of(LabelField field) {
  constexpr std::string_view words[] = {"chains", "segments", "residue names", "atom names", "elements"};
  return words[std::size_t(field)];
}

bool matches(const LabelPattern& pattern, const Label& label) {
  return pattern.has_wildcards ? matches_wildcards(pattern.text, label.view()) : Label(pattern.text) == label;
}

bool is_backbone_name(std::string_view name, ResidueKind kind) {
  constexpr std::array<std::string_view, 4> protein{"N", "CA", "C", "O"};
  constexpr std::array<std::string_view, 5> nucleic{"P", "C5'", "C3'", "O3'", "O5'"};
  return kind == ResidueKind::protein ? std::find(protein.begin(), protein.end(), name) != protein.end()
                                      : std::find(nucleic.begin(), nucleic.end(), name) != nucleic.end();
}

/// Goes through the steps of a selection with a stack of masks.
class Evaluator {
 public:
  Evaluator(std::span<const Atom> atoms, const Selection& selection, Absent absent)
      : atoms_(atoms), selection_(selection), absent_(absent) {}

  Mask evaluate() {
    for (const SelectionStep& step : selection_.steps) {
      position_ = step.position;
      std::visit(*this, step.what);
    }
    return std::move(masks_.back());
  }

  void operator()(const Everything& term) { masks_.emplace_back(atoms_.size(), term.selected ? 1 : 0); }

  void operator()(const OfKind& term) {
    Mask& mask = masks_.emplace_back(atoms_.size(), 0);
    for (const Residue& residue : residues()) {
      if (residue.kind != term.kind) continue;
      for (std::size_t i = residue.begin; i < residue.end; ++i)
        mask[i] = !term.backbone_only || is_backbone_name(atoms_[i].name.view(), term.kind);
    }
  }

  void operator()(const IsAdditive&) {
    add_mask([&](std::size_t i) { return residue_table().is_known("additive", atoms_[i].residue.view()); });
  }

  void operator()(const HasLabel& term) {
    std::unordered_map<std::uint64_t, bool> known;
    std::vector<Label> labels;  // in the order of the atoms
    std::vector<bool> is_there(term.patterns.size());
    add_mask([&](std::size_t i) {
      const Label label = label_of(atoms_[i], term.field);
      const auto [found, is_new] = known.try_emplace(key_of(label), false);
      if (!is_new) return found->second;
      labels.push_back(label);
      for (std::size_t n = 0; n < term.patterns.size(); ++n) {
        if (!matches(term.patterns[n], label)) continue;
        is_there[n] = true;
        found->second = true;
      }
      return found->second;
    });
    check_labels(term, labels, is_there);
  }

  void operator()(const HasResidueId& term) {
    add_mask_of_numbers(term.ranges, [this](std::size_t i) {
      return ResidueId{atoms_[i].residue_number, insertion_code_of(atoms_[i])};
    });
  }

  void operator()(const HasResidueNumber& term) {
    add_mask_of_numbers(term.ranges,
                        [this](std::size_t i) { return std::int64_t(atoms_[i].residue_number); });
  }

  void operator()(const HasIndex& term) {
    Mask& mask = masks_.emplace_back(atoms_.size(), 0);
    bool is_empty = true;
    for (const ValueRange<std::int64_t>& range : term.ranges) {
      const std::int64_t begin = std::max<std::int64_t>(range.first - term.first, 0),
                         end = std::min(range.last - term.first + 1, std::int64_t(atoms_.size()));
      if (begin >= end) continue;
      is_empty = false;
      std::fill(mask.begin() + begin, mask.begin() + end, std::uint8_t{1});
    }
    if (is_empty && absent_ == Absent::refused)
      refuse("no atom has such a number; the structure has " + count_of(std::int64_t(atoms_.size()), "atom") +
             ", the first has number " + std::to_string(term.first));
  }

  void operator()(const Within& step) {
    Mask near = atoms_within(atoms_, masks_.back(), step.distance_A);
    if (step.without_selected)
      for (std::size_t i = 0; i < near.size(); ++i) near[i] = near[i] != 0 && masks_.back()[i] == 0;
    masks_.back() = std::move(near);
  }

  void operator()(const SameLabel& step) {
    Mask& mask = masks_.back();
    std::unordered_set<std::uint64_t> selected;
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i] != 0) selected.insert(key_of(label_of(atoms_[i], step.field)));
    for (std::size_t i = 0; i < mask.size(); ++i)
      mask[i] = selected.contains(key_of(label_of(atoms_[i], step.field)));
  }

  void operator()(const SameResidue&) {
    Mask& mask = masks_.back();
    for (const Residue& residue : residues()) {
      const auto begin = mask.begin() + std::ptrdiff_t(residue.begin),
                 end = mask.begin() + std::ptrdiff_t(residue.end);
      if (std::find(begin, end, 1) != end) std::fill(begin, end, std::uint8_t{1});
    }
  }

  void operator()(const Negation&) {
    for (std::uint8_t& selected : masks_.back()) selected = selected == 0;
  }

  void operator()(const Conjunction&) {
    const Mask right = take_mask();
    for (std::size_t i = 0; i < right.size(); ++i) masks_.back()[i] &= right[i];
  }

  void operator()(const Disjunction&) {
    const Mask right = take_mask();
    for (std::size_t i = 0; i < right.size(); ++i) masks_.back()[i] |= right[i];
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    refuse_selection(selection_.text, position_, problem);
  }

  static char insertion_code_of(const Atom& atom) {
    return atom.insertion_code == '\0' ? ' ' : atom.insertion_code;
  }

  template <typename IsSelected>
  void add_mask(const IsSelected& is_selected) {
    Mask& mask = masks_.emplace_back(atoms_.size());
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = is_selected(i);
  }

  template <typename Value, typename ValueOf>
  void add_mask_of_numbers(const std::vector<ValueRange<Value>>& ranges, const ValueOf& value_of) {
    bool is_empty = true;
    add_mask([&](std::size_t i) {
      const Value value = value_of(i);
      const bool found = std::any_of(ranges.begin(), ranges.end(),
                                     [&](const ValueRange<Value>& range) { return range.holds(value); });
      is_empty = is_empty && !found;
      return found;
    });
    if (!is_empty || atoms_.empty() || absent_ == Absent::allowed) return;
    const auto [lowest, highest] =
        std::minmax_element(atoms_.begin(), atoms_.end(),
                            [](const Atom& a, const Atom& b) { return a.residue_number < b.residue_number; });
    refuse("no residue has such a number; those of the structure are from " +
           std::to_string(lowest->residue_number) + " to " + std::to_string(highest->residue_number));
  }

  /// A chain or segment that is not there is mistyped. Of atoms and residues people list all the names that
  /// one may have (OP1 O1P), and exclude what a structure may not have (not resname HOH, not element H).
  void check_labels(const HasLabel& term, const std::vector<Label>& labels,
                    const std::vector<bool>& is_there) const {
    const bool all_must_be = term.field == LabelField::chain || term.field == LabelField::segment;
    const auto missing = std::find(is_there.begin(), is_there.end(), false);
    const bool some_are = std::find(is_there.begin(), is_there.end(), true) != is_there.end();
    if (absent_ == Absent::allowed || atoms_.empty() || missing == is_there.end() ||
        ((some_are || term.is_negated) && !all_must_be))
      return;
    const std::string& typed = term.patterns[std::size_t(missing - is_there.begin())].text;
    std::vector<std::string_view> there;
    for (const Label& label : labels)
      if (!label.empty()) there.push_back(label.view());
    constexpr std::size_t most = 8;
    const std::string_view plural = plural_of(term.field);
    refuse(quote(typed) + " is not in the structure, " +
           (there.empty() ? "which has no " + std::string(plural)
                          : "whose " + std::string(plural) + " are " + nearest_first(typed, there, most)));
  }

  Mask take_mask() {
    Mask mask = std::move(masks_.back());
    masks_.pop_back();
    return mask;
  }

  const std::vector<Residue>& residues() {
    if (!residues_) {
      residues_.emplace();
      for (std::size_t begin = 0; begin < atoms_.size(); begin = residues_->back().end)
        residues_->push_back(residue_at(atoms_, begin));
    }
    return *residues_;
  }

  std::span<const Atom> atoms_;
  const Selection& selection_;
  Absent absent_;
  std::size_t position_ = 0;  // of the step, for messages
  std::vector<Mask> masks_;
  std::optional<std::vector<Residue>> residues_;  // found when the first step asks for them
};

}  // namespace

std::vector<std::uint8_t> select(std::span<const Atom> atoms, const Selection& selection, Absent absent) {
  return Evaluator(atoms, selection, absent).evaluate();
}

std::vector<std::uint8_t> select(std::span<const Atom> atoms, std::string_view selection, Absent absent) {
  return select(atoms, parse_selection(selection), absent);
}

}  // namespace ionwell
