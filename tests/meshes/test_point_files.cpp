// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "meshes/mesh_files.hpp"
#include "meshes/point_files.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using ionwell::test::error_of;
using ionwell::test::read_text;
using ionwell::test::TemporaryFolder;
using ionwell::test::write_text;

namespace {

/// Points of a file of this name and text.
PointSet points_of(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / name, text);
  return read_points(folder / name);
}

/// The message without the folder.
std::string message_of(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / name, text);
  std::string message = error_of([&] { read_points(folder / name); });
  const std::string prefix = folder.path() + '/';
  for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
    message.erase(at, prefix.size());
  return message;
}

std::string written(const PointSet& points, const std::vector<double>& values, const std::string& name) {
  const TemporaryFolder folder;
  OutputFile file(folder / name);
  write_points(file, points,
               {.potential_kT_e = values, .areas_A2 = point_areas_A2(points), .colour_limit_kT_e = 2.0});
  file.commit();
  return read_text(folder / name);
}

const PointSet square{.path = "square",
                      .format = PointFormat::ply,
                      .positions_A = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0.125}},
                      .triangles = {{0, 1, 2}, {0, 2, 3}},
                      .text = nullptr};

bool near(const Vec3<double>& a, const Vec3<double>& b) {
  return distance_squared(a, b) < 1e-10;
}

void check_square(const PointSet& points) {
  REQUIRE(points.positions_A.size() == 4);
  for (std::size_t p = 0; p < 4; ++p) CHECK(near(points.positions_A[p], square.positions_A[p]));
  CHECK(points.triangles == square.triangles);
}

}  // namespace

TEST_CASE("points: tables keep their text and get a column") {
  const PointSet named =
      points_of("a.csv", "id;Z;x [A];Y_A\r\nq;3;1;2\r\n\r\n# no point\r\nr;-6;4e0;+5.5\r\n");
  REQUIRE(named.positions_A.size() == 2);
  CHECK(named.positions_A[0] == Vec3<double>{1, 2, 3});
  CHECK(named.positions_A[1] == Vec3<double>{4, 5.5, -6});
  CHECK(written(named, {-1.25, std::nan("")}, "b.csv") ==
        "id;Z;x [A];Y_A;potential_kT_e\r\nq;3;1;2;-1.25\r\n\r\n# no point\r\nr;-6;4e0;+5.5;nan\r\n");
  CHECK(written(named, {-1.25, 1e-7}, "b.xyz") ==
        "2\nname, x, y, z [A], potential [kT/e]\nX 1 2 3 -1.25\nX 4 5.5 -6 1e-07\n");

  const PointSet bare = points_of("a.txt", "1 2  3 7\n4\t5 6");
  CHECK(written(bare, {8, 9}, "b.csv") == "1 2  3 7 8\n4\t5 6 9");
  const PointSet quoted = points_of("a.csv", "\"a,b\",x,y,z\n\"c,d\",\"1\",2,3\n");
  CHECK(quoted.positions_A.at(0) == Vec3<double>{1, 2, 3});
}

TEST_CASE("points: XYZ, PDB and PQR get values in their places") {
  const PointSet xyz = points_of("a.xyz", "2\nwater\nO 0 0 0\nH1 1 0 0 extra\n");
  CHECK(written(xyz, {1, 2}, "b.xyz") == "2\nwater\nO 0 0 0 1\nH1 1 0 0 extra 2\n");
  CHECK(points_of("a.xyz", "1 2 3\n4 5 6\n").positions_A.size() == 2);

  const std::string pdb =
      "REMARK 1\nATOM      1  P    DA A   1      11.104   6.134  -6.504  1.00  9.99           P\n"
      "HETATM    2 MG    MG B   2       1.000   2.000   3.000\nEND\n";
  const PointSet atoms = points_of("a.pdb", pdb);
  REQUIRE(atoms.format == PointFormat::pdb);
  CHECK(atoms.positions_A.at(0) == Vec3<double>{11.104, 6.134, -6.504});
  CHECK(written(atoms, {-12.345, 123456}, "b.pdb") ==
        "REMARK 1\nATOM      1  P    DA A   1      11.104   6.134  -6.504  1.00-12.35           P\n"
        "HETATM    2 MG    MG B   2       1.000   2.000   3.000      123456\nEND\n");
  CHECK(written(atoms, {-1234.56, std::nan("")}, "b.pdb").find("1.00-12346") == std::string::npos);
  CHECK(written(atoms, {-1234.56, std::nan("")}, "b.pdb").find("1.00 -1235 ") != std::string::npos);
  CHECK(error_of([&] { written(atoms, {1e7, 0}, "b.pdb"); }).find("B-factor") != std::string::npos);

  const PointSet pqr = points_of("a.pqr", "ATOM 1 P DA A 1 1.0 2.0 3.0 -0.5 1.8\n");
  REQUIRE(pqr.format == PointFormat::pqr);
  CHECK(written(pqr, {42}, "b.pqr") == "ATOM 1 P DA A 1 1.0 2.0 3.0 42 1.8\n");
  CHECK(error_of([&] {
          written(pqr, {42}, "b.pdb");
        }).find("PDB records are written for points that were read from such a file, but these are") !=
        std::string::npos);
}

