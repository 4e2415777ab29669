#include "io/map_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include "core/count_text.hpp"
#include "core/error.hpp"
#include "core/temperature.hpp"
#include "core/text.hpp"
#include "io/ccp4_map.hpp"
#include "io/cube_map.hpp"
#include "io/dx_map.hpp"
#include "io/hdf5_map.hpp"
#include "io/input_file.hpp"
#include "io/uhbd_map.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

enum class MapFormat { dx, dx_gzip, dx_binary, hdf5, ccp4, mrc, cube, uhbd };

struct Ending {
  std::string_view text;
  MapFormat format;
};

constexpr std::array endings = {
    Ending{".dx", MapFormat::dx},           Ending{".dx.gz", MapFormat::dx_gzip},
    Ending{".dxbin", MapFormat::dx_binary}, Ending{".h5", MapFormat::hdf5},
    Ending{".hdf5", MapFormat::hdf5},       Ending{".cmap", MapFormat::hdf5},
    Ending{".ccp4", MapFormat::ccp4},       Ending{".mrc", MapFormat::mrc},
    Ending{".map", MapFormat::ccp4},        Ending{".cube", MapFormat::cube},
    Ending{".cub", MapFormat::cube},        Ending{".grd", MapFormat::uhbd},
};

bool ends_with_any_case(std::string_view text, std::string_view ending) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b; };
  return text.size() > ending.size() &&
         std::equal(text.end() - std::ptrdiff_t(ending.size()), text.end(), ending.begin(), same);
}

std::optional<MapFormat> format_of_name(std::string_view path) {
  for (const Ending& ending : endings)
    if (ends_with_any_case(path, ending.text)) return ending.format;
  return std::nullopt;
}

/// Of a map to write: standard output, which has no ending, gets OpenDX text.
std::optional<MapFormat> format_to_write(const std::string& path) {
  return is_standard_output(path) ? MapFormat::dx : format_of_name(path);
}

