// SPDX-License-Identifier: BSD-3-Clause
#include "maps/ccp4_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "files/binary_values.hpp"
#include "maps/map_header.hpp"
#include "maps/map_slabs.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr std::size_t header_bytes = 1024, label_bytes = 80, most_labels = 10;

// Words of the header, four bytes each, counted from 0.
constexpr std::size_t word_counts = 0, word_mode = 3, word_start = 4, word_grid = 7, word_cell = 10,
                      word_angles = 13, word_axes = 16, word_range = 19, word_space_group = 22,
                      word_extended = 23, word_skewed = 24, word_skew = 25, word_skew_shift = 34,
                      word_version = 27, word_origin = 49, word_magic = 52, word_stamp = 53, word_rms = 54,
                      word_labels = 55, first_label = 224;

template <typename T>
void store(std::string& header, std::size_t word, T value) {
  static_assert(sizeof(T) == 4);
  std::memcpy(header.data() + 4 * word, &value, sizeof(T));
}

struct Moments {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest, sum = 0.0, squares = 0.0;

  friend Moments operator+(const Moments& a, const Moments& b) {
    return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest), a.sum + b.sum,
            a.squares + b.squares};
  }
};

/// Those of `before` and of values that come then.
template <typename Real>
Moments moments(std::span<const Real> values, const Moments& before = {}) {
  return parallel_reduce(
      thread_count(0), std::ssize(values), before,
      [&](std::int64_t first, std::int64_t last) {
        Moments part;
        for (std::int64_t n = first; n < last; ++n) {
          const double v = double(values[std::size_t(n)]);
          part.lowest = std::min(part.lowest, v);
          part.highest = std::max(part.highest, v);
          part.sum += v;
          part.squares += v * v;
        }
        return part;
      },
      std::plus<>());
}

Moments moments(const LatticeGeometry& lattice, const MapValues& values, const std::string& path) {
  if (values.elsewhere() == nullptr) return values.visit([](const auto& all) { return moments(all); });
  Moments sum;
  std::vector<float> left;  // what fills no chunk: sums are those of all values at once, to the last bit
  const auto add = [&](std::int64_t, const MapValues& slab) {
    slab.visit([&](const auto& some) { left.insert(left.end(), some.begin(), some.end()); });
    const std::size_t whole = left.size() / reduce_chunk * reduce_chunk;
    sum = moments(std::span(std::as_const(left)).first(whole), sum);
    left.erase(left.begin(), left.begin() + std::ptrdiff_t(whole));
  };
  for_each_z_slab(lattice, values, z_planes_at_a_time(lattice), path, add);
  return moments(std::span(std::as_const(left)), sum);
}

/// Whole steps from the point (0, 0, 0) to the origin, and what is left of the way [A].
struct WholeSteps {
  std::array<std::int32_t, 3> steps{};
  std::array<double, 3> rest_A{};
};

WholeSteps whole_steps(const LatticeGeometry& lattice) {
  const Vec3<double>&o = lattice.origin_A, &h = lattice.spacing_A;
  const std::array<double, 3> origin_A = {o.x, o.y, o.z}, spacing_A = {h.x, h.y, h.z};
  WholeSteps whole;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double steps = std::clamp(std::round(origin_A[axis] / spacing_A[axis]), -1e9, 1e9);
    whole.steps[axis] = std::int32_t(steps);
    whole.rest_A[axis] = origin_A[axis] - steps * spacing_A[axis];
  }
  return whole;
}

void place(std::string& header, const LatticeGeometry& lattice, Ccp4Convention convention) {
  constexpr double labels_tell_A = 1e-6;  // to other programs it does not matter
  const WholeSteps whole = whole_steps(lattice);
  const auto [x, y, z] = whole.rest_A;
  const bool is_skewed =
      convention == Ccp4Convention::ccp4 && std::max({std::abs(x), std::abs(y), std::abs(z)}) > labels_tell_A;
  if (is_skewed)
    store(header, word_skewed, std::int32_t{1});
  else
    store(header, word_version, std::int32_t{20140});  // where the skew matrix would be
  const std::array<double, 3> origin_A = {lattice.origin_A.x, lattice.origin_A.y, lattice.origin_A.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (convention == Ccp4Convention::mrc) store(header, word_origin + axis, float(origin_A[axis]));
    if (convention == Ccp4Convention::ccp4) store(header, word_start + axis, whole.steps[axis]);
    if (!is_skewed) continue;
    store(header, word_skew + 4 * axis, 1.0F);
    store(header, word_skew_shift + axis, float(whole.rest_A[axis]));
  }
}

