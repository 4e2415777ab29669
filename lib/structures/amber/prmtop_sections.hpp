// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/label.hpp"

namespace ionwell {

/// How the values of a section lie on its lines, as FORTRAN writes it: 20a4, 5E16.8, 10I8.
struct FieldFormat {
  std::size_t per_line = 0, width = 0;
};

/// A prmtop file cut into its sections: of the format with %FLAG and %FORMAT, and of the one before AMBER 7
/// (2002), which has neither and where the counts in POINTERS tell where each begins; those have their names
/// of today. https://ambermd.org/FileFormats.php. Copies nothing: text and path must outlive it. Everything
/// throws Error with `path:line:`.
class PrmtopSections {
 public:
  /// Finds the sections; reads the pointers only. O(bytes).
  PrmtopSections(std::string_view text, const std::string& path);

  /// What NATOM, NTYPES ... (the order of the file) are: 28 numbers at least, none negative.
  const std::vector<int>& pointers() const { return pointers_; }

  bool is_old() const { return is_old_; }  // of the format without %FLAG
  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// All `count` values of a section. Throw when it is missing, has others, or has fewer or more.
  std::vector<double> numbers(std::string_view name, std::int64_t count) const;
  std::vector<int> integers(std::string_view name, std::int64_t count) const;
  std::vector<Label> labels(std::string_view name, std::int64_t count) const;  // without blanks at the ends

  /// Throws for the value number `index` of a section, counted from 0.
  [[noreturn]] void complain(std::string_view name, std::int64_t index, const std::string& problem) const;

 private:
  enum class BlankField { is_a_value, ends_the_line };  // of names, of numbers
  struct Section {
    std::string_view name, header, format_text, body;
    FieldFormat format;  // of a section without %FORMAT
  };

  const Section* find(std::string_view name) const;
  const Section& get(std::string_view name) const;
  FieldFormat format_of(const Section& section) const;
  void cut_by_flags();
  void cut_by_counts();
  void read_pointers();
  template <typename Use>
  std::string_view for_each_field(const Section& section, std::int64_t count, BlankField blank,
                                  const Use& use) const;
  template <typename Value, typename Read>
  std::vector<Value> all_of(std::string_view name, std::int64_t count, BlankField blank,
                            const Read& read) const;
  [[noreturn]] void fail_at(std::string_view place, const std::string& problem) const;

  std::string_view text_;
  const std::string& path_;
  bool is_old_;
  std::vector<Section> sections_;
  std::vector<int> pointers_;
};

/// Whether a file that begins so is a prmtop of either format.
bool is_prmtop(std::string_view head);

/// Whether a prmtop that begins so was made by CHAMBER: of CHARMM's force field, by a CTITLE.
bool is_chamber(std::string_view head);

}  // namespace ionwell
