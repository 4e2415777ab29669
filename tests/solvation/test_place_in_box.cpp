// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "solvation/box_of_water.hpp"
#include "solvation/ions/place_in_box.hpp"

using namespace ionwell;

namespace {

/// Coulomb's law for the nearest image: no real potential of a box, but one that a plain loop can have, too.
class NearestImage final : public IonAction {
 public:
  NearestImage(const PeriodicCell& cell, const PairPotential& pair) : cell_(cell), pair_(pair) {}

  double at(const Vec3<double>& difference_A) const override {
    const Vec3<double> d = cell_.shortest(difference_A);
    return pair_.at(dot(d, d));
  }
  Vec3<double> shortest(const Vec3<double>& difference_A) const override {
    return cell_.shortest(difference_A);
  }
  double unique_A() const override { return cell_.inscribed_radius_A(); }
  bool is_surely_longer(const Vec3<double>& difference_A, double distance_A) const override {
    return cell_.is_surely_longer(difference_A, distance_A);
  }
  double add(std::span<const PointCharge> charges, const GroupValues& group) const override {
    const std::span<const std::uint32_t> points = group.groups.points(group.number);
    for (std::size_t p = 0; p < points.size(); ++p)
      for (const PointCharge& charge : charges)
        group.values_kT_e[p] += charge.charge_e * at(group.positions_A[points[p]] - charge.position_A);
    return 0.0;
  }
  LinearPotential linear(const Vec3<double>&, double) const override {
    return {.rest_kT_e = std::numeric_limits<double>::infinity()};
  }
  std::vector<double> sum(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                          int) const override {
    std::vector<double> sums;
    for (const Vec3<double>& p : points_A) {
      sums.push_back(0.0);
      for (const PointCharge& charge : charges) sums.back() += charge.charge_e * at(p - charge.position_A);
    }
    return sums;
  }

 private:
  PeriodicCell cell_;
  PairPotential pair_;
};

const std::vector<CellParameters>& cells() {
  static const std::vector<CellParameters> all = {{{40, 36, 33}, {90, 90, 90}},
                                                  {{45, 45, 45}, {60, 60, 90}},
                                                  {{44, 44, 44}, {70.528779, 109.471221, 70.528779}},
                                                  {{41, 38, 47}, {81, 67, 103}}};
  return all;
}

/// A box with all that a task refers to.
struct Setup {
  explicit Setup(const CellParameters& parameters, BoxOptions with = {}, ExclusionOptions distances = {})
      : options(std::move(with)),
        exclusion(distances),
        cell(cell_vectors(parameters)),
        atoms(charged_rod_in_water(cell)),
        acting(atoms.begin(), atoms.begin() + 6),
        box{atoms, acting, cell},
        action(cell, pair_potential({})) {}

  void prepare() {
    waters = find_replaceable(box, options, exclusion, 1);
    potential_kT_e.clear();
    for (const BoxWater& water : waters.waters) {
      double sum = 0.0;
      for (const Atom& atom : acting)
        sum += atom.charge_e * action.at(atoms[water.oxygen].position_A - atom.position_A);
      potential_kT_e.push_back(sum);
    }
  }

  BoxPlacement place(const std::vector<IonRequest>& requests, int threads = 1) {
    prepare();
    return place_in_box({.box = box,
                         .waters = waters,
                         .potential_kT_e = potential_kT_e,
                         .action = action,
                         .tie_kT_e = 1e-9,
                         .requests = requests,
                         .salt = salt_of(box, waters, requests, options, net_charge_e(atoms)),
                         .exclusion = exclusion,
                         .options = options,
                         .threads = threads},
                        {});
  }

  double distance_A(const Vec3<double>& a, const Vec3<double>& b) const {
    return std::sqrt(cell.distance_squared_A2(a, b));
  }

  BoxOptions options;
  ExclusionOptions exclusion;
  PeriodicCell cell;
  std::vector<Atom> atoms, acting;
  SolvatedBox box;
  NearestImage action;
  ReplaceableWaters waters;
  std::vector<double> potential_kT_e;
};

IonRequest ions(const char* name, double charge_e, std::int64_t count) {
  return {{name, name, charge_e}, count};
}

std::vector<SaltRequest> salt(const std::string& text) {
  return parse_salts({text}, IonNaming::pdb);
}

}  // namespace