/// What the bytes say, and the name where they leave it open.
std::optional<MapFormat> format_of(std::string_view head, std::string_view path) {
  if (is_hdf5(head)) return MapFormat::hdf5;
  if (is_ccp4(head)) return MapFormat::ccp4;
  std::string_view rest = head;
  while (!rest.empty()) {  // the first line that is neither blank nor a comment
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trim(rest.substr(0, end));
    if (line.starts_with("object ") || line.starts_with("object\t")) return MapFormat::dx;
    if (!line.empty() && !line.starts_with('#')) break;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (ends_with_any_case(path, ".gz")) path.remove_suffix(3);
  return format_of_name(path);
}

/// Bytes that the unpacked file can have at most, by its header: for files that unpack to no end. Throws for
/// a header that promises more values than the packed bytes can hold.
std::size_t most_bytes(MapFormat format, std::string_view head, std::size_t packed_bytes,
                       const std::string& path) {
  constexpr std::size_t longest_number = 64, slack = std::size_t{1} << 20;
  const auto most = [&](std::size_t data, std::int64_t values, std::size_t bytes_each) {
    if (std::size_t(values) > best_deflate_ratio * packed_bytes)
      fail(path, ": ", count_of(values, "value"), " cannot be in ",
           count_of(std::int64_t(packed_bytes), "byte"),
           " of gzip data; copy the file again, or check the program that wrote it");
    return data + std::size_t(values) * bytes_each + slack;
  };
  const auto text = [&](std::size_t data, std::int64_t values) { return most(data, values, longest_number); };
  switch (format) {
    case MapFormat::cube: {
      const CubeHeader header = read_cube_header(head, path);
      return text(header.data, header.lattice.size());
    }
    case MapFormat::uhbd: {
      const UhbdHeader header = read_uhbd_header(head, path);
      return text(header.data, header.lattice.size() + 3 * header.lattice.counts.z);
    }
    case MapFormat::ccp4:
    case MapFormat::mrc: {
      const Ccp4Header header = read_ccp4_header(head, path);
      return most(header.data, header.lattice.size(), header.bytes_each);
    }
    case MapFormat::hdf5:
      fail(path, ": is an HDF5 file packed with gzip, which HDF5 cannot read; gunzip it first");
    default: {
      const DxHeader header = read_dx_header(head, path);
      return text(header.data, header.lattice.size());
    }
  }
}

/// The first bytes of what gzip data unpack to; damage shows when all of it is unpacked.
std::string gunzip_head(std::string_view packed) {
  constexpr std::size_t head_bytes = std::size_t{1} << 20;
  std::string head(head_bytes, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = uInt(std::min<std::size_t>(packed.size(), head_bytes));
  stream.next_out = reinterpret_cast<Bytef*>(head.data());
  stream.avail_out = uInt(head.size());
  inflate(&stream, Z_SYNC_FLUSH);
  head.resize(stream.total_out);
  inflateEnd(&stream);
  return head;
}

[[noreturn]] void fail_unknown(const std::string& path) {
  fail(path,
       ": is no map that can be read: neither its first bytes nor its name tell the format; maps are OpenDX "
       "(.dx, .dxbin), HDF5 (.h5, .cmap), CCP4 or MRC (.ccp4, .mrc, .map), Gaussian cube (.cube) or UHBD "
       "(.grd), also "
       "gzipped");
}

Map read_whole_map(const std::string& path, int threads) {
  FileBytes bytes = read_file_bytes(path);
  const bool packed = is_gzip(bytes.text());
  const std::string unpacked_head = packed ? gunzip_head(bytes.text()) : std::string();
  const std::string_view head = packed ? std::string_view(unpacked_head) : bytes.text();
  const std::optional<MapFormat> format = format_of(head, path);
  if (!format) fail_unknown(path);
  std::optional<FileBytes> unpacked;
  if (packed)
    unpacked.emplace(
        gunzip(bytes.text(), path, {.unpacked_bytes = most_bytes(*format, head, bytes.text().size(), path)}));
  const std::string_view file = packed ? unpacked->text() : bytes.text();
  switch (*format) {
    case MapFormat::hdf5:
      bytes = FileBytes(nullptr, 0);  // HDF5 reads the file itself: no need to hold it twice
      return read_hdf5(path);
    case MapFormat::ccp4:
    case MapFormat::mrc:
      return read_ccp4(file, path, threads);
    case MapFormat::cube:
      return read_cube(file, path, threads);
    case MapFormat::uhbd:
      return read_uhbd(file, path, threads);
    default:
      return read_dx(file, path, threads);
  }
}

}  // namespace

bool is_map_name(const std::string& path) {
  std::string_view name = path;
  if (ends_with_any_case(name, ".gz")) name.remove_suffix(3);
  return format_of_name(name).has_value();
}

void check_map_name(const std::string& path) {
  if (format_to_write(path)) return;
  fail<UsageError>(
      "cannot tell the format of the map ", path,
      " from its name; let it end in .dx, .dx.gz or .dxbin (OpenDX), .h5 or .cmap (HDF5), .ccp4, .mrc or "
      ".map, .cube (Gaussian) or .grd (UHBD)");
}

void write_map(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
               const MapProgress& progress) {
  check_map_name(file.path());
  switch (*format_to_write(file.path())) {
    case MapFormat::dx:
      return write_dx(file, header, values, DxKind::text, threads, progress);
    case MapFormat::dx_gzip:
      return write_dx(file, header, values, DxKind::gzip, threads, progress);
    case MapFormat::dx_binary:
      return write_dx(file, header, values, DxKind::binary, threads, progress);
    case MapFormat::hdf5:
      return write_hdf5(file, header, values, progress);
    case MapFormat::ccp4:
      return write_ccp4(file, header, values, Ccp4Start::whole_steps, progress);
    case MapFormat::mrc:
      return write_ccp4(file, header, values, Ccp4Start::zero, progress);
    case MapFormat::cube:
      return write_cube(file, header, values, threads, progress);
    case MapFormat::uhbd:
      return write_uhbd(file, header, values, threads, progress);
  }
}

Map read_map(const std::string& path, int threads) {
  try {
    Map map = read_whole_map(path, threads);
    if (map.temperature_K && !is_temperature(*map.temperature_K))
      fail(path, ": says that its temperature is ", *map.temperature_K, " K, but it must be from ",
           lowest_temperature_K, " to ", highest_temperature_K, " K; correct that, or make the map again");
    return map;
  } catch (const std::bad_alloc&) {
    fail(path, ": there is not enough memory to read this map; free some, or make the map with fewer points");
  }
}

void state_unit(Map& map, std::optional<MapUnit> unit) {
  if (!unit) return;
  if (map.unit && *map.unit != *unit)
    fail<UsageError>(map.path, ": says that its values are in ", to_string(*map.unit), ", but --map-unit is ",
                     to_string(*unit), "; leave --map-unit out, or correct the file's first lines");
  map.unit = unit;
}

void convert_unit(Map& map, MapUnit unit, double temperature_K) {
  if (!map.unit) fail(map.path, ": does not say the unit of its values; --map-unit names it");
  const double kelvin = map.temperature_K.value_or(temperature_K);
  if (*map.unit != unit) {
    const double factor = volts(*map.unit, kelvin) / volts(unit, kelvin);
    parallel_for({thread_count(0)}, std::int64_t(map.values.size()),
                 [&](std::int64_t n) { map.values[std::size_t(n)] *= factor; });
    map.unit = unit;
    std::erase_if(map.provenance, [](const auto& entry) {  // "POTENTIAL (kT/e)" is no longer true
      return entry.first == "comment" && find_map_unit(entry.second);
    });
  }
  if (unit == MapUnit::kT_e && !map.temperature_K) map.temperature_K = temperature_K;
}

}  // namespace ionwell
