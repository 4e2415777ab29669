// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/charmm/dcd_cell.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// What a DCD is made of; atom i of frame f is at (100 f + i, -i, i / 4), a fixed one as in frame 0.
struct Recipe {
  std::int32_t atoms = 5, frames = 3;
  std::vector<std::int32_t> free_atoms{};  // from 1; all where empty
  std::optional<DcdCell> cell{};
  bool fourth_dimension = false, charges = false, is_charmm = true, big_endian = false;
  std::size_t mark_bytes = 4;
  std::optional<std::int32_t> announced_frames{};
  bool announces_cell = true;  // where there is one
  std::string kind = "CORD";
  std::int32_t title_lines = 1, announced_title_lines = 1;
  std::optional<std::uint32_t> title_mark{}, title_end_mark{};  // the record's own length where there is none
};

class DcdWriter {
 public:
  explicit DcdWriter(const Recipe& recipe) : recipe_(recipe) {
    std::array<std::int32_t, 20> control{};
    control[0] = recipe.announced_frames.value_or(recipe.frames);
    control[8] = recipe.free_atoms.empty() ? 0 : recipe.atoms - std::int32_t(recipe.free_atoms.size());
    if (recipe.is_charmm) {
      control[10] = recipe.cell && recipe.announces_cell;
      control[11] = recipe.fourth_dimension;
      control[12] = recipe.charges;
      control[19] = 24;
    } else {
      control[9] = control[10] = 0x3f400000;  // part of a time step
    }
    std::string header = recipe.kind;
    for (const std::int32_t value : control) header += bytes_of(value);
    record(header);
    const std::string title =
        bytes_of(recipe.announced_title_lines) + std::string(std::size_t(80 * recipe.title_lines), '*');
    record(title, recipe.title_mark, recipe.title_end_mark);
    record(bytes_of(recipe.atoms));
    std::string list;
    for (const std::int32_t atom : recipe.free_atoms) list += bytes_of(atom);
    if (!list.empty()) record(list);
    for (std::int32_t f = 0; f < recipe.frames; ++f) frame(f);
  }

  const std::string& bytes() const { return bytes_; }

  static Vec3<double> position_A(std::int32_t frame, std::int32_t atom) {
    return {100.0 * frame + atom, -1.0 * atom, atom / 4.0};
  }

