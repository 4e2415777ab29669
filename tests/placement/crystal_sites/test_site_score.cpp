// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "placement/crystal_sites/plain_sites.hpp"
#include "placement/crystal_sites/site_energies.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_score.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using TreeNode = BoostedTrees::Node;

/// A tree of random shape with `leaves` leaves over `features` features.
std::vector<TreeNode> random_tree(Random& random, int leaves, int features) {
  std::vector<TreeNode> nodes = {{.value = random.between(-1, 1)}};
  for (int n = 1; n < leaves; ++n) {
    std::size_t leaf = std::size_t(random.below(std::ssize(nodes)));
    while (nodes[leaf].feature >= 0) leaf = (leaf + 1) % nodes.size();
    const auto left = std::uint32_t(nodes.size());
    nodes[leaf] = {std::int32_t(random.below(features)), float(random.three_decimals(-1, 1)), left, left + 1,
                   0.0};
    nodes.push_back({.value = random.between(-1, 1)});
    nodes.push_back({.value = random.between(-1, 1)});
  }
  return nodes;
}

double leaf_of(const std::vector<TreeNode>& tree, const float* features, std::size_t points,
               std::size_t point) {
  std::size_t at = 0;
  while (tree[at].feature >= 0) {
    const TreeNode& node = tree[at];
    at = features[std::size_t(node.feature) * points + point] <= node.threshold ? node.left : node.right;
  }
  return tree[at].value;
}

double gaussian(double r, double centre, double width) {
  return std::exp(-(r - centre) * (r - centre) / (2 * width * width));
}

}  // namespace

