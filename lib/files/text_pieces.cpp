// SPDX-License-Identifier: BSD-3-Clause
#include "files/text_pieces.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr std::size_t text_piece_bytes = std::size_t{1} << 20;  // which a cache holds

}  // namespace

TextPieces::TextPieces(InputFile file)
    : file_(std::move(file)),
      likely_size_(file_.likely_size()),
      is_packed_(is_gzip(file_.head())),
      gzip_(file_.name()) {
  if (is_packed_) likely_size_ *= usual_ratio;
  refuse_other_packing(file_.head(), file_.name());
  if (!is_packed_) refuse_binary(file_.head(), file_.name());
}

std::string_view TextPieces::head(std::size_t size) {
  if (!head_) head_ = read_next(text_piece_bytes);
  if (is_packed_ && !at_end_ && head_->size() < size) {
    begun_.insert(0, *head_);
    head_ = read_next(size);
  }
  return *head_;
}

std::string_view TextPieces::next() {
  const std::string_view piece = head_ ? *std::exchange(head_, std::nullopt) : read_next(text_piece_bytes);
  constexpr std::size_t most_ahead = 4;
  if (is_packed_ && !ahead_ && !at_end_ && thread_count(0) > 1)
    ahead_.emplace([this] { return unpack(text_piece_bytes); }, most_ahead);
  return piece;
}

void TextPieces::check_rest() {
  while (is_packed_ && !next().empty()) {
  }
}

std::string_view TextPieces::read_next(std::size_t size) {
  if (is_packed_) {
    std::optional<Piece> unpacked = ahead_ ? ahead_->take() : unpack(size);
    drop_present();
    if (unpacked) present_.emplace(std::move(*unpacked));
  }
  const std::string_view piece = !is_packed_ ? file_.next_piece() : present_ ? present_->text() : "";
  if (std::exchange(is_first_, false)) refuse_other_packing(piece, file_.name());
  return piece;
}

/// The next piece, of so many bytes or less; of more where a line is longer. Nothing after the last.
std::optional<TextPieces::Piece> TextPieces::unpack(std::size_t size) {
  if (at_end_) return {};
  GrowingBytes bytes = take_room(std::max(size, begun_.size()));
  bytes.add(begun_.copy(bytes.free_space(), begun_.size()));
  std::size_t ended = 0;
  while (!at_end_ && ended == 0) {
    if (bytes.free_size() == 0) bytes.grow(std::numeric_limits<std::size_t>::max());
    if (packed_.empty()) packed_bytes_ += (packed_ = file_.next_piece()).size();
    const bool is_last = packed_.empty();
    gzip_.unpack(packed_, bytes, gzip_limits(std::max(file_.likely_size(), packed_bytes_)));
    at_end_ = is_last && bytes.free_size() > 0;
    if (bytes.free_size() == 0) ended = bytes.text().rfind('\n') + 1;  // 0 where no line ends
  }
  if (at_end_) {
    gzip_.finish();
    ended = bytes.size();
  }
  begun_.assign(bytes.text().substr(ended));
  return Piece{std::move(bytes), ended};
}

/// Empty, with room for so many bytes.
GrowingBytes TextPieces::take_room(std::size_t size) {
  const std::lock_guard lock(spare_mutex_);
  if (spare_.empty() || size > text_piece_bytes) return {file_.name(), size};
  GrowingBytes bytes = std::move(spare_.back());
  spare_.pop_back();
  return bytes;
}

void TextPieces::drop_present() {
  if (!present_) return;
  GrowingBytes bytes = std::move(present_->bytes);
  present_.reset();
  bytes.clear();
  if (bytes.free_size() != text_piece_bytes) return;  // of a long head, or a long line
  const std::lock_guard lock(spare_mutex_);
  spare_.push_back(std::move(bytes));
}

}  // namespace ionwell
