// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/pb_model.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("Poisson-Boltzmann model: numbers that make no sense are refused") {
  const std::vector<Atom> atoms{{.position_A = {1, 1, 1}, .charge_e = -0.4, .radius_A = 1.5}};
  const LatticeGeometry small{{-3.03, -3.11, -2.98}, {0.55, 0.6, 0.7}, {25, 23, 19}};
  const auto message = [&](const auto& change) {
    PbModelOptions options;
    change(options);
    return error_of([&] { PbModel(small, atoms, options, 1); });
  };
  CHECK(message([](PbModelOptions& o) { o.dielectric.solute_dielectric = 0.0; }) ==
        "the solute's dielectric is 0 (it must be 1 or more); correct it");
  CHECK(message([](PbModelOptions& o) { o.dielectric.probe_A = -1.0; }) ==
        "the probe's radius is -1 A (it must be 0 or more); correct it");
  CHECK(message([](PbModelOptions& o) { o.accessibility.ion_radius_A = NAN; }).find("ions is nan A") !=
        std::string::npos);
  CHECK(message([](PbModelOptions& o) {
          o.ions = {{1, 0.1}, {-1, 0.2}};
        }) ==
        "the solution's ions have a charge of -0.1 e mol/L together (a solution is neutral); correct their "
        "concentrations");
  CHECK(message([](PbModelOptions& o) { o.ions = {{1, -0.1}}; }).find("-0.1 mol/L") != std::string::npos);
  CHECK(message([](PbModelOptions& o) {
          o.charges = ChargeAssignment::regularized;
          o.dielectric.faces = FaceRule::midpoint;
        }).find("regularized charges need") == 0);
  CHECK(message([](PbModelOptions& o) { o.temperature_K = 0.0; }).find("temperature") != std::string::npos);
  std::vector<Atom> without = atoms;
  without[0].radius_A = 0.0;
  CHECK(error_of([&] { PbModel(small, without, {}, 1); }).find("all radii in the structure are 0") == 0);
  without[0].radius_A = -1.0;
  CHECK(error_of([&] { PbModel(small, without, {}, 1); }).find("is -1 A") != std::string::npos);
  // Of many atoms that several threads look at, the first that has none.
  std::vector<Atom> many(200'000, atoms[0]);
  many[190'000].radius_A = -2.0;
  many[120'000].radius_A = NAN;
  CHECK(error_of([&] { check_model({}, many, 2); }).find("is nan A") != std::string::npos);
  many[120'000].radius_A = 0.0;
  CHECK(error_of([&] { check_model({}, many, 2); }).find("is -2 A") != std::string::npos);
  many[190'000].radius_A = NAN;
  CHECK(error_of([&] { check_model({}, many, 2); }).find("is nan A") != std::string::npos);
}
