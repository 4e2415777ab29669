// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "placement/at_points/point_estimates.hpp"

namespace ionwell {
class ImagePolynomials;
struct PairPotential;
}  // namespace ionwell

namespace ionwell::gpu {

/// DeviceBackend::point_estimates; `device` as CUDA counts.
std::unique_ptr<PointEstimates> estimates_on_device(int device, const PairPotential& pair,
                                                    const ImagePolynomials* images,
                                                    const EstimatedPoints& points);

}  // namespace ionwell::gpu