std::string header_bytes_of(const MapHeader& map, const Moments& m, Ccp4Convention convention) {
  std::string header(header_bytes, '\0');
  const LatticeGeometry& lattice = map.lattice;
  const std::array<std::int64_t, 3> n = {lattice.counts.x, lattice.counts.y, lattice.counts.z};
  const std::array<double, 3> h = {lattice.spacing_A.x, lattice.spacing_A.y, lattice.spacing_A.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    store(header, word_counts + axis, std::int32_t(n[axis]));
    store(header, word_grid + axis, std::int32_t(n[axis]));
    store(header, word_cell + axis, float(h[axis] * double(n[axis])));
    store(header, word_angles + axis, 90.0F);
    store(header, word_axes + axis, std::int32_t(axis + 1));
  }
  place(header, lattice, convention);
  store(header, word_mode, std::int32_t{2});
  store(header, word_range, float(m.lowest));
  store(header, word_range + 1, float(m.highest));
  const double points = double(lattice.size()), mean = m.sum / points;
  store(header, word_range + 2, float(mean));
  store(header, word_space_group, std::int32_t{1});
  header.replace(4 * word_magic, 4, "MAP ");
  const bool little = std::endian::native == std::endian::little;
  header.replace(4 * word_stamp, 4, little ? std::string("\x44\x44\0\0", 4) : std::string("\x11\x11\0\0", 4));
  store(header, word_rms, float(std::sqrt(std::max(0.0, m.squares / points - mean * mean))));
  std::vector<std::string> labels = geometry_lines(lattice);
  const std::vector<std::string> lines = header_lines(map);
  labels.insert(labels.begin(), lines.front());
  labels.insert(labels.end(), lines.begin() + 1, lines.end());
  labels.resize(std::min(labels.size(), most_labels));
  store(header, word_labels + 0, std::int32_t(labels.size()));
  for (std::size_t n_label = 0; n_label < labels.size(); ++n_label) {
    std::string& label = labels[n_label];
    label.resize(label_bytes, ' ');
    header.replace(first_label + n_label * label_bytes, label_bytes, label);
  }
  return header;
}

/// The skew transformation of a CCP4 file, x(map) = S (x(atoms) - t), as far as maps here can have one: t
/// [A], with S the identity. Words 25 to 49 are anybody's in an MRC file, so what is no rotation is none.
Vec3<double> skew_shift_A(std::int32_t flag, const std::array<double, 12>& skew, const std::string& path) {
  constexpr double tolerance = 1e-4;
  double off_identity = 0.0, off_rotation = 0.0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t other = 0; other < 3; ++other) {
      const double unit = row == other ? 1.0 : 0.0;
      double product = 0.0;
      for (std::size_t k = 0; k < 3; ++k) product += skew[3 * row + k] * skew[3 * other + k];
      off_identity = std::max(off_identity, std::abs(skew[3 * row + other] - unit));
      off_rotation = std::max(off_rotation, std::abs(product - unit));
    }
  if (flag == 0 || !(off_rotation <= tolerance)) return {};
  if (!(off_identity <= tolerance))
    fail(path,
         ": its skew matrix (words 26 to 34) rotates the map, but maps must have axes along x, y and z; "
         "resample it on such a lattice first");
  return {skew[9], skew[10], skew[11]};
}

