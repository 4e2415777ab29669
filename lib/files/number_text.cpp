// SPDX-License-Identifier: BSD-3-Clause
#include "files/number_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // what a thread parses at a time

constexpr bool separates(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

struct Piece {
  const char *begin = nullptr, *end = nullptr;
  std::int64_t first = 0, tokens = 0;  // number of the first token, and how many begin here
};

std::int64_t count_tokens(const char* begin, const char* end) {
  if (begin == end) return 0;
  std::int64_t tokens = !separates(*begin);
  for (const char* at = begin + 1; at < end; ++at) tokens += int(!separates(at[0])) & int(separates(at[-1]));
  return tokens;
}

/// Cuts at blanks, so that each token lies in one piece.
std::vector<Piece> cut(std::string_view text) {
  std::vector<Piece> pieces((text.size() + piece_bytes - 1) / piece_bytes);
  const char *const begin = text.data(), *const end = begin + text.size();
  const char* at = begin;
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    pieces[n].begin = at;
    at = std::max(at, begin + std::min(text.size(), (n + 1) * piece_bytes));
    while (at < end && !separates(at[-1])) ++at;
    pieces[n].end = at;
  }
  return pieces;
}

std::int64_t line_of(const NumberSource& source, const char* at) {
  return 1 + std::count(source.file.data(), at, '\n');
}

/// Reads the tokens of one piece that are wanted; returns the one that is not a number, or nullptr.
const char* parse_piece(const Piece& piece, std::int64_t count, double* values, const char*& last_end) {
  const char* at = piece.begin;
  for (std::int64_t n = piece.first; n < std::min(count, piece.first + piece.tokens); ++n) {
    while (separates(*at)) ++at;
    const char* const token = at;
    while (at != piece.end && !separates(*at)) ++at;
    const std::string_view word(token, std::size_t(at - token));
    if (!parse_short_number(word, values[n])) {
      const std::optional<double> other = parse_any_number(word);
      if (!other) return token;
      values[n] = *other;
    }
    if (n == count - 1) last_end = at;
  }
  return nullptr;
}

[[noreturn]] void fail_at(const char* at, std::string_view text, std::int64_t n, std::int64_t count,
                          const NumberSource& source) {
  const char* end = at;
  while (end != text.data() + text.size() && !separates(*end)) ++end;
  const std::string_view token(at, std::size_t(end - at));
  if (token == "attribute" || token == "object" || token == "component")
    fail(source.path, ':', line_of(source, at), ": only ", grouped(n), " of ", count_of(count, "value"),
         n == 1 ? " is" : " are", " there; ", source.hint);
  fail(source.path, ':', line_of(source, at), ": value ", grouped(n + 1), " of ", grouped(count), " is ",
       quote(token), ", which is not a number; ", source.hint);
}

}  // namespace

Numbers parse_numbers(std::string_view text, std::int64_t count, int threads, const NumberSource& source) {
  if (count > std::int64_t(text.size() / 2 + 1))  // a digit and a blank each: before memory is taken for them
    fail(source.path, ": ", count_of(count, "value"), " is not possible in the ",
         count_of(std::int64_t(text.size()), "byte"), " left; ", source.hint);
  std::vector<Piece> pieces = cut(text);
  const std::int64_t all = std::int64_t(pieces.size());
  parallel_for({threads, 1}, all, [&](std::int64_t p) {
    pieces[std::size_t(p)].tokens = count_tokens(pieces[std::size_t(p)].begin, pieces[std::size_t(p)].end);
  });
  std::int64_t tokens = 0;
  for (Piece& piece : pieces) {
    piece.first = tokens;
    tokens += piece.tokens;
  }
  Numbers numbers{LargeArray<double>(std::size_t(count)), 0};
  double* const values = numbers.values.data();
  std::vector<const char*> bad(pieces.size(), nullptr);
  const char* last_end = text.data();
  parallel_for({threads, 1}, all, [&](std::int64_t p) {
    const char* end = nullptr;
    bad[std::size_t(p)] = parse_piece(pieces[std::size_t(p)], count, values, end);
    if (end != nullptr) last_end = end;  // in one piece only
  });
  for (std::size_t p = 0; p < pieces.size(); ++p)
    if (bad[p] != nullptr)
      fail_at(bad[p], text, pieces[p].first + count_tokens(pieces[p].begin, bad[p]), count, source);
  if (tokens < count)
    fail(source.path, ": ends after ", grouped(tokens), " of ", count_of(count, "value"), "; ", source.hint);
  numbers.end = std::size_t(last_end - text.data());
  return numbers;
}

}  // namespace ionwell
