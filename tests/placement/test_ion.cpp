// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "placement/ion.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Texts = std::vector<std::string>;

IonRequests parse(const Texts& texts, double solute_e = 0.0, IonNaming naming = IonNaming::pdb) {
  return parse_ion_requests(texts, solute_e, naming);
}

std::string error(const Texts& texts, double solute_e = 0.0, IonNaming naming = IonNaming::pdb) {
  CHECK_THROWS_AS(parse(texts, solute_e, naming), UsageError);
  return error_of([&] { parse(texts, solute_e, naming); });
}

std::int64_t neutralizing(const std::string& name, double solute_e) {
  return parse({name + ":neutralize"}, solute_e).requests.at(0).count;
}

}  // namespace

TEST_CASE("ion: every name in use means the same ion") {
  struct Case {
    const char* element;
    double charge_e;
    Texts names;
  };
  const Case cases[] = {{"NA", 1, {"NA", "Na", "na", "SOD", "sod", "Na+", "NA+", "Na1+"}},
                        {"CL", -1, {"CL", "Cl-", "CLA", "cl"}},
                        {"MG", 2, {"MG", "Mg2+", "MG+2", "Mg++"}},
                        {"CA", 2, {"CA", "CAL", "Ca2+"}},
                        {"CD", 2, {"CD", "CD2", "Cd2+"}},
                        {"CO", 2, {"CO", "CO2P", "Co2+"}},
                        {"CO", 3, {"NCO", "nco"}},
                        {"CS", 1, {"CS", "CES"}},
                        {"ZN", 2, {"ZN", "ZN2"}},
                        {"I", -1, {"I", "IOD", "I-"}}};
  for (const Case& c : cases)
    for (const std::string& name : c.names) {
      CAPTURE(name);
      const IonRequests parsed = parse({name + ":3"});
      REQUIRE(parsed.requests.size() == 1);
      CHECK(parsed.requests[0].species.element == c.element);
      CHECK(parsed.requests[0].species.charge_e == c.charge_e);
      CHECK(parsed.requests[0].species.name == name);
      CHECK(parsed.requests[0].count == 3);
      CHECK(parsed.warnings.empty());
    }
  for (const char* const name : {"", "XYZ", "Na2+", "MG+", "Cl+", "Na+-", "2+", "CA2"}) {
    CAPTURE(std::string(name));
    CHECK(find_ion(name) == nullptr);
  }
}

TEST_CASE("ion: no name in the table belongs to two ions") {
  std::set<std::string_view> elements;
  for (const KnownIon& ion : known_ions())
    for (const IonName& name : ion.names) {
      if (name.residue.empty()) continue;
      CAPTURE(std::string(name.residue));
      CHECK(find_ion(name.residue) == &ion);
      CHECK(name.residue.size() <= 4);
      CHECK(name.atom.size() <= 4);
      elements.insert(ion.element);
    }
  CHECK(elements.size() == 17);
}

TEST_CASE("ion: the names to write are those of the program that reads them") {
  CHECK(ion_name("NA", IonNaming::amber).residue == "Na+");
  CHECK(ion_name("Na+", IonNaming::charmm).residue == "SOD");
  CHECK(ion_name("SOD", IonNaming::gromacs).residue == "NA");
  CHECK(ion_name("zn", IonNaming::charmm).residue == "ZN2");
  CHECK(ion_name("zn", IonNaming::charmm).atom == "ZN");
  CHECK(ion_name("I", IonNaming::pdb).residue == "IOD");
  CHECK(ion_name("I", IonNaming::pdb).atom == "I");
  CHECK(ion_name("XyZ", IonNaming::amber).residue == "XyZ");
  CHECK(error({"F:1"}, 0, IonNaming::charmm) ==
        "--ion-names charmm has no name for F (F -1); --ion-names pdb or amber or gromacs has one");
  CHECK(error({"NCO:1"}, 0, IonNaming::amber) ==
        "--ion-names amber has no name for NCO (CO +3); --ion-names pdb has one");
}

TEST_CASE("ion: a charge makes any ion known, and changes a known one with a warning") {
  const IonRequests parsed = parse({"XYZ:3:+4", "FE:1:3+", "P:2:-0.75", "MG:1:2"});
  REQUIRE(parsed.requests.size() == 4);
  CHECK(parsed.requests[0].species.charge_e == 4.0);
  CHECK(parsed.requests[0].species.element == "");
  CHECK(parsed.requests[1].species.charge_e == 3.0);
  CHECK(parsed.requests[1].species.element == "FE");
  CHECK(parsed.requests[2].species.charge_e == -0.75);
  CHECK(parsed.warnings.empty());
  CHECK(parse({"MG:1:+1.5"}).warnings ==
        Texts{"--ion MG:1:+1.5: MG is placed with the charge +1.5 e that was given, instead of +2"});
}

TEST_CASE("ion: neutralize counts with what the requests before it leave") {
  CHECK(neutralizing("NA", -28.0) == 28);
  CHECK(neutralizing("MG", -28.0) == 14);
  CHECK(neutralizing("CL", 5.0) == 5);
  CHECK(neutralizing("NA", -27.995) == 28);
  const IonRequests several = parse({"MG:7", "CL:2", "K:neutralize", "NA:10", "CL:10"}, -28.0);
  CHECK(several.requests.at(2).count == 16);
  CHECK(several.requests.at(4).count == 10);
  CHECK(several.warnings.empty());
  CHECK(parse({"XYZ:3:-0.75", "QQ:neutralize:0.25"}, -1.0).requests.at(1).count == 13);
}

