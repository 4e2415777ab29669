// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "meshes/mesh_files.hpp"
#include "meshes/point_rows.hpp"

namespace ionwell {
namespace {

/// A legacy VTK file from its first line to its attributes.
class VtkReader {
 public:
  VtkReader(std::string_view text, const std::string& path)
      : path_(path), points_{.path = path, .format = PointFormat::vtk}, tokens_(text, header(text), path) {}

  PointSet read() {
    if (tokens_.next() != "DATASET") fail(tokens_.place(), ": DATASET is missing; write the file again");
    const std::string_view kind = tokens_.next();
    if (kind != "POLYDATA" && kind != "UNSTRUCTURED_GRID")
      fail(tokens_.place(), ": the data set is ", quote(kind),
           ", but only POLYDATA and UNSTRUCTURED_GRID are read; save the surface as one of them");
    for (std::string_view word = tokens_.next(); !word.empty(); word = tokens_.next()) {
      if (word == "POINTS") {
        read_points();
      } else if (word == "POLYGONS" || word == "CELLS") {
        read_cells(word == "POLYGONS");
      } else if (word == "VERTICES" || word == "LINES") {
        skip_cells();
      } else if (word == "CELL_TYPES") {
        read_cell_types();
      } else if (word == "TRIANGLE_STRIPS") {
        fail(tokens_.place(), ": triangle strips are not read; save the surface as triangles");
      } else if (word == "METADATA") {
        skip_metadata();
      } else {
        break;  // FIELD, POINT_DATA, CELL_DATA: values, of which none are wanted
      }
    }
    if (points_.positions_A.empty()) fail(path_, ": the VTK file has no points; give a file with points");
    for (const Triangle& triangle : points_.triangles)
      for (const std::uint32_t corner : triangle)
        if (corner >= points_.positions_A.size()) fail_for_corner(corner, points_.positions_A.size(), path_);
    return std::move(points_);
  }

 private:
  /// Where the data begin: behind the title and ASCII.
  std::size_t header(std::string_view text) const {
    LineScanner lines(text);
    std::string_view line;
    for (int n = 0; n < 3; ++n)
      if (!lines.next(line)) fail(path_, ": the VTK file ends in its header; copy it again");
    const std::string kind = lower_case(trim(line));
    if (kind != "ascii")
      fail(path_, ":3: the file is ", quote(trim(line)), ", but only ASCII is read; save it as ASCII");
    return std::size_t(line.data() + line.size() - text.data());
  }

  std::int64_t counted(const char* what) {
    const std::int64_t count = tokens_.whole_number(what);
    if (count < 0 || count > std::int64_t(tokens_.left()))
      fail(tokens_.place(), ": the file announces ", grouped(count), " of ", what, ", and ",
           count_of(std::int64_t(tokens_.left()), "byte"), " cannot hold them; copy it again");
    return count;
  }

  void read_points() {
    const std::int64_t count = counted("points");
    tokens_.next();  // float or double
    require_mesh_memory(count, 0, path_);
    points_.positions_A.clear();
    points_.positions_A.reserve(std::size_t(count));
    for (std::int64_t n = 0; n < count; ++n) {
      const double x = tokens_.coordinate(0), y = tokens_.coordinate(1), z = tokens_.coordinate(2);
      points_.positions_A.push_back({x, y, z});
      const Vec3<double>& p = points_.positions_A.back();
      if (!is_position(p)) fail_for_position(p, path_ + ": point " + std::to_string(n));
    }
  }

  /// As lists, each with its length in front; or, since version 5.1, as OFFSETS and CONNECTIVITY.
  void read_cells(bool polygons) {
    const std::int64_t count = counted("cells"), size = counted("numbers of cells");
    const auto place = [this] { return tokens_.place(); };
    std::vector<std::int64_t> corners;
    if (!polygons) triangles_of_cells_.clear();
    const auto add = [&] {
      add_polygon(points_.triangles, corners, std::size_t{1} << 32, place);
      if (!polygons) triangles_of_cells_.push_back(points_.triangles.size());
    };
    if (tokens_.peek() != "OFFSETS") {
      for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t length = counted("points of a cell");
        corners.clear();
        for (std::int64_t c = 0; c < length; ++c)
          corners.push_back(tokens_.whole_number("a point of a cell"));
        add();
      }
      return;
    }
    tokens_.next();
    tokens_.next();  // vtktypeint64
    std::vector<std::int64_t> offsets;
    for (std::int64_t n = 0; n < count; ++n) offsets.push_back(tokens_.whole_number("an offset"));
    if (tokens_.next() != "CONNECTIVITY")
      fail(tokens_.place(), ": CONNECTIVITY is missing after OFFSETS; write the file again");
    tokens_.next();
    for (std::int64_t n = 1; n < count; ++n) {
      if (offsets[std::size_t(n)] < offsets[std::size_t(n) - 1] || offsets[std::size_t(n)] > size)
        fail(tokens_.place(),
             ": the offsets of the cells do not increase; the file is damaged: write it again");
      corners.clear();
      for (std::int64_t c = offsets[std::size_t(n) - 1]; c < offsets[std::size_t(n)]; ++c)
        corners.push_back(tokens_.whole_number("a point of a cell"));
      add();
    }
  }

