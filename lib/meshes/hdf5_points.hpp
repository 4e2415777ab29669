// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "meshes/point_files.hpp"

namespace ionwell {

/// See write_points. Throws Error for an output that is no regular file, and when the disk is full.
void write_hdf5_points(OutputFile& file, const PointSet& points, const PointValues& values);

}  // namespace ionwell