TEST_CASE("box: ions by energy are those of a search through all waters, in cells of any shape") {
  for (const CellParameters& parameters : cells()) {
    Setup setup(parameters);
    const BoxPlacement placed = setup.place({ions("MG", 2.0, 3), ions("NA", 1.0, 4), ions("CL", -1.0, 2)});
    REQUIRE(placed.placement.ions.size() == 9);
    CHECK(placed.placement.requested == 9);
    std::vector<PointCharge> before;
    for (std::size_t n = 0; n < 9; ++n) {
      const PlacedIon& ion = placed.placement.ions[n];
      double best_kT = 1e300;
      std::size_t best = 0;
      for (std::size_t w = 0; w < setup.waters.waters.size(); ++w) {
        const Vec3<double>& oxygen_A = setup.atoms[setup.waters.waters[w].oxygen].position_A;
        bool free = true;
        double potential = setup.potential_kT_e[w];
        for (const Atom& atom : setup.acting)
          free = free && setup.distance_A(oxygen_A, atom.position_A) > 5.0;
        for (const PointCharge& other : before) {
          free = free && setup.distance_A(oxygen_A, other.position_A) >= 5.0;
          potential += other.charge_e * setup.action.at(oxygen_A - other.position_A);
        }
        if (!free || ion.species.charge_e * potential >= best_kT) continue;
        best_kT = ion.species.charge_e * potential;
        best = w;
      }
      CHECK(placed.replaced[n] == best);
      CHECK(ion.position_A == setup.atoms[setup.waters.waters[best].oxygen].position_A);
      CHECK(ion.energy_kT == doctest::Approx(best_kT).epsilon(1e-12));
      before.push_back({ion.position_A, ion.species.charge_e});
    }
    // Neighbours are the nearest images.
    for (std::size_t n = 0; n < 9; ++n) {
      double nearest_A = 1e300, ion_A = 1e300;
      for (const Atom& atom : setup.acting)
        nearest_A = std::min(nearest_A, setup.distance_A(before[n].position_A, atom.position_A));
      for (std::size_t m = 0; m < 9; ++m)
        if (m != n) ion_A = std::min(ion_A, setup.distance_A(before[n].position_A, before[m].position_A));
      CHECK(placed.placement.ions[n].nearest_solute_A == doctest::Approx(nearest_A));
      CHECK(placed.placement.ions[n].nearest_ion_A == doctest::Approx(ion_A));
    }
  }
}

TEST_CASE("box: salt neutralizes, keeps its distances, and depends on the seed alone") {
  BoxOptions options;
  options.salt.salts = salt("NaCl:0.4");
  options.salt.salt_solute_A = 8.0;
  Setup setup(cells()[3], options);
  const BoxPlacement placed = setup.place({});
  double charge_e = net_charge_e(setup.atoms);
  std::int64_t by_chance = 0;
  for (const PlacedIon& ion : placed.placement.ions) {
    charge_e += ion.species.charge_e;
    by_chance += ion.by_chance;
    if (ion.by_chance) CHECK(ion.nearest_solute_A > 8.0);
    CHECK(ion.nearest_ion_A >= 5.0);
  }
  CHECK(std::abs(charge_e) < 1e-9);
  CHECK(placed.placement.ions.size() - std::size_t(by_chance) == 6);
  CHECK(by_chance > 4);
  CHECK(std::ssize(placed.placement.ions) == placed.placement.requested);
  std::vector<std::uint32_t> replaced = placed.replaced;
  std::sort(replaced.begin(), replaced.end());
  CHECK(std::adjacent_find(replaced.begin(), replaced.end()) == replaced.end());

  CHECK(setup.place({}, 3).replaced == placed.replaced);
  setup.options.salt.seed = 2;
  CHECK(setup.place({}).replaced != placed.replaced);
  setup.options.salt.placement = SaltPlacement::energy;
  setup.options.salt.salt_solute_A.reset();
  const BoxPlacement by_energy = setup.place({});
  CHECK(by_energy.placement.ions.size() == placed.placement.ions.size());
  CHECK(std::none_of(by_energy.placement.ions.begin(), by_energy.placement.ions.end(),
                     [](const PlacedIon& ion) { return ion.by_chance; }));
}

