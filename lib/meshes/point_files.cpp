// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/point_files.hpp"

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"
#include "maps/hdf5_map.hpp"
#include "meshes/hdf5_points.hpp"
#include "meshes/mesh_files.hpp"
#include "meshes/point_rows.hpp"
#include "structures/formats/file_format.hpp"

namespace ionwell {

PointSet read_points(const std::string& path) {
  InputFile file(path);
  const std::string name = file.name();
  return read_points(read_input_bytes(std::move(file)), name);
}

PointSet read_points(FileBytes bytes, const std::string& path) {
  constexpr std::size_t enough = 1 << 16;
  const std::string_view text = bytes.text(), head = text.substr(0, enough);
  const std::string extension = extension_of(path);
  if (is_ply(head)) return read_ply(text, path);
  if (is_vtk(head)) return read_vtk(text, path);
  if (is_hdf5(head))
    fail(path,
         ": is an HDF5 file, but points are read from XYZ, CSV, PDB, PQR, PLY, OBJ and VTK; for a map use "
         "--map");
  if (head.find('\0') != std::string_view::npos)
    fail(path, ": is a binary file in an unknown format; give points as XYZ, CSV, PDB, PQR, PLY, OBJ or VTK");
  if (extension == ".csv" || extension == ".txt" || extension == ".tsv")
    return read_table(std::move(bytes), path);
  if (extension == ".xyz") return read_xyz(std::move(bytes), path);
  if (extension == ".obj" || is_obj(head)) return read_obj(text, path);
  if (has_atom_record(head)) {
    const bool is_pqr = find_format(head, path) == FileFormat::pqr;
    return is_pqr ? read_pqr_points(std::move(bytes), path) : read_pdb_points(std::move(bytes), path);
  }
  if (extension == ".pdb" || extension == ".ent" || extension == ".pqr")
    fail(path, ": has no ATOM record; give a file with points");
  std::string_view first;
  LineScanner lines(head);
  lines.next(first);
  const std::string_view count = trim(first);
  const bool is_counted = !count.empty() && count.find_first_not_of("0123456789") == std::string_view::npos;
  return is_counted ? read_xyz(std::move(bytes), path) : read_table(std::move(bytes), path);
}

PointFormat point_format_of(const std::string& path) {
  if (is_standard_output(path)) return PointFormat::csv;
  const std::string extension = extension_of(path);
  if (lower_case(path).ends_with(".gz"))
    fail<UsageError>("-o ", path,
                     ": values are not written compressed; leave .gz out, or compress the file afterwards");
  constexpr std::pair<std::string_view, PointFormat> formats[] = {
      {".csv", PointFormat::csv}, {".txt", PointFormat::csv}, {".tsv", PointFormat::csv},
      {".xyz", PointFormat::xyz}, {".pdb", PointFormat::pdb}, {".ent", PointFormat::pdb},
      {".pqr", PointFormat::pqr}, {".ply", PointFormat::ply}, {".obj", PointFormat::obj},
      {".vtk", PointFormat::vtk}, {".h5", PointFormat::hdf5}, {".pml", PointFormat::pml}};
  for (const auto& [ending, format] : formats)
    if (extension == ending) return format;
  fail<UsageError>("-o ", path,
                   ": the ending is not that of a point format; use .csv, .xyz, .pdb, .pqr, .ply, .obj, "
                   ".vtk, .pml or .h5");
}

void check_point_formats(std::optional<PointFormat> from, PointFormat to, const std::string& path) {
  if ((to != PointFormat::pdb && to != PointFormat::pqr) || from == to) return;
  fail<UsageError>("-o ", path, ": ", to_string(to),
                   " records are written for points that were read from such a file, but these are ",
                   from ? "of " + std::string(to_string(*from)) : std::string("of a surface"),
                   "; use .csv, .xyz, .ply, .obj, .vtk, .pml or .h5");
}

void write_points(OutputFile& file, const PointSet& points, const PointValues& values) {
  const PointFormat format = point_format_of(file.path());
  const ValuedMesh mesh{points, values.potential_kT_e, values.colour_limit_kT_e};
  switch (format) {
    case PointFormat::ply:
      return write_ply(file, mesh);
    case PointFormat::obj:
      return write_obj(file, mesh);
    case PointFormat::vtk:
      return write_vtk(file, mesh);
    case PointFormat::pml:
      return write_pml(file, mesh);
    case PointFormat::hdf5:
      return write_hdf5_points(file, points, values);
    default:
      return write_point_rows(file, points, values.potential_kT_e, format);
  }
}

}  // namespace ionwell
