// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "files/input_file.hpp"

namespace ionwell {

/// The text of a file, plain or packed with gzip, that is gone through once and need not fit into memory.
class TextPieces {
 public:
  /// Throws Error, as read_input_file does, for what is packed otherwise, or binary.
  explicit TextPieces(InputFile file);

  const std::string& name() const { return file_.name(); }

  /// Bytes of a plain file; of a packed one, whose end would tell, a guess.
  std::size_t likely_size() const;

  /// What next() gives first; before it.
  std::string_view head();

  /// What follows, in pieces of whole lines, of which the last may lack its end; nothing when all was given.
  /// A piece is good until the next call. Throws Error for cut and damaged gzip data and beyond the limits of
  /// read_input_file.
  std::string_view next();

 private:
  std::string_view read_next();
  std::string_view next_unpacked();

  InputFile file_;
  bool is_packed_, is_first_ = true, at_end_ = false;
  std::optional<std::string_view> head_;  // while it was looked at and not given
  GzipReader gzip_;
  std::size_t packed_bytes_ = 0;  // so far
  std::string_view packed_;       // of the present piece, what is left
  GrowingBytes unpacked_;
  std::size_t given_ = 0;  // of it
};

}  // namespace ionwell
