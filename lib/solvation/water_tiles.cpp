// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/water_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/box.hpp"
#include "core/chemistry/bondi_radius.hpp"
#include "core/error.hpp"
#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

constexpr double A_per_mA = 1e-3;

Vec3<double> unit(const Vec3<double>& v) {
  return (1.0 / std::sqrt(dot(v, v))) * v;
}

/// The frame of a water, in which the model has its sites.
struct WaterFrame {
  Vec3<double> bisector, in_plane, normal;

  WaterFrame(const Vec3<double>& oxygen, const Vec3<double>& first, const Vec3<double>& second) {
    const Vec3<double> to_first = unit(first - oxygen), to_second = unit(second - oxygen);
    bisector = unit(to_first + to_second);
    normal = unit(cross(to_second, to_first));
    in_plane = cross(normal, bisector);
  }
};

/// How far the cell's nearest images are off the tiles: the least of those that are not on them.
double least_offset_A(const PeriodicCell& cell, double edge_A, const Rotation& turn) {
  constexpr double on_tiles_A = 0.05;
  const CellVectors& v = cell.reduced();
  double least_A = edge_A;
  for (int image = 14; image < 27; ++image) {  // half of the 27 around the middle
    const int i = image % 3 - 1, j = image / 3 % 3 - 1, k = image / 9 - 1;
    const Vec3<double> p = turn(double(i) * v.a + double(j) * v.b + double(k) * v.c);
    const auto off = [edge_A](double x) { return x - edge_A * std::rint(x / edge_A); };
    const Vec3<double> offset{off(p.x), off(p.y), off(p.z)};
    const double offset_A = std::sqrt(dot(offset, offset));
    if (offset_A > on_tiles_A) least_A = std::min(least_A, offset_A);
  }
  return least_A;
}

/// None where the images are off by more than the structure of water reaches, or not at all.
Rotation turn_for(const PeriodicCell& cell, double edge_A) {
  constexpr int turns = 256;
  constexpr double enough_A = 5.0;  // the second peak of g_OO is at 4.5 A
  Rotation best;
  double best_A = least_offset_A(cell, edge_A, best);
  for (int n = 0; n < turns && best_A < enough_A; ++n) {
    const Rotation turn = rotation_of(spread_rotation(n, turns));
    const double least_A = least_offset_A(cell, edge_A, turn);
    if (least_A > best_A) best = turn, best_A = least_A;
  }
  return best;
}

/// "W12": W and up to three characters, decimal as long as that is enough, then to the base 36.
Label segment_name(std::int64_t number) {
  constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::int64_t decimal = 1000, base = 36, most = base * base * base;
  if (number < decimal) return std::string_view("W" + std::to_string(number));
  // W1000 has no room: A00 to ZZZ follow 999.
  const std::int64_t n = (10 * base * base + (number - decimal)) % most;
  const char text[] = {'W', digits[std::size_t(n / base / base)], digits[std::size_t(n / base % base)],
                       digits[std::size_t(n % base)]};
  return std::string_view(text, sizeof text);
}

}  // namespace

WaterTiles::WaterTiles(const WaterModel& model, const WaterBox& box, const PeriodicCell& cell,
                       double beyond_A)
    : model_(&model), edge_A_(box.edge_A) {
  turn_ = turn_for(cell, edge_A_);
  const CellVectors& v = cell.vectors();
  Box around{{}, {}};
  for (int corner = 1; corner < 8; ++corner)
    around = extended(
        around, turn_(double(corner & 1) * v.a + double(corner >> 1 & 1) * v.b + double(corner >> 2) * v.c));
  const auto first = [&](double x) { return std::int64_t(std::floor((x - beyond_A) / edge_A_)); };
  const auto count = [&](double low, double high) {
    return std::int64_t(std::floor((high + beyond_A) / edge_A_)) - first(low) + 1;
  };
  const auto& [low, high] = around;
  first_ = {first(low.x), first(low.y), first(low.z)};
  counts_ = {count(low.x, high.x), count(low.y, high.y), count(low.z, high.z)};
  const double tiles = double(counts_.x) * double(counts_.y) * double(counts_.z);
  if (!(tiles < double(std::numeric_limits<std::uint32_t>::max())))
    fail("the cell of ", cell.volume_A3(), " A^3 is too large to be filled with water; give a smaller one");

  const std::vector<WaterSite> geometry = model.geometry();
  for (std::size_t n = 0; n < box.coordinates_mA.size(); n += 9) {
    const auto atom = [&](std::size_t at) {
      const auto* const x = &box.coordinates_mA[n + 3 * at];
      return A_per_mA * Vec3<double>{double(x[0]), double(x[1]), double(x[2])};
    };
    // Rounded hydrogens tell the bisector and the plane.
    const WaterFrame frame(atom(0), atom(1), atom(2));
    const Vec3<double> x = turn_.inverse(frame.bisector), y = turn_.inverse(frame.in_plane);
    const Vec3<double> z = turn_.inverse(frame.normal);
    oxygens_A_.push_back(turn_.inverse(atom(0)));
    for (const WaterSite& site : geometry)
      sites_A_.push_back(site.position_A.x * x + site.position_A.y * y + site.position_A.z * z);
  }
  molecules_ = std::ssize(oxygens_A_);
}

