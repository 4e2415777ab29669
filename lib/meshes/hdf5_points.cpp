// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/hdf5_points.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/error.hpp"
#include "core/version.hpp"
#include "maps/hdf5_handle.hpp"

namespace ionwell {
namespace {

/// Rows of `columns` numbers; one column is an array of one dimension.
struct PointTable {
  const char* name;
  hid_t type;
  const void* numbers;
  hsize_t rows, columns;
  const char* unit;
};

bool write_table(hid_t file, const PointTable& table) {
  constexpr hsize_t chunk_rows = 1 << 16;
  constexpr unsigned compression = 1;
  const std::array<hsize_t, 2> size = {table.rows, table.columns};
  const std::array<hsize_t, 2> chunk = {std::min(table.rows, chunk_rows), table.columns};
  const int dimensions = table.columns == 1 ? 1 : 2;
  const Hdf5Handle space(H5Screate_simple(dimensions, size.data(), nullptr), H5Sclose);
  const Hdf5Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (H5Pset_chunk(settings, dimensions, chunk.data()) < 0 || H5Pset_shuffle(settings) < 0 ||
      H5Pset_deflate(settings, compression) < 0)
    return false;
  Hdf5Handle set(H5Dcreate2(file, table.name, table.type, space, H5P_DEFAULT, settings, H5P_DEFAULT),
                 H5Dclose);
  return set.valid() && H5Dwrite(set, table.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.numbers) >= 0 &&
         set_attribute(set, "unit", std::string(table.unit)) && set.close();
}

}  // namespace

void write_hdf5_points(OutputFile& file, const PointSet& points, const PointValues& values) {
  const Hdf5Quiet quiet;
  errno = 0;
  const auto require = [&](bool fine) {
    if (fine) return;
    if (errno != 0) file.fail_to_write(errno);
    fail("cannot write ", file.path(), ": HDF5 reports an error; is the disk full?");
  };
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0);
  require(H5Pset_file_locking(access, false, true) >= 0);  // as of maps
  Hdf5Handle root(H5Fcreate(file.path_for_libraries().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  require(root.valid());
  require(set_attribute(root, "software", std::string("ionwell")) &&
          set_attribute(root, "softwareVersion", std::string(version())));
  for (const auto& [key, text] : values.provenance) require(set_attribute(root, key.c_str(), text));
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double) && sizeof(Triangle) == 3 * sizeof(std::uint32_t));
  const hsize_t count = points.positions_A.size();
  require(write_table(root, {"points_A", H5T_NATIVE_DOUBLE, points.positions_A.data(), count, 3, "A"}));
  require(write_table(root,
                      {"potential_kT_e", H5T_NATIVE_DOUBLE, values.potential_kT_e.data(), count, 1, "kT/e"}));
  if (!points.triangles.empty()) {
    require(write_table(
        root, {"triangles", H5T_NATIVE_UINT32, points.triangles.data(), points.triangles.size(), 3, ""}));
    require(write_table(root, {"areas_A2", H5T_NATIVE_DOUBLE, values.areas_A2.data(), count, 1, "A^2"}));
  }
  require(root.close());
}

}  // namespace ionwell
