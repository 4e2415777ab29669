// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_file.hpp"

#include <iomanip>
#include <new>
#include <optional>

#include "core/error.hpp"
#include "core/temperature.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "maps/ccp4_map.hpp"
#include "maps/cube_map.hpp"
#include "maps/dx_map.hpp"
#include "maps/hdf5_map.hpp"
#include "maps/map_format.hpp"
#include "maps/uhbd_map.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Of a map to write: standard output, which has no ending, gets OpenDX text.
MapFormat format_to_write(const std::string& path) {
  if (is_standard_output(path)) return MapFormat::dx;
  if (const std::optional<MapFormat> format = format_of_name(path)) return *format;
  fail<UsageError>("cannot tell the format of the map ", path,
                   " from its name; use the ending .dx, .dx.gz or .dxbin (OpenDX), .h5 or .cmap (HDF5), "
                   ".ccp4, .mrc or .map, .cube (Gaussian) or .grd (UHBD)");
}

constexpr std::size_t unpacked_head_bytes = std::size_t{1} << 22;  // longer than any command in a comment

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
      constexpr std::size_t longest_line = 256;  // of an atom: five numbers
      return text(header.atoms_begin, header.lattice.size()) + most(0, header.atoms, longest_line);
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
    case MapFormat::hdf5: {
      constexpr std::size_t times_packed = 64;  // its header can be at its end; its values are mostly packed
      return times_packed * packed_bytes + slack;
    }
    default: {
      const DxHeader header = read_dx_header(head, path);
      return text(header.data, header.lattice.size());
    }
  }
}

[[noreturn]] void fail_unknown(const std::string& path) {
  fail(
      path,
      ": is not a map in a known format, by its first bytes or its name; maps are OpenDX (.dx, .dxbin), HDF5 "
      "(.h5, .cmap), CCP4 or MRC (.ccp4, .mrc, .map), Gaussian cube (.cube) or UHBD (.grd), also gzipped");
}

/// The beginning of a map, unpacked.
std::string unpacked_head(const InputFile& file) {
  refuse_other_packing(file.head(), file.name());
  if (!is_gzip(file.head())) return std::string(file.head());
  std::string head = gunzip_head(file.head(), unpacked_head_bytes);
  refuse_other_packing(head, file.name());
  return head;
}

MapFormat known_format(std::string_view head, const std::string& path) {
  const std::optional<MapFormat> format = format_of(head, path);
  if (!format) fail_unknown(path);
  return *format;
}

/// Refuses what is no map before the rest is read, which may have no end.
void check_head(std::string_view head, const std::string& path) {
  const MapFormat format = known_format(head, path);
  const bool may_be_binary = has_map_mark(head) || format == MapFormat::ccp4 || format == MapFormat::mrc;
  if (!may_be_binary && head.find('\0') != head.npos)
    fail(path,
         ": is binary (it contains a zero byte), but its first bytes are not those of a known binary map; ",
         "check the program that wrote it");
}

Map read_in_format(MapFormat format, std::string_view file, const std::string& path, int threads) {
  switch (format) {
    case MapFormat::hdf5:
      return read_hdf5_image(file, path);
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

Map read_whole_map(InputFile file, int threads) {
  const std::string path = file.name();
  check_head(unpacked_head(file), path);
  if (is_hdf5(file.head()) && file.can_be_reopened()) return read_hdf5(path);  // HDF5 reads what it needs
  const FileBytes bytes = file.read_all();
  if (!is_gzip(bytes.text()))
    return read_in_format(known_format(bytes.text(), path), bytes.text(), path, threads);
  const std::string head = gunzip_head(bytes.text(), unpacked_head_bytes);
  const MapFormat format = known_format(head, path);
  const FileBytes unpacked =
      gunzip(bytes.text(), path, {.unpacked_bytes = most_bytes(format, head, bytes.text().size(), path)});
  return read_in_format(format, unpacked.text(), path, threads);
}

}  // namespace

void check_map_name(const std::string& path) {
  format_to_write(path);
}

std::optional<std::string> placement_warning(const std::string& path, const LatticeGeometry& lattice) {
  const double off_A = ccp4_misplacement_A(lattice);
  if (format_of_name(path) != MapFormat::ccp4 || off_A == 0.0) return std::nullopt;
  TextStream text;
  text << path
       << ": the origin of this map is not a whole number of lattice steps, but Coot, gemmi, ChimeraX "
       << "and GridDataFormats read only whole steps in this format: they show the map up to "
       << std::setprecision(2) << off_A
       << " A from its position (PyMOL does not); ChimeraX, PyMOL and GridDataFormats show a .mrc map "
          "correctly, and all "
       << "of them show a map correctly whose --box begins at multiples of --spacing";
  return text.str();
}

void write_map(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
               const MapProgress& progress) {
  switch (format_to_write(file.path())) {
    case MapFormat::dx:
      return write_dx(file, header, values, DxKind::text, threads, progress);
    case MapFormat::dx_gzip:
      return write_dx(file, header, values, DxKind::gzip, threads, progress);
    case MapFormat::dx_binary:
      return write_dx(file, header, values, DxKind::binary, threads, progress);
    case MapFormat::hdf5:
      return write_hdf5(file, header, values, progress);
    case MapFormat::ccp4:
      return write_ccp4(file, header, values, Ccp4Convention::ccp4, progress);
    case MapFormat::mrc:
      return write_ccp4(file, header, values, Ccp4Convention::mrc, progress);
    case MapFormat::cube:
      return write_cube(file, header, values, threads, progress);
    case MapFormat::uhbd:
      return write_uhbd(file, header, values, threads, progress);
  }
}

void write_map(const std::string& path, const MapHeader& header, const MapValues& values, int threads) {
  OutputFile file(path);
  write_map(file, header, values, threads, {});
  file.commit();
}

bool is_map(const InputFile& file) {
  return format_of(unpacked_head(file), file.name()).has_value();
}

Map read_map(const std::string& path, int threads) {
  return read_map(InputFile(path), threads);
}

Map read_map(InputFile file, int threads) {
  const std::string path = file.name();
  try {
    Map map = read_whole_map(std::move(file), threads);
    if (map.temperature_K && !is_temperature(*map.temperature_K))
      fail(path, ": states a temperature of ", *map.temperature_K, " K, but it must be from ",
           lowest_temperature_K, " to ", highest_temperature_K, " K; correct that, or make the map again");
    return map;
  } catch (const std::bad_alloc&) {
    fail(path,
         ": there is not enough memory to read this map; free some memory, or make a map with fewer points");
  }
}

void state_unit(Map& map, std::optional<MapUnit> unit) {
  if (!unit) return;
  if (map.unit && *map.unit != *unit)
    fail<UsageError>(map.path, ": states that its values are in ", to_string(*map.unit),
                     ", but --map-unit is ", to_string(*unit),
                     "; leave --map-unit out, or correct the file's first lines");
  map.unit = unit;
}

void convert_unit(Map& map, MapUnit unit, double temperature_K) {
  if (!map.unit) fail(map.path, ": does not state the unit of its values; give it with --map-unit");
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