TEST_CASE("points: meshes come back as they were, with colours and values") {
  const std::vector<double> values = {-4, -1, 0, std::nan("")};
  for (const char* const name : {"b.ply", "b.obj", "b.vtk"}) {
    CAPTURE(std::string(name));
    check_square(points_of(name, written(square, values, name)));
  }
  const std::string ply = written(square, values, "b.ply"), obj = written(square, values, "b.obj"),
                    vtk = written(square, values, "b.vtk");
  // The first vertex: three floats of 0, full red, and the value.
  const std::string first = ply.substr(ply.find("end_header\n") + 11, 19);
  float value = 0.0F;
  std::memcpy(&value, first.data() + 15, sizeof value);
  CHECK(value == -4.0F);
  CHECK(first.substr(12, 3) == std::string("\xff\0\0", 3));
  CHECK(obj.find("v 2 0 0 1.000 0.502 0.502\n") != std::string::npos);
  CHECK(obj.find("vt -4\n") != std::string::npos);
  CHECK(obj.find("f 1/1 3/3 4/4\n") != std::string::npos);
  CHECK(vtk.find("SCALARS potential_kT_e double 1\nLOOKUP_TABLE default\n-4\n-1\n0\nnan\n") !=
        std::string::npos);
  CHECK(point_areas_A2(square)[0] == doctest::Approx(2.0).epsilon(0.01));
}

TEST_CASE("points: a script for PyMOL has the points, colours, normals and triangles") {
  const std::string script = written(square, {-4, -1, 0, std::nan("")}, "b.pml");
  CHECK(script.find("points = '''0.000 0.000 0.000 1.000 0.000 0.000 ") != std::string::npos);
  CHECK(script.find("\n2.000 0.000 0.000 1.000 0.502 0.502 0.000 0.000 1.000\n") != std::string::npos);
  CHECK(script.find("triangles = '''0 1 2\n0 2 3\n'''") != std::string::npos);
  CHECK(script.ends_with("python end\n"));
}

TEST_CASE("points: what other programs write of meshes is read") {
  check_square(points_of(
      "a.ply",
      "ply\r\nformat ascii 1.0\r\ncomment c\r\nelement vertex 4\r\nproperty double nx\r\nproperty "
      "float x\r\nproperty float y\r\nproperty float z\r\nelement face 1\r\nproperty list uchar int "
      "vertex_index\r\nend_header\r\n9 0 0 0\r\n9 2 0 0\r\n9 2 3 0\r\n9 0 3 0.125\r\n4 0 1 2 3\r\n"));
  check_square(
      points_of("a.obj",
                "# c\nmtllib m\nf 1/1/1 2//2 3\nv 0 0 0\nv 2 0 0 1 1 1\nv 2 3 0\nv 0 3 0.125\nvn 0 0 1\nf "
                "-4 -2 -1\n"));
  check_square(
      points_of("a.vtk",
                "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 2 0 0 2 3 "
                "0\n0 3 0.125\nMETADATA\nINFORMATION 0\n\nPOLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\n"
                "CONNECTIVITY vtktypeint64\n0 1 2 3\nPOINT_DATA 4\n"));
  check_square(
      points_of("a.vtk",
                "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 2 "
                "0 0 2 3 0 0 3 0.125\nCELLS 3 14\n4 0 1 2 3\n3 0 1 2\n3 0 2 3\nCELL_TYPES 3\n10 5 5\n"));
}

