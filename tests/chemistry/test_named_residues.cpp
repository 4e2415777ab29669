// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "chemistry/naming/named_residues.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

NamingChoice names_of(NamingScheme scheme) {
  return {.scheme = scheme, .program = "the force fields"};
}

bool is_written(const ResidueTemplate& t) {
  return t.kind != ResidueClass::water && t.kind != ResidueClass::polyatomic_ion && t.atoms.size() > 1;
}

const auto with_hydrogens = MadeStructure::Hydrogens::yes;

}  // namespace

TEST_CASE(
    "named residues: each template that a program has gets its names, under whatever names it is read") {
  std::size_t compared = 0;
  for (const ResidueTemplate& t : residue_table().templates()) {
    if (!is_written(t) || t.name == Label("CYX")) continue;  // it has a bond
    for (const NamingScheme program : {NamingScheme::amber, NamingScheme::charmm}) {
      for (const NamingScheme read : {NamingScheme::pdb, NamingScheme::pdb2pqr}) {
        if (!t.called_in(read) || !t.called_in(program)) continue;
        CAPTURE(describe(t));
        CAPTURE(to_string(program));
        CAPTURE(to_string(read));
        MadeStructure made(with_hydrogens);
        made.add(t.name.view(), t.ends);
        for (std::size_t n = 0; n < t.atoms.size(); ++n) made.atoms()[n].name = t.name_in(read, n);
        const NamedResidues named = named_residues(made.atoms(), names_of(program));
        REQUIRE(named.residues.size() == 1);
        REQUIRE(named.residues[0].as != nullptr);
        CHECK(named.residues[0].as->called_in(program) == t.called_in(program));
        CHECK(named.residues[0].atoms == t.names[std::size_t(program)]);
        CHECK(named.residues[0].lacks.empty());
        ++compared;
      }
    }
  }
  CHECK(compared > 400);
}

TEST_CASE("named residues: a program that lacks a residue is told so, with all of them and the remedies") {
  for (const ResidueTemplate& t : residue_table().templates()) {
    if (!is_written(t) || t.called_in(NamingScheme::amber)) continue;
    CAPTURE(describe(t));
    MadeStructure made(with_hydrogens);
    made.add(t.name.view(), t.ends);
    const std::string error = error_of([&] { named_residues(made.atoms(), names_of(NamingScheme::amber)); });
    const bool names_remedy = error.find("--replace-nonstandard") != error.npos ||
                              error.find("leave them out with --ignore 'resname ") != error.npos;
    CHECK(names_remedy);
    CHECK(error.find(describe_residue(made.atoms()[0])) != error.npos);
  }
  MadeStructure made(with_hydrogens);
  made.add("MSE").add("ALA").add_atoms("LIG", {"C1", "O1", "N1"});
  const std::string error = error_of([&] { named_residues(made.atoms(), names_of(NamingScheme::amber)); });
  CHECK(error ==
        "the force fields have no MSE 1 A (MSE), LIG 3 A; replace modified residues with "
        "--replace-nonstandard, leave others out with --ignore 'resname LIG', or give the file of a ligand "
        "for that program with --ligand");
}

TEST_CASE("named residues: a residue of a user's file, waters and lipids keep their names") {
  MadeStructure made(with_hydrogens);
  made.add_atoms("LIG", {"C1", "O1"}).add("HOH").add_atoms("POPC", {"N", "C12", "C13"});
  NamingChoice choice = names_of(NamingScheme::charmm);
  choice.knows = [](std::string_view residue) { return residue == "LIG"; };
  const NamedResidues named = named_residues(made.atoms(), choice);
  for (const NamedResidue& residue : named.residues) CHECK(residue.as == nullptr);
  CHECK(named.residues[0].atoms == std::vector<Label>{"C1", "O1"});
  CHECK(named.residues[1].atoms == std::vector<Label>{"O", "H1", "H2"});
}

TEST_CASE("named residues: a cysteine without HG is CYX where a bond is, and CYM otherwise") {
  MadeStructure made(with_hydrogens);
  made.add("CYX").add("CYX").add("CYX");
  made.join(0, "SG", 1, "SG", 2.05);
  const NamedResidues named = named_residues(made.atoms(), names_of(NamingScheme::amber));
  CHECK(named.residues[0].as->name == Label("CYX"));
  CHECK(named.residues[1].as->name == Label("CYX"));
  CHECK(named.residues[2].as->name == Label("CYM"));
  // By its charge it was bound to what is not there.
  made.atoms()[made.at(2, "SG")].charge_e = -0.1;
  const NamedResidues open = named_residues(made.atoms(), names_of(NamingScheme::amber));
  CHECK(open.residues[2].as->name == Label("CYS"));
  CHECK(open.residues[2].lacks == std::vector<Label>{"HG"});
  made.atoms()[made.at(2, "SG")].charge_e = -0.9;
  CHECK(named_residues(made.atoms(), names_of(NamingScheme::amber)).residues[2].as->name == Label("CYM"));
}