TEST_CASE("box: ions asked for and salt are counted together") {
  BoxOptions options;
  options.salt.salts = salt("NaCl:0.4");
  Setup alone(cells()[0], options), both(cells()[0], options);
  const BoxPlacement salt_only = alone.place({}), with_counter = both.place({ions("NA", 1.0, 6)});
  CHECK(salt_only.placement.ions.size() == with_counter.placement.ions.size());
  CHECK(with_counter.salt.ions[0].there == 6);
  CHECK(with_counter.salt.counter_ions.empty());
  CHECK(salt_only.salt.counter_ions.at(0).count == 6);
}

TEST_CASE("box: a box that is too small for the salt keeps what found room and asks for more") {
  BoxOptions options;
  options.salt.salts = salt("NaCl:6");
  Setup setup(cells()[0], options, {.ion_solute_A = 5.0, .ion_ion_A = 12.0});
  const BoxPlacement placed = setup.place({});
  CHECK(std::ssize(placed.placement.ions) < placed.placement.requested);
  CHECK(placed.placement.ions.size() > 3);
}

TEST_CASE("box: charges of waters that act go with them") {
  BoxOptions options;
  options.waters_act = true;
  Setup setup(cells()[0], options);
  const BoxPlacement placed = setup.place({ions("NA", 1.0, 2)});
  // The second ion feels the first, and that its water is gone.
  const PlacedIon &first = placed.placement.ions[0], &second = placed.placement.ions[1];
  const BoxWater& gone = setup.waters.waters[placed.replaced[0]];
  double potential =
      setup.potential_kT_e[placed.replaced[1]] + setup.action.at(second.position_A - first.position_A);
  for (std::size_t i = gone.begin; i < gone.end; ++i)
    potential -= setup.atoms[i].charge_e * setup.action.at(second.position_A - setup.atoms[i].position_A);
  CHECK(second.energy_kT == doctest::Approx(potential).epsilon(1e-12));
}

TEST_CASE("box: each water has the reason for which it stays") {
  BoxOptions options;
  Setup setup(cells()[0], options);
  setup.atoms.push_back(test_atom("NA", "NA", "I", 1, {3.0, 3.0, 3.0}, 1.0, "NA"));
  add_water(setup.atoms, setup.atoms[0].position_A + Vec3<double>{0.0, 3.3, 0.0}, 9001, "X");  // a crystal's
  setup.acting.assign(setup.atoms.begin(), setup.atoms.begin() + 6);
  setup.acting.push_back(setup.atoms[setup.atoms.size() - 4]);
  setup.box = {setup.atoms, setup.acting, setup.cell};
  setup.options.choice.near = {"resname U:15"};
  setup.options.choice.not_near = {"index 5:9"};
  setup.options.choice.inside_z = HeightRange{10.0, 30.0};
  setup.prepare();
  std::vector<std::int64_t> count(stay_reasons);
  for (std::size_t w = 0; w < setup.waters.waters.size(); ++w) {
    const Vec3<double>& oxygen_A = setup.atoms[setup.waters.waters[w].oxygen].position_A;
    double to_rod_A = 1e300;
    for (int p = 0; p < 6; ++p)
      to_rod_A = std::min(to_rod_A, setup.distance_A(oxygen_A, setup.atoms[std::size_t(p)].position_A));
    const bool is_crystal = w + 1 == setup.waters.waters.size();
    const bool in_region = to_rod_A <= 15.0 && oxygen_A.z >= 10.0 && oxygen_A.z <= 30.0 &&
                           setup.distance_A(oxygen_A, setup.atoms[5].position_A) > 9.0;
    const WaterStays expected = is_crystal                                          ? WaterStays::crystal
                                : to_rod_A <= 3.5                                   ? WaterStays::first_shell
                                : !in_region                                        ? WaterStays::region
                                : to_rod_A <= 5.0                                   ? WaterStays::near_solute
                                : setup.distance_A(oxygen_A, {3.0, 3.0, 3.0}) < 5.0 ? WaterStays::near_ion
                                                                                    : WaterStays::replaceable;
    ++count[std::size_t(expected)];
    CHECK(setup.waters.stays[w] == expected);
  }
  CHECK(count == setup.waters.count);
  for (const WaterStays reason : {WaterStays::crystal, WaterStays::first_shell, WaterStays::region,
                                  WaterStays::near_solute, WaterStays::replaceable})
    CHECK(count[std::size_t(reason)] > 0);
  setup.options.choice.replace_crystal_waters = true;
  setup.prepare();
  CHECK(setup.waters.count[std::size_t(WaterStays::crystal)] == 0);
}

