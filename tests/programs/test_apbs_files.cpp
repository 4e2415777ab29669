// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>

#include "core/chemistry/ion_radius.hpp"
#include "programs/apbs_files.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("APBS: counts that its multigrid takes") {
  // c 2^(l+1) + 1 at four levels: 33, 65, 97, ... (APBS's manual, "dime")
  CHECK(apbs_count(1) == 33);
  CHECK(apbs_count(33) == 33);
  CHECK(apbs_count(34) == 65);
  CHECK(apbs_count(97) == 97);
  CHECK(apbs_count(98) == 129);
  CHECK(apbs_count(226) == 257);
}

TEST_CASE("APBS: the grid covers the box with no larger spacing than asked for") {
  const Box solute{{0, 0, 0}, {40, 80.5, 20}}, box{{-8, -8, -8}, {48, 88.5, 28}};
  const ApbsCalculation calculation = apbs_calculation(box, solute, 1.0);
  const LatticeGeometry& fine = calculation.fine;
  CHECK(fine.counts == Vec3<std::int64_t>{65, 129, 65});
  CHECK(fine.origin_A == box.lowest_A);
  CHECK(fine.spacing_A == Vec3<double>{56.0 / 64, 96.5 / 128, 36.0 / 64});
  CHECK(calculation.coarse_A.x == doctest::Approx(96.0));
  CHECK(calculation.coarse_A.y == doctest::Approx(1.7 * 80.5));
  CHECK(calculation.coarse_A.z == doctest::Approx(76.0));
  CHECK(apbs_calculation({{0, 0, 0}, {96, 96, 96}}, solute, 1.0).fine.counts ==
        Vec3<std::int64_t>{97, 97, 97});
  CHECK(apbs_calculation({{0, 0, 0}, {96, 96, 96}}, solute, 0.999).fine.counts.x == 129);
}

TEST_CASE("APBS: the input file, to the letter, and with other choices") {
  ApbsCalculation calculation = apbs_calculation({{-10, 0, 0}, {22, 32, 64}}, {{0, 0, 0}, {10, 10, 10}}, 1.0);
  CHECK(apbs_input(calculation, "a.pqr", "pot") ==
        "read\n"
        "  mol pqr a.pqr\n"
        "end\n"
        "elec\n"
        "  mg-auto\n"
        "  dime 33 33 65\n"
        "  cglen 72.000000 72.000000 104.000000\n"
        "  fglen 32.000000 32.000000 64.000000\n"
        "  cgcent 6.000000 16.000000 32.000000\n"
        "  fgcent 6.000000 16.000000 32.000000\n"
        "  mol 1\n"
        "  lpbe\n"
        "  bcfl sdh\n"
        "  pdie 4\n"
        "  sdie 78.54\n"
        "  ion charge 1 conc 0.15 radius 2.0\n"
        "  ion charge -1 conc 0.15 radius 2.0\n"
        "  srfm smol\n"
        "  chgm spl2\n"
        "  sdens 10\n"
        "  srad 1.4\n"
        "  swin 0.3\n"
        "  temp 298.15\n"
        "  write pot dxbin pot\n"
        "end\n"
        "quit\n");
  calculation.options = {"npbe", "pdie=2", "ion=charge 2 conc 0.01 radius 2",
                         "ion=charge -1 conc 0.02 radius 2", "etol=1e-8"};
  const std::string text = apbs_input(calculation, "a.pqr", "pot");
  CHECK(text.find("lpbe") == std::string::npos);
  CHECK(text.find("  npbe\n") != std::string::npos);
  CHECK(text.find("pdie 4") == std::string::npos);
  CHECK(text.find("  pdie 2\n") != std::string::npos);
  CHECK(text.find("conc 0.15") == std::string::npos);
  CHECK(text.find("  ion charge 2 conc 0.01 radius 2\n  ion charge -1 conc 0.02 radius 2\n") !=
        std::string::npos);
  CHECK(text.find("  etol 1e-8\n") != std::string::npos);
  for (const char* const bad : {"", "=2", "a b=1", "write=pot dx x", "quit", "pdie=2\nquit"}) {
    CAPTURE(std::string(bad));
    CHECK(error_of([&] { check_apbs_option(bad); }).find("--pb-option is '") == 0);
  }
  check_apbs_option("npbe");
  check_apbs_option("ion=charge 1 conc 0.1 radius 2");
}

