// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/chemistry/residue_kind.hpp"
#include "core/text/residue_id.hpp"

namespace ionwell {

/// First to last, with both.
template <typename Value>
struct ValueRange {
  Value first, last;

  bool holds(const Value& value) const { return first <= value && value <= last; }
};

/// What an atom is called by.
enum class LabelField { chain, segment, residue, name, element };

/// A name to compare with.
struct LabelPattern {
  std::string text;
  bool has_wildcards = false;
};

// The terms of a selection: each gives a mask of its own.
struct Everything {
  bool selected;
};
struct OfKind {
  ResidueKind kind;
  bool backbone_only = false;
};
struct IsAdditive {};  // what was added to a crystal
struct HasLabel {
  LabelField field;
  std::vector<LabelPattern> patterns;
  bool is_negated = false;  // by a `not` around it
};
struct HasResidueId {
  std::vector<ValueRange<ResidueId>> ranges;
};
struct HasResidueNumber {
  std::vector<ValueRange<std::int64_t>> ranges;
};
struct HasIndex {
  std::vector<ValueRange<std::int64_t>> ranges;
  std::int64_t first;  // number of the first atom
};

// These change the last mask,
struct Within {
  double distance_A;
  bool without_selected;
};
struct SameLabel {
  LabelField field;
};
struct SameResidue {};
struct Negation {};
// and these make one of the last two.
struct Conjunction {};
struct Disjunction {};

/// A term or an operation, and where in the text it begins.
struct SelectionStep {
  std::variant<Everything, OfKind, IsAdditive, HasLabel, HasResidueId, HasResidueNumber, HasIndex, Within,
               SameLabel, SameResidue, Negation, Conjunction, Disjunction>
      what;
  std::size_t position = 0;
};

/// Throws UsageError: the selection, where in it, and the problem.
[[noreturn]] void refuse_selection(std::string_view selection, std::size_t position,
                                   const std::string& problem);

}  // namespace ionwell
