// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "maps/map.hpp"

/// Maps and files of maps for tests.
namespace ionwell::test {

struct Sample {
  MapHeader header;
  std::vector<double> values;
};

/// Values of all magnitudes and signs, and a geometry with digits that no format's fields hold.
Sample sample(Vec3<std::int64_t> counts, Vec3<double> spacing_A = {0.5, 0.25, 1.0 / 3.0});

void write(const std::string& path, const Sample& map, int threads = 2);

struct Format {
  std::string ending;
  double precision;  // relative, of a value
  bool has_provenance = true;
};

const std::vector<Format>& formats();

/// The bytes of a file; of HDF5, which has the time of day in it, those of all values.
std::string comparable_bytes(const std::string& path);

/// OpenDX text of 2 x 1 x 2 points that ends in `values`.
std::string small_dx(const std::string& values);

/// `text` with the first `from`, which must be there, as `to`.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace ionwell::test
