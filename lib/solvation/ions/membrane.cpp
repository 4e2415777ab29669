// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/ions/membrane.hpp"

#include <cmath>
#include <numbers>

#include "core/chemistry/composition.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t fewest_lipids = 10;  // fewer are ligands
constexpr double most_of_cell = 0.75;       // that a membrane may take up along its normal

template <typename Visit>
std::int64_t for_each_lipid_atom(std::span<const Atom> atoms, const Visit& visit) {
  std::int64_t lipids = 0;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (residue.kind == ResidueKind::lipid) {
      ++lipids;
      for (std::size_t i = residue.begin; i < residue.end; ++i) visit(atoms[i], element_of(atoms[i]));
    }
    begin = residue.end;
  }
  return lipids;
}

/// x - nearest whole number.
double nearest_zero(double x) {
  return x - std::round(x);
}

struct Mean {
  double sum = 0.0;
  std::int64_t count = 0;
  void add(double x) {
    sum += x;
    ++count;
  }
  double value() const { return sum / double(count); }
};

}  // namespace

double Membrane::height_A(const Vec3<double>& position_A) const {
  return width_A_ * nearest_zero(dot(normal_, position_A) - middle_);
}

std::optional<Membrane> find_membrane(std::span<const Atom> atoms, const PeriodicCell& cell) {
  Membrane membrane;
  membrane.normal_ = cell.reciprocal().c;
  membrane.width_A_ = cell.widths_A().z;
  // The mean of angles, as the cell closes upon itself.
  double sine = 0.0, cosine = 0.0;
  std::vector<double> phosphorus, oxygens, carbons;  // heights as parts of the cell
  const std::int64_t lipids = for_each_lipid_atom(atoms, [&](const Atom& atom, std::string_view element) {
    const double height = dot(membrane.normal_, atom.position_A);
    if (element == "P") phosphorus.push_back(height);
    if (element == "O") oxygens.push_back(height);
    if (element != "C") return;
    carbons.push_back(height);
    sine += std::sin(2 * std::numbers::pi * height);
    cosine += std::cos(2 * std::numbers::pi * height);
  });
  const std::vector<double>& heads = phosphorus.empty() ? oxygens : phosphorus;
  if (lipids < fewest_lipids || heads.empty() || carbons.empty()) return {};
  membrane.middle_ = std::atan2(sine, cosine) / (2 * std::numbers::pi);

  Mean below, above, distance;
  for (const double height : heads) {
    const double part = nearest_zero(height - membrane.middle_);
    (part < 0.0 ? below : above).add(membrane.width_A_ * part);
  }
  if (below.count == 0 || above.count == 0) return {};
  membrane.lower_A_ = below.value();
  membrane.upper_A_ = above.value();
  if (membrane.upper_A_ - membrane.lower_A_ > most_of_cell * membrane.width_A_) return {};

  // In a bilayer the tails are between the heads; around a micelle's or vesicle's middle they are on both
  // sides of them.
  std::int64_t between = 0;
  for (const double height : carbons) {
    const double at_A = membrane.width_A_ * nearest_zero(height - membrane.middle_);
    between += at_A > membrane.lower_A_ && at_A < membrane.upper_A_;
  }
  constexpr double most_carbons = 0.8;
  if (double(between) < most_carbons * double(carbons.size())) return {};
  return membrane;
}

std::vector<Vec3<double>> lipid_carbons(std::span<const Atom> atoms) {
  std::vector<Vec3<double>> carbons;
  for_each_lipid_atom(atoms, [&](const Atom& atom, std::string_view element) {
    if (element == "C") carbons.push_back(atom.position_A);
  });
  return carbons;
}

}  // namespace ionwell
