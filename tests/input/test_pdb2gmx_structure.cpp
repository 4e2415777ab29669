// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "chemistry/made_structure.hpp"
#include "input/gromacs_topology.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const ChainEnds first_amino = {ChainEnd::n_terminal, {}}, last_amino = {{}, ChainEnd::c_terminal};
const ChainEnds first_base = {ChainEnd::five_hydroxyl, {}}, last_base = {{}, ChainEnd::three_hydroxyl};

/// "NHIP:H1 ..." of those residues; TER where a chain ends.
std::string names(const MadeStructure& made, const std::string& force_field,
                  std::initializer_list<const char*> atoms) {
  std::string text;
  for (const Atom& atom : pdb2gmx_structure(made.atoms(), force_field).atoms) {
    if (std::find(atoms.begin(), atoms.end(), atom.name.view()) != atoms.end())
      text += std::string(atom.residue.view()) + ':' + std::string(atom.name.view()) + ' ';
    if (atom.ends_chain) text += "TER ";
  }
  return text;
}

}  // namespace

TEST_CASE("gromacs topology: pdb2gmx gets states and ends by name, with TER behind pieces, ions and waters") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("HIP", first_amino).bound("ASH").bound("HID").bound("GLY", last_amino);
  made.add("A", first_base).bound("U", last_base).add("MG").add("NA").add("HOH").add("HOH");
  CHECK(names(made, "amber99sb-ildn", {"H1", "HD2", "HD1", "OC2", "H5T", "HO'2", "H3T", "MG", "NA", "O"}) ==
        "NHIP:O NHIP:HD2 NHIP:HD1 NHIP:H1 ASH:O ASH:HD2 HID:O HID:HD2 HID:HD1 CGLY:OC2 TER RA5:HO'2 RA5:H5T "
        "RU3:HO'2 RU3:H3T TER MG:MG NA:NA TER HOH:O HOH:H1 HOH:O HOH:H1 TER ");
}

TEST_CASE("gromacs topology: charmm27 has its own names, and neither ends nor patches in them") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("HIP", first_amino).bound("ASH").bound("HIE").bound("GLY", last_amino).add("NA");
  CHECK(names(made, "charmm27", {"HN", "OT2", "SOD"}) == "ASPP:HN HSE:HN GLY:HN GLY:OT2 TER SOD:SOD TER ");
}

TEST_CASE("gromacs topology: nucleic acids in charmm27 are refused, as pdb2gmx has no ends for them") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("A", first_base).bound("U", last_base);
  CHECK(error_of([&] { pdb2gmx_structure(made.atoms(), "charmm27"); })
            .starts_with("pdb2gmx finds no ends of nucleic acids in charmm27 (A 1 A is one); use an AMBER "
                         "force field "));
  CHECK(error_of([&] { pdb2gmx_structure(made.atoms(), "amber99sb-ildn"); }) == "no error");
}

TEST_CASE("gromacs topology: a strand of both DNA and RNA is refused, as pdb2gmx does, with the residue") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("A", first_base).bound("DC").bound("U", last_base);
  CHECK(error_of([&] { pdb2gmx_structure(made.atoms(), "amber99sb-ildn"); }) ==
        "pdb2gmx makes no chain of both DNA and RNA, and DC 2 A is bound in one that begins with A 1 A; "
        "write for AMBER, "
        "CHARMM, NAMD or OpenMM (--for amber, charmm, openmm)");
}

TEST_CASE("gromacs topology: disulfides are left to pdb2gmx, which knows them by CYS and distance") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("CYX", first_amino).bound("GLY").bound("CYX", last_amino);
  made.join(0, "SG", 2, "SG", 2.04);
  CHECK(names(made, "amber99sb-ildn", {"SG"}) == "CYS:SG CYS:SG TER ");
}

TEST_CASE(
    "gromacs topology: neighbours have numbers of their own, as a topology has neither chains nor insertion "
    "codes") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("GLY", first_amino).number(1, 'A').bound("GLY").bound("GLY", last_amino);
  made.chain("B", 7).add("GLY", first_amino).bound("GLY", last_amino);
  made.chain("C", 500).add("ZN").chain("D", 500).add("ZN");
  std::vector<int> numbers;
  for (const Atom& atom : pdb2gmx_structure(made.atoms(), "amber99sb-ildn").atoms) {
    CHECK(atom.insertion_code == ' ');
    if (numbers.empty() || atom.residue_number != numbers.back()) numbers.push_back(atom.residue_number);
  }
  CHECK(numbers == std::vector<int>{1, 2, 3, 1, 2, 1, 2});
}

TEST_CASE("gromacs topology: what the force field lacks is refused before pdb2gmx runs") {
  MadeStructure made(MadeStructure::Hydrogens::yes);
  made.add("GLY", first_amino).bound("PTR").bound("GLY", last_amino).add("CD");
  CHECK(error_of([&] {
          pdb2gmx_structure(made.atoms(), "amber99sb-ildn");
        }).starts_with("the files of GROMACS's amber99sb-ildn have no PTR 2 A (PTR), CD 4 A (CD); "));
  CHECK(error_of([] { check_pdb2gmx({.force_field = "oplsaa"}); }).starts_with("--force-field oplsaa: "));
  CHECK_NOTHROW(check_pdb2gmx({.force_field = "charmm27"}));
  CHECK_NOTHROW(check_pdb2gmx({}));
}
