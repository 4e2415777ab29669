// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chemistry/templates/residue_template.hpp"

namespace ionwell {

/// A line of residues.txt that changes a residue: its words, without the comment.
struct ResidueEdit {
  std::int64_t line = 0;
  std::string_view words;
};

/// A residue while it is put together from fragments and edits.
class ResidueDraft {
 public:
  /// `lists`: names of lists besides the schemes, which a residue may use in the place of a scheme. Path and
  /// lists must outlive the draft.
  ResidueDraft(std::string_view path, std::span<const Label> lists);

  /// Adds the atoms and bonds of a fragment, and what it says of names. An atom that both have is one atom.
  void add(const ResidueDraft& fragment);

  /// Throws Error, which begins with the line, for an edit that cannot be understood or done.
  void apply(const ResidueEdit& edit);

  /// A variant is another residue to programs: it has its own name, and may stand at an end.
  void begin_variant();

  /// What `called` says is a pattern from here on: `*` is the name within the chain. A pattern for both ends
  /// together replaces those of each.
  enum class EndPattern { of_one_end, of_both_ends };
  void begin_end(EndPattern pattern);

  /// The template. `line`: where the residue begins, for messages.
  ResidueTemplate finish(std::int64_t line, Label name, Label residue, ChainEnds ends) const;

  Label parent;  // empty where the residue is not a modified one

 private:
  struct Bond {
    Label first, second;  // atoms by name, since atoms are dropped
    int order = 1;
  };
  struct Called {
    Label name;  // empty: its own
    bool has_no_residue = false;
    std::vector<Label> patches;
    std::vector<std::string> end_patterns;
  };
  using Names =
      std::vector<std::pair<Label, Label>>;  // the PDB's and the other; the last one of equal ones counts

  TemplateAtom* find(std::string_view name);
  TemplateAtom& existing(const ResidueEdit& edit, std::string_view name);
  void bond(const ResidueEdit& edit, std::string_view words);
  void connect(const ResidueEdit& edit, std::string_view first, std::string_view second, int order);
  void drop(const ResidueEdit& edit, std::string_view words);
  void add_names(const ResidueEdit& edit, std::string_view words);
  void call(const ResidueEdit& edit, std::string_view words);
  void link(const ResidueEdit& edit, std::string_view words);
  std::size_t list_number(const ResidueEdit& edit, std::string_view word) const;
  std::size_t scheme_number(const ResidueEdit& edit, std::string_view word) const;
  std::optional<ProgramName> called_in(std::size_t scheme, Label name, Label residue, ChainEnds ends) const;
  template <typename... Parts>
  [[noreturn]] void refuse(const ResidueEdit& edit, const Parts&... parts) const;

  std::string_view path_;
  std::span<const Label> lists_;
  std::vector<TemplateAtom> atoms_;
  std::vector<Bond> bonds_;
  std::vector<Names> names_;                                // by scheme, then by list
  std::array<std::size_t, naming_schemes> list_of_scheme_;  // where it finds its names
  std::array<Called, naming_schemes> called_;
  std::bitset<naming_schemes> lacks_, inner_;
  Label before_, after_, side_;
  bool is_at_end_ = false, is_at_both_ends_ = false;
};

/// The scheme that a word names, if any.
std::optional<NamingScheme> find_naming_scheme(std::string_view word);

}  // namespace ionwell
