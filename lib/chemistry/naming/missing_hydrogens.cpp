// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/naming/missing_hydrogens.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

using Position = std::optional<Vec3<double>>;

// Half of the angles of a tetrahedron and of a plane, and the angle of what is bonded to a tetrahedron's
// centre.
constexpr double half_tetrahedron_rad = 54.7356 * std::numbers::pi / 180.0;
constexpr double tetrahedron_rad = 2.0 * half_tetrahedron_rad;
constexpr double plane_rad = 2.0 * std::numbers::pi / 3.0;

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

/// Nothing where the vector has no direction.
Position direction(const Vec3<double>& v) {
  constexpr double shortest_A = 1e-3;
  const double size = length(v);
  if (!(size > shortest_A)) return {};
  return (1.0 / size) * v;
}

class HydrogenBuilder {
 public:
  HydrogenBuilder(const ResidueTemplate& residue, std::span<const Position> positions_A)
      : residue_(residue), positions_A_(positions_A), built_A_(residue.atoms.size()) {}

  std::vector<Position> built() {
    for (std::size_t n = 0; n < residue_.atoms.size(); ++n)
      if (!is_hydrogen(n) && positions_A_[n] && !is_linked(n)) build_around(n);
    return std::move(built_A_);
  }

 private:
  bool is_hydrogen(std::size_t n) const { return residue_.atoms[n].element == ElementSymbol("H"); }

  bool is_linked(std::size_t n) const {
    return n == residue_.link_before || n == residue_.link_after || n == residue_.link_side;
  }

  std::vector<std::size_t> neighbours(std::size_t n) const {
    std::vector<std::size_t> found;
    for (const TemplateBond& bond : residue_.bonds)
      if (bond.first == n || bond.second == n) found.push_back(bond.first == n ? bond.second : bond.first);
    return found;
  }

  bool has_double_bond(std::size_t n) const {
    return std::any_of(residue_.bonds.begin(), residue_.bonds.end(), [n](const TemplateBond& bond) {
      return bond.order == 2 && (bond.first == n || bond.second == n);
    });
  }

  /// It has a double bond, or is a nitrogen beside one.
  bool is_planar(std::size_t n, const std::vector<std::size_t>& around) const {
    if (around.size() > 3) return false;
    if (has_double_bond(n)) return true;
    return residue_.atoms[n].element == ElementSymbol("N") &&
           std::any_of(around.begin(), around.end(), [&](std::size_t m) { return has_double_bond(m); });
  }

  double bond_A(std::size_t n) const {
    const ElementSymbol element = residue_.atoms[n].element;
    return element == ElementSymbol("N") ? 1.01 : element == ElementSymbol("O") ? 0.96 : 1.09;
  }

  void build_around(std::size_t n) {
    const std::vector<std::size_t> around = neighbours(n);
    std::vector<std::size_t> lacking;
    std::vector<Vec3<double>> known;  // directions
    std::size_t neighbour = n;        // one with a position
    for (const std::size_t m : around) {
      if (!positions_A_[m]) {
        if (!is_hydrogen(m)) return;
        lacking.push_back(m);
        continue;
      }
      const Position towards = direction(*positions_A_[m] - *positions_A_[n]);
      if (!towards) return;
      known.push_back(*towards);
      neighbour = m;
    }
    if (lacking.empty()) return;
    std::vector<Vec3<double>> directions;
    if (known.empty()) {  // an ammonium ion: any orientation is as good
      known.push_back({0.0, 0.0, 1.0});
      directions = known;
    }
    const std::vector<Vec3<double>> others = known.size() == 1
                                                 ? beside_one(n, neighbour, known[0], is_planar(n, around))
                                                 : beside_several(known, is_planar(n, around));
    directions.insert(directions.end(), others.begin(), others.end());
    for (std::size_t k = 0; k < lacking.size() && k < directions.size(); ++k)
      built_A_[lacking[k]] = *positions_A_[n] + bond_A(n) * directions[k];
  }

  /// Opposite to what is there; of two on a tetrahedron one on either side.
  static std::vector<Vec3<double>> beside_several(const std::vector<Vec3<double>>& known, bool is_planar) {
    Vec3<double> sum{0.0, 0.0, 0.0};
    for (const Vec3<double>& one : known) sum = sum + one;
    const Position away = direction(-1.0 * sum);
    if (!away) return {};
    if (known.size() > 2 || is_planar) return {*away};
    const Position side = direction(cross(known[0], known[1]));
    if (!side) return {*away};
    const double along = std::cos(half_tetrahedron_rad), across = std::sin(half_tetrahedron_rad);
    return {along * *away + across * *side, along * *away - across * *side};
  }

  /// A carbon in a row of three.
  bool is_linear(std::size_t n) const {
    return residue_.atoms[n].element == ElementSymbol("C") && neighbours(n).size() == 2;
  }

  static Vec3<double> any_across(const Vec3<double>& towards) {
    const Vec3<double> axis =
        std::abs(towards.x) < 0.6 ? Vec3<double>{1.0, 0.0, 0.0} : Vec3<double>{0.0, 1.0, 0.0};
    return *direction(cross(towards, axis));
  }

  /// By the torsion about the bond to `neighbour`: trans to one of its neighbours, if it has any, then the
  /// others.
  std::vector<Vec3<double>> beside_one(std::size_t n, std::size_t neighbour, const Vec3<double>& towards,
                                       bool is_planar) const {
    if (is_linear(n)) return {-1.0 * towards};
    Vec3<double> trans = any_across(towards);
    for (const std::size_t m : neighbours(neighbour)) {
      if (m == n || neighbour == n || !positions_A_[m]) continue;
      const Vec3<double> beyond = *positions_A_[m] - *positions_A_[neighbour];
      const Position found = direction(-1.0 * (beyond - dot(beyond, towards) * towards));
      if (!found) continue;
      trans = *found;
      break;
    }
    const Vec3<double> side = cross(towards, trans);
    const double angle = is_planar ? plane_rad : tetrahedron_rad;
    const auto at = [&](double torsion_rad) {
      return std::cos(angle) * towards +
             std::sin(angle) * (std::cos(torsion_rad) * trans + std::sin(torsion_rad) * side);
    };
    if (is_planar) return {at(0.0), at(std::numbers::pi)};
    return {at(0.0), at(plane_rad), at(-plane_rad)};
  }

  const ResidueTemplate& residue_;
  std::span<const Position> positions_A_;
  std::vector<Position> built_A_;
};

}  // namespace

std::vector<std::optional<Vec3<double>>> missing_hydrogens(
    const ResidueTemplate& residue, std::span<const std::optional<Vec3<double>>> positions_A) {
  return HydrogenBuilder(residue, positions_A).built();
}

}  // namespace ionwell