template <typename T>
void read_values(std::string_view data, const Ccp4Header& header, double* values, int threads) {
  const std::array<std::int64_t, 3> step = {1, header.lattice.counts.x,
                                            header.lattice.counts.x * header.lattice.counts.y};
  const std::int64_t along_column = step[std::size_t(header.axis.x)],
                     along_row = step[std::size_t(header.axis.y)],
                     along_section = step[std::size_t(header.axis.z)];
  const std::int64_t columns = header.order.x, rows = header.order.y, sections = header.order.z;
  parallel_for({threads}, sections, [&](std::int64_t s) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const char* from = data.data() + std::size_t((s * rows + r) * columns) * sizeof(T);
      double* const to = values + s * along_section + r * along_row;
      for (std::int64_t c = 0; c < columns; ++c, from += sizeof(T))
        to[c * along_column] = double(load<T>(from, header.swapped));
    }
  });
}

}  // namespace

bool is_ccp4(std::string_view head) {
  return head.size() >= header_bytes && head.substr(4 * word_magic, 4) == "MAP ";
}

void write_ccp4(OutputFile& file, const MapHeader& header, const MapValues& values, Ccp4Convention convention,
                const MapProgress& progress) {
  const LatticeGeometry& lattice = header.lattice;
  check_writable_values(lattice, values, file.path());
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (lattice.counts.x > most || lattice.counts.y > most || lattice.counts.z > most)
    fail("cannot write ", file.path(), ": the CCP4 format counts points with 32 bits; write .h5");
  file.write(header_bytes_of(header, moments(lattice, values, file.path()), convention));
  std::vector<float> part;
  const auto write_planes = [&](std::int64_t plane, const MapValues& in_memory) {
    const std::size_t before = std::size_t(plane * lattice.counts.x * lattice.counts.y);
    in_memory.visit([&](const auto& all) {
      constexpr std::size_t slab = 1 << 22;
      for (std::size_t n = 0; n < all.size(); n += slab) {
        const auto from = all.subspan(n, std::min(slab, all.size() - n));
        part.assign(from.begin(), from.end());
        file.write({reinterpret_cast<const char*>(part.data()), part.size() * sizeof(float)});
        if (progress) progress(double(before + n + from.size()) / double(values.size()));
      }
    });
  };
  for_each_z_slab(lattice, values, z_planes_at_a_time(lattice), file.path(), write_planes);
}

double ccp4_misplacement_A(const LatticeGeometry& lattice) {
  constexpr double last_digit_A = 1e-3;  // of coordinates in PDB files
  const auto [x, y, z] = whole_steps(lattice).rest_A;
  const double largest_A = std::max({std::abs(x), std::abs(y), std::abs(z)});
  return largest_A > 0.5 * last_digit_A ? largest_A : 0.0;
}

