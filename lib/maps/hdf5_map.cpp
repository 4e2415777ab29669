// SPDX-License-Identifier: BSD-3-Clause
#include "maps/hdf5_map.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <functional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/units.hpp"
#include "core/version.hpp"
#include "files/input_file.hpp"
#include "maps/hdf5_handle.hpp"
#include "maps/map_header.hpp"
#include "maps/map_slabs.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr hsize_t chunk_edge = 32;  // 128 kB in single precision: a viewer reads boxes, a program whole maps
constexpr unsigned compression = 1;
constexpr const char* keys[] = {"program", "command", "structure", "method"};

[[noreturn]] void fail_to_write(const OutputFile& file, int reason) {
  if (reason != 0) file.fail_to_write(reason);
  fail("cannot write ", file.path(), ": HDF5 reports an error; is the disk full?");
}

template <typename Real>
bool single_suffices(std::span<const Real> values) {
  return parallel_reduce(
      thread_count(0), std::ssize(values), true,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t n = first; n < last; ++n)
          if (double(float(values[std::size_t(n)])) != double(values[std::size_t(n)])) return false;
        return true;
      },
      std::logical_and<>());
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S +0000", &parts)};
}

bool describe_root(hid_t root) {
  return set_attribute(root, "openPMD", std::string("1.1.0")) &&
         set_attribute(root, "openPMDextension", 0U) &&
         set_attribute(root, "basePath", std::string("/data/%T/")) &&
         set_attribute(root, "meshesPath", std::string("meshes/")) &&
         set_attribute(root, "iterationEncoding", std::string("groupBased")) &&
         set_attribute(root, "iterationFormat", std::string("/data/%T/")) &&
         set_attribute(root, "software", std::string("ionwell")) &&
         set_attribute(root, "softwareVersion", std::string(version())) &&
         set_attribute(root, "date", date_now());
}

bool describe_iteration(hid_t iteration) {
  return set_attribute(iteration, "time", 0.0) && set_attribute(iteration, "dt", 1.0) &&
         set_attribute(iteration, "timeUnitSI", 1.0);
}

/// What ChimeraX reads: x, y, z order.
bool describe_group(hid_t group, const LatticeGeometry& lattice) {
  const auto& [h, o] = std::pair(lattice.spacing_A, lattice.origin_A);
  return set_attribute(group, "name", std::string("potential")) &&
         set_attribute(group, "step", std::vector<double>{h.x, h.y, h.z}) &&
         set_attribute(group, "origin", std::vector<double>{o.x, o.y, o.z});
}

/// What openPMD asks of a mesh with one component, in the order of its axes: z, y, x.
bool describe_mesh(hid_t mesh, const MapHeader& header) {
  const auto& [h, o] = std::pair(header.lattice.spacing_A, header.lattice.origin_A);
  const double unit_V =
      header.unit ? volts(*header.unit, header.temperature_K.value_or(room_temperature_K)) : 1.0;
  // Powers of length, mass, time, current, temperature, amount and luminous intensity: a volt, or no unit.
  const std::vector<double> dimension =
      header.unit ? std::vector<double>{2, 1, -3, -1, 0, 0, 0} : std::vector<double>(7, 0.0);
  bool fine = set_attribute(mesh, "geometry", std::string("cartesian")) &&
              set_attribute(mesh, "dataOrder", std::string("C")) &&
              set_attribute(mesh, "axisLabels", std::vector<std::string>{"z", "y", "x"}) &&
              set_attribute(mesh, "gridSpacing", std::vector<double>{h.z, h.y, h.x}) &&
              set_attribute(mesh, "gridGlobalOffset", std::vector<double>{o.z, o.y, o.x}) &&
              set_attribute(mesh, "gridUnitSI", 1e-10) && set_attribute(mesh, "unitDimension", dimension) &&
              set_attribute(mesh, "timeOffset", 0.0) && set_attribute(mesh, "unitSI", unit_V) &&
              set_attribute(mesh, "position", std::vector<double>{0, 0, 0});
  if (header.unit) fine = fine && set_attribute(mesh, "unit", std::string(to_string(*header.unit)));
  if (header.temperature_K) fine = fine && set_attribute(mesh, "temperature_K", *header.temperature_K);
  std::string comments;
  for (const auto& [key, value] : header.provenance) {
    if (key == "comment")
      comments += (comments.empty() ? "" : "\n") + value;
    else
      fine = fine && (H5Aexists(mesh, key.c_str()) > 0 || set_attribute(mesh, key.c_str(), value));
  }
  return fine && (comments.empty() || set_attribute(mesh, "comment", comments));
}