 private:
  template <typename T>
  std::string bytes_of(T value) const {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (recipe_.big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string mark_of(std::uint32_t length) const {
    return recipe_.mark_bytes == 4 ? bytes_of(length) : bytes_of(std::uint64_t(length));
  }
  void record(const std::string& content, std::optional<std::uint32_t> mark = {},
              std::optional<std::uint32_t> end_mark = {}) {
    const auto length = std::uint32_t(content.size());
    bytes_ += mark_of(mark.value_or(length)) + content + mark_of(end_mark.value_or(length));
  }
  void frame(std::int32_t f) {
    if (recipe_.cell) {
      std::string cell;
      for (const double number : *recipe_.cell) cell += bytes_of(number);
      record(cell);
    }
    std::array<std::string, 3> axes;
    for (std::int32_t atom = 0; atom < recipe_.atoms; ++atom) {
      const auto& free = recipe_.free_atoms;
      if (f > 0 && !free.empty() && std::find(free.begin(), free.end(), atom + 1) == free.end()) continue;
      const Vec3<double> p = position_A(f, atom);
      axes[0] += bytes_of(float(p.x));
      axes[1] += bytes_of(float(p.y));
      axes[2] += bytes_of(float(p.z));
    }
    for (const std::string& axis : axes) record(axis);
    if (recipe_.fourth_dimension) record(axes[0]);
    if (recipe_.charges) record(std::string(std::size_t(4 * recipe_.atoms), '\0'));
  }

  const Recipe& recipe_;
  std::string bytes_;
};

std::string dcd(const Recipe& recipe) {
  return DcdWriter(recipe).bytes();
}

std::string dcd_error(const std::string& bytes, std::int64_t frame = 1) {
  return error_of([&] { read_dcd(bytes, "x.dcd", {frame}); });
}

constexpr DcdCell cosines{80.0, 0.0, 70.0, 0.0, 0.0, 60.0};

void check_cell(const std::optional<UnitCell>& cell, const Vec3<double>& lengths_A,
                const Vec3<double>& angles_deg) {
  REQUIRE(cell);
  const auto check = [](const Vec3<double>& a, const Vec3<double>& b) {
    CHECK(a.x == doctest::Approx(b.x));
    CHECK(a.y == doctest::Approx(b.y));
    CHECK(a.z == doctest::Approx(b.z));
  };
  check(ionwell::lengths_A(*cell), lengths_A);
  check(ionwell::angles_deg(*cell), angles_deg);
}

}  // namespace

TEST_CASE("DCD: a title whose count of lines, or whose length, is wrong") {
  const std::string sound = dcd({});
  for (const bool big_endian : {false, true})
    for (const std::size_t mark_bytes : {4, 8})
      for (const std::int32_t lines : {0, 1, 2, 5})
        for (const std::int32_t announced : {0, 1, 2, 1'000'000, -1})
          for (const std::optional<std::uint32_t> mark :
               {std::optional<std::uint32_t>(), {4}, {84}, {164}, {244}})
            for (const bool ends_alike : {false, true}) {
              Recipe recipe{.big_endian = big_endian, .mark_bytes = mark_bytes};
              recipe.title_lines = lines;
              recipe.announced_title_lines = announced;
              recipe.title_mark = mark;
              if (ends_alike) recipe.title_end_mark = mark;
              const Coordinates read = read_dcd(dcd(recipe), "x.dcd", {2});
              CHECK(read.frames == 3);
              CHECK(read.positions_A == read_dcd(sound, "x.dcd", {2}).positions_A);
            }
}

TEST_CASE("DCD: every layout gives the frame that is asked for") {
  for (const bool big_endian : {false, true})
    for (const std::size_t mark_bytes : {4, 8})
      for (const bool is_charmm : {false, true})
        for (const std::int32_t atoms : {1, 5, 12})  // twelve atoms have as many bytes as a cell
          for (const int extras : {0, 1, 2, 3})
            for (const bool fixed : {false, true})
              for (const bool cell : {false, true}) {
                if (!is_charmm && (cell || extras > 0)) continue;
                if (fixed && atoms == 1) continue;
                Recipe recipe{.atoms = atoms};
                if (fixed) recipe.free_atoms = {2, 4};
                if (cell) recipe.cell = cosines;
                recipe.fourth_dimension = (extras & 1) != 0;
                recipe.charges = (extras & 2) != 0;
                recipe.is_charmm = is_charmm;
                recipe.big_endian = big_endian;
                recipe.mark_bytes = mark_bytes;
                const std::string bytes = dcd(recipe);
                CHECK(is_dcd(bytes));
                for (const std::int32_t frame : {1, 2, 3, -1, -3}) {
                  CAPTURE(frame);
                  const Coordinates read = read_dcd(bytes, "x.dcd", {frame});
                  CHECK(read.frames == 3);
                  CHECK(read.warnings.empty());
                  CHECK(read.cell.has_value() == cell);
                  REQUIRE(read.positions_A.size() == std::size_t(atoms));
                  const std::int32_t from_0 = frame > 0 ? frame - 1 : 3 + frame;
                  for (std::int32_t i = 0; i < atoms; ++i) {
                    const bool moves = !fixed || i == 1 || i == 3;
                    REQUIRE(read.positions_A[std::size_t(i)] == DcdWriter::position_A(moves ? from_0 : 0, i));
                  }
                }
              }
}

TEST_CASE("DCD: a frame read into the memory of another one has nothing of that") {
  Coordinates other;
  other.positions_A.assign(9, {7, 7, 7});
  other.cell = unit_cell({{1, 1, 1}, {90, 90, 90}});
  other.warnings = {"of another"};
  const std::string path = "x.dcd";
  for (const bool fixed : {false, true})
    for (const bool big_endian : {false, true}) {
      Recipe recipe{.big_endian = big_endian};
      if (fixed) recipe.free_atoms = {2, 4};
      const std::string bytes = dcd(recipe);
      const auto reader = open_dcd(bytes, path);
      for (std::int64_t frame = 0; frame < 3; ++frame) {
        const Coordinates read = reader->read_into(Coordinates(other), frame);
        CHECK_FALSE(read.cell.has_value());
        CHECK(read.warnings.empty());
        CHECK(read.positions_A == reader->read(frame).positions_A);
      }
    }
}

TEST_CASE("DCD: whether there is a cell the records say, not the header") {
  const Coordinates read = read_dcd(dcd({.cell = cosines, .announces_cell = false}), "x.dcd", {2});
  check_cell(read.cell, {80.0, 70.0, 60.0}, {90.0, 90.0, 90.0});
  CHECK(read.frames == 3);
}

TEST_CASE("DCD: cells as cosines, angles and shape matrices") {
  check_cell(cell_of_dcd(cosines), {80.0, 70.0, 60.0}, {90.0, 90.0, 90.0});
  CHECK(angles_deg(*cell_of_dcd(cosines)) == Vec3<double>{90.0, 90.0, 90.0});
  check_cell(cell_of_dcd({50.0, -0.5, 50.0, 0.0, 0.25, 80.0}), {50.0, 50.0, 80.0},
             {std::acos(0.25) * 180.0 / std::acos(-1.0), 90.0, 120.0});
  check_cell(cell_of_dcd({80.0, 120.0, 70.0, 95.0, 80.0, 60.0}), {80.0, 70.0, 60.0}, {80.0, 95.0, 120.0});
  // A hexagonal cell of CHARMM: a = b = 50, gamma = 120, as the symmetric square root of its metric.
  const double p = 50.0 * std::cos(std::acos(-1.0) / 12.0), m = -50.0 * std::sin(std::acos(-1.0) / 12.0);
  check_cell(cell_of_dcd({p, m, p, 0.0, 0.0, 80.0}), {50.0, 50.0, 80.0}, {90.0, 90.0, 120.0});
  // CHARMM's coordinates belong to the vectors of its symmetric matrix; NAMD's to a along x.
  const std::optional<UnitCell> symmetric = cell_of_dcd({p, m, p, 0.0, 0.0, 80.0});
  CHECK(symmetric->a == Vec3<double>{p, m, 0.0});
  CHECK(symmetric->b == Vec3<double>{m, p, 0.0});
  CHECK(symmetric->c == Vec3<double>{0.0, 0.0, 80.0});
  CHECK(symmetric->kind == CellKind::simulation);
  const std::optional<UnitCell> along_x = cell_of_dcd({50.0, -0.5, 50.0, 0.0, 0.25, 80.0});
  CHECK(along_x->a == Vec3<double>{50.0, 0.0, 0.0});
  CHECK(along_x->b.x == doctest::Approx(-25.0));
  CHECK(along_x->b.z == 0.0);
  CHECK(along_x->kind == CellKind::simulation);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const DcdCell& none :
       {DcdCell{}, DcdCell{80.0, 0.0, 0.0, 0.0, 0.0, 60.0}, DcdCell{80.0, nan, 70.0, 0.0, 0.0, 60.0},
        DcdCell{-80.0, 90.0, 70.0, 90.0, 90.0, 0.0}, DcdCell{1e300, 1e300, 1e300, 1e300, 1e300, 1e300}})
    CHECK(!cell_of_dcd(none));
}