  /// Only flat cells are faces: triangles (5), polygons (7) and quadrangles (9).
  void read_cell_types() {
    const std::int64_t count = counted("types of cells");
    if (count != std::ssize(triangles_of_cells_))
      fail(tokens_.place(), ": there are ", grouped(count), " types for ",
           count_of(std::ssize(triangles_of_cells_), "cell"), "; the file is damaged: write it again");
    std::size_t kept = 0, first = 0;
    for (const std::size_t last : triangles_of_cells_) {
      const std::int64_t type = tokens_.whole_number("the type of a cell");
      if (type == 5 || type == 7 || type == 9)
        for (std::size_t t = first; t < last; ++t) points_.triangles[kept++] = points_.triangles[t];
      first = last;
    }
    points_.triangles.resize(kept);
  }

  void skip_cells() {
    const std::size_t triangles = points_.triangles.size();
    read_cells(true);
    points_.triangles.resize(triangles);
  }

  /// Up to an empty line; its words are none of ours.
  void skip_metadata() {
    for (std::string_view word = tokens_.peek();
         !word.empty() && word != "POLYGONS" && word != "CELLS" && word != "VERTICES" && word != "LINES" &&
         word != "POINT_DATA" && word != "CELL_DATA" && word != "POINTS";
         word = tokens_.peek())
      tokens_.next();
  }

  const std::string& path_;
  PointSet points_;
  std::vector<std::size_t> triangles_of_cells_;  // how many there are behind each cell
  MeshTokens tokens_;
};

}  // namespace

bool is_vtk(std::string_view head) {
  return head.starts_with("# vtk DataFile");
}

PointSet read_vtk(std::string_view text, const std::string& path) {
  return VtkReader(text, path).read();
}

void write_vtk(OutputFile& file, const ValuedMesh& mesh) {
  const PointSet& points = mesh.points;
  const std::string count = std::to_string(points.positions_A.size());
  std::string out =
      "# vtk DataFile Version 3.0\npotential [kT/e], written by ionwell\nASCII\nDATASET POLYDATA\n";
  out += "POINTS " + count + " double\n";
  constexpr std::size_t buffered = 1 << 20;
  const auto flush = [&] {
    if (out.size() < buffered) return;
    file.write(out);
    out.clear();
  };
  for (const Vec3<double>& at : points.positions_A) {
    for (const double x_A : {at.x, at.y, at.z}) append_coordinate(out, x_A), out += ' ';
    out.back() = '\n';
    flush();
  }
  const std::size_t triangles = points.triangles.size();
  if (triangles > 0)
    out += "POLYGONS " + std::to_string(triangles) + ' ' + std::to_string(4 * triangles) + '\n';
  else  // points alone are shown as cells of one point
    out += "VERTICES " + count + ' ' + std::to_string(2 * points.positions_A.size()) + '\n';
  for (const Triangle& t : points.triangles) {
    out += "3 " + std::to_string(t[0]) + ' ' + std::to_string(t[1]) + ' ' + std::to_string(t[2]) + '\n';
    flush();
  }
  if (triangles == 0)
    for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
      out += "1 " + std::to_string(p) + '\n';
      flush();
    }
  out += "POINT_DATA " + count + "\nSCALARS potential_kT_e double 1\nLOOKUP_TABLE default\n";
  for (const double value : mesh.values_kT_e) {
    append_value(out, value);
    out += '\n';
    flush();
  }
  out += "COLOR_SCALARS colour 3\n";
  for (const double value : mesh.values_kT_e) {
    const Rgb colour = potential_colour(value, mesh.limit_kT_e);
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue})
      append_value(out, double(part) / 255.0), out += ' ';
    out.back() = '\n';
    flush();
  }
  file.write(out);
}

}  // namespace ionwell
