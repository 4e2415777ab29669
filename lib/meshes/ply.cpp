// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "meshes/mesh_files.hpp"

namespace ionwell {
namespace {

static_assert(std::endian::native == std::endian::little);

struct PlyType {
  std::array<std::string_view, 2> names;
  std::size_t bytes;
  bool is_signed, is_real;
};
constexpr std::array<PlyType, 8> ply_types = {{{{"char", "int8"}, 1, true, false},
                                               {{"uchar", "uint8"}, 1, false, false},
                                               {{"short", "int16"}, 2, true, false},
                                               {{"ushort", "uint16"}, 2, false, false},
                                               {{"int", "int32"}, 4, true, false},
                                               {{"uint", "uint32"}, 4, false, false},
                                               {{"float", "float32"}, 4, true, true},
                                               {{"double", "float64"}, 8, true, true}}};

struct PlyProperty {
  std::string name;
  PlyType type;
  std::optional<PlyType> count;  // of a list
};

struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;

  std::size_t least_bytes(bool ascii) const {
    std::size_t bytes = 0;
    for (const PlyProperty& property : properties)
      bytes += ascii ? 1 : (property.count ? *property.count : property.type).bytes;
    return bytes;
  }
};

struct PlyHeader {
  bool ascii = true;
  std::vector<PlyElement> elements;
  std::size_t bytes = 0;
};

PlyType ply_type(std::string_view name, const std::string& place) {
  for (const PlyType& type : ply_types)
    if (name == type.names[0] || name == type.names[1]) return type;
  fail(place, ": ", quote(name),
       " is not a PLY type (char, uchar, short, ushort, int, uint, float, double); write the file again");
}

void add_ply_property(std::string_view line, PlyHeader& header, const std::string& place) {
  if (header.elements.empty()) fail(place, ": a property comes before any element; write the file again");
  const std::string_view first = take_token(line);
  PlyProperty property;
  if (first == "list") {
    property.count = ply_type(take_token(line), place);
    if (property.count->is_real)
      fail(place, ": the length of a list is not a whole number; write it as uchar");
    property.type = ply_type(take_token(line), place);
  } else {
    property.type = ply_type(first, place);
  }
  property.name = std::string(take_token(line));
  header.elements.back().properties.push_back(property);
}

PlyHeader ply_header(std::string_view bytes, const std::string& path) {
  PlyHeader header;
  bool has_format = false;
  std::size_t at = 0;
  for (std::int64_t number = 1; at < bytes.size(); ++number) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n", at), bytes.size());
    std::string_view line = bytes.substr(at, end - at);
    at = std::min(end + 1, bytes.size());
    if (end < bytes.size() && bytes[end] == '\r' && at < bytes.size() && bytes[at] == '\n') ++at;
    const std::string place = path + ':' + std::to_string(number);
    const std::string_view word = take_token(line);
    if (word == "format") {
      const std::string_view kind = take_token(line);
      if (kind != "ascii" && kind != "binary_little_endian")
        fail(place, ": the format is ", quote(kind),
             ", but only ascii and binary_little_endian are read; save the mesh in one of them");
      header.ascii = kind == "ascii";
      has_format = true;
    } else if (word == "element") {
      const std::string_view name = take_token(line);
      const std::optional<std::int64_t> count = parse_integer<std::int64_t>(take_token(line));
      if (!count || *count < 0) fail(place, ": an element has no number; write the file again");
      header.elements.push_back({std::string(name), *count, {}});
    } else if (word == "property") {
      add_ply_property(line, header, place);
    } else if (word == "end_header") {
      if (!has_format) fail(path, ": the header of the PLY file names no format; write the file again");
      header.bytes = at;
      return header;
    } else if (word != "ply" && word != "comment" && word != "obj_info" && !word.empty()) {
      fail(place, ": ", quote(word), " is not a line of a PLY header; write the file again");
    }
  }
  fail(path, ": the PLY file ends in its header; copy it again");
}

/// Numbers of the body, one after the other.
class PlyBody {
 public:
  PlyBody(std::string_view bytes, const PlyHeader& header, const std::string& path)
      : bytes_(bytes),
        at_(header.bytes),
        ascii_(header.ascii),
        tokens_(bytes, header.bytes, path),
        path_(path) {}

  std::size_t left() const { return ascii_ ? tokens_.left() : bytes_.size() - at_; }

  double number(const PlyType& type) {
    if (!ascii_) return binary(type);
    const std::string_view token = tokens_.next();
    if (token.empty()) fail(path_, ": the file ends before its last number; copy it again");
    const std::optional<double> value = parse_any_number(token);
    if (!value) fail(tokens_.place(), ": ", quote(token), " is not a number; write the file again");
    return *value;
  }

  std::int64_t whole_number(const PlyType& type) {
    const double value = number(type);
    constexpr double most = 4294967296.0;
    if (!(value >= 0.0 && value < most && value == double(std::int64_t(value))))
      fail(place(), ": ", value, " is not the number of a point; the file is damaged: write it again");
    return std::int64_t(value);
  }

  void skip(const PlyProperty& property) {
    std::int64_t count = 1;
    if (property.count) count = whole_number(*property.count);
    for (std::int64_t n = 0; n < count; ++n) number(property.type);
  }

  std::string place() const { return ascii_ ? tokens_.place() : path_; }

 private:
  template <typename Number>
  double stored() {
    Number value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return double(value);
  }

