// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "files/binary_values.hpp"
#include "files/number_text.hpp"
#include "maps/dx_map.hpp"
#include "maps/map_header.hpp"
#include "maps/map_order.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Goes through the header word by word; comments are lines that begin with #.
class Words {
 public:
  Words(std::string_view file, const std::string& path, MapHeader& header)
      : file_(file), path_(path), header_(header) {}

  /// The next word; empty at the end of the file.
  std::string_view next() {
    for (;;) {
      while (at_ < file_.size() && static_cast<unsigned char>(file_[at_]) <= ' ') {
        if (file_[at_] == '\n') ++line_;
        ++at_;
      }
      if (at_ == file_.size() || file_[at_] != '#') break;
      const std::size_t end = std::min(file_.find('\n', at_), file_.size());
      read_header_line(file_.substr(at_ + 1, end - at_ - 1), header_);
      at_ = end;
    }
    const std::size_t begin = at_;
    while (at_ < file_.size() && static_cast<unsigned char>(file_[at_]) > ' ') ++at_;
    word_ = file_.substr(begin, at_ - begin);
    return word_;
  }

  double number(std::string_view what) {
    const auto value = parse_number(next());
    if (!value) fail_here("the ", what, " is ", quote(word_), ", which is not a number; ", copy_again);
    return *value;
  }

  std::int64_t count(std::string_view what) {
    const auto value = parse_integer<std::int64_t>(next());
    if (!value || *value < 0)
      fail_here("the ", what, " is ", quote(word_), ", which is not a whole number; ", copy_again);
    return *value;
  }

  Vec3<std::int64_t> counts() {
    Vec3<std::int64_t> n;
    n.x = count("number of points along x");
    n.y = count("number of points along y");
    n.z = count("number of points along z");
    return n;
  }

  Vec3<double> vector(std::string_view what) {
    Vec3<double> v;
    v.x = number(what);
    v.y = number(what);
    v.z = number(what);
    return v;
  }

  /// Behind the line end that follows the last word: where values begin.
  std::size_t after_line() const {
    std::size_t at = at_;
    while (at < file_.size() && file_[at] != '\n' && is_blank(file_[at])) ++at;
    return at < file_.size() && file_[at] == '\n' ? at + 1 : at_;
  }

  std::int64_t line() const { return line_; }

  template <typename... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail_at(line_, parts...);
  }
  template <typename... Parts>
  [[noreturn]] void fail_at(std::int64_t line, const Parts&... parts) const {
    fail(path_, ':', line, ": ", parts...);
  }

 private:
  std::string_view file_, word_;
  const std::string& path_;
  MapHeader& header_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
};

struct Delta {
  Vec3<double> step_A;
  std::int64_t line = 0;
};

/// Axis `axis` must lead along x, y or z in turn: the end of the map may be off by a thousandth of an
/// Angstrom.
void check_axis(const Words& words, std::size_t axis, const Delta& delta, std::int64_t count) {
  constexpr double tolerance_A = 1e-3;
  const std::array<double, 3> step = {delta.step_A.x, delta.step_A.y, delta.step_A.z};
  for (std::size_t other = 0; other < 3; ++other)
    if (other != axis && std::abs(step[other]) * double(count) > tolerance_A)
      words.fail_at(
          delta.line, "delta ", axis + 1, " is (", step[0], ", ", step[1], ", ", step[2],
          "), but maps must have axes along x, y and z in this order; resample it on such a lattice first");
}

/// The deltas of three axes, in the order of the file.
Vec3<double> spacing(const Words& words, const std::vector<Delta>& deltas, const Vec3<std::int64_t>& n) {
  if (deltas.size() != 3)
    words.fail_here("there are ", deltas.size(), " delta lines before the values, but a map needs three; ",
                    copy_again);
  check_axis(words, 0, deltas[0], n.x);
  check_axis(words, 1, deltas[1], n.y);
  check_axis(words, 2, deltas[2], n.z);
  return {deltas[0].step_A.x, deltas[1].step_A.y, deltas[2].step_A.z};
}

