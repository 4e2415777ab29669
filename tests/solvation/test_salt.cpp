// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "solvation/ions/salt.hpp"

using namespace ionwell;

namespace {

std::vector<SaltRequest> salts(const std::vector<std::string>& texts) {
  return parse_salts(texts, IonNaming::pdb);
}

SaltBox box(std::int64_t waters, double charge_e) {
  return {.waters = {waters, 0, 0}, .charge_e = charge_e};
}

std::int64_t charge_of_all(const SaltCounts& counts, double charge_e) {
  double sum = charge_e;
  for (const SaltIons& ions : counts.ions) sum += double(ions.added) * ions.species.charge_e;
  return std::llround(sum);
}

std::string message(const std::vector<std::string>& texts) {
  try {
    salts(texts);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("salt: counts of a 1:1 salt are the published formulas', for twenty cases of each scheme") {
  // Cations by the formula and rounded, anions what makes the charge zero: computed here, not by count_salt.
  struct Case {
    std::int64_t waters;
    double charge_e, c;
  };
  const std::vector<Case> cases = {
      {10'000, 0, 0.15},   {10'000, -28, 0.15},  {10'000, 28, 0.15},   {5'000, -5, 0.1},
      {5'000, 7, 0.1},     {30'000, -146, 0.15}, {30'000, 13, 0.05},   {80'000, -25, 0.01},
      {80'000, -14, 0.2},  {1'000, -1, 0.15},    {1'000, 1, 0.15},     {1'000, 2, 0.5},
      {2'000, -3, 1.0},    {2'000, 0, 0.001},    {40'000, -60, 0.06},  {40'000, 60, 0.06},
      {12'345, -7, 0.123}, {54'321, 19, 0.321},  {250'000, -300, 0.1}, {9'999, -1, 0.15}};
  for (const Case& c : cases)
    for (const SaltScheme scheme : {SaltScheme::split, SaltScheme::sltcap, SaltScheme::add}) {
      CAPTURE(c.waters);
      CAPTURE(c.charge_e);
      CAPTURE(std::string(to_string(scheme)));
      const double n0 = double(c.waters) * c.c / 55.4, half = c.charge_e / 2;
      double cations = n0 - half;
      if (scheme == SaltScheme::sltcap) {
        // The square within the root is what a public script forgets.
        const double ratio = c.charge_e / (2 * n0);
        cations = n0 * (std::sqrt(1 + ratio * ratio) - ratio);
      }
      if (scheme == SaltScheme::add) cations = n0 + std::max(-c.charge_e, 0.0);
      const std::int64_t rounded = std::llround(cations), anions = rounded + std::llround(c.charge_e);
      const SaltCounts counts =
          count_salt(salts({"NaCl:" + std::to_string(c.c)}), scheme, box(c.waters, c.charge_e));
      REQUIRE(counts.ions.size() == 2);
      CHECK(counts.ions[0].species.name == "NA");
      CHECK(counts.ions[0].added == rounded);
      CHECK(counts.ions[1].added == anions);
      CHECK(counts.warnings.empty());
      CHECK(charge_of_all(counts, c.charge_e) == 0);
    }
}

TEST_CASE("salt: sltcap differs from what it is without its square") {
  // N0 = 27.08, Q = -28: the ratio is -0.517, its square 0.267; without the square the root is of less
  // than 1.
  const SaltCounts counts = count_salt(salts({"NaCl:0.15"}), SaltScheme::sltcap, box(10'000, -28));
  const double n0 = 10'000 * 0.15 / 55.4, ratio = -28 / (2 * n0);
  CHECK(counts.ions[0].added == std::llround(n0 * (std::sqrt(1 + ratio * ratio) - ratio)));
  CHECK(counts.ions[0].added != std::llround(n0 * (std::sqrt(1 + ratio) - ratio)));
  CHECK(counts.ions[0].added == 44);
  CHECK(counts.ions[1].added == 16);
}

TEST_CASE("salt: counter-ions are those that take up the charge, the rest is bulk") {
  const SaltCounts counts = count_salt(salts({"KCl:0.15"}), SaltScheme::split, box(10'000, -28));
  REQUIRE(counts.counter_ions.size() == 1);
  CHECK(counts.counter_ions[0].species.name == "K");
  CHECK(counts.counter_ions[0].count == 28);
  CHECK(counts.ions[0].added - 28 == counts.ions[1].added);
  CHECK(count_salt(salts({"KCl:0.15"}), SaltScheme::split, box(10'000, 0)).counter_ions.empty());
  const SaltCounts positive = count_salt(salts({"KCl:0.15"}), SaltScheme::add, box(10'000, 9));
  REQUIRE(positive.counter_ions.size() == 1);
  CHECK(positive.counter_ions[0].species.name == "CL");
  CHECK(positive.counter_ions[0].count == 9);
}

TEST_CASE("salt: salts of two charges stay neutral, whatever the solute's charge") {
  for (const char* salt : {"MgCl2:0.1", "CaCl2:0.02", "SrCl2:0.5"})
    for (const SaltScheme scheme : {SaltScheme::split, SaltScheme::sltcap, SaltScheme::add})
      for (int charge_e = -9; charge_e <= 9; ++charge_e) {
        CAPTURE(charge_e);
        const SaltCounts counts = count_salt(salts({salt}), scheme, box(20'000, charge_e));
        CHECK(charge_of_all(counts, charge_e) == 0);
        for (const SaltIons& ions : counts.ions) {
          CHECK(ions.added >= 0);
          CHECK(std::abs(double(ions.added) - ions.wanted) <= 1.0);
        }
      }
  // Both salts take part in the equilibrium: N_i = n_i exp(-z_i phi) with one phi.
  const SaltCounts two = count_salt(salts({"NaCl:0.15", "MgCl2:0.02"}), SaltScheme::sltcap, box(20'000, -30));
  REQUIRE(two.ions.size() == 3);
  const double phi = -std::log(two.ions[0].wanted / two.ions[0].bath);
  CHECK(-std::log(two.ions[1].wanted / two.ions[1].bath) / 2 == doctest::Approx(phi));
  CHECK(std::log(two.ions[2].wanted / two.ions[2].bath) == doctest::Approx(phi));
  CHECK(two.ions[0].wanted + 2 * two.ions[1].wanted - two.ions[2].wanted == doctest::Approx(30));
  CHECK(charge_of_all(two, -30) == 0);
}

TEST_CASE("salt: a scheme that would need fewer than no co-ions only neutralizes, and says so") {
  const SaltCounts counts = count_salt(salts({"NaCl:0.15"}), SaltScheme::split, box(2'000, -40));
  CHECK(counts.neutralized_only);
  CHECK(counts.ions[0].added == 40);
  CHECK(counts.ions[1].added == 0);
  REQUIRE(counts.warnings.size() == 1);
  CHECK(counts.warnings[0] ==
        "the box is only neutralized: 0.15 M in this box is less than the counter-ions that are needed "
        "anyway, so no Cl- was added; use --scheme add or a larger box");
  const SaltCounts sltcap = count_salt(salts({"NaCl:0.15"}), SaltScheme::sltcap, box(2'000, -40));
  CHECK(!sltcap.neutralized_only);
  CHECK(sltcap.ions[1].added == 1);
  CHECK(charge_of_all(sltcap, -40) == 0);
}

TEST_CASE("salt: ions that are there count, and none is taken away") {
  SaltBox present = box(10'000, -28 + 28);
  present.there = {{.species = {"NA", "NA", 1.0}, .there = 28}};
  const SaltCounts counts = count_salt(salts({"NaCl:0.15"}), SaltScheme::split, present);
  const SaltCounts all = count_salt(salts({"NaCl:0.15"}), SaltScheme::split, box(10'000, -28));
  CHECK(counts.ions[0].added == all.ions[0].added - 28);
  CHECK(counts.ions[1].added == all.ions[1].added);
  CHECK(counts.counter_ions.empty());
  present.there[0].there = 200;
  present.charge_e = 172;
  const SaltCounts many = count_salt(salts({"NaCl:0.15"}), SaltScheme::split, present);
  CHECK(many.ions[0].added == 0);
  CHECK(many.ions[1].added == 172);
  CHECK(!many.warnings.empty());
}

TEST_CASE("salt: two compartments have their own concentrations and are neutral together") {
  SaltBox sides{.waters = {30'000, 10'000, 20'000}, .charge_e = -10};
  const SaltCounts counts =
      count_salt(salts({"NaCl:0.15:below", "KCl:0.14:above"}), SaltScheme::split, sides);
  REQUIRE(counts.ions.size() == 4);
  CHECK(counts.ions[0].bath == doctest::Approx(10'000 * 0.15 / 55.4));
  CHECK(counts.ions[1].bath == doctest::Approx(20'000 * 0.14 / 55.4));
  CHECK(charge_of_all(counts, -10) == 0);
}

TEST_CASE("salt: an ion that is not added because counter-ions are enough is named") {
  // N0 = 5.415: half of the charge leaves 0.415 Cl-, which rounds to none.
  const SaltCounts split = count_salt(salts({"KCl:0.1"}), SaltScheme::split, box(3'000, -10));
  CHECK(!split.neutralized_only);
  CHECK(split.ions[0].added == 10);
  CHECK(split.ions[1].added == 0);
  REQUIRE(split.warnings.size() == 1);
  CHECK(split.warnings[0] ==
        "0.1 M in this box is less than the counter-ions that are needed anyway, so no Cl- was added; use "
        "--scheme add or a larger box");
  const SaltCounts sltcap = count_salt(salts({"KCl:0.1"}), SaltScheme::sltcap, box(1'000, -19));
  CHECK(sltcap.ions[1].added == 0);
  REQUIRE(sltcap.warnings.size() == 1);
  CHECK(sltcap.warnings[0] == split.warnings[0]);
  const SaltCounts positive = count_salt(salts({"KCl:0.1"}), SaltScheme::split, box(1'000, 19));
  REQUIRE(positive.warnings.size() == 1);
  CHECK(positive.warnings[0].find("so no K+ was added") != std::string::npos);
  const SaltCounts two = count_salt(salts({"NaCl:0.1", "MgCl2:0.05"}), SaltScheme::split, box(3'000, -60));
  REQUIRE(two.warnings.size() == 1);
  CHECK(two.warnings[0].find("0.1 M NaCl and 0.05 M MgCl2 in this box is less") != std::string::npos);
  CHECK(two.warnings[0].find("so no Mg2+ and Cl- was added") != std::string::npos);
  CHECK(count_salt(salts({"KCl:0.1"}), SaltScheme::add, box(1'000, -19)).warnings.empty());
}

TEST_CASE("salt: an ion that is there counts once, for its side and then for the whole box") {
  // Of 30,000 waters, 0.1 M is 54.15; of the 20,000 above, 0.05 M is 18.05.
  const auto counted = [](const std::vector<std::string>& texts, Compartment where, std::int64_t there) {
    SaltBox sides{.waters = {30'000, 10'000, 20'000}, .charge_e = 0.0};
    sides.there = {{.species = {"NA", "NA", 1.0}, .compartment = where, .there = there},
                   {.species = {"CL", "CL", -1.0}, .compartment = where, .there = there}};
    return count_salt(salts(texts), SaltScheme::split, sides);
  };
  const auto added = [](const SaltCounts& counts, double charge_e) {
    std::int64_t sum = 0;
    for (const SaltIons& ions : counts.ions) sum += ions.species.charge_e == charge_e ? ions.added : 0;
    return sum;
  };
  // One salt of the whole box and more of it on one side: each is counted by itself, and they add up.
  const std::vector<std::string> both = {"NaCl:0.1", "NaCl:0.05:above"};
  for (const std::int64_t there : {0, 13}) {
    const SaltCounts two = counted(both, Compartment::above, there);
    CHECK(added(two, 1.0) == 72 - there);
    CHECK(added(two, -1.0) == 72 - there);
    CHECK(two.ions[1].compartment == Compartment::above);
    CHECK(two.ions[1].there == there);
    CHECK(two.ions[1].there + two.ions[1].added == 18);
  }
  const std::vector<std::string> shared = {"NaCl:0.1", "KCl:0.05:above"};
  const SaltCounts none = counted(shared, Compartment::above, 0);
  CHECK(added(none, 1.0) == 72);
  CHECK(added(none, -1.0) == 72);
  for (const Compartment where : {Compartment::above, Compartment::below, Compartment::whole}) {
    CAPTURE(std::string(to_string(where)));
    const SaltCounts some = counted(shared, where, 13);
    CHECK(added(some, 1.0) == 72 - 13);
    CHECK(added(some, -1.0) == 72 - 13);
    CHECK(some.warnings.empty());
    // Chloride: of the side first. Sodium is no ion of that side's salt.
    CHECK(some.ions[0].there == 13);
    CHECK(some.ions[2].there == (where == Compartment::above ? 0 : 13));
    CHECK(some.ions[3].there == (where == Compartment::above ? 13 : 0));
  }
  const SaltCounts more = counted(shared, Compartment::above, 30);  // than the side wants
  CHECK(added(more, -1.0) == 72 - 30);
  CHECK(more.ions[3].there == 18);
  CHECK(more.ions[2].there == 12);
}

TEST_CASE("salt: ions of one element with another charge are not those of the salt") {
  SaltBox present = box(10'000, 3);
  present.there = {{.species = {"FE", "FE", 3.0}, .there = 1}};
  const SaltCounts counts = count_salt({{.text = "FeCl2:0.1",
                                         .cation = {"FE2", "FE", 2.0},
                                         .anion = {"CL", "CL", -1.0},
                                         .anions = 2,
                                         .concentration_M = 0.1}},
                                       SaltScheme::split, present);
  CHECK(counts.ions[0].there == 0);
  CHECK(charge_of_all(counts, 3) == 0);
}

TEST_CASE("salt: a charge that no count neutralizes is refused") {
  std::vector<SaltRequest> sulphate = {
      {.text = "MgX", .cation = {"MG", "MG", 2.0}, .anion = {"X", "", -2.0}, .concentration_M = 0.1}};
  CHECK_THROWS_WITH_AS(count_salt(sulphate, SaltScheme::split, box(10'000, -3)),
                       doctest::Contains("add a salt"), UsageError);
  CHECK(charge_of_all(count_salt(sulphate, SaltScheme::split, box(10'000, -4)), -4) == 0);
}

TEST_CASE("salt: formulas that are none, and concentrations that are none, are named") {
  CHECK(message({"NaCl"}).find("has no concentration") != std::string::npos);
  CHECK(message({"MgCl:0.1"}).find("write MgCl2") != std::string::npos);
  CHECK(message({"ClNa:0.1"}).find("not a cation followed by an anion") != std::string::npos);
  CHECK(message({"NaQq:0.1"}).find("no ion 'Qq' is known") != std::string::npos);
  CHECK(message({"Na:0.1"}).find("not a cation and an anion") != std::string::npos);
  CHECK(message({"nacl:0.1"}).find("not a cation and an anion") != std::string::npos);
  CHECK(message({"NaCl:150"}).find("150 mM is 0.15") != std::string::npos);
  for (const char* text : {"NaCl:", "NaCl:0", "NaCl:-1", "NaCl:x", "NaCl:nan"})
    CHECK(message({text}).find("not a number above 0") != std::string::npos);
  CHECK(message({"NaCl:0.1:left"}).find("use 'below' or 'above'") != std::string::npos);
  CHECK(message({"NaCl:0.1", "NaCl:0.2"}).find("same salt") != std::string::npos);
  CHECK(message({"NaCl:0.1:above", "NaCl:0.2:above"}).find("same salt") != std::string::npos);
  CHECK(message({"NaCl:0.1", "NaCl:0.2:above"}).empty());
  CHECK(message({"NaCl:0.1:below", "NaCl:0.2:above", "MgCl2:0.01"}).empty());
}
