// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice.hpp"
#include "electrostatics/pair_potential.hpp"
#include "placement/host_field.hpp"

/// Inputs chosen to break the field: sizes, offsets and charges at their awkward values, with fixed seeds.
namespace ionwell::test {

struct Case {
  std::string name;
  LatticeGeometry lattice;
  std::vector<PointCharge> charges;  // coordinates with three decimals, as in a file
};

std::vector<Case> cases();

struct NamedPair {
  std::string name;
  PairPotential pair;
};

/// Coulomb, distance-dependent and Debye-Hueckel, as the published protocols use them.
std::vector<NamedPair> pairs();

/// What this processor can run.
std::vector<SimdLevel> simd_levels();

std::vector<Vec3<double>> centres_of(const std::vector<PointCharge>& charges);

/// The same random numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double between(double lowest, double highest);
  /// A coordinate or charge as files have it.
  double three_decimals(double lowest, double highest);
  std::int64_t below(std::int64_t count);
  Vec3<double> position_A(const Box& box);

 private:
  std::uint64_t next();
  std::uint64_t state_;
};

/// Charges of both signs, magnitudes up to 1 e, anywhere in the box.
std::vector<PointCharge> random_charges(Random& random, const Box& box, int count);

Box box_of(const LatticeGeometry& lattice);

}  // namespace ionwell::test
