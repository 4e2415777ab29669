// SPDX-License-Identifier: BSD-3-Clause
#include "files/text_pieces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ionwell {
namespace {

constexpr std::size_t text_piece_bytes = std::size_t{1} << 24;

}  // namespace

TextPieces::TextPieces(InputFile file)
    : file_(std::move(file)),
      is_packed_(is_gzip(file_.head())),
      gzip_(file_.name()),
      unpacked_(file_.name(), is_packed_ ? text_piece_bytes : 0) {
  refuse_other_packing(file_.head(), file_.name());
  if (!is_packed_) refuse_binary(file_.head(), file_.name());
}

std::size_t TextPieces::likely_size() const {
  constexpr std::size_t usual_ratio = 5;  // of text about atoms
  return (is_packed_ ? usual_ratio : 1) * file_.likely_size();
}

std::string_view TextPieces::head() {
  if (!head_) head_ = read_next();
  return *head_;
}

std::string_view TextPieces::next() {
  return head_ ? *std::exchange(head_, std::nullopt) : read_next();
}

std::string_view TextPieces::read_next() {
  const std::string_view piece = is_packed_ ? next_unpacked() : file_.next_piece();
  if (std::exchange(is_first_, false)) refuse_other_packing(piece, file_.name());
  return piece;
}

std::string_view TextPieces::next_unpacked() {
  unpacked_.drop(std::exchange(given_, 0));
  for (;;) {
    const std::size_t ended = unpacked_.text().rfind('\n') + 1;  // 0 where no line ends
    if (at_end_) return unpacked_.text().substr(0, given_ = unpacked_.size());
    if (ended > 0 && unpacked_.free_size() == 0) return unpacked_.text().substr(0, given_ = ended);
    if (unpacked_.free_size() == 0) unpacked_.grow(std::numeric_limits<std::size_t>::max());
    if (packed_.empty()) packed_bytes_ += (packed_ = file_.next_piece()).size();
    const bool is_last = packed_.empty();
    gzip_.unpack(packed_, unpacked_, gzip_limits(std::max(file_.likely_size(), packed_bytes_)));
    at_end_ = is_last && unpacked_.free_size() > 0;
    if (at_end_) gzip_.finish();
  }
}

}  // namespace ionwell