TEST_CASE("points: one message for what is none, with the line") {
  CHECK(message_of("a.csv", "x,y,z\n") == "a.csv: has no points; give x, y and z of a point on each line");
  CHECK(message_of("a.csv", "x,y,z\n1,2,nan\n")
            .starts_with("a.csv:2: z is 'nan', which is not a finite number"));
  CHECK(message_of("a.csv", "1,2\n").starts_with("a.csv:1: '1,2' is neither"));
  CHECK(message_of("a.csv", "1,2,3\n1,2\n").starts_with("a.csv:2: the line has 2 columns"));
  CHECK(message_of("a.csv", "1,2,1e9\n").starts_with("a.csv:1: z is 1e+09 A, but a point has at most"));
  CHECK(message_of("a.xyz", "3\n\nO 0 0 0\n")
            .starts_with("a.xyz: the first line announces 3 atoms, and there are 1"));
  CHECK(message_of("a.xyz", "1\n\nO 0 0 0\n1\n\nO 0 0 0\n").find("give one frame") != std::string::npos);
  CHECK(message_of("a.pdb", "REMARK\n").starts_with("a.pdb: has no ATOM record"));
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
      "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  CHECK(message_of("a.ply", ply + "0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n")
            .starts_with("a.ply: vertex 1: (1, 0, nan) is not a position"));
  CHECK(message_of("a.ply", ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n")
            .starts_with("a.ply:13: a face has point 3"));
  CHECK(message_of("a.ply", ply + "0 0 0\n1").find("cannot hold") != std::string::npos);
  CHECK(message_of("a.ply", ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1\n").find("ends before its last number") !=
        std::string::npos);
  CHECK(message_of("a.ply", "ply\nformat binary_big_endian 1.0\n")
            .starts_with("a.ply:2: the format is 'binary_big_endian'"));
  CHECK(message_of("a.ply",
                   "ply\nformat ascii 1.0\nelement vertex 1000000000000\nproperty float x\nproperty float "
                   "y\nproperty float z\nend_header\n1 2 3\n")
            .find("announces 1,000,000,000,000") != std::string::npos);
  CHECK(message_of("a.obj", "v 0 0 inf\n").starts_with("a.obj:1: z is 'inf'"));
  CHECK(message_of("a.obj", "v 0 0 0\nf 1 2 3\n").starts_with("a.obj: a face has point 1"));
  CHECK(message_of("a.obj", "f 1 0 2\n").starts_with("a.obj:1: '0' is not a point"));
  CHECK(message_of("a.obj", "# nothing\n").starts_with("a.obj: the OBJ file has no points"));
  CHECK(message_of("a.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\n")
            .starts_with("a.vtk:3: the file is 'BINARY'"));
  CHECK(message_of("a.vtk",
                   "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n0 0 0 1 x 0\n")
            .starts_with("a.vtk:6: y is 'x'"));
  CHECK(message_of("a.bin", std::string("\1\0\2", 3)).starts_with("a.bin: is a binary file"));
}

TEST_CASE("points: names say the format of what is written") {
  CHECK(point_format_of("a.CSV") == PointFormat::csv);
  CHECK(point_format_of("-") == PointFormat::csv);
  CHECK(point_format_of("dir.ply/a.h5") == PointFormat::hdf5);
  CHECK(error_of([] { point_format_of("a.stl"); }).find("the ending is not that of a point format") !=
        std::string::npos);
  CHECK(error_of([] { point_format_of("a.csv.gz"); }).find("not written compressed") != std::string::npos);
  CHECK(error_of([] { check_point_formats(PointFormat::csv, PointFormat::pdb, "a.pdb"); }).find("of CSV") !=
        std::string::npos);
  CHECK(error_of([] { check_point_formats({}, PointFormat::pqr, "a.pqr"); }).find("of a surface") !=
        std::string::npos);
  CHECK(error_of([] { check_point_formats(PointFormat::pdb, PointFormat::pdb, "a.pdb"); }) == "no error");
}