/// The largest data set of three dimensions.
struct Search {
  std::string name;
  hssize_t points = 0;
};

Search find_map(hid_t root) {
  Search search;
  for_each_data_set(root, [&](const char* name) {
    const Hdf5Handle set(H5Dopen2(root, name, H5P_DEFAULT), H5Dclose);
    if (!set.valid()) return;
    const Hdf5Handle space(H5Dget_space(set), H5Sclose), type(H5Dget_type(set), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    if (H5Sget_simple_extent_ndims(space) == 3 && (kind == H5T_FLOAT || kind == H5T_INTEGER) &&
        points > search.points)
      search = {name, points};
  });
  return search;
}

std::string group_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? "/" : name.substr(0, slash);
}

struct Axes {
  Vec3<double> spacing_A, origin_A;
};

/// What openPMD's attributes say, which must be of a mesh in z, y, x order.
std::optional<Axes> openpmd_axes(hid_t set, const std::string& path) {
  const std::vector<double> h = numbers_attribute(set, "gridSpacing"),
                            o = numbers_attribute(set, "gridGlobalOffset"),
                            unit = numbers_attribute(set, "gridUnitSI");
  if (h.size() != 3 || o.size() != 3 || unit.size() != 1) return std::nullopt;
  const std::string geometry = text_attribute(set, "geometry").value_or("cartesian");
  if (geometry != "cartesian")
    fail(path, ": the mesh has ", geometry,
         " geometry, but maps must have axes along x, y and z; write it that way");
  const std::vector<std::string> labels = texts_attribute(set, "axisLabels");
  if (labels.size() == 3 && labels != std::vector<std::string>{"z", "y", "x"})
    fail(path, ": the mesh has its axes in the order ", labels[0], ", ", labels[1], ", ", labels[2],
         ", but only z, y, x (x fastest) is read; write it that way");
  const double scale = unit[0] == 1e-10 ? 1.0 : unit[0] / 1e-10;
  return Axes{{scale * h[2], scale * h[1], scale * h[0]}, {scale * o[2], scale * o[1], scale * o[0]}};
}

/// What ChimeraX's attributes on the group say.
std::optional<Axes> cmap_axes(hid_t group, const std::string& path) {
  const std::vector<double> h = numbers_attribute(group, "step"), o = numbers_attribute(group, "origin"),
                            angles = numbers_attribute(group, "cell_angles"),
                            turned = numbers_attribute(group, "rotation_angle");
  if (h.size() != 3) return std::nullopt;
  const auto skew = [](double angle) { return std::abs(angle - 90.0) > 1e-3; };
  if (std::any_of(angles.begin(), angles.end(), skew) || (turned.size() == 1 && std::abs(turned[0]) > 1e-3))
    fail(path,
         ": the map is rotated or skewed, but maps must have axes along x, y and z; resample it on such a "
         "lattice first");
  return Axes{{h[0], h[1], h[2]}, o.size() == 3 ? Vec3<double>{o[0], o[1], o[2]} : Vec3<double>{}};
}

