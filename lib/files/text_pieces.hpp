// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_file.hpp"
#include "parallel/read_ahead.hpp"

namespace ionwell {

/// The text of a file, plain or packed with gzip, that is gone through once and need not fit into memory.
/// Where there are threads, one of them unpacks while the text is gone through.
class TextPieces {
 public:
  /// Throws Error, as read_input_file does, for what is packed otherwise, or binary.
  explicit TextPieces(InputFile file);
  TextPieces(const TextPieces&) = delete;
  TextPieces& operator=(const TextPieces&) = delete;

  const std::string& name() const { return file_.name(); }

  /// Bytes of a plain file; of a packed one, whose end would tell, a guess.
  std::size_t likely_size() const { return likely_size_; }

  /// What next() gives first; before it. Of a packed file about `size` bytes or more, or all that there is.
  std::string_view head(std::size_t size = 0);

  /// What follows, in pieces of whole lines, of which the last may lack its end; nothing when all was given.
  /// A piece is good until the next call. Throws Error for cut and damaged gzip data and beyond the limits of
  /// read_input_file.
  std::string_view next();

  /// For who found an error in a piece: throws Error when it is because the gzip data are cut or damaged.
  void check_rest();

 private:
  struct Piece {
    GrowingBytes bytes;
    std::size_t size = 0;  // of the piece; what follows is of the next one
    std::string_view text() const { return bytes.text().substr(0, size); }
  };

  std::string_view read_next(std::size_t size);
  std::optional<Piece> unpack(std::size_t size);
  GrowingBytes take_room(std::size_t size);
  void drop_present();

  InputFile file_;
  std::size_t likely_size_;
  bool is_packed_, is_first_ = true, at_end_ = false;
  std::optional<std::string_view> head_;  // while it was looked at and not given
  GzipReader gzip_;
  std::size_t packed_bytes_ = 0;  // so far
  std::string_view packed_;       // of the present piece of the file, what is left
  std::string begun_;             // what was unpacked of the next piece
  std::optional<Piece> present_;
  std::mutex spare_mutex_;
  std::vector<GrowingBytes> spare_;  // of pieces that were read: new memory is slow when it is first written
  std::optional<ReadAhead<Piece>> ahead_;  // which ends before what it uses
};

}  // namespace ionwell