/// Whether what follows binary values can be the end of an OpenDX file.
bool ends_well(std::string_view rest) {
  rest = rest.substr(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return rest.empty() || rest.starts_with("attribute") || rest.starts_with("object") ||
         rest.starts_with("component") || rest.starts_with("end");
}

template <typename Real>
LargeArray<double> binary_values(std::string_view bytes, std::int64_t count, bool swapped) {
  LargeArray<double> values{std::size_t(count)};
  for (std::int64_t n = 0; n < count; ++n)
    values[std::size_t(n)] = double(load<Real>(bytes.data() + std::size_t(n) * sizeof(Real), swapped));
  return values;
}

LargeArray<double> read_binary(std::string_view bytes, std::int64_t count, bool swapped,
                               const std::string& path) {
  const std::size_t single = std::size_t(count) * sizeof(float), both = std::size_t(count) * sizeof(double);
  // Single first: the words at a file's end do not come up by chance in the middle of doubles, but a place
  // that far behind few single values can be the start of a line of them.
  if (bytes.size() >= single && ends_well(bytes.substr(single)))
    return binary_values<float>(bytes, count, swapped);
  if (bytes.size() >= both && ends_well(bytes.substr(both)))
    return binary_values<double>(bytes, count, swapped);
  fail(path, ": ", count_of(std::int64_t(bytes.size()), "byte"), " follow the header, but ",
       count_of(count, "value"), " take ", grouped(std::int64_t(single)), " in single or ",
       grouped(std::int64_t(both)), " in double precision; ", copy_again);
}

/// What follows the last value must not be one more.
void check_end(std::string_view rest, std::int64_t count, const std::string& path) {
  const std::string_view word =
      take_token(rest = rest.substr(std::min(rest.find_first_not_of(" \t\r\n"), rest.size())));
  if (parse_number(word.substr(0, word.find('\n'))))
    fail(path, ": more than ", count_of(count, "value"), " follow the header, which announces that many; ",
         copy_again);
}

}  // namespace

DxHeader read_dx_header(std::string_view file, const std::string& path) {
  DxHeader header;
  Words words(file, path, header);
  std::optional<Vec3<std::int64_t>> points, connections;
  std::optional<Vec3<double>> origin;
  std::vector<Delta> deltas;
  std::optional<std::int64_t> items;
  std::string_view kind;
  for (std::string_view word = words.next();; word = words.next()) {
    if (word.empty()) fail(path, ": ends before its values ('data follows' is missing); ", copy_again);
    if (word == "follows") break;
    if (word == "class") kind = words.next();
    if (word == "counts") (kind == "gridconnections" ? connections : points) = words.counts();
    if (word == "origin") origin = words.vector("origin");
    if (word == "delta") {
      const Vec3<double> step_A = words.vector("delta");
      deltas.push_back({step_A, words.line()});
    }
    if (word == "rank" && words.count("rank") != 0)
      words.fail_here(
          "the values are vectors, but a potential has one number for each point; give another map");
    if (word == "items") items = words.count("number of items");
    if (word == "binary") header.is_binary = true;
    if (word == "msb" || word == "lsb")
      header.swapped = (word == "msb") == (std::endian::native == std::endian::little);
    if (word == "file")
      words.fail_here("the values are in another file, which ionwell does not read; use a map in one file");
  }
  if (!points) words.fail_here("no 'counts' of gridpositions come before the values; ", copy_again);
  if (!origin) words.fail_here("no 'origin' comes before the values; ", copy_again);
  header.lattice = {*origin, spacing(words, deltas, *points), *points};
  check_geometry(header.lattice, path);
  if (connections && *connections != *points)
    words.fail_here("gridconnections has other counts than gridpositions (", connections->x, ' ',
                    connections->y, ' ', connections->z, " and ", points->x, ' ', points->y, ' ', points->z,
                    "); ", copy_again);
  if (items && *items != header.lattice.size())
    words.fail_here("the file names ", count_of(*items, "value"), " for ", points->x, " x ", points->y, " x ",
                    points->z, " = ", count_of(header.lattice.size(), "point"), "; ", copy_again);
  header.data = words.after_line();
  return header;
}

Map read_dx(std::string_view file, const std::string& path, int threads) {
  const DxHeader header = read_dx_header(file, path);
  const std::string_view data = file.substr(header.data);
  const std::int64_t count = header.lattice.size();
  threads = thread_count(threads);
  Map map;
  static_cast<MapHeader&>(map) = header;
  map.path = path;
  map.format = header.is_binary ? "OpenDX, binary" : "OpenDX text";
  LargeArray<double> values;
  if (header.is_binary) {
    values = read_binary(data, count, header.swapped, path);
  } else {
    Numbers numbers = parse_numbers(data, count, threads, {path, file, copy_again});
    check_end(data.substr(numbers.end), count, path);
    values = std::move(numbers.values);
  }
  map.values = from_z_fastest(map.lattice, values, threads);
  check_finite(map);
  return map;
}

}  // namespace ionwell