  double binary(const PlyType& type) {
    if (bytes_.size() - at_ < type.bytes)
      fail(path_, ": the file ends before its last number; copy it again");
    if (type.is_real) return type.bytes == 4 ? stored<float>() : stored<double>();
    if (type.bytes == 1) return type.is_signed ? stored<std::int8_t>() : stored<std::uint8_t>();
    if (type.bytes == 2) return type.is_signed ? stored<std::int16_t>() : stored<std::uint16_t>();
    return type.is_signed ? stored<std::int32_t>() : stored<std::uint32_t>();
  }

  std::string_view bytes_;
  std::size_t at_;
  bool ascii_;
  MeshTokens tokens_;
  const std::string& path_;
};

void read_ply_points(PlyBody& body, const PlyElement& element, PointSet& points) {
  std::array<std::optional<std::size_t>, 3> columns;
  for (std::size_t n = 0; n < element.properties.size(); ++n)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (element.properties[n].name == std::string(1, "xyz"[axis]) && !element.properties[n].count)
        columns[axis] = n;
  if (!columns[0] || !columns[1] || !columns[2])
    fail(points.path, ": the vertices of the PLY file have no x, y and z; write the file with them");
  require_mesh_memory(element.count, 0, points.path);
  points.positions_A.reserve(std::size_t(element.count));
  for (std::int64_t v = 0; v < element.count; ++v) {
    std::array<double, 3> position_A{};
    for (std::size_t n = 0; n < element.properties.size(); ++n) {
      const PlyProperty& property = element.properties[n];
      if (property.count) {
        body.skip(property);
        continue;
      }
      const double value = body.number(property.type);
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (columns[axis] == n) position_A[axis] = value;
    }
    const Vec3<double> p{position_A[0], position_A[1], position_A[2]};
    if (!is_position(p)) fail_for_position(p, points.path + ": vertex " + std::to_string(v));
    points.positions_A.push_back(p);
  }
}

void read_ply_faces(PlyBody& body, const PlyElement& element, PointSet& points) {
  require_mesh_memory(std::int64_t(points.positions_A.size()), element.count, points.path);
  points.triangles.reserve(std::size_t(element.count));
  std::vector<std::int64_t> corners;
  for (std::int64_t f = 0; f < element.count; ++f)
    for (const PlyProperty& property : element.properties) {
      if (!property.count || (property.name != "vertex_indices" && property.name != "vertex_index")) {
        body.skip(property);
        continue;
      }
      corners.clear();
      const std::int64_t count = body.whole_number(*property.count);
      for (std::int64_t n = 0; n < count; ++n) corners.push_back(body.whole_number(property.type));
      add_polygon(points.triangles, corners, points.positions_A.size(), [&] { return body.place(); });
    }
}

}  // namespace

bool is_ply(std::string_view head) {
  return head.starts_with("ply\n") || head.starts_with("ply\r");
}

PointSet read_ply(std::string_view bytes, const std::string& path) {
  const PlyHeader header = ply_header(bytes, path);
  PlyBody body(bytes, header, path);
  PointSet points{.path = path, .format = PointFormat::ply};
  for (const PlyElement& element : header.elements) {
    if (double(element.count) * double(element.least_bytes(header.ascii)) > double(body.left()))
      fail(path, ": the header announces ", grouped(element.count), " of '", element.name, "', and ",
           count_of(std::int64_t(body.left()), "byte"), " cannot hold them; copy the file again");
    if (element.properties.empty()) continue;
    if (element.name == "vertex") {
      read_ply_points(body, element, points);
    } else if (element.name == "face") {
      read_ply_faces(body, element, points);
    } else {
      for (std::int64_t n = 0; n < element.count; ++n)
        for (const PlyProperty& property : element.properties) body.skip(property);
    }
  }
  if (points.positions_A.empty()) fail(path, ": the PLY file has no vertices; give a file with vertices");
  return points;
}

void write_ply(OutputFile& file, const ValuedMesh& mesh) {
  const PointSet& points = mesh.points;
  std::string out = "ply\nformat binary_little_endian 1.0\ncomment potential [kT/e]; written by ionwell\n";
  out += "element vertex " + std::to_string(points.positions_A.size()) +
         "\nproperty float x\nproperty float y\nproperty float z\n"
         "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float potential_kT_e\n";
  out += "element face " + std::to_string(points.triangles.size()) +
         "\nproperty list uchar int vertex_indices\nend_header\n";
  constexpr std::size_t buffered = 1 << 20;
  const auto add = [&out](const void* bytes, std::size_t size) {
    out.append(static_cast<const char*>(bytes), size);
  };
  const auto flush = [&](std::size_t most) {
    if (out.size() < most) return;
    file.write(out);
    out.clear();
  };
  for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
    const Vec3<double>& at = points.positions_A[p];
    const std::array<float, 3> position_A = {float(at.x), float(at.y), float(at.z)};
    const Rgb colour = potential_colour(mesh.values_kT_e[p], mesh.limit_kT_e);
    const auto value = float(mesh.values_kT_e[p]);
    add(position_A.data(), sizeof position_A);
    add(&colour, sizeof colour);
    add(&value, sizeof value);
    flush(buffered);
  }
  for (const Triangle& triangle : points.triangles) {
    out += char(triangle.size());
    add(triangle.data(), sizeof triangle);
    flush(buffered);
  }
  file.write(out);
}

}  // namespace ionwell