TEST_CASE(
    "named residues: a phosphate at a 5' end with the charge of HPO4- is that, also without its proton") {
  MadeStructure made(with_hydrogens);
  made.add("G", {.first = ChainEnd::five_phosphate_2});
  made.atoms()[made.at(0, "P")].charge_e = -1.0;
  const NamedResidues named = named_residues(made.atoms(), names_of(NamingScheme::amber));
  CHECK(named.residues[0].as->ends.first == ChainEnd::five_phosphate);
  CHECK(named.residues[0].lacks == std::vector<Label>{"HOP3"});
  made.atoms()[made.at(0, "P")].charge_e = -2.0;
  CHECK(error_of([&] {
          named_residues(made.atoms(), names_of(NamingScheme::amber));
        }).find("five_phosphate_2") != std::string::npos);
}

TEST_CASE("named residues: hydrogens that are merged are named as what the program has to build") {
  MadeStructure made;  // without hydrogens
  made.add("H2U");
  const NamedResidues named = named_residues(made.atoms(), names_of(NamingScheme::amber));
  const NamedResidue& residue = named.residues[0];
  CHECK(residue.as->called_in(NamingScheme::amber)->residue == Label("DHU"));
  CHECK(std::find(residue.lacks.begin(), residue.lacks.end(), Label("H20")) != residue.lacks.end());
  CHECK(std::count(residue.lacks.begin(), residue.lacks.end(), Label("H20")) == 1);
}

TEST_CASE("named residues: heavy atoms that are missing, or belong to no residue there, are refused") {
  MadeStructure made(with_hydrogens);
  made.add("LYS").add("LYS");
  std::vector<Atom>& atoms = made.atoms();
  atoms[made.at(1, "HB2")].element = "C";
  atoms[made.at(1, "HB2")].name = "XX";
  atoms.erase(atoms.begin() + std::ptrdiff_t(made.at(0, "NZ")));
  const std::string error = error_of([&] { named_residues(atoms, names_of(NamingScheme::charmm)); });
  CHECK(error.find("LYS 1 A (lacks NZ)") != error.npos);
  CHECK(error.find("LYS 2 A (LYS has no XX)") != error.npos);
}

TEST_CASE("named residues: a bond between residues that no template has is refused") {
  MadeStructure made(with_hydrogens);
  made.add("LYS").add("ASP");
  made.join(0, "NZ", 1, "CG", 1.33);
  const std::string error = error_of([&] { named_residues(made.atoms(), names_of(NamingScheme::amber)); });
  CHECK(error.find("isopeptide bond of LYS 1 A NZ to ASP 2 A CG") != error.npos);
}

TEST_CASE(
    "named residues: a bond that was known before stays one, however long, and is refused where no template "
    "has it") {
  MadeStructure made(with_hydrogens);
  made.add("CYX").add("CYX").add("SER").add("ASP");
  made.join(0, "SG", 1, "SG", 2.7).join(2, "OG", 3, "CG", 1.4);
  NamingChoice choice = names_of(NamingScheme::amber);
  CHECK(named_residues(made.atoms(), choice).residues[0].as->name == Label("CYM"));
  const auto bond = [](int first, const char* first_atom, int second, const char* second_atom) {
    return RecordedBond{{"A", first, ' '}, {"A", second, ' '}, first_atom, second_atom};
  };
  const std::vector<RecordedBond> disulfide = {bond(1, "SG", 2, "SG")}, ester = {bond(3, "OG", 4, "CG")};
  choice.links = disulfide;
  CHECK(named_residues(made.atoms(), choice).residues[0].as->name == Label("CYX"));
  choice.links = ester;
  CHECK(error_of([&] { named_residues(made.atoms(), choice); }).find("bond of SER 3 A OG to ASP 4 A CG") !=
        std::string::npos);
}

TEST_CASE(
    "named residues: a residue within a chain that ends one is refused, whatever is left of the chain") {
  MadeStructure made(with_hydrogens);
  made.add("GLY", {ChainEnd::n_terminal, {}}).bound("ALA").bound("GLY");
  const NamedResidues named = named_residues(made.atoms(), names_of(NamingScheme::amber));
  CHECK(error_of([&] { check_ends(made.atoms(), named, "the force fields"); }) ==
        "the force fields have residues within a chain and at its ends, but nothing is bound to GLY 3 A C; "
        "do not leave out a residue of a chain with --ignore, or build the missing residues");
}