/// A file can promise only so many values: what deflate makes of its bytes. Nor may it ask HDF5 for chunks
/// that are far larger than the map, or for values from elsewhere.
void check_promise(hid_t set, const LatticeGeometry& lattice, std::size_t bytes_each,
                   const std::string& path) {
  const Hdf5Handle settings(H5Dget_create_plist(set), H5Pclose);
  if (H5Pget_external_count(settings) > 0)
    fail(path, ": the values are in another file, which ionwell does not read; use a map in one file");
  std::array<hsize_t, 3> chunk{};
  if (H5Pget_layout(settings) == H5D_CHUNKED) H5Pget_chunk(settings, 3, chunk.data());
  constexpr double small = 0x1p24;  // values: a chunk that does no harm
  const double values = double(chunk[0]) * double(chunk[1]) * double(chunk[2]);
  if (values > std::max(small, 2.0 * double(lattice.size())))
    fail(path, ": chunks of ", values, " values for a map of ", grouped(lattice.size()), " waste memory; ",
         copy_again);
  const double stored = double(H5Dget_storage_size(set));
  if (double(lattice.size()) * double(bytes_each) > double(best_deflate_ratio) * stored)
    fail(path, ": ", count_of(std::int64_t(stored), "byte"), " cannot hold the ",
         count_of(lattice.size(), "value"), " of its map; ", copy_again);
}

Map read_intact(const Hdf5Handle& file, const std::string& path) {
  if (!file.valid()) fail(path, ": HDF5 cannot open the file, which is truncated or damaged; ", copy_again);
  const Search search = find_map(file);
  if (search.name.empty())
    fail(path, ": it has no data set of three dimensions, so it is not a map; give a map (openPMD or .cmap)");
  const Hdf5Handle set(H5Dopen2(file, search.name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle group(H5Oopen(file, group_of(search.name).c_str(), H5P_DEFAULT), H5Oclose);
  const Hdf5Handle space(H5Dget_space(set), H5Sclose), type(H5Dget_type(set), H5Tclose);
  std::array<hsize_t, 3> size{};
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  std::optional<Axes> axes = openpmd_axes(set, path);
  if (!axes) axes = cmap_axes(group, path);
  if (!axes)
    fail(path, ": /", search.name,
         " has neither openPMD's gridSpacing nor ChimeraX's step, so its spacing is not known; write the map "
         "again with one of them");

  Map map;
  map.path = path;
  map.format = "HDF5";
  map.lattice = {
      axes->origin_A, axes->spacing_A, {std::int64_t(size[2]), std::int64_t(size[1]), std::int64_t(size[0])}};
  check_geometry(map.lattice, path);
  check_promise(set, map.lattice, H5Tget_size(type), path);
  if (const auto unit = text_attribute(set, "unit")) map.unit = map_unit(*unit);
  if (const auto kelvin = numbers_attribute(set, "temperature_K"); kelvin.size() == 1)
    map.temperature_K = kelvin[0];
  for (const char* const key : keys)
    if (const auto text = text_attribute(set, key)) map.provenance.emplace_back(key, *text);
  if (const auto text = text_attribute(set, "comment"))
    for (std::size_t at = 0; at <= text->size();) {
      const std::size_t end = std::min(text->find('\n', at), text->size());
      map.provenance.emplace_back("comment", text->substr(at, end - at));
      at = end + 1;
    }
  map.values = LargeArray<double>(std::size_t(map.lattice.size()));
  if (!has_all_bytes(set, H5Tget_size(type) * hsize_t(map.values.size())) ||
      H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, map.values.data()) < 0)
    fail(path, ": the values of /", search.name,
         " cannot be read, because the file is truncated or damaged; ", copy_again);
  check_finite(map);
  return map;
}

Map read_opened(const Hdf5Handle& file, const std::string& path) {
  try {
    return read_intact(file, path);
  } catch (const UnreadableAttribute& error) {
    fail(path, ": ", error.what(), ", because the file is truncated or damaged; ", copy_again);
  }
}

}  // namespace

bool is_hdf5(std::string_view head) {
  return head.starts_with("\x89HDF\r\n\x1a\n");
}