TEST_CASE("APBS: the structure, and radii that make no sense") {
  std::vector<Atom> atoms(2);
  atoms[0] = {.position_A = {-100.123, -200.456, 3}, .charge_e = -0.5, .radius_A = 1.5};
  atoms[1] = {.position_A = {1, 2, 3}, .charge_e = 2, .radius_A = 0.72};
  CHECK(apbs_pqr(atoms) ==
        "ATOM 1 X RES 1 -100.1230 -200.4560 3.0000 -0.500000 1.5000\n"
        "ATOM 2 X RES 2 1.0000 2.0000 3.0000 2.000000 0.7200\n");
  atoms[1].radius_A = std::numeric_limits<double>::quiet_NaN();
  CHECK(error_of([&] { apbs_pqr(atoms); }).find("the radius of ") == 0);
  atoms[0].radius_A = atoms[1].radius_A = 0.0;
  CHECK(error_of([&] { apbs_pqr(atoms); }).find("all radii in the structure are 0") == 0);
}

TEST_CASE("ion radii: Shannon's for six neighbours") {
  CHECK(ionic_radius_A("MG", 2) == 0.72);
  CHECK(ionic_radius_A("CL", -1) == 1.81);
  CHECK(!ionic_radius_A("CO", 3));
  CHECK(!ionic_radius_A("", 1));
}

TEST_CASE("APBS: what options say of the solution and of the grid is known, in any case") {
  const std::vector<std::string> options = {"ION=charge 2 conc 0.1 radius 2.0",
                                            "ion=charge -1 conc 0.2 radius 2.0",
                                            "sdie=20",
                                            "dime=65 97 33",
                                            "fglen=32 48 16",
                                            "fgcent=1 2 3"};
  const SolutionOptions solution = solution_of(options);
  CHECK(solution.ionic_strength_M.value() == doctest::Approx(0.3));
  CHECK(solution.dielectric.value() == 20.0);
  CHECK(solution_of({"ion=1 0.15 2.0", "ion=-1 0.15 2.0"}).ionic_strength_M.value() == doctest::Approx(0.15));
  CHECK_FALSE(solution_of({"npbe"}).ionic_strength_M.has_value());
  CHECK(error_of([] { solution_of({"ion=charge 1"}); }).find("write an ion of the salt like ion=charge 2") !=
        std::string::npos);
  CHECK(error_of([] { check_apbs_option("Temp=310"); }).find("use --temperature") != std::string::npos);

  const LatticeGeometry fine{{0, 0, 0}, {1, 1, 1}, {33, 33, 33}};
  CHECK(with_grid_options(fine, options) == LatticeGeometry{{-15, -22, -5}, {0.5, 0.5, 0.5}, {65, 97, 33}});
  CHECK(with_grid_options(fine, {"npbe", "fgcent=mol 1", "dime=a b c"}) == fine);

  // A single plane has no length to divide.
  const LatticeGeometry plane{{1, 2, 3}, {0.5, 0.75, 0.25}, {9, 1, 5}};
  CHECK(with_grid_options(plane, {}) == plane);
  CHECK(with_grid_options(plane, {"fgcent=2 5 3"}) ==
        LatticeGeometry{{0, 5, 2.5}, {0.5, 0.75, 0.25}, {9, 1, 5}});
  CHECK(with_grid_options(plane, {"fglen=32 32 32", "dime=33 33 33"}).spacing_A == Vec3<double>{1, 1, 1});
  CHECK(error_of([&] { with_grid_options(plane, {"fglen=4 4 4"}); }) ==
        "--pb-option fglen gives the lattice a length of 4 A along y, but only one plane of points; also "
        "give their number with --pb-option dime=..., or a larger --box or --border");
  CHECK(error_of([&] { with_grid_options(plane, {"dime=33 33 33"}); }) ==
        "the lattice of the Poisson-Boltzmann equation has 33 points along y, because its box has no length; "
        "give a larger --box or --border, or its lengths with --pb-option fglen=...");

  ApbsCalculation calculation = apbs_calculation({{0, 0, 0}, {30, 30, 30}}, {{8, 8, 8}, {22, 22, 22}}, 1.0);
  calculation.options = {"PDIE=2"};
  const std::string input = apbs_input(calculation, "a.pqr", "pot");
  CHECK(input.find("  pdie 2\n") != std::string::npos);
  CHECK(input.find("pdie 4") == std::string::npos);
}