TEST_CASE("boosted trees: the leaves that a walk down each tree comes to, at any number of points") {
  Random random(51);
  constexpr int features = 7;
  std::vector<std::vector<TreeNode>> trees;
  for (const int leaves : {1, 2, 3, 12, 12, 31, 32}) trees.push_back(random_tree(random, leaves, features));
  const BoostedTrees sum(-0.25, trees, features);
  for (const std::size_t points : {1, 3, 16, 17, 50}) {
    std::vector<float> x(features * points);
    for (float& value : x) value = float(random.three_decimals(-1, 1));  // equal to thresholds now and then
    for (const SimdLevel simd : simd_levels()) {
      std::vector<double> sums(points);
      sum.sum(x.data(), points, simd, sums.data());
      for (std::size_t p = 0; p < points; ++p) {
        double expected = -0.25;
        for (const auto& tree : trees) expected += leaf_of(tree, x.data(), points, p);
        CHECK(sums[p] == doctest::Approx(expected).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("boosted trees: nodes that no tree can have are named") {
  const auto error = [](std::vector<TreeNode> tree) {
    return error_of([&] { BoostedTrees(0.0, {{{.value = 1.0}}, tree}, 3); });
  };
  const TreeNode leaf{.value = 1.0};
  CHECK(error({{0, 0.5f, 1, 2, 0.0}, leaf, leaf}) == "no error");
  CHECK(error({{0, 0.5f, 1, 1, 0.0}, leaf}) == "tree 2 has no node 1, or has it twice");
  CHECK(error({{0, 0.5f, 1, 7, 0.0}, leaf}) == "tree 2 has no node 7, or has it twice");
  CHECK(error({{0, 0.5f, 0, 1, 0.0}, leaf}) == "tree 2 has no node 0, or has it twice");
  CHECK(error({{3, 0.5f, 1, 2, 0.0}, leaf, leaf}) == "node 0 of tree 2 compares feature 3 of 3 with 0.5");
  CHECK(error({leaf, leaf}) == "tree 2 has nodes that cannot be reached");
  CHECK(error({{.value = NAN}}) == "a leaf of tree 2 is not a number");
  CHECK(error({}) == "tree 2 has no node 0, or has it twice");
  Random random(52);
  CHECK(error(random_tree(random, 33, 3)) == "tree 2 has more than 32 leaves");
}

TEST_CASE("site features: shells, densities and distances as their equations") {
  Random random(53);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{-9, -9, -9}, {9, 9, 9}}, 200);
  std::vector<Vec3<double>> points_A;
  std::vector<float> energies_kT, basins_kT;
  for (int n = 0; n < 21; ++n) {
    points_A.push_back(random.position_A({{-1, -1, -1}, {3, 3, 3}}));
    energies_kT.push_back(float(n));
    basins_kT.push_back(float(-n));
  }
  std::vector<std::string> names;
  for (int f = 0; f < site_feature_count; ++f) names.push_back(site_feature_name(f));
  const auto number = [&](const std::string& name) {
    return std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (const SimdLevel simd : simd_levels()) {
    std::vector<float> features;
    SiteFeatures(atoms, simd).of(points_A, energies_kT, basins_kT, &features);
    REQUIRE(features.size() == site_feature_count * points_A.size());
    for (std::size_t p = 0; p < points_A.size(); ++p) {
      double shell = 0.0, density = 0.0, nearest = 10.0, contacts = 0.0;
      for (const SiteAtom& atom : atoms) {
        const double r = std::sqrt(distance_squared(atom.position_A, points_A[p]));
        if (r >= 10.0) continue;
        if (atom.kind == SiteAtomClass::n7) {
          shell += gaussian(r, 4.6, 0.4);
          nearest = std::min(nearest, r);
        }
        if (is_heavy(atom.kind)) density += gaussian(r, 0.0, 3.0);
        contacts += atom.kind == SiteAtomClass::phosphate_oxygen && r >= 4.0 && r <= 4.6;
      }
      const auto value = [&](const std::string& name) {
        REQUIRE(number(name) < names.size());
        return features[number(name) * points_A.size() + p];
      };
      CHECK(value("shell_n7_4.6") == doctest::Approx(shell).epsilon(0.01));
      CHECK(value("nearest_n7") == doctest::Approx(nearest).epsilon(1e-5));
      CHECK(value("density_heavy_3") == doctest::Approx(density).epsilon(0.005));
      CHECK(value("contacts") >= contacts);
      CHECK(value("energy") == energies_kT[p]);
      CHECK(value("basin") == basins_kT[p]);
      const std::size_t heavy = number("nearest_heavy") * points_A.size() + p;
      CHECK(features[heavy] <= nearest + 1e-5);
    }
  }
}

TEST_CASE("site features: potential, gradient and curvature of the charges as their equations") {
  Random random(55);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{-9, -9, -9}, {9, 9, 9}}, 150);
  std::vector<Vec3<double>> points_A;
  while (points_A.size() < 19) {
    const Vec3<double> point_A = random.position_A({{-2, -2, -2}, {2, 2, 2}});
    if (std::all_of(atoms.begin(), atoms.end(), [&](const SiteAtom& atom) {
          return distance_squared(atom.position_A, point_A) > 1.7 * 1.7;
        }))
      points_A.push_back(point_A);
  }
  const std::vector<float> none(points_A.size());
  for (const SimdLevel simd : simd_levels()) {
    std::vector<float> features;
    SiteFeatures(atoms, simd).of(points_A, none, none, &features);
    int compared = 0;
    for (int f = 0; f < site_feature_count; ++f) {
      const std::string name = site_feature_name(f);
      if (name.rfind("potential_", 0) != 0) continue;
      const std::string length = name.substr(name.find('_') + 1);
      const double screening_A = std::stod(length);
      const auto value = [&](const std::string& wanted, std::size_t p) {
        int n = 0;
        while (site_feature_name(n) != wanted + '_' + length) REQUIRE(++n < site_feature_count);
        return double(features[std::size_t(n) * points_A.size() + p]);
      };
      for (std::size_t p = 0; p < points_A.size(); ++p) {
        double potential = 0.0, gradient[3] = {}, second[3][3] = {}, size = 0.0;
        for (const SiteAtom& atom : atoms) {
          const Vec3<double> to_A = points_A[p] - atom.position_A;
          const double d[3] = {to_A.x, to_A.y, to_A.z};
          const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), k = 1.0 / screening_A;
          if (r >= 10.0) continue;
          const double v = atom.charge_e * std::exp(-k * r) / r;
          const double first = -v * (k + 1.0 / r), curve = v * (k * k + 2.0 * k / r + 2.0 / (r * r));
          potential += v;
          size += std::abs(curve);
          for (int a = 0; a < 3; ++a) {
            gradient[a] += first * d[a] / r;
            for (int b = 0; b < 3; ++b)
              second[a][b] += curve * d[a] * d[b] / (r * r) + first / r * ((a == b) - d[a] * d[b] / (r * r));
          }
        }
        const double tolerance = 0.01 * size;
        CHECK(std::abs(value("potential", p) - potential) < tolerance);
        CHECK(std::abs(value("gradient", p) - std::hypot(gradient[0], gradient[1], gradient[2])) < tolerance);
        // Eigenvalues by what they make: trace, sum of squares, determinant.
        const double low = value("curvature_low", p), middle = value("curvature_middle", p),
                     high = value("curvature_high", p);
        CHECK(low <= middle);
        CHECK(middle <= high);
        double squares = 0.0;
        for (const auto& row : second)
          for (const double x : row) squares += x * x;
        const auto& m = second;
        const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
                                   m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
                                   m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
        CHECK(std::abs(low + middle + high - (m[0][0] + m[1][1] + m[2][2])) < tolerance);
        CHECK(std::abs(low * low + middle * middle + high * high - squares) < tolerance * size);
        CHECK(std::abs(low * middle * high - determinant) < tolerance * size * size);
        ++compared;
      }
    }
    CHECK(compared == 4 * std::ssize(points_A));
  }
}

TEST_CASE("site score: the trees' log-odds take the energies' place at the points that get one") {
  Random random(54);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{-6, -5, -4}, {5, 4, 3}}, 60);
  const LatticeGeometry lattice{{-9, -8, -7}, {0.8, 0.8, 0.8}, {24, 20, 18}};
  const SiteModel model = magnesium_site_model();
  std::vector<std::vector<TreeNode>> trees;
  for (int t = 0; t < 9; ++t) trees.push_back(random_tree(random, 12, site_feature_count));
  const SiteScore score{.trees = BoostedTrees(0.5, trees, site_feature_count)};
  const auto store = site_energies(lattice, model, atoms, {.multilevel = false}, {});
  const BasinPoints points =
      lowest_basins(*store, 1.2, scored_points(score, atoms), SimdLevel::automatic, 2, {});
  const ScoredPoints scored = features_of(*store, points, atoms, SimdLevel::automatic, 2);
  REQUIRE(scored.positions_A.size() == points.index.size());
  score_sites(*store, points, score, atoms, SimdLevel::automatic, 3, {});
  std::size_t left = 0;
  for (std::size_t slot = 0; slot < store->size(); ++slot)
    for (int p = 0; p < block_points; ++p) {
      if (!is_set(store->available(slot), p)) continue;
      const std::int64_t index = store->grid().lattice_index(store->number(slot), p);
      const auto at = std::size_t(std::lower_bound(points.index.begin(), points.index.end(), index) -
                                  points.index.begin());
      REQUIRE(points.index[at] == index);
      double log_odds = 0.5;
      for (const auto& tree : trees)
        log_odds += leaf_of(tree, scored.features.data(), points.index.size(), at);
      CHECK(store->values(slot)[p] == doctest::Approx(-log_odds).epsilon(1e-6));
      ++left;
    }
  CHECK(left == points.index.size());
  CHECK(SiteScore{.intercept = 1.0, .slope = -2.0}.probability(0.5) == doctest::Approx(0.5));
}