TEST_CASE("DCD: the length of the file is believed, not its header") {
  const Coordinates read = read_dcd(dcd({.announced_frames = 500}), "x.dcd", {-1});
  CHECK(read.frames == 3);
  CHECK(read.positions_A[1] == DcdWriter::position_A(2, 1));
  CHECK(read.warnings ==
        std::vector<std::string>{
            "note: x.dcd: contains 3 frames, but its header states 500; the frames in the file were used"});
  CHECK(read_dcd(dcd({.announced_frames = 0}), "x.dcd").warnings.empty());  // of a run that was ended
}

TEST_CASE("DCD: a file cut at any byte is refused, or gives its whole frames") {
  for (const std::vector<std::int32_t>& free_atoms : {std::vector<std::int32_t>{}, {2, 4}}) {
    const std::string bytes = dcd({.free_atoms = free_atoms, .cell = cosines, .announced_frames = 0});
    const std::size_t one = dcd({.frames = 1, .free_atoms = free_atoms, .cell = cosines}).size(),
                      two = dcd({.frames = 2, .free_atoms = free_atoms, .cell = cosines}).size();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      CAPTURE(size);
      Coordinates read;
      const std::string message = error_of([&] { read = read_dcd(bytes.substr(0, size), "x.dcd", {-1}); });
      if (size < one) {
        CHECK(message.starts_with("x.dcd: "));
        continue;
      }
      const std::int64_t whole = size < two ? 1 : 2;
      REQUIRE(read.frames == whole);
      CHECK(read.positions_A[1] == DcdWriter::position_A(std::int32_t(whole) - 1, 1));
      CHECK(read.warnings.size() == (size != one && size != two ? 1 : 0));
    }
  }
}

