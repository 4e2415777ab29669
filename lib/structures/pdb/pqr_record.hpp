// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// How many lines something happened on, and where first.
struct LineTally {
  std::int64_t count = 0, first_line = 0;

  void note(std::int64_t line) {
    if (count++ == 0) first_line = line;
  }
};

/// True for a line that starts with ATOM or HETATM, also where the serial number touches it.
bool is_atom_record(std::string_view line);

/// Reads the ATOM and HETATM records of one PQR file.
///
/// A record can be read by PDB columns (x, y, z in 31-38, 39-46, 47-54, then charge and radius), which
/// survive fields that touch, or as numbers between blanks, which survive columns that have moved. Every
/// record is read both ways. Where the two differ the more plausible one is taken: sizes an atom can have,
/// then distance to the atom before, then the way that the lines before were read; and it is counted. One
/// reader for each file, line after line.
class PqrRecordReader {
 public:
  explicit PqrRecordReader(std::string path) : path_(std::move(path)) {}

  /// Throws Error with `path:number:` when the record has no five numbers that an atom can have.
  Atom read(std::string_view line, std::int64_t number);

  const LineTally& disputed() const { return disputed_; }      // the two readings differ
  const LineTally& unnumbered() const { return unnumbered_; }  // the residue number is not a number

 private:
  struct Reading;
  static std::optional<Reading> by_columns(std::string_view line);
  static std::optional<Reading> by_blanks(std::string_view line);
  const Reading& more_plausible(const Reading& columns, const Reading& blanks) const;
  Atom read_both_ways(std::string_view line, std::int64_t number);
  void check_sizes(const Atom& atom, std::int64_t number) const;
  [[noreturn]] void complain(std::string_view line, std::int64_t number) const;

  std::string path_;
  LineTally disputed_, unnumbered_;
  std::int64_t only_columns_ = 0, only_blanks_ = 0;  // records that can be read in one way only
  std::optional<Vec3<double>> previous_A_;
};

}  // namespace ionwell
