// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "structures/gromacs/tpr_dump.hpp"
#include "support/error_of.hpp"
#include "support/tpr_dump_sample.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string dump_error(const std::string& text) {
  return error_of([&] { read_tpr_dump(text, "x.tpr"); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("gmx dump: charges, names, residues, positions and box") {
  const Structure s = read_tpr_dump(tpr_dump_sample, "x.tpr");
  CHECK(s.path == "x.tpr");
  REQUIRE(s.atoms.size() == 4);
  CHECK(s.atoms[0].charge_e == -0.6223);
  CHECK(s.atoms[0].name.view() == "O5'");
  CHECK(s.atoms[0].element.view() == "O");
  CHECK(s.atoms[0].residue.view() == "G");
  CHECK(s.atoms[0].residue_number == 7);
  CHECK(s.atoms[0].insertion_code == ' ');
  CHECK(s.atoms[0].chain.view() == "C");
  CHECK(s.atoms[0].position_A.x == doctest::Approx(62.18).epsilon(1e-15));
  CHECK(s.atoms[1].residue_number == 7);
  CHECK(s.atoms[1].insertion_code == 'A');
  CHECK(s.atoms[1].ends_chain);
  CHECK(s.atoms[2].residue_number == 8);  // ions are numbered on
  CHECK(s.atoms[3].residue_number == 9);
  CHECK(s.atoms[3].charge_e == -1.0);
  CHECK(s.atoms[3].position_A.z == doctest::Approx(-34.18).epsilon(1e-15));
  REQUIRE(s.cell);
  CHECK(angles_deg(*s.cell).x == doctest::Approx(60.0).epsilon(1e-5));
}

TEST_CASE("gmx dump: what it refuses") {
  const auto with = [](const char* from, const char* to) {
    return dump_error(replaced(tpr_dump_sample, from, to));
  };
  const std::string end = "; give the topology (.top) and coordinates instead";
  CHECK(with("q=-6.22300e-01", "q=         nan")
            .find(": line 15 of the output of gmx dump cannot be read: 'atom[     0]={type") !=
        std::string::npos);
  CHECK(with("q=-6.22300e-01", "q=-6.22300e+08").find(" cannot be read") != std::string::npos);
  CHECK(with("resind=    1", "resind=    2").find(" cannot be read") != std::string::npos);
  CHECK(with("resind=    1", "resind=   -1").find(" cannot be read") != std::string::npos);
  CHECK(with("            atom[1]={name=\"H5T\"}\n", "").find(" cannot be read") != std::string::npos);
  CHECK(with("moltype              = 1", "moltype              = 2").find(" cannot be read") !=
        std::string::npos);
  CHECK(with("#molecules                     = 2", "#molecules                     = 3") ==
        "x.tpr: gmx dump prints 4 positions for more atoms; make the file again with gmx grompp");
  CHECK(with("#molecules                     = 2", "#molecules                     = 9223372036854775807")
            .find(" cannot be read") != std::string::npos);
  CHECK(with("#molecules                     = 2", "#molecules                     = 1") ==
        "x.tpr: gmx dump prints 4 positions for 3 atoms; make the file again with gmx grompp");
  CHECK(with("6.21800e+00,  4", "        inf,  4").find(" cannot be read") != std::string::npos);
  CHECK(with("6.21800e+00,  4", "6.21800e+09,  4").find("which is not a possible position") !=
        std::string::npos);
  CHECK(dump_error("").find("gmx dump prints 0 positions for 0 atoms") != std::string::npos);
  CHECK(with("   x[    3]={ 6.17700e+00,  4.85000e+00, -3.41800e+00}",
             "   x[    3]={ 6.17700e+00,  4.85000e+00")
            .find(" cannot be read") != std::string::npos);
}

TEST_CASE("gmx dump: a text cut at any line is refused") {
  const std::string text = tpr_dump_sample;
  const std::size_t last = text.find("   x[    3]");
  for (std::size_t at = 0; at < last; at = text.find('\n', at) + 1) {
    CAPTURE(at);
    CHECK(dump_error(text.substr(0, at)).starts_with("x.tpr: "));
  }
}

TEST_CASE("tpr: its recogniser") {
  const std::string head("\0\0\0\x1f\0\0\0\x1eVERSION 2022.5-Debian_2022.5_2\0", 39);
  CHECK(is_tpr(head));
  CHECK(!is_tpr(""));
  CHECK(!is_tpr("VERSION 2022"));
  CHECK(!is_tpr("%VERSION  VERSION_STAMP = V0001.000"));
}
