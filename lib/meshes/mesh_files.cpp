// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/mesh_files.hpp"

#include <algorithm>
#include <cmath>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

constexpr bool separates(char c) {
  return is_blank(c) || c == '\n';
}

}  // namespace

Rgb potential_colour(double value_kT_e, double limit_kT_e) {
  constexpr double full = 255.0;
  if (std::isnan(value_kT_e)) return {128, 128, 128};
  const double share = limit_kT_e > 0.0 ? std::clamp(value_kT_e / limit_kT_e, -1.0, 1.0) : 0.0;
  const auto fading = std::uint8_t(std::lround(full * (1.0 - std::abs(share))));
  if (share < 0.0) return {255, fading, fading};
  return {fading, fading, 255};
}

void require_mesh_memory(std::int64_t points, std::int64_t triangles, const std::string& path) {
  if (points > std::int64_t{1} << 32)
    fail(path, ": ", grouped(points), " points are more than the 4,294,967,296 that triangles can refer to");
  const std::int64_t bytes =
      points * std::int64_t{sizeof(Vec3<double>)} + triangles * std::int64_t{sizeof(Triangle)};
  if (bytes > available_memory_bytes())
    fail(path, ": ", count_of(points, "point"), " and ", count_of(triangles, "triangle"), " need ",
         describe_bytes(bytes), " of memory, but only ", describe_bytes(available_memory_bytes()),
         " is free; give a coarser mesh (of a surface made here: a longer --edge-length)");
}

void fail_for_corner(std::int64_t corner, std::size_t points, const std::string& place) {
  fail(place, ": a face has point ", corner, " (counted from 0), and there are ",
       grouped(std::int64_t(points)), "; the file is damaged or truncated: write it again");
}

std::string_view MeshTokens::next() {
  while (at_ < text_.size() && separates(text_[at_])) ++at_;
  token_ = at_;
  while (at_ < text_.size() && !separates(text_[at_])) ++at_;
  return text_.substr(token_, at_ - token_);
}

std::string_view MeshTokens::peek() {
  const std::size_t at = at_;
  const std::string_view token = next();
  at_ = at;
  return token;
}

std::string MeshTokens::place() const {
  const auto end = text_.begin() + std::ptrdiff_t(std::min(token_, text_.size()));
  return path_ + ':' + std::to_string(1 + std::count(text_.begin(), end, '\n'));
}

double MeshTokens::coordinate(std::size_t axis) {
  const std::string_view token = next();
  if (token.empty()) fail(place(), ": the file ends where a coordinate should be; copy it again");
  double value = 0.0;
  if (parse_short_number(token, value)) return value;
  const std::optional<double> any = parse_number(token);
  if (!any)
    fail(place(), ": ", "xyz"[axis], " is ", quote(token),
         ", which is not a finite number; correct the mesh, or leave the point out");
  return *any;
}

std::int64_t MeshTokens::whole_number(const char* what) {
  const std::string_view token = next();
  const std::optional<std::int64_t> value = parse_integer<std::int64_t>(token);
  if (!value)
    fail(place(), ": ", token.empty() ? "the file ends" : quote(token) + " stands", " where ", what,
         " should be; write the file again");
  return *value;
}

}  // namespace ionwell