TiledWater WaterTiles::moved(const TiledWater& water, const Vec3<double>& translation_A,
                             const Rotation& rotation) {
  const std::size_t first = water.molecule * model_->sites;
  for (std::size_t site = 0; site < model_->sites; ++site) {
    const Vec3<double> site_A = sites_A_[first + site];
    sites_A_.push_back(rotation(site_A));
  }
  const Vec3<double> oxygen_A = oxygens_A_[water.molecule] + translation_A;
  oxygens_A_.push_back(oxygen_A);
  return {water.tile, std::uint32_t(oxygens_A_.size() - 1)};
}

TiledWater WaterTiles::added(const Vec3<double>& oxygen_A, const Vec3<double>& first_hydrogen_A,
                             const Vec3<double>& second_hydrogen_A) {
  const WaterFrame frame(oxygen_A, first_hydrogen_A, second_hydrogen_A);
  oxygens_A_.push_back(oxygen_A - origin_A(0));
  for (const WaterSite& site : model_->geometry())
    sites_A_.push_back(site.position_A.x * frame.bisector + site.position_A.y * frame.in_plane +
                       site.position_A.z * frame.normal);
  return {0, std::uint32_t(oxygens_A_.size() - 1)};
}

Vec3<double> WaterTiles::origin_A(std::uint32_t tile) const {
  const auto nx = std::uint32_t(counts_.x), ny = std::uint32_t(counts_.y);
  const Vec3<std::uint32_t> at{tile % nx, tile / nx % ny, tile / nx / ny};
  return turn_.inverse(
      edge_A_ * Vec3<double>{double(first_.x + at.x), double(first_.y + at.y), double(first_.z + at.z)});
}

CellVectors WaterTiles::edges() const {
  return {edge_A_ * turn_.x, edge_A_ * turn_.y, edge_A_ * turn_.z};
}

void Waters::make_atoms(std::int64_t first, const WaterLabels& labels, std::span<Atom> atoms) const {
  constexpr int per_segment = 10'000;  // as many residue numbers as a PDB file has
  const WaterModel& model = tiles.model();
  const NamedWater names = named_water(model, labels.names);
  const std::vector<WaterSite> geometry = model.geometry();
  std::vector<Atom> molecule(model.sites);
  for (std::size_t site = 0; site < model.sites; ++site) {
    Atom& atom = molecule[site];
    atom.charge_e = geometry[site].charge_e;
    atom.name = names.atoms[site];
    atom.residue = names.residue;
    atom.chain = labels.chain;
    if (site == 0) atom.element = "O";
    if (site == 1 || site == 2) atom.element = "H";
    atom.radius_A = bondi_radius_A(atom.element.view()).value_or(0.0);
  }
  std::int64_t segment = -1;
  for (std::size_t at = 0; at + model.sites <= atoms.size(); at += model.sites, ++first) {
    const TiledWater& water = molecules[std::size_t(first)];
    const int number = labels.first_residue + int(first);
    if (number / per_segment != segment) {
      segment = number / per_segment;
      for (Atom& atom : molecule) atom.segment = segment_name(segment + 1);
    }
    for (std::size_t site = 0; site < model.sites; ++site) {
      Atom& atom = atoms[at + site] = molecule[site];
      atom.position_A = tiles.site_A(water, site);
      atom.residue_number = number;
    }
  }
}

}  // namespace ionwell