Ccp4Header read_ccp4_header(std::string_view file, const std::string& path) {
  if (file.size() < header_bytes)
    fail(path, ": ends within the 1024-byte header of a CCP4 map; ", copy_again);
  Ccp4Header header;
  const auto integer = [&](std::size_t word) {
    return load<std::int32_t>(file.data() + 4 * word, header.swapped);
  };
  const auto real = [&](std::size_t word) {
    return double(load<float>(file.data() + 4 * word, header.swapped));
  };
  const auto axes_fit = [&] {
    std::array<bool, 3> seen{};
    for (std::size_t n = 0; n < 3; ++n)
      if (const int axis = integer(word_axes + n); axis >= 1 && axis <= 3) seen[std::size_t(axis - 1)] = true;
    return seen[0] && seen[1] && seen[2];
  };
  if (!axes_fit()) header.swapped = true;
  if (!axes_fit())
    fail(path, ": its words 17 to 19 are not 1, 2 and 3 in some order, in either byte order; ", copy_again);
  header.axis = {integer(word_axes) - 1, integer(word_axes + 1) - 1, integer(word_axes + 2) - 1};
  header.order = {integer(word_counts), integer(word_counts + 1), integer(word_counts + 2)};
  header.mode = integer(word_mode);
  const std::array<int, 3> axis_of = {header.axis.x, header.axis.y, header.axis.z};
  const std::array<std::int64_t, 3> counts_of = {header.order.x, header.order.y, header.order.z};
  std::array<std::int64_t, 3> n{};
  std::array<double, 3> h{}, start{}, origin{};
  bool has_origin = false;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t axis = std::size_t(axis_of[c]);
    n[axis] = counts_of[c];
    h[axis] = real(word_cell + axis) / double(integer(word_grid + axis));
    start[axis] = double(integer(word_start + c)) * h[axis];
    origin[c] = real(word_origin + c);
    has_origin = has_origin || origin[c] != 0.0;
  }
  std::array<double, 12> skew{};
  for (std::size_t n_word = 0; n_word < skew.size(); ++n_word) skew[n_word] = real(word_skew + n_word);
  header.lattice = {
      has_origin ? Vec3<double>{origin[0], origin[1], origin[2]} : Vec3<double>{start[0], start[1], start[2]},
      {h[0], h[1], h[2]},
      {n[0], n[1], n[2]}};
  const Vec3<double> shift_A = skew_shift_A(integer(word_skewed), skew, path);
  if (has_origin && shift_A != Vec3<double>{})
    fail(path,
         ": has both an origin (words 50 to 52) and a skew translation (words 35 to 37), and programs differ "
         "in which they read; set the wrong ones to 0");
  header.lattice.origin_A = header.lattice.origin_A + shift_A;
  check_geometry(header.lattice, path);
  for (std::size_t angle = 0; angle < 3; ++angle)
    if (std::abs(real(word_angles + angle) - 90.0) > 1e-3)
      fail(path, ": the cell has an angle of ", real(word_angles + angle),
           " degrees, but maps must have axes along x, y and z; resample it on such a lattice first");
  const std::int32_t labels = integer(word_labels), extended = integer(word_extended);
  for (std::size_t label = 0; label < std::size_t(std::clamp(labels, 0, int(most_labels))); ++label) {
    std::string_view text = file.substr(first_label + label * label_bytes, label_bytes);
    text = trim(text.substr(0, text.find('\0')));
    const LatticeGeometry before = header.lattice;
    const Vec3<double>& o = header.lattice.origin_A;
    const double largest_A = std::max({std::abs(o.x), std::abs(o.y), std::abs(o.z), 1.0});
    read_geometry_line(text, 1e-6 * largest_A, header.lattice);
    if (header.lattice == before && !text.starts_with("origin ") && !text.starts_with("spacing "))
      read_header_line(text, header);
  }
  if (extended < 0) fail(path, ": the extended header has ", extended, " bytes; ", copy_again);
  header.data = header_bytes + std::size_t(extended);
  switch (header.mode) {
    case 0:
      header.bytes_each = 1;
      break;
    case 1:
    case 6:
      header.bytes_each = 2;
      break;
    case 2:
      header.bytes_each = 4;
      break;
    default:
      fail(path, ": mode ", header.mode,
           " is not read (0, 1, 2 and 6 are: integers and single precision); write the map in mode 2");
  }
  return header;
}

Map read_ccp4(std::string_view file, const std::string& path, int threads) {
  const Ccp4Header header = read_ccp4_header(file, path);
  const std::size_t needed = std::size_t(header.lattice.size()) * header.bytes_each;
  if (file.size() < header.data || file.size() - header.data < needed)
    fail(path, ": ", count_of(std::int64_t(file.size() - std::min(file.size(), header.data)), "byte"),
         " follow the header, but ", count_of(header.lattice.size(), "value"), " take ",
         grouped(std::int64_t(needed)), "; ", copy_again);
  const std::string_view data = file.substr(header.data, needed);
  Map map;
  static_cast<MapHeader&>(map) = header;
  map.path = path;
  map.format = "CCP4";
  map.values = LargeArray<double>(std::size_t(header.lattice.size()));
  threads = thread_count(threads);
  double* const values = map.values.data();
  if (header.mode == 0) read_values<std::int8_t>(data, header, values, threads);
  if (header.mode == 1) read_values<std::int16_t>(data, header, values, threads);
  if (header.mode == 2) read_values<float>(data, header, values, threads);
  if (header.mode == 6) read_values<std::uint16_t>(data, header, values, threads);
  check_finite(map);
  return map;
}

}  // namespace ionwell