void write_hdf5(OutputFile& file, const MapHeader& header, const MapValues& values,
                const MapProgress& progress) {
  const LatticeGeometry& lattice = header.lattice;
  check_writable_values(lattice, values, file.path());
  const Hdf5Quiet quiet;
  const auto require = [&](bool fine) {
    if (!fine) fail_to_write(file, errno);
  };
  errno = 0;
  // As of HDF5 1.8 headers have checksums: the library then refuses a damaged file, where it is not safe
  // without.
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0);
  // The file is locked already, for other runs to see; over NFS HDF5 would take that for another program's.
  require(H5Pset_file_locking(access, false, true) >= 0);
  Hdf5Handle root(H5Fcreate(file.path_for_libraries().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  require(root.valid());
  const Vec3<std::int64_t> n = lattice.counts;  // Clang 16 captures no structured bindings with OpenMP
  const std::array<hsize_t, 3> size = {hsize_t(n.z), hsize_t(n.y), hsize_t(n.x)};
  std::array<hsize_t, 3> chunk{};
  for (std::size_t axis = 0; axis < 3; ++axis) chunk[axis] = std::min(size[axis], chunk_edge);
  {
    Hdf5Handle data(H5Gcreate2(root, "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    Hdf5Handle iteration(H5Gcreate2(data, "0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    Hdf5Handle meshes(H5Gcreate2(iteration, "meshes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const Hdf5Handle space(H5Screate_simple(3, size.data(), nullptr), H5Sclose);
    const Hdf5Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    constexpr unsigned attributes_in_header = 64;  // all of them: elsewhere they have no checksum
    require(H5Pset_chunk(settings, 3, chunk.data()) >= 0 && H5Pset_shuffle(settings) >= 0 &&
            H5Pset_deflate(settings, compression) >= 0 &&
            H5Pset_attr_phase_change(settings, attributes_in_header, 0) >= 0);
    const bool single = values.visit([](const auto& all) { return single_suffices(all); });
    Hdf5Handle mesh(H5Dcreate2(meshes, "potential", single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, space,
                               H5P_DEFAULT, settings, H5P_DEFAULT),
                    H5Dclose);
    require(mesh.valid() && describe_root(root) && describe_iteration(iteration) &&
            describe_group(meshes, lattice) && describe_mesh(mesh, header));
    const hid_t type = values.is_single() ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    const auto write_planes = [&](std::int64_t first, const MapValues& in_memory) {
      in_memory.visit([&](const auto& all) {
        const hsize_t begin = hsize_t(first), end = begin + hsize_t(std::ssize(all) / (n.x * n.y));
        for (hsize_t k = begin; k < end; k += chunk[0]) {  // whole chunks, so that none is packed twice
          const std::array<hsize_t, 3> from = {k, 0, 0},
                                       part = {std::min(chunk[0], end - k), size[1], size[2]};
          const Hdf5Handle memory(H5Screate_simple(3, part.data(), nullptr), H5Sclose);
          require(H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr) >=
                      0 &&
                  H5Dwrite(mesh, type, memory, space, H5P_DEFAULT,
                           all.data() + (std::int64_t(k) - first) * n.x * n.y) >= 0);
          if (progress) progress(double(k + part[0]) / double(size[0]));
        }
      });
    };
    for_each_z_slab(lattice, values, std::int64_t(chunk[0]), file.path(), write_planes);
    // What is left in memory goes to the disk now, which may be full.
    require(mesh.close() && meshes.close() && iteration.close() && data.close());
  }
  require(root.close());
}

Map read_hdf5(const std::string& path) {
  const Hdf5Quiet quiet;
  return read_opened(open_hdf5(path), path);
}

Map read_hdf5_image(std::string_view bytes, const std::string& path) {
  const Hdf5Quiet quiet;
  return read_opened(open_hdf5_image(bytes), path);
}

}  // namespace ionwell
