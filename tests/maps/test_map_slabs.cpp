// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "files/output_file.hpp"
#include "maps/map_file.hpp"
#include "maps/map_slabs.hpp"
#include "support/error_of.hpp"
#include "support/map_samples.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Values of a lattice that hand out parts, and the largest that was asked for.
struct CountedValues final : LatticeValues {
  CountedValues(const LatticeGeometry& of, std::vector<float> all) : lattice(of), values(std::move(all)) {}

  void copy(const LatticePart& part, std::span<float> to) override {
    REQUIRE(std::int64_t(to.size()) == part.size());
    largest = std::max(largest, part.size());
    for (std::int64_t n = 0; n < part.size(); ++n) {
      const Vec3<std::int64_t> at{part.first.x + n % part.counts.x,
                                  part.first.y + n / part.counts.x % part.counts.y,
                                  part.first.z + n / (part.counts.x * part.counts.y)};
      to[std::size_t(n)] = values[std::size_t(lattice.index(at.x, at.y, at.z))];
    }
  }

  LatticeGeometry lattice;
  std::vector<float> values;
  std::int64_t largest = 0;
};

/// A file of such values: see comparable_bytes.
std::string file_of(const std::string& path, const MapHeader& header, const MapValues& values) {
  OutputFile file(path);
  write_map(file, header, values, 2, {});
  file.commit();
  return comparable_bytes(path);
}

}  // namespace

TEST_CASE("maps: values elsewhere make the same file, slab by slab") {
  const TemporaryFolder folder;
  // Of one slab, and of two or more along x and z, of which the last is smaller. Mostly zeros, which are
  // written and packed quickly.
  for (const Vec3<std::int64_t> counts : {Vec3<std::int64_t>{5, 6, 37}, Vec3<std::int64_t>{17, 2, 131'100}}) {
    MapHeader header = sample({1, 1, 1}).header;
    header.lattice = {{-12.345678901234567, 0.001, 99.5}, {0.5, 0.5, 0.5}, counts};
    const std::int64_t size = header.lattice.size();
    std::vector<float> all(std::size_t(size), 0.0f);
    for (std::size_t n = 0; n < all.size(); n += 97) all[n] = 1.0f / float(n + 3) - 1e-3f;
    for (const Format& format : formats()) {
      CAPTURE(format.ending);
      CountedValues values(header.lattice, all);
      const std::string name = folder / ("map" + format.ending);
      CHECK(file_of(name, header, MapValues(values, size)) ==
            file_of(name, header, std::span<const float>(all)));
      CHECK(values.largest > 0);
      if (size > 1000'000) CHECK(values.largest <= size * 16 / 17);
      CHECK(values.largest * std::int64_t{sizeof(float)} <= slab_bytes(header.lattice));
    }
  }
}

TEST_CASE("maps: of values elsewhere one that is not finite is named by its point, and nothing is left") {
  const TemporaryFolder folder;
  const MapHeader header = sample({5, 6, 7}).header;
  std::vector<float> all(5 * 6 * 7, 1.0f);
  all[std::size_t(header.lattice.index(3, 4, 5))] = std::numeric_limits<float>::infinity();
  for (const Format& format : formats()) {
    if (format.ending == ".grd") continue;  // one spacing for all axes
    CAPTURE(format.ending);
    const std::string name = folder / ("map" + format.ending);
    CountedValues values(header.lattice, all);
    const std::string message = error_of([&] { file_of(name, header, std::span<const float>(all)); });
    CHECK(message.find("point (3, 4, 5)") != message.npos);
    CHECK(error_of([&] { file_of(name, header, MapValues(values, header.lattice.size())); }) == message);
  }
}
