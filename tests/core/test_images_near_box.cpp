// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "core/periodic/images_near_box.hpp"

using namespace ionwell;

TEST_CASE("images near a box: those of a plain search, in skewed cells and for points far outside, too") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> spread(-60.0, 60.0);
  for (const CellVectors& v :
       {CellVectors{{20, 0, 0}, {0, 18, 0}, {0, 0, 16}}, CellVectors{{0, 9, 0}, {-17, 3, 0}, {4, -5, 6}},
        CellVectors{{12, 0, 0}, {11, 7, 0}, {-10, 8, 9}}}) {
    std::vector<Vec3<double>> points_A;
    for (int n = 0; n < 20; ++n) points_A.push_back({spread(random), spread(random), spread(random)});
    const Box box{{-7, -3, 0}, {9, 4, 2.5}};
    const double reach_A = 3.5;
    std::multiset<std::tuple<std::uint32_t, int, int, int>> expected, found;
    const auto rounded = [](std::uint32_t n, const Vec3<double>& p) {
      return std::tuple{n, int(std::lround(1e3 * p.x)), int(std::lround(1e3 * p.y)),
                        int(std::lround(1e3 * p.z))};
    };
    constexpr int far = 30;
    for (std::uint32_t n = 0; n < points_A.size(); ++n)
      for (int i = -far; i <= far; ++i)
        for (int j = -far; j <= far; ++j)
          for (int k = -far; k <= far; ++k) {
            if (i == 0 && j == 0 && k == 0) continue;
            const Vec3<double> p = points_A[n] + double(i) * v.a + double(j) * v.b + double(k) * v.c;
            if (p.x >= box.lowest_A.x - reach_A && p.x <= box.highest_A.x + reach_A &&
                p.y >= box.lowest_A.y - reach_A && p.y <= box.highest_A.y + reach_A &&
                p.z >= box.lowest_A.z - reach_A && p.z <= box.highest_A.z + reach_A)
              expected.insert(rounded(n, p));
          }
    for (const PointImage& image : images_near_box(points_A, PeriodicCell(v), box, reach_A))
      found.insert(rounded(image.point, image.position_A));
    CHECK(expected.size() > 10);
    CHECK(found == expected);
  }
}
