// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdio>
#include <exception>
#include <utility>

#include "files/ordered_writer.hpp"
#include "files/packing.hpp"
#include "files/scientific_text.hpp"
#include "maps/dx_map.hpp"
#include "maps/map_header.hpp"
#include "maps/map_order.hpp"
#include "maps/map_slabs.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t chunk_values = 3 * (1 << 14);  // what a thread formats at a time: 0.6 MB of text

std::string header_text(const MapHeader& header, DxKind kind) {
  std::string text;
  for (const std::string& line : header_lines(header)) text.append("# ").append(line) += '\n';
  const LatticeGeometry& lattice = header.lattice;
  const auto counts = [&](int object, const char* what) {
    text += "object " + std::to_string(object) + " class " + what + " counts " +
            std::to_string(lattice.counts.x) + ' ' + std::to_string(lattice.counts.y) + ' ' +
            std::to_string(lattice.counts.z) + '\n';
  };
  const auto vector = [&](const char* name, const Vec3<double>& v) {
    text += name;
    for (const double x : {v.x, v.y, v.z}) text += ' ' + exact_text(x);
    text += '\n';
  };
  counts(1, "gridpositions");
  vector("origin", lattice.origin_A);
  vector("delta", {lattice.spacing_A.x, 0.0, 0.0});
  vector("delta", {0.0, lattice.spacing_A.y, 0.0});
  vector("delta", {0.0, 0.0, lattice.spacing_A.z});
  counts(2, "gridconnections");
  text += "object 3 class array type double rank 0 items " + std::to_string(lattice.size()) +
          (kind == DxKind::binary ? " binary" : "") + " data follows\n";
  return text;
}

constexpr std::string_view footer =
    "attribute \"dep\" string \"positions\"\n"
    "object \"regular positions regular connections\" class field\n"
    "component \"positions\" value 1\n"
    "component \"connections\" value 2\n"
    "component \"data\" value 3\n";

/// Values as text in place of `text`, three to a line; `first` is the number of the first one in the file.
void format_chunk(const ScientificText& scientific, std::span<const double> values, std::int64_t first,
                  std::int64_t all, std::string& text) {
  text.resize(values.size() * (ScientificText::longest + 1));
  char* at = text.data();
  std::int64_t on_line = first % 3;
  for (const double value : values) {
    at = scientific.write(value, at);
    const bool last = ++on_line == 3;
    *at++ = last ? '\n' : ' ';
    if (last) on_line = 0;
  }
  if (first + std::int64_t(values.size()) == all) at[-1] = '\n';
  text.resize(std::size_t(at - text.data()));
}

/// Formats a slab in pieces, several at a time, and writes them in their order.
void write_slab_text(OutputFile& file, std::span<const double> slab, std::int64_t first, std::int64_t all,
                     bool packed, int threads) {
  const ScientificText scientific;
  const std::int64_t count = std::int64_t(slab.size()), chunks = (count + chunk_values - 1) / chunk_values;
  OrderedWriter writer(file, 4 * threads);
  parallel_for({threads, 1}, chunks, [&](std::int64_t chunk) {
    if (writer.stopped()) return;
    try {
      const std::int64_t begin = chunk * chunk_values;
      const auto part = slab.subspan(std::size_t(begin), std::size_t(std::min(chunk_values, count - begin)));
      std::string text = writer.spare_part();
      format_chunk(scientific, part, first + begin, all, text);
      writer.put(chunk, packed ? gzip(text) : std::move(text));
    } catch (...) {
      writer.stop(std::current_exception());  // or the others would wait for this part
    }
  });
  writer.finish();
}

/// Planes of a binary map that a thread gathers at a time: those of a cache line of values.
constexpr std::int64_t piece_planes = 16;
constexpr std::int64_t most_in_plane = std::int64_t{1} << 16;  // 8 MB of numbers in a piece

/// So many planes from `first` on as numbers, where planes are not large: some threads gather them while
/// another one writes.
void write_pieces(OutputFile& file, const LatticeGeometry& lattice, const MapValues& values,
                  std::int64_t first, std::int64_t planes, int threads) {
  const std::int64_t plane = lattice.counts.y * lattice.counts.z;
  OrderedWriter writer(file, 2 * threads);
  parallel_for({threads, 1}, (planes + piece_planes - 1) / piece_planes, [&](std::int64_t piece) {
    if (writer.stopped()) return;
    try {
      const std::int64_t begin = piece * piece_planes, count = std::min(piece_planes, planes - begin);
      std::string bytes = writer.spare_part();
      bytes.resize(std::size_t(count * plane) * sizeof(double));
      gather_planes(lattice, values, first + begin, count, 1, reinterpret_cast<double*>(bytes.data()));
      writer.put(piece, std::move(bytes));
    } catch (...) {
      writer.stop(std::current_exception());
    }
  });
  writer.finish();
}

}  // namespace

void write_dx(OutputFile& file, const MapHeader& header, const MapValues& values, DxKind kind, int threads,
              const MapProgress& progress) {
  check_writable_values(header.lattice, values, file.path());
  const bool packed = kind == DxKind::gzip;
  const auto write = [&](std::string_view text) { packed ? file.write(gzip(text)) : file.write(text); };
  threads = thread_count(threads);
  const LatticeGeometry& lattice = header.lattice;
  const std::int64_t plane = lattice.counts.y * lattice.counts.z;
  const std::int64_t most = planes_at_a_time(lattice);
  const bool in_pieces = kind == DxKind::binary && plane <= most_in_plane;
  LargeArray<double> slab(in_pieces ? 0 : std::size_t(most * plane));

  write(header_text(header, kind));
  const auto write_planes = [&](std::int64_t first, const LatticeGeometry& there,
                                const MapValues& in_memory) {
    for (std::int64_t i = 0; i < there.counts.x; i += most) {
      const std::int64_t planes = std::min(most, there.counts.x - i);
      if (in_pieces) {
        write_pieces(file, there, in_memory, i, planes, threads);
      } else {
        gather_planes(there, in_memory, i, planes, threads, slab.data());
        const std::span<const double> part(slab.data(), std::size_t(planes * plane));
        if (kind == DxKind::binary)
          file.write({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
        else
          write_slab_text(file, part, (first + i) * plane, lattice.size(), packed, threads);
      }
      if (progress) progress(double(first + i + planes) / double(lattice.counts.x));
    }
  };
  for_each_x_slab(lattice, values, file.path(), write_planes);
  write(kind == DxKind::binary ? "\n" : "");
  write(footer);
}

}  // namespace ionwell
