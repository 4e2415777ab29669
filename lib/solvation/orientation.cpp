// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "solvation/solute_extent.hpp"

namespace ionwell {
namespace {

/// The volume of the cell around turned points.
class TurnedVolume {
 public:
  TurnedVolume(std::span<const Vec3<double>> points, CellShape shape, double padding_A)
      : points_(points), shape_(shape), padding_A_(padding_A) {}

  double operator()(const Rotation& rotation) const {
    // The points stay, and the faces turn the other way.
    std::vector<FacePair> faces(face_pairs(shape_).begin(), face_pairs(shape_).end());
    for (FacePair& face : faces) {
      const Vec3<double> n = face.normal;
      face.normal = n.x * rotation.x + n.y * rotation.y + n.z * rotation.z;
    }
    return volume_A3(shape_, sizes_around(shape_, extents_A(points_, faces), padding_A_));
  }
  double operator()(const Quaternion& q) const { return (*this)(rotation_of(q)); }

 private:
  std::span<const Vec3<double>> points_;
  CellShape shape_;
  double padding_A_;
};

struct Candidate {
  Quaternion turn;
  double volume_A3;
};

/// Turns by ever smaller steps about 13 axes while the volume shrinks.
Candidate refined(Candidate best, const TurnedVolume& volume) {
  constexpr double degrees = std::numbers::pi / 180, first_step = 8 * degrees, last_step = 0.02 * degrees;
  for (double step = first_step; step > last_step;) {
    const Candidate before = best;
    for (int axis = 1; axis <= 13; ++axis)
      for (const double sign : {-1.0, 1.0}) {
        // The half of the 27 neighbours of a cube that follows its middle.
        const int x = (axis + 13) % 3, y = (axis + 13) / 3 % 3, z = (axis + 13) / 9;
        Vec3<double> u{double(x - 1), double(y - 1), double(z - 1)};
        u = (sign * std::sin(step / 2) / std::sqrt(dot(u, u))) * u;
        const Quaternion turn = product({std::cos(step / 2), u.x, u.y, u.z}, before.turn);
        const double volume_A3 = volume(turn);
        if (volume_A3 < best.volume_A3) best = {turn, volume_A3};
      }
    if (!(best.volume_A3 < before.volume_A3)) step /= 2;
  }
  return best;
}

}  // namespace

Rotation rotation_of_least_volume(std::span<const Vec3<double>> positions_A, CellShape shape,
                                  double padding_A) {
  constexpr int rotations = 4096;
  constexpr std::size_t refined_rotations = 12;
  const std::vector<Vec3<double>> points = extreme_points(positions_A);
  const TurnedVolume volume(points, shape, padding_A);
  std::vector<Candidate> candidates = {{Quaternion{}, volume(Quaternion{})}};
  for (int n = 0; n < rotations; ++n) {
    const Quaternion turn = spread_rotation(n, rotations);
    candidates.push_back({turn, volume(turn)});
  }
  const auto smaller = [](const Candidate& a, const Candidate& b) { return a.volume_A3 < b.volume_A3; };
  std::stable_sort(candidates.begin(), candidates.end(), smaller);
  candidates.resize(refined_rotations);
  for (Candidate& candidate : candidates) candidate = refined(candidate, volume);
  const Rotation best = rotation_of(std::min_element(candidates.begin(), candidates.end(), smaller)->turn);
  // What sticks out of the hull of the extreme points may decide between two that are nearly equal.
  const TurnedVolume exact(positions_A, shape, padding_A);
  return exact(best) < exact(Rotation{}) ? best : Rotation{};
}

}  // namespace ionwell
