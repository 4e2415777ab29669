// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// 64 bits of data that are others when it is another (FNV-1a; Fowler, Noll, Vo, RFC 9923): to tell inputs
/// apart, not to guard them.
class Fingerprint {
 public:
  void add(std::string_view bytes);
  void add(double value);
  void add(std::int64_t value);

  /// As sixteen digits.
  std::string text() const;

 private:
  std::uint64_t state_ = 14695981039346656037u;
};

/// Of all that is known of a structure's atoms: names, residues, chains, elements, positions, charges, radii.
std::string fingerprint_of(std::span<const Atom> atoms);

/// Of a cell's vectors and kind.
std::string fingerprint_of(const UnitCell& cell);

/// Of a file's bytes. Throws Error when it cannot be read.
std::string fingerprint_of_file(const std::string& path);

}  // namespace ionwell
