// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "solvation/water_model.hpp"

using namespace ionwell;

namespace {

double length_A(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

double angle_deg(const Vec3<double>& u, const Vec3<double>& v) {
  return std::acos(dot(u, v) / length_A(u) / length_A(v)) * 180 / 3.14159265358979323846;
}

}  // namespace

TEST_CASE("water models: lengths, angles and charges are those of the papers") {
  struct Published {
    std::string name;
    std::size_t sites;
    double oh_A, hoh_deg, extra_A, oxygen_e, hydrogen_e, extra_e;
  };
  const Published published[] = {{"tip3p", 3, 0.9572, 104.52, 0, -0.834, 0.417, 0},
                                 {"tips3p", 3, 0.9572, 104.52, 0, -0.834, 0.417, 0},
                                 {"spce", 3, 1.0, 109.47, 0, -0.8476, 0.4238, 0},
                                 {"opc", 4, 0.8724, 103.6, 0.1594, 0, 0.6791, -1.3582},
                                 {"tip4pew", 4, 0.9572, 104.52, 0.125, 0, 0.52422, -1.04844},
                                 {"tip4p2005", 4, 0.9572, 104.52, 0.1546, 0, 0.5564, -1.1128},
                                 {"tip5p", 5, 0.9572, 104.52, 0.70, 0, 0.241, -0.241}};
  CHECK(std::size(published) == water_models().size());
  for (const Published& paper : published) {
    CAPTURE(paper.name);
    const WaterModel& model = water_model(paper.name);
    const std::vector<WaterSite> sites = model.geometry();
    REQUIRE(sites.size() == paper.sites);
    CHECK(length_A(sites[0].position_A) == 0.0);
    for (const int hydrogen : {1, 2}) {
      CHECK(length_A(sites[hydrogen].position_A) == doctest::Approx(paper.oh_A).epsilon(1e-12));
      CHECK(sites[hydrogen].charge_e == paper.hydrogen_e);
    }
    CHECK(angle_deg(sites[1].position_A, sites[2].position_A) ==
          doctest::Approx(paper.hoh_deg).epsilon(1e-12));
    CHECK(sites[0].charge_e == doctest::Approx(paper.oxygen_e).epsilon(1e-12));
    double sum_e = 0.0;
    for (const WaterSite& site : sites) sum_e += site.charge_e;
    CHECK(sum_e == doctest::Approx(0.0).epsilon(1e-12));
    const Vec3<double> bisector = sites[1].position_A + sites[2].position_A;
    for (std::size_t n = 3; n < sites.size(); ++n) {
      CHECK(length_A(sites[n].position_A) == doctest::Approx(paper.extra_A).epsilon(1e-12));
      CHECK(sites[n].charge_e == doctest::Approx(paper.extra_e).epsilon(1e-12));
      if (paper.sites == 4) CHECK(angle_deg(sites[n].position_A, bisector) == doctest::Approx(0.0));
    }
    if (paper.sites == 5) {
      CHECK(angle_deg(sites[3].position_A, sites[4].position_A) == doctest::Approx(109.47));
      // Away from the hydrogens, in the plane at right angles to theirs.
      const Vec3<double> apart = sites[3].position_A - sites[4].position_A,
                         hh = sites[1].position_A - sites[2].position_A;
      CHECK(dot(sites[3].position_A, bisector) < 0.0);
      CHECK(dot(apart, hh) == doctest::Approx(0.0));
      CHECK(dot(apart, bisector) == doctest::Approx(0.0));
    }
  }
}

TEST_CASE("water models: names as force fields have them, and as users type them") {
  CHECK(water_model("TIP4P/2005").name == "tip4p2005");
  CHECK(water_model("SPC/E").name == "spce");
  CHECK(water_model("TIP4P-Ew").name == "tip4pew");
  CHECK_THROWS_WITH_AS(water_model("tip3"),
                       "there is no water model 'tip3'; --water-model is one of tip3p, tips3p, tip5p, opc, "
                       "spce, tip4pew, tip4p2005",
                       UsageError);
  const NamedWater gromacs = named_water(water_model("opc"), WaterNames::gromacs);
  CHECK(gromacs.residue == "SOL");
  CHECK(gromacs.atoms[0] == "OW");
  CHECK(gromacs.atoms[2] == "HW2");
  CHECK(gromacs.atoms[3] == "MW");
  CHECK(named_water(water_model("tip5p"), WaterNames::gromacs).atoms[4] == "LP2");
  CHECK(named_water(water_model("tip4pew"), WaterNames::amber).atoms[3] == "EPW");
  CHECK(named_water(water_model("tip4pew"), WaterNames::charmm).residue == "TP4E");
  CHECK(named_water(water_model("tip3p"), WaterNames::charmm).atoms[0] == "OH2");
  CHECK(named_water(water_model("tip3p"), WaterNames::pdb).residue == "HOH");
  for (const WaterModel& model : water_models())
    for (const WaterNames names :
         {WaterNames::gromacs, WaterNames::amber, WaterNames::charmm, WaterNames::pdb}) {
      CAPTURE(model.name);
      CHECK_FALSE(named_water(model, names).residue.empty());
    }
}
