// SPDX-License-Identifier: BSD-3-Clause
#include "support/cases.hpp"

#include <cmath>

#include "support/backends.hpp"

namespace ionwell::test {
namespace {

Box grown(Box box, double by_A) {
  const Vec3<double> by{by_A, by_A, by_A};
  return {box.lowest_A - by, box.highest_A + by};
}

Case random_case(const std::string& name, const LatticeGeometry& lattice, int charges, double beyond_A,
                 std::uint64_t seed) {
  Random random(seed);
  return {name, lattice, random_charges(random, grown(box_of(lattice), beyond_A), charges)};
}

Case charges_on_lattice_points() {
  Case result{"charges on lattice points", {{-3.0, 1.25, 2.0}, {0.5, 0.5, 0.5}, {18, 17, 19}}, {}};
  Random random(7);
  for (int n = 0; n < 12; ++n) {
    const Vec3<std::int64_t> p{random.below(18), random.below(17), random.below(19)};
    result.charges.push_back({result.lattice.position_A(p.x, p.y, p.z), n % 2 == 0 ? 1.0 : -0.5});
  }
  result.charges.push_back({result.lattice.position_A(0, 0, 0), 1.0});
  result.charges.push_back({result.lattice.position_A(17, 16, 18), -1.0});
  return result;
}

Case small_and_large_charges() {
  Case result =
      random_case("charges of 1e-6 and 1e3 e", {{0, 0, 0}, {0.5, 0.5, 0.5}, {20, 21, 22}}, 60, 0, 8);
  for (std::size_t n = 0; n < result.charges.size(); ++n)
    result.charges[n].charge_e *= n % 10 == 0 ? 1e3 : (n % 3 == 0 ? 1e-6 : 1.0);
  return result;
}

Case duplicates() {
  Case result =
      random_case("charges on top of each other", {{0, 0, 0}, {0.5, 0.5, 0.5}, {19, 19, 9}}, 20, 0, 9);
  const std::vector<PointCharge> once = result.charges;
  result.charges.insert(result.charges.end(), once.begin(), once.end());
  for (std::size_t n = 0; n < once.size(); n += 3)  // and some that cancel
    result.charges.push_back({once[n].position_A, -2.0 * once[n].charge_e});
  return result;
}

Case of_one_sign(const std::string& name, double sign) {
  Case result = random_case(name, {{0, 0, 0}, {0.5, 0.5, 0.5}, {17, 15, 12}}, 70, 0, 10);
  for (PointCharge& q : result.charges) q.charge_e = sign * std::abs(q.charge_e);
  return result;
}

}  // namespace

std::vector<Case> cases() {
  const Vec3<double> half{0.5, 0.5, 0.5};
  std::vector<Case> result;
  result.push_back({"one point", {{1.0, 2.0, 3.0}, half, {1, 1, 1}}, {}});
  result.back().charges = {{{3.1, 2.0, 3.0}, 1.0}, {{1.0, -2.222, 3.0}, -0.5}, {{0.0, 1.0, 1.003}, 0.25}};
  result.push_back(random_case("flat, 1 x 37 x 53", {{0, 0, 0}, half, {1, 37, 53}}, 80, 4, 1));
  result.push_back(random_case("a row of 100", {{0, 0, 0}, half, {100, 1, 1}}, 40, 3, 2));
  result.push_back(random_case("prime sides", {{-4.3, 7.7, 0.123}, half, {31, 29, 23}}, 150, 2, 3));
  result.push_back(random_case("whole blocks", {{0, 0, 0}, half, {8, 16, 24}}, 64, 1, 4));
  result.push_back(random_case("blocks cut to one point", {{0, 0, 0}, half, {9, 17, 25}}, 65, 1, 5));
  result.push_back(random_case("three spacings", {{1, 2, 3}, {0.3, 0.7, 1.1}, {20, 13, 9}}, 100, 1, 6));
  result.push_back(charges_on_lattice_points());
  result.push_back(small_and_large_charges());
  result.push_back(duplicates());
  result.push_back(of_one_sign("positive charges only", 1.0));
  result.push_back(of_one_sign("negative charges only", -1.0));
  result.push_back(
      random_case("charges far outside of the box", {{0, 0, 0}, half, {13, 14, 15}}, 90, 40, 11));
  result.push_back(
      random_case("far from the origin", {{500.25, -512.345, 498.765}, half, {21, 18, 24}}, 100, 2, 12));
  result.push_back(
      random_case("more charges than one fp32 sum takes", {{0, 0, 0}, {1, 1, 1}, {11, 11, 11}}, 2100, 5, 13));
  return result;
}

std::vector<NamedPair> pairs() {
  return {{"coulomb", pair_potential({})},
          {"distance-dependent", pair_potential({.ddd_per_A = 3.0})},
          {"Debye-Hueckel", pair_potential({.ionic_strength_M = 0.15})}};
}

std::vector<SimdLevel> simd_levels() {
  std::vector<SimdLevel> result{SimdLevel::baseline};
  if (testing_gpu()) return result;  // which has none
  for (const SimdLevel level : {SimdLevel::avx2, SimdLevel::avx512})
    if (best_simd_level() >= level) result.push_back(level);
  return result;
}

std::vector<Vec3<double>> centres_of(const std::vector<PointCharge>& charges) {
  std::vector<Vec3<double>> result;
  for (const PointCharge& q : charges) result.push_back(q.position_A);
  return result;
}

std::uint64_t Random::next() {  // splitmix64
  std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

double Random::between(double lowest, double highest) {
  return lowest + (highest - lowest) * 0x1p-53 * double(next() >> 11);
}

double Random::three_decimals(double lowest, double highest) {
  return std::round(1000.0 * between(lowest, highest)) / 1000.0;
}

std::int64_t Random::below(std::int64_t count) {
  return std::int64_t(between(0.0, double(count)));
}

Vec3<double> Random::position_A(const Box& box) {
  const double x = three_decimals(box.lowest_A.x, box.highest_A.x);
  const double y = three_decimals(box.lowest_A.y, box.highest_A.y);
  return {x, y, three_decimals(box.lowest_A.z, box.highest_A.z)};
}

std::vector<PointCharge> random_charges(Random& random, const Box& box, int count) {
  std::vector<PointCharge> result;
  for (int n = 0; n < count; ++n) {
    const Vec3<double> position_A = random.position_A(box);
    const double magnitude_e = random.three_decimals(0.05, 1.0);
    result.push_back({position_A, n % 2 == 0 ? magnitude_e : -magnitude_e});
  }
  return result;
}

Box box_of(const LatticeGeometry& lattice) {
  const Vec3<std::int64_t>& n = lattice.counts;
  return {lattice.origin_A, lattice.position_A(n.x - 1, n.y - 1, n.z - 1)};
}

}  // namespace ionwell::test
