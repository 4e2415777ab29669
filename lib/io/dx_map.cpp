#include "io/dx_map.hpp"

#include <omp.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "core/version.hpp"
#include "io/ordered_writer.hpp"
#include "io/scientific_text.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t tile = 16;  // a cache line of floats
constexpr std::int64_t slab_values =
    1 << 22;  // transposed at a time: 16 MB, or sixteen planes where those are more
constexpr std::int64_t chunk_values = 3 * (1 << 14);  // what a thread formats at a time: 0.6 MB of text
// Measured on the example's map, in 0.6 MB pieces: level 1 packs 96 MB/s to 37 %, level 6 24 MB/s to 31 %.
constexpr int gzip_level = 1;

bool ends_with_any_case(const std::string& text, std::string_view ending) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b; };
  return text.size() > ending.size() &&
         std::equal(text.end() - std::ptrdiff_t(ending.size()), text.end(), ending.begin(), same);
}

std::string header(const LatticeGeometry& lattice, const std::vector<std::string>& comments) {
  std::string text = std::string("# Electrostatic potential (kT/e) by ionwell ") + version() + '\n';
  for (const std::string& comment : comments) {
    text += "# ";
    for (const char c : comment) text += c == '\n' || c == '\r' ? ' ' : c;
    text += '\n';
  }
  char line[256];
  const auto add = [&](const char* format, const auto&... values) {
    std::snprintf(line, sizeof line, format, values...);
    text += line;
  };
  const auto counts = [&](int object, const char* kind) {
    add("object %d class %s counts %lld %lld %lld\n", object, kind, static_cast<long long>(lattice.counts.x),
        static_cast<long long>(lattice.counts.y), static_cast<long long>(lattice.counts.z));
  };
  const auto [h, o] = std::pair(lattice.spacing_A, lattice.origin_A);
  counts(1, "gridpositions");
  add("origin %.9e %.9e %.9e\n", o.x, o.y, o.z);
  add("delta %.9e %.9e %.9e\n", h.x, 0.0, 0.0);
  add("delta %.9e %.9e %.9e\n", 0.0, h.y, 0.0);
  add("delta %.9e %.9e %.9e\n", 0.0, 0.0, h.z);
  counts(2, "gridconnections");
  add("object 3 class array type double rank 0 items %lld data follows\n",
      static_cast<long long>(lattice.size()));
  return text;
}

constexpr std::string_view footer =
    "attribute \"dep\" string \"positions\"\n"
    "object \"regular positions regular connections\" class field\n"
    "component \"positions\" value 1\n"
    "component \"connections\" value 2\n"
    "component \"data\" value 3\n";

/// The planes x = first to first + planes with z fastest: slab[(i - first, j, k)].
void gather_slab(const LatticeGeometry& lattice, std::span<const float> values, std::int64_t first,
                 std::int64_t planes, int threads, std::vector<float>& slab) {
  const std::int64_t ny = lattice.counts.y, nz = lattice.counts.z;  // OpenMP cannot share structured bindings
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t j = 0; j < ny; ++j)
    for (std::int64_t i0 = 0; i0 < planes; i0 += tile)  // tiles: every cache line is read and written once
      for (std::int64_t k0 = 0; k0 < nz; k0 += tile)
        for (std::int64_t i = i0; i < std::min(planes, i0 + tile); ++i)
          for (std::int64_t k = k0; k < std::min(nz, k0 + tile); ++k)
            slab[std::size_t((i * ny + j) * nz + k)] = values[std::size_t(lattice.index(first + i, j, k))];
}

/// One gzip member; members one after the other are one gzip file.
std::string gzip(std::string_view text) {
  constexpr int gzip_window = 15 + 16, usual_memory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, gzip_level, Z_DEFLATED, gzip_window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string packed(deflateBound(&stream, uLong(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = uInt(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) fail("zlib could not pack ", text.size(), " bytes; write the map without .gz");
  return packed;
}

bool all_finite(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float value : values)
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7fffffffU);
  return largest < ScientificText::not_finite_bits;
}

/// Values as text, three to a line; `first` is the number of the first one in the file.
std::string format_chunk(const ScientificText& scientific, std::span<const float> values, std::int64_t first,
                         std::int64_t all) {
  if (!all_finite(values))
    fail(
        "the potential is not finite somewhere, which readers of OpenDX do not take; please report how it "
        "came about");
  std::string text(values.size() * (ScientificText::longest + 1), '\0');
  char* at = text.data();
  std::int64_t on_line = first % 3;
  for (const float value : values) {
    at = scientific.write(value, at);
    const bool last = ++on_line == 3;
    *at++ = last ? '\n' : ' ';
    if (last) on_line = 0;
  }
  if (first + std::int64_t(values.size()) == all) at[-1] = '\n';
  text.resize(std::size_t(at - text.data()));
  return text;
}

}  // namespace

void check_map_name(const std::string& path) {
  if (ends_with_any_case(path, ".dx") || ends_with_any_case(path, ".dx.gz")) return;
  fail<UsageError>("cannot tell the format of the map ", path,
                   " from its name; maps are written as OpenDX text, so let it end in .dx or .dx.gz");
}

void write_dx(OutputFile& file, const LatticeGeometry& lattice, std::span<const float> values,
              const DxOptions& options, const std::function<void(double)>& progress) {
  if (std::int64_t(values.size()) != lattice.size())
    fail("a map of ", lattice.size(), " points needs as many values, not ", values.size());
  check_map_name(file.path());
  const bool packed = ends_with_any_case(file.path(), ".gz");
  const auto write = [&](std::string_view text) { packed ? file.write(gzip(text)) : file.write(text); };
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  const ScientificText scientific;
  const std::int64_t nx = lattice.counts.x, plane = lattice.counts.y * lattice.counts.z, all = lattice.size();
  const std::int64_t slab_planes = std::min(nx, std::max(tile, slab_values / plane / tile * tile));
  std::vector<float> slab(std::size_t(slab_planes * plane));

  write(header(lattice, options.comments));
  for (std::int64_t i = 0; i < nx; i += slab_planes) {
    const std::int64_t planes = std::min(slab_planes, nx - i), count = planes * plane, first = i * plane;
    gather_slab(lattice, values, i, planes, threads, slab);
    const std::int64_t chunks = (count + chunk_values - 1) / chunk_values;
    OrderedWriter writer(file, 4 * threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      if (writer.stopped()) continue;
      try {
        const std::int64_t begin = chunk * chunk_values;
        const std::span<const float> part(slab.data() + begin,
                                          std::size_t(std::min(chunk_values, count - begin)));
        std::string text = format_chunk(scientific, part, first + begin, all);
        writer.put(chunk, packed ? gzip(text) : std::move(text));
      } catch (...) {
        writer.stop(std::current_exception());  // none may leave the parallel region
      }
    }
    writer.finish();
    progress(double(i + planes) / double(nx));
  }
  write(footer);
}

}  // namespace ionwell
