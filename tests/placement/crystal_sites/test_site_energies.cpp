// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "placement/crystal_sites/plain_sites.hpp"
#include "placement/crystal_sites/site_energies.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const LatticeGeometry site_lattice{{-9.2, -8.1, -7.3}, {0.7, 0.8, 0.9}, {27, 21, 17}};

std::map<std::int64_t, double> energies_of(const HostStore& store) {
  std::map<std::int64_t, double> energies_kT;
  for (std::size_t slot = 0; slot < store.size(); ++slot)
    for (int p = 0; p < block_points; ++p)
      if (is_set(store.available(slot), p))
        energies_kT[store.grid().lattice_index(store.number(slot), p)] = store.values(slot)[p];
  return energies_kT;
}

}  // namespace

TEST_CASE("site energies: every term as its equation, in double precision") {
  Random random(31);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{-6, -5, -4}, {5, 4, 3}}, 60);
  const SiteModel model = test_site_model();
  const std::map<std::int64_t, double> plain = plain_energies(site_lattice, model, atoms);
  REQUIRE(plain.size() > 1000);
  for (const SimdLevel simd : simd_levels())
    for (const bool multilevel : {false, true}) {
      CAPTURE(multilevel);
      LatticeGeometry cubic = site_lattice;
      if (multilevel) cubic.spacing_A = {0.7, 0.7, 0.7};  // multilevel sums want one spacing
      const auto expected = multilevel ? plain_energies(cubic, model, atoms) : plain;
      const auto found = energies_of(*site_energies(cubic, model, atoms, {multilevel, simd, 2}, {}));
      REQUIRE(found.size() == expected.size());
      double worst_kT = 0.0;
      for (const auto& [n, energy_kT] : expected) {
        REQUIRE(found.count(n) == 1);
        worst_kT = std::max(worst_kT, std::abs(found.at(n) - energy_kT));
      }
      CHECK(worst_kT < (multilevel ? 1e-2 : 2e-5));
      CHECK(energies_of(*site_energies(cubic, model, atoms, {multilevel, simd, 1}, {})) == found);
    }
}

TEST_CASE("site energies: at one point in double precision") {
  Random random(32);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{-6, -5, -4}, {5, 4, 3}}, 60);
  SiteModel model = test_site_model();
  for (const double ionic_strength_M : {0.0, 0.15, 1.0, 50.0}) {
    CAPTURE(ionic_strength_M);
    model.ionic_strength_M = ionic_strength_M;
    const SiteEnergy energy(model, atoms);
    for (const auto& [n, energy_kT] : plain_energies(site_lattice, model, atoms))
      CHECK(std::abs(energy.at(site_lattice.position_A(n)) - energy_kT) < 1e-6);
  }
}

TEST_CASE("site energies: no atoms, no heavy atoms, and a single one") {
  const SiteModel model = magnesium_site_model();
  CHECK(site_energies(site_lattice, model, {}, {}, {})->size() == 0);
  const SiteAtom hydrogen{{0, 0, 0}, 0.4, SiteAtomClass::polar_hydrogen};
  CHECK(site_energies(site_lattice, model, {&hydrogen, 1}, {}, {})->size() == 0);
  const SiteAtom one{{0, 0, 0}, -1.0, SiteAtomClass::phosphate_oxygen};
  const auto found = energies_of(*site_energies(site_lattice, model, {&one, 1}, {.multilevel = false}, {}));
  CHECK(found.size() == plain_energies(site_lattice, model, {one}).size());
}

TEST_CASE("site model: values that no model can have are named") {
  const auto error = [](auto&& change) {
    SiteModel model = magnesium_site_model();
    change(model);
    return error_of([&] { validate(model); });
  };
  CHECK(error([](SiteModel&) {}) == "no error");
  CHECK(error([](SiteModel& model) { model.charge_e = 0.0; }) ==
        "the site model's charge is 0; it must be from -10 to 10 e and not 0");
  CHECK(error([](SiteModel& model) {
          model.ion_heavy_atom_A = 8.0;
        }).find("distance from heavy atoms is 8; it must be above 0 A and below the cutoff") !=
        std::string::npos);
  CHECK(error([](SiteModel& model) { model.terms[1].width_A = NAN; }).find("width of a term is nan") !=
        std::string::npos);
  CHECK(error([](SiteModel& model) { model.cutoff_A = INFINITY; }).find("cutoff is inf") !=
        std::string::npos);
  CHECK(error([](SiteModel& model) { model.basin_width_A = -1.0; }).find("basin width is -1") !=
        std::string::npos);
}