TEST_CASE("ion: neutralize says when ions after it undo it") {
  CHECK(parse({"MG:neutralize", "NA:3"}, -6.0).warnings ==
        Texts{"--ion MG:neutralize makes the charge zero, but the ions after it leave +3 e; give it last to "
              "make the total charge zero"});
}

TEST_CASE("ion: neutralize says when the charge is not whole, or there is none") {
  const IonRequests fraction = parse({"NA:neutralize"}, -49.67);
  CHECK(fraction.requests.at(0).count == 50);
  CHECK(fraction.warnings ==
        Texts{"--ion NA:neutralize: the solute's charge -49.67 e is not a whole number; 50 NA "
              "neutralize -50 e and leave +0.33 e"});
  CHECK(parse({"MG:2", "NA:neutralize"}, -49.67).warnings ==
        Texts{"--ion NA:neutralize: the solute's charge -49.67 e is not a whole number; 46 NA "
              "neutralize -46 e and leave +0.33 e"});
  const IonRequests neutral = parse({"MG:2", "NA:neutralize"}, -4.0);
  CHECK(neutral.requests.at(1).count == 0);
  CHECK(neutral.warnings == Texts{"note: --ion NA:neutralize: the charge is already 0, so no NA is placed"});
}

TEST_CASE("ion: neutralize that cannot be done names what can") {
  CHECK(error({"MG:neutralize"}, -27.0) ==
        "--ion MG:neutralize: the charge to neutralize is -27 e, which is not a multiple of MG's +2; 13 MG "
        "leave -1 e: use --ion MG:13 --ion NA:neutralize");
  CHECK(error({"MG:neutralize"}, -1.0) ==
        "--ion MG:neutralize: the charge to neutralize is -1 e, which is not a multiple of MG's +2; use "
        "--ion NA:neutralize");
  CHECK(error({"NA:neutralize"}, 5.0) ==
        "--ion NA:neutralize: the charge to neutralize is +5 e and NA (+1) has the same sign; use an ion of "
        "the opposite sign, for example CL:neutralize");
  CHECK(error({"NA:30", "K:neutralize"}, -28.0) ==
        "--ion K:neutralize: the charge to neutralize is +2 e and K (+1) has the same sign; use an ion of "
        "the opposite sign, for example CL:neutralize");
  CHECK(error({"NA:neutralize", "K:neutralize"}, -28.0) ==
        "--ion K:neutralize: --ion NA:neutralize already neutralizes the charge, so nothing would be left; "
        "give one of them a number");
  CHECK(error({"XY:1:0.3", "NA:neutralize"}, -4.0) ==
        "--ion NA:neutralize: the charge to neutralize is -3.7 e, which is not a multiple of NA's +1; give "
        "the number of ions instead of 'neutralize'");
  CHECK(error({"NA:neutralize"}, -2e6).find("needs more than 1,000,000 ions") != std::string::npos);
}

TEST_CASE("ion: counts, charges and names that make no sense are refused") {
  for (const char* const count :
       {"0", "-3", "1000001", "99999999999999999999", "3.5", "1e3", "many", "0x10", "+3", " 3"}) {
    CAPTURE(std::string(count));
    CHECK(error({std::string("MG:") + count}) ==
          std::string("--ion MG:") + count + ": the count '" + count +
              "' is not a whole number from 1 to 1,000,000; write MG:12, or MG:neutralize");
  }
  for (const char* const charge : {"x", "nan", "inf", "1e999", "++2", "2++"}) {
    CAPTURE(std::string(charge));
    CHECK(error({std::string("XYZ:3:") + charge}) == std::string("--ion XYZ:3:") + charge + ": the charge '" +
                                                         charge +
                                                         "' is not a number; write for example XYZ:3:+4");
  }
  CHECK(error({"XYZ:3:0"}) ==
        "--ion XYZ:3:0: the charge is 0, but an ion without charge has no position of lowest energy; give "
        "its charge");
  CHECK(error({"XYZ:3:101"}) ==
        "--ion XYZ:3:101: the charge '101' is beyond 100 e; no ion has such a charge");
  CHECK(error({"FE:3"}) ==
        "--ion FE:3: the charge of 'FE' is not known; give it, as in FE:3:+2, or use one of LI NA K RB CS MG "
        "CA SR BA ZN CD MN CO NCO F CL BR IOD (names of CHARMM, AMBER and GROMACS are known, too)");
  CHECK(error({"SODIUM:3"}) ==
        "--ion SODIUM:3: the name 'SODIUM' has 6 characters, but a PDB file has room for 4; shorten it");
  CHECK(error({"N A:3"}) == "--ion 'N A:3': a name consists of printable ASCII characters without blanks");
  for (const char* const text : {"", "MG", "MG:", ":3", "MG:3:", "MG:3:2:1", ":", "::"}) {
    CAPTURE(std::string(text));
    CHECK(error({text}) ==
          std::string("--ion '") + text +
              "' cannot be understood; write NAME:COUNT or NAME:COUNT:CHARGE, for example MG:24, "
              "NA:neutralize, XYZ:3:+4");
  }
}

TEST_CASE("charges are shown with their sign") {
  CHECK(charge_text(2.0) == "+2");
  CHECK(charge_text(-28.0 + 1e-9) == "-28");
  CHECK(charge_text(-1e-9) == "0");
  CHECK(charge_text(-49.67) == "-49.67");
  CHECK(charge_text(-1234567.0) == "-1234567");
}
