// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/site_features.hpp"

#include <algorithm>
#include <cmath>

#include "core/block.hpp"
#include "core/text/text_stream.hpp"
#include "placement/crystal_sites/site_sums.hpp"

namespace ionwell {
namespace {

struct Shell {
  double centre_A, width_A;
};

constexpr Shell shells[site_shells] = {{2.1, 0.35}, {2.8, 0.4}, {3.4, 0.4}, {4.0, 0.4}, {4.6, 0.4},
                                       {5.3, 0.5},  {6.2, 0.6}, {7.3, 0.7}, {8.5, 0.8}};
constexpr double widths_A[site_widths] = {1.5, 2.0, 3.0, 4.0, 6.0};

/// Of the charges' potential.
constexpr double screenings_A[site_screenings] = {2.0, 3.04, 5.0, 8.0};

constexpr double contact_from_A = 4.0, contact_to_A = 4.6;

std::string number(double value) {
  TextStream text;
  text << value;
  return text.str();
}

}  // namespace

std::string site_feature_name(int feature) {
  const auto class_name = [](int kind) { return std::string(site_atom_class_names[std::size_t(kind)]); };
  if (feature < site_feature_shells)
    return "shell_" + class_name(feature / site_shells) + '_' +
           number(shells[feature % site_shells].centre_A);
  feature -= site_feature_shells;
  if (feature < site_atom_classes) return "nearest_" + class_name(feature);
  feature -= site_atom_classes;
  if (feature < density_groups * site_widths)
    return std::string("density_") + density_group(feature / site_widths).name + '_' +
           number(widths_A[feature % site_widths]);
  feature -= density_groups * site_widths;
  if (feature < 2 * site_screenings)
    return (feature < site_screenings ? "potential_" : "gradient_") +
           number(screenings_A[feature % site_screenings]);
  feature -= 2 * site_screenings;
  constexpr const char* curvatures[] = {"low", "middle", "high"};
  if (feature < 3 * site_screenings)
    return std::string("curvature_") + curvatures[feature % 3] + '_' + number(screenings_A[feature / 3]);
  constexpr const char* others[] = {"energy", "basin", "contacts", "nearest_heavy"};
  return others[feature - 3 * site_screenings];
}

SiteTables::SiteTables()
    : by_class(std::size_t(site_bins) * site_row), of_charges(std::size_t(site_bins) * site_row) {
  for (int bin = 0; bin < site_bins; ++bin) {
    const double r = std::sqrt((bin + 0.5) / site_bins_per_A2);
    float* const row = by_class.data() + std::size_t(bin) * site_row;
    std::fill_n(row, site_row, 0.0f);
    for (int s = 0; s < site_shells; ++s) {
      const double u = (r - shells[s].centre_A) / shells[s].width_A;
      row[s] = float(std::exp(-0.5 * u * u));
    }
    for (int w = 0; w < site_widths; ++w)
      row[site_shells + w] = float(std::exp(-0.5 * r * r / (widths_A[w] * widths_A[w])));
    row[site_shells + site_widths] = r >= contact_from_A && r <= contact_to_A ? 1.0f : 0.0f;
    float* const of_charge = of_charges.data() + std::size_t(bin) * site_row;
    std::fill_n(of_charge, site_row, 0.0f);
    for (int l = 0; l < site_screenings; ++l) {
      const double x = r / screenings_A[l], value = std::exp(-x) / r, r2 = r * r;
      of_charge[of_potential + l] = float(value);
      of_charge[of_slope + l] = float(value * (1.0 + x) / r2);
      of_charge[of_curvature + l] = float(value * (3.0 + 3.0 * x + x * x) / (r2 * r2));
    }
  }
}

const SiteTables& site_tables() {
  static const SiteTables tables;
  return tables;
}

double site_features_reach_A() {
  return site_reach_A;
}

SiteFeatures::SiteFeatures(std::span<const SiteAtom> atoms, SimdLevel simd)
    : atoms_(atoms.begin(), atoms.end()),
      positions_A_([&] {
        std::vector<Vec3<double>> positions_A;
        positions_A.reserve(atoms.size());
        for (const SiteAtom& atom : atoms) positions_A.push_back(atom.position_A);
        return positions_A;
      }()),
      cells_(positions_A_, 4.0),
      kernels_(site_kernels(simd)) {}

void SiteFeatures::of(std::span<const Vec3<double>> points_A, std::span<const float> energies_kT,
                      std::span<const float> basins_kT, std::vector<float>* features) const {
  const std::size_t count = points_A.size();
  features->resize(site_feature_count * count);
  if (count == 0) return;
  Box box{points_A[0], points_A[0]};
  for (const Vec3<double>& p : points_A) {
    box.lowest_A = {std::min(box.lowest_A.x, p.x), std::min(box.lowest_A.y, p.y),
                    std::min(box.lowest_A.z, p.z)};
    box.highest_A = {std::max(box.highest_A.x, p.x), std::max(box.highest_A.y, p.y),
                     std::max(box.highest_A.z, p.z)};
  }
  const SiteTables& tables = site_tables();
  const Vec3<double> centre = 0.5 * (box.lowest_A + box.highest_A);
  std::vector<std::uint32_t> near;
  cells_.near(box, site_reach_A, [&](std::uint32_t n) {
    if (distance_range(box, positions_A_[n]).nearest_A < site_reach_A) near.push_back(n);
  });
  std::sort(near.begin(), near.end());  // sums have one order
  const std::size_t padded = (near.size() + site_pad - 1) / site_pad * site_pad;
  std::vector<float> x(padded, site_far_A), y(padded, site_far_A), z(padded, site_far_A);
  std::vector<float> charges(padded, 0.0f);
  std::vector<std::uint8_t> kinds(padded, 0);
  for (std::size_t n = 0; n < near.size(); ++n) {
    const Vec3<double> d = positions_A_[near[n]] - centre;
    x[n] = float(d.x);
    y[n] = float(d.y);
    z[n] = float(d.z);
    charges[n] = float(atoms_[near[n]].charge_e);
    kinds[n] = std::uint8_t(atoms_[near[n]].kind);
  }
  for (std::size_t p = 0; p < count; ++p) {
    const Vec3<double> d = points_A[p] - centre;
    const float at[3] = {float(d.x), float(d.y), float(d.z)};
    alignas(64) float sums[site_atom_classes * site_row] = {};
    alignas(64) float moments[site_moments * site_row];
    float nearest2[site_atom_classes];
    std::fill(std::begin(nearest2), std::end(nearest2), float(site_reach_A * site_reach_A));
    const AtomsAround around{x.data(), y.data(), z.data(), kinds.data(), int(padded)};
    kernels_.around(around, at, tables.by_class.data(), sums, nearest2);
    kernels_.around_charges(around, charges.data(), at, tables.of_charges.data(), moments);
    float* feature = features->data() + p;
    put_features({sums, nearest2, moments, energies_kT[p], basins_kT[p]}, [&](float value) {
      *feature = value;
      feature += count;
    });
  }
}

}  // namespace ionwell
