// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/host_device.hpp"
#include "placement/crystal_sites/simd/site_kernels.hpp"
#include "placement/crystal_sites/site_atom.hpp"

/// How sums over the atoms around a point become its features; for the host and for devices.
namespace ionwell {

constexpr SiteAtomClasses acceptors =
    bit_of(SiteAtomClass::phosphate_oxygen) | bit_of(SiteAtomClass::carbonyl_oxygen) |
    bit_of(SiteAtomClass::pyrimidine_oxygen) | bit_of(SiteAtomClass::hydroxyl_oxygen) |
    bit_of(SiteAtomClass::sugar_oxygen) | bit_of(SiteAtomClass::n7) | bit_of(SiteAtomClass::ring_nitrogen) |
    bit_of(SiteAtomClass::other_oxygen);

constexpr SiteAtomClasses phosphorus_atoms = bit_of(SiteAtomClass::phosphorus);

/// Whose density is a feature.
struct DensityGroup {
  const char* name;
  SiteAtomClasses atoms;
};

constexpr int density_groups = 4;

IONWELL_HD constexpr DensityGroup density_group(int number) {
  return number == 0   ? DensityGroup{"acceptors", acceptors}
         : number == 1 ? DensityGroup{"phosphorus", phosphorus_atoms}
         : number == 2 ? DensityGroup{"other", heavy_atoms & ~acceptors & ~phosphorus_atoms}
                       : DensityGroup{"heavy", heavy_atoms};
}

// What of a row of the charges' table is whose, by screening: the potential, -1/r of its derivative, and what
// of the second derivative goes with the squares of distances.
constexpr int of_potential = 0, of_slope = site_screenings, of_curvature = 2 * site_screenings;

/// Of a symmetric matrix, in rising order.
struct Eigenvalues {
  double low, middle, high;
};

/// By the angle of the characteristic polynomial's roots.
IONWELL_HD inline Eigenvalues eigenvalues(double xx, double yy, double zz, double xy, double xz, double yz) {
  const double mean = (xx + yy + zz) / 3.0;
  const double a = xx - mean, b = yy - mean, c = zz - mean;
  const double p2 = (a * a + b * b + c * c + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0;
  if (!(p2 > 0.0)) return {mean, mean, mean};
  const double p = std::sqrt(p2);
  const double determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
  double cosine = determinant / (2.0 * p * p2);
  cosine = cosine < -1.0 ? -1.0 : cosine > 1.0 ? 1.0 : cosine;
  constexpr double third_of_turn = 2.0943951023931957;
  const double angle = std::acos(cosine) / 3.0;
  const double high = mean + 2.0 * p * std::cos(angle);
  const double low = mean + 2.0 * p * std::cos(angle + third_of_turn);
  return {low, 3.0 * mean - low - high, high};
}

/// Sums around one point, as SiteKernels::around and around_charges make them.
struct SiteSums {
  const float *by_class, *nearest2, *of_charges;
  float energy_kT, basin_kT;
};

/// Calls put(value) for each feature, in their order.
template <typename Put>
IONWELL_HD void put_features(const SiteSums& sums, Put put) {
  for (int c = 0; c < site_atom_classes; ++c)
    for (int s = 0; s < site_shells; ++s) put(sums.by_class[c * site_row + s]);
  for (int c = 0; c < site_atom_classes; ++c) put(std::sqrt(sums.nearest2[c]));
  const auto over = [&](SiteAtomClasses classes, int column) {
    float sum = 0.0f;
    for (int c = 0; c < site_atom_classes; ++c)
      if (classes >> c & 1) sum += sums.by_class[c * site_row + column];
    return sum;
  };
  for (int g = 0; g < density_groups; ++g)
    for (int w = 0; w < site_widths; ++w) put(over(density_group(g).atoms, site_shells + w));
  const auto moment = [&](int m, int column) { return double(sums.of_charges[m * site_row + column]); };
  for (int l = 0; l < site_screenings; ++l) put(float(moment(0, of_potential + l)));
  for (int l = 0; l < site_screenings; ++l) {
    const double x = moment(1, of_slope + l), y = moment(2, of_slope + l), z = moment(3, of_slope + l);
    put(float(std::sqrt(x * x + y * y + z * z)));
  }
  for (int l = 0; l < site_screenings; ++l) {
    const double slope = moment(0, of_slope + l);
    const int second = of_curvature + l;
    const Eigenvalues of =
        eigenvalues(moment(4, second) - slope, moment(5, second) - slope, moment(6, second) - slope,
                    moment(7, second), moment(8, second), moment(9, second));
    put(float(of.low));
    put(float(of.middle));
    put(float(of.high));
  }
  put(sums.energy_kT);
  put(sums.basin_kT);
  put(over(acceptors, site_shells + site_widths));
  float nearest_heavy2 = float(site_reach_A * site_reach_A);
  for (int c = 0; c < site_atom_classes; ++c)
    if ((heavy_atoms >> c & 1) && sums.nearest2[c] < nearest_heavy2) nearest_heavy2 = sums.nearest2[c];
  put(std::sqrt(nearest_heavy2));
}

}  // namespace ionwell
