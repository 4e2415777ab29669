// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/point_estimate.hpp"

#include <algorithm>

#include "electrostatics/periodic/image_polynomials.hpp"

namespace ionwell {

std::vector<ImageRow> image_rows(const ImagePolynomials& images) {
  std::vector<ImageRow> rows(images.nodes().size());
  for (std::size_t node = 0; node < rows.size(); ++node) {
    std::copy_n(images.coefficients(node), ImageNodes::terms, rows[node].coefficients);
    rows[node].error_kT_e = images.error_kT_e(node);
  }
  return rows;
}

}  // namespace ionwell
