// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "files/input_file.hpp"
#include "files/mapped_file.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/formats/trajectory.hpp"
#include "structures/pdb/pdb_models.hpp"
#include "support/dcd_bytes.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Frames = std::vector<std::vector<Vec3<double>>>;

/// Atom i of frame f is at (f, i, -i / 2).
Frames some_frames(int count, int first = 0) {
  Frames frames;
  for (int f = first; f < first + count; ++f) frames.push_back({{1.0 * f, 0, 0}, {1.0 * f, 1, -0.5}});
  return frames;
}

const std::string models =
    "CRYST1   30.000   40.000   50.000  90.00  90.00  90.00 P 1           1\n"
    "MODEL        1\n"
    "ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00  0.00           N\n"
    "ATOM      2  CA  ALA A   1       2.000   2.000   3.000  1.00  0.00           C\n"
    "ENDMDL\n"
    "MODEL        2\n"
    "ATOM      1  N   ALA A   1       4.000   5.000   6.000  1.00  0.00           N\n"
    "ATOM      2  CA  ALA A   1       5.000   5.000   6.000  1.00  0.00           C\n"
    "ENDMDL\n"
    "END\n";

std::string trajectory_error(const std::vector<std::string>& paths) {
  return error_of([&] { Trajectory{paths}; });
}

}  // namespace

TEST_CASE("trajectory: files follow each other, each frame where its reader has it") {
  const TemporaryFolder folder;
  write_text(folder / "a.dcd", dcd_bytes(some_frames(3)));
  write_text(folder / "b.pdb", models);
  write_text(folder / "c.dcd", dcd_bytes(some_frames(2, 3), std::optional(Vec3<double>{20, 21, 22})));
  write_text(folder / "d.gro",
             "t= 0\n    2\n    1ALA      N    1   0.100   0.200   0.300\n    1ALA     CA    2   0.200   "
             "0.200   0.300\n"
             "   3.0   4.0   5.0\nt= 1\n    2\n    1ALA      N    1   0.700   0.200   0.300\n"
             "    1ALA     CA    2   0.200   0.200   0.300\n   3.0   4.0   5.0\n");
  const Trajectory trajectory({folder / "a.dcd", folder / "b.pdb", folder / "c.dcd", folder / "d.gro"});
  REQUIRE(trajectory.frames() == 9);
  const double x_A[] = {0, 1, 2, 1, 4, 3, 4, 1, 7};
  for (const std::int64_t index : {0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 0}) {
    CAPTURE(index);
    const Coordinates frame = trajectory.read(index);
    REQUIRE(frame.positions_A.size() == 2);
    CHECK(frame.positions_A[0].x == doctest::Approx(x_A[index]));
    CHECK(frame.cell.has_value() == (index >= 3));
  }
  CHECK(lengths_A(*trajectory.read(4).cell).y == 40.0);  // the first model's
  CHECK(trajectory.place_of(4) == folder / "b.pdb" + ", frame 2");
  CHECK(trajectory.path_of(8) == folder / "d.gro");
  CHECK(trajectory.warnings().empty());
  CHECK(error_of([&] { trajectory.read(9); }) == "frame 10 is not among 9 frames");
}

TEST_CASE("trajectory: what is damaged or no trajectory gets one message") {
  const TemporaryFolder folder;
  const std::string whole = dcd_bytes(some_frames(3));
  write_text(folder / "cut.dcd", whole.substr(0, whole.size() - 5));
  const Trajectory cut({folder / "cut.dcd"});
  CHECK(cut.frames() == 2);
  REQUIRE(cut.warnings().size() == 2);
  CHECK(cut.warnings()[0].find("ends in the middle of frame 3") != std::string::npos);
  Frames broken = some_frames(3);
  broken[1][1].y = 1e8;
  write_text(folder / "far.dcd", dcd_bytes(broken));
  const Trajectory far({folder / "far.dcd"});
  CHECK(far.read(2).positions_A.size() == 2);
  CHECK(error_of([&] {
          far.read(1);
        }).find("frame 2 has atom 2 at (1, 1e+08, -0.5), which is not a possible position") !=
        std::string::npos);
  write_text(folder / "a.txt", "what\n");
  CHECK(trajectory_error({folder / "a.txt"}).find("in an unknown format, not a trajectory") !=
        std::string::npos);
  write_text(folder / "a.psf", "PSF\n\n       1 !NTITLE\n REMARKS\n\n       0 !NATOM\n");
  CHECK(trajectory_error({folder / "a.psf"}).find("is a PSF topology, not a trajectory") !=
        std::string::npos);
  CHECK(trajectory_error({folder / "none.dcd"}).find("no such file") != std::string::npos);
}

TEST_CASE("trajectory: a file that becomes shorter is told of, not touched") {
  const TemporaryFolder folder;
  write_text(folder / "a.dcd", dcd_bytes(some_frames(3)));
  const Trajectory trajectory({folder / "a.dcd"});
  CHECK(trajectory.read(2).positions_A[0].x == 2.0);
  std::filesystem::resize_file(folder / "a.dcd", 10);
  CHECK(error_of([&] { trajectory.read(2); }).find("became shorter while it was read") != std::string::npos);
  CHECK(error_of([&] { MappedFile{folder.path()}; }).find("is not a regular file") != std::string::npos);
}

TEST_CASE("trajectory: models of a PDB file end with ENDMDL, END or the next MODEL") {
  const std::string path = "x.pdb";
  const std::string atom = "ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00  0.00           N\n";
  CHECK(open_pdb_models(models, path)->frames() == 2);
  CHECK(open_pdb_models(atom + "END\n" + atom + "END\n" + atom, path)->frames() == 3);
  CHECK(open_pdb_models("MODEL 1\n" + atom + "MODEL 2\n" + atom, path)->frames() == 2);
  CHECK(open_pdb_models(atom, path)->frames() == 1);
  CHECK(error_of([&] { open_pdb_models("MODEL 1\nENDMDL\n", path); }).find("has no atoms") !=
        std::string::npos);
  std::string broken = atom + "END\n" + atom;
  broken.replace(broken.rfind("2.000"), 5, "2.x00");
  const auto reader = open_pdb_models(broken, path);
  CHECK(reader->read(0).positions_A.size() == 1);
  CHECK(error_of([&] { reader->read(1); }).starts_with("x.pdb, model 2:2: "));
}

TEST_CASE("trajectory: real files give what one read by itself does") {
  const std::string dcd = shared_data("data/md/adk_dims.dcd.gz"), nc = shared_data("data/md/tz2.nc.gz");
  if (dcd.empty() || nc.empty()) return;
  const Trajectory trajectory({dcd, nc});
  CHECK(trajectory.parts()[0].frames == 98);
  REQUIRE(trajectory.warnings().size() == 1);
  CHECK(trajectory.warnings()[0].find("contains 98 frames, but its header states 500") != std::string::npos);
  const FileBytes bytes = read_input_bytes(InputFile(dcd));
  for (const std::int64_t number : {1, 50, 98})
    CHECK(trajectory.read(number - 1).positions_A == read_dcd(bytes.text(), dcd, {number}).positions_A);
  CHECK(trajectory.read(98).positions_A.size() == trajectory.read(99).positions_A.size());
}