TEST_CASE("DCD: what it cannot give") {
  const std::string bytes = dcd({});
  const std::string choose =
      " is not among its 3 frames; count frames from 1, or backwards from -1, the last";
  for (const std::int64_t frame :
       {std::int64_t{0}, std::int64_t{4}, std::int64_t{-4}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    CHECK(dcd_error(bytes, frame) == "x.dcd: frame " + std::to_string(frame) + choose);
  CHECK(dcd_error(dcd({.kind = "VELD"})) ==
        "x.dcd: contains velocities, not coordinates; give the trajectory of coordinates");
  CHECK(dcd_error("CORD") ==
        "x.dcd: is not a DCD trajectory (it does not begin with the record CORD); give one");
  CHECK(dcd_error(dcd({.atoms = 5, .free_atoms = {2, 6}})) ==
        "x.dcd: its list of free atoms names atom 6 of 5; copy it again");
  CHECK(dcd_error(dcd({.atoms = 1, .free_atoms = {1, 1, 1}}))
            .starts_with("x.dcd: its header states that -2 of 1 atom"));
  CHECK(dcd_error(dcd({.frames = 0})) == "x.dcd: has no complete frame of its 5 atoms; copy it again");

  const std::size_t count_at = 92 + 92 + 4;  // behind header and title
  const auto with_atoms = [&](char last) {
    std::string changed = bytes;
    changed.replace(count_at, 4, std::string("\0\0\0", 3) + last);
    return changed;
  };
  CHECK(dcd_error(with_atoms('\x7f')).starts_with("x.dcd: has no complete frame of its 2,130,706,432 atoms"));
  CHECK(dcd_error(with_atoms('\x80')) == "x.dcd: its number of atoms is damaged; copy it again");

  std::string shifted = bytes;
  shifted.insert(shifted.size() - 40, 4, '\0');
  CHECK(dcd_error(shifted, 3).starts_with("x.dcd: frame 3 is damaged (it has no record of 20 bytes where"));

  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::string failed = bytes;
  failed.replace(failed.size() - 24, 4, reinterpret_cast<const char*>(&nan), 4);
  CHECK(dcd_error(failed, 2) == "no error");
  const std::string message = dcd_error(failed, 3);
  CHECK(message.starts_with("x.dcd: frame 3 has atom 1 at (200, -0, "));
  CHECK(message.ends_with("nan), which is not a possible position; choose a frame before the run failed"));
}

TEST_CASE("DCD: a trajectory whose header says 500 frames has those that MDAnalysis 2.4.2 reads") {
  const std::string path = shared_data("data/md/adk_dims.dcd.gz");
  if (path.empty()) return;
  const FileBytes bytes = gunzip(read_text(path), path);
  const Coordinates first = read_dcd(bytes.text(), path), last = read_dcd(bytes.text(), path, {-1});
  CHECK(last.frames == 98);
  CHECK(last.warnings.size() == 1);
  REQUIRE(last.positions_A.size() == 3341);
  CHECK(!last.cell);
  CHECK(first.positions_A[0].x == doctest::Approx(11.736044).epsilon(1e-6));
}