TEST_CASE("box: a membrane has its inside and two sides, wherever the cell's boundary cuts it") {
  for (const double middle : {30.0, 0.0, 57.0}) {
    const PeriodicCell cell(cell_vectors({{40, 40, 60}, {90, 90, 90}}));
    std::vector<Atom> atoms;
    for (int lipid = 0; lipid < 50; ++lipid) {
      const double x = 8.0 * (lipid % 5) + 1.0, y = 8.0 * (lipid / 5 % 5) + 1.0, up = lipid < 25 ? 1.0 : -1.0;
      const auto add = [&](const char* name, double height_A, double charge_e, const char* element) {
        atoms.push_back(test_atom(name, "POPC", "L", lipid + 1, cell.wrapped({x, y, middle + up * height_A}),
                                  charge_e, element));
      };
      add("P", 19.0, -0.1, "P");
      for (int c = 0; c < 16; ++c) add("C21", 1.0 + c, 0.1 / 16, "C");
    }
    const std::size_t lipid_atoms = atoms.size();
    std::vector<double> heights_A;
    for (int w = 0; w < 240; ++w) {
      const double height_A = -29.9 + 0.25 * w;
      heights_A.push_back(height_A);
      add_water(atoms, cell.wrapped({8.0 * (w % 5) + 5.0, 8.0 * (w / 5 % 5) + 5.0, middle + height_A}),
                w + 1);
    }
    const std::vector<Atom> acting(atoms.begin(), atoms.begin() + std::ptrdiff_t(lipid_atoms));
    const SolvatedBox box{atoms, acting, cell};
    BoxOptions options;
    options.choice.keep_water_A = 0.0;
    const ExclusionOptions exclusion{.ion_solute_A = 1.0};
    const ReplaceableWaters found = find_replaceable(box, options, exclusion, 1);
    REQUIRE(found.membrane);
    CHECK(found.membrane->upper_A() == doctest::Approx(19.0));
    CHECK(found.membrane->lower_A() == doctest::Approx(-19.0));
    for (std::size_t w = 0; w < heights_A.size(); ++w) {
      const bool inside = std::abs(heights_A[w]) < 19.0;
      CHECK((found.stays[w] == WaterStays::membrane) == inside);
      CHECK(found.side[w] == (heights_A[w] < 0.0 ? Compartment::below : Compartment::above));
    }
    options.choice.in_membrane = true;
    CHECK(find_replaceable(box, options, exclusion, 1).count[std::size_t(WaterStays::membrane)] == 0);
  }
  const PeriodicCell cell(cell_vectors({{40, 40, 60}, {90, 90, 90}}));
  const std::vector<Atom> no_lipids = charged_rod_in_water(cell);
  CHECK(!find_membrane(no_lipids, cell));
}

TEST_CASE("box: what makes no sense is refused") {
  CHECK_THROWS_WITH_AS(parse_near_region("--near", "nucleic"),
                       doctest::Contains("a selection and a distance"), UsageError);
  CHECK_THROWS_WITH_AS(parse_near_region("--near", "nucleic:-2"),
                       doctest::Contains("a selection and a distance"), UsageError);
  CHECK_THROWS_AS(parse_near_region("--near", "nucleix:5"), UsageError);
  CHECK(parse_near_region("--near", "resid 1:10:5").selection == "resid 1:10");
  CHECK_THROWS_WITH_AS(parse_height_range("--inside-z", "5:3"), doctest::Contains("20:35"), UsageError);
  BoxOptions options;
  options.choice.keep_water_A = -1.0;
  CHECK_THROWS_AS(validate(options), UsageError);
  Setup setup(cells()[0]);
  const SolvatedBox dry{setup.acting, setup.acting, setup.cell};
  CHECK_THROWS_WITH_AS(find_replaceable(dry, {}, {}, 1), doctest::Contains("ionwell solvate"), Error);
  setup.options.salt.salts = salt("NaCl:0.1:above");
  CHECK_THROWS_WITH_AS(setup.place({}), doctest::Contains("no membrane"), UsageError);
  setup.options.salt.placement = SaltPlacement::energy;
  CHECK_THROWS_AS(validate(setup.options), UsageError);
}
