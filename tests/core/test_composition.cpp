// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "compute/json_parts.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/ion_component.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;
using nlohmann::json;

namespace {

struct NamedKind {
  ResidueKind kind;
  std::vector<const char*> names;
};

/// A PQR record between blanks, 3 A further than the one before.
class PqrText {
 public:
  explicit PqrText(int atoms_before = 0) : serial_(atoms_before) {}

  PqrText& add(const std::string& atom, const std::string& residue, double charge_e) {
    ++serial_;
    text_ += "ATOM " + std::to_string(serial_) + ' ' + atom + ' ' + residue + ' ' +
             std::to_string(3 * serial_) + ".0 0.0 0.0 " + std::to_string(charge_e) + " 1.5\n";
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int serial_;
};

/// A peptide, a nucleotide and a lipid of two atoms each; waters, one of them without hydrogens; ions under
/// one number and under several; a ligand.
PqrText everything() {
  PqrText pqr;
  pqr.add("N", "NALA A 1", 0.75)
      .add("CA", "NALA A 1", 0.25)
      .add("N", "CYX A 2", -0.25)
      .add("CA", "CYX A 2", -0.75);
  pqr.add("P", "RA5 B 1", -1.0).add("N1", "PSU B 2", -1.0);
  pqr.add("P", "POPC C 1", 0.5).add("N", "POPC C 1", -0.5);
  for (const char* const number : {"1", "2", "2"})
    pqr.add("OW", std::string("SOL D ") + number, -0.5).add("HW1", std::string("SOL D ") + number, 0.5);
  pqr.add("O", "HOH D 3", 0.0);
  pqr.add("MG", "MG E 1", 2.0).add("MG", "MG E 1", 2.0).add("CLA", "CLA E 2", -1.0).add("FE", "FE2 E 3", 2.0);
  pqr.add("MG", "MG E 4", 1.5).add("CO", "NCO E 5", 1.0).add("N1", "NCO E 5", 2.0).add("NA", "ION E 6", 1.0);
  pqr.add("C1", "LIG F 1", 0.25)
      .add("C2", "LIG F 1", -1.25)
      .add("C1", "LIG F 2", 0.5)
      .add("C2", "LIG F 2", 0.5);
  return pqr;
}

const std::string peptide = PqrText().add("N", "ALA 1", 0.5).add("CA", "ALA 1", -1.5).text();
const std::string two_waters = PqrText(10)
                                   .add("O", "HOH 7", -0.8)
                                   .add("H1", "HOH 7", 0.4)
                                   .add("H2", "HOH 7", 0.4)
                                   .add("O", "HOH 8", -0.8)
                                   .add("H1", "HOH 8", 0.4)
                                   .add("H2", "HOH 8", 0.4)
                                   .text();

}  // namespace

TEST_CASE("composition: residues by the names of the PDB, AMBER, CHARMM and GROMACS") {
  const NamedKind kinds[] = {
      {ResidueKind::protein,
       {"ALA", "HID", "HIE",  "HIP",  "HSD",  "HSE",   "HSP",   "ASH",   "GLH",  "LYN",  "CYX",
        "CYM", "MSE", "NALA", "CGLY", "NHIE", "CCYX",  "ACE",   "NME",   "LYSH", "HISB", "CYS2",
        "SEP", "CT3", "DALA", "NLN",  "CNLN", "NASPH", "CGLUH", "NHISD", "LYP",  "LYSN", "PHEU"}},
      {ResidueKind::nucleic_acid,
       {"A",   "C",   "G",   "U",   "I",   "DA",   "DT5",  "DA3", "RA3", "RC5", "A5",  "U3",
        "GN",  "GUA", "ADE", "CYT", "THY", "URA",  "PSU",  "5MC", "H2U", "1MA", "2MG", "M2G",
        "OMC", "OMG", "5MU", "7MG", "YYG", "DADE", "DGUA", "RT5", "RT3", "OHE"}},
      {ResidueKind::lipid,
       {"POPC",   "POPE",  "DOPC",  "DPPC",   "SDPS",   "PLPI",  "CHL1",  "CLR",  "PA",
        "PC",     "OL",    "PGR",   "PAPC",   "PHPC",   "DLIPE", "PDOPC", "SAPI", "SAPI25",
        "POPI2A", "TOCL1", "TMCL2", "LNACL1", "CER241", "BSM",   "SITO"}},
      {ResidueKind::water,
       {"HOH", "WAT", "SOL", "TIP3", "TIP4", "T3P", "SPC", "DOD", "H2O", "TP3", "OPC", "SWM4", "TP3M",
        "TP4E"}},
      {ResidueKind::ion, {"NCO", "SO4", "PO4", "NH4"}},
      {ResidueKind::unknown,
       {"LIG", "ATP", "HEM", "NAG", "MG", "CLA", "NXXX", "", "POPX", "hoh", "CL1", "POPI2", "NALAA",
        "SAPI250"}}};
  for (const auto& [kind, names] : kinds)
    for (const char* const name : names) {
      CAPTURE(std::string(name));
      CHECK(to_string(residue_kind(std::string_view(name))) == to_string(kind));
    }
}

TEST_CASE("composition: a nucleotide with phosphates of its own is nucleic acid where it begins a chain") {
  PqrText text(10);
  text.add("PG", "GTP 1", -1.0)
      .add("O3'", "GTP 1", -0.3)
      .add("P", "G 2", 1.0)
      .add("PG", "ATP 3", -4.0)
      .add("PA", "ATP 3", 0.5);
  Structure structure = read_structure_text(text.text(), "x.pqr");
  const auto nucleic = [&] { return composition_of(structure.atoms).nucleic_acid.residues; };
  CHECK(nucleic() == 1);
  structure.atoms[2].position_A = structure.atoms[1].position_A + Vec3<double>{1.6, 0.0, 0.0};
  CHECK(nucleic() == 2);
  CHECK(composition_of(structure.atoms).nucleic_acid.charge_e == doctest::Approx(-0.3));
  CHECK(composition_of(structure.atoms).unknown.residues == 1);
  structure.atoms[1].name = "O2'";
  CHECK(nucleic() == 1);
}

TEST_CASE("composition: what one atom is, and what an ion's name means for several") {
  const auto kind = [](const ResidueTraits& residue) { return to_string(residue_kind(residue)); };
  // a residue of one atom CA is calcium; in an amino acid it is carbon, however little of that is there
  CHECK(kind({.name = "CA", .first_atom = "CA"}) == "ion");
  CHECK(kind({.name = "ALA", .first_atom = "CA"}) == "protein");
  CHECK(kind({.name = "UNK", .first_atom = "CA"}) == "unknown");
  CHECK(kind({.name = "I", .first_atom = "I"}) == "ion");
  CHECK(kind({.name = "I", .first_atom = "P"}) == "nucleic acid");
  CHECK(kind({.name = "LA", .first_atom = "LA"}) == "ion");
  CHECK(kind({.name = "Na+", .first_atom = "Na+"}) == "ion");
  CHECK(kind({.name = "ZN2", .first_atom = "ZN"}) == "ion");
  CHECK(kind({.name = "CLA", .first_atom = "CLA"}) == "ion");
  CHECK(kind({.name = "CLA", .atoms = 65, .first_atom = "MG"}) == "unknown");  // chlorophyll
  CHECK(kind({.name = "HOH", .first_atom = "O", .charge_e = -1.0}) == "water");
  CHECK(kind({.name = "QQQ", .first_atom = "X", .charge_e = 2.0}) == "ion");
  CHECK(kind({.name = "QQQ", .first_atom = "X", .charge_e = 0.5}) == "unknown");
  CHECK(kind({.name = "QQQ", .first_atom = "X", .element = "Mg"}) == "ion");
  CHECK(kind({.name = "QQQ", .first_atom = "X", .element = "C"}) == "unknown");
}

TEST_CASE("composition: counts residues, atoms and charges of each kind, and names ions and strangers") {
  const Structure structure = read_structure_text(everything().text(), "x.pqr");
  REQUIRE(structure.composition);
  const Composition& c = *structure.composition;
  const auto is = [](const KindCount& count, std::int64_t residues, std::int64_t atoms, double charge_e) {
    CHECK(count.residues == residues);
    CHECK(count.atoms == atoms);
    CHECK(count.charge_e == doctest::Approx(charge_e));
  };
  is(c.protein, 2, 4, 0.0);
  is(c.nucleic_acid, 2, 2, -2.0);
  is(c.lipid, 1, 2, 0.0);
  is(c.water, 4, 7, 0.0);
  is(c.ions, 7, 8, 10.5);
  is(c.unknown, 2, 4, 0.0);
  struct Ion {
    std::string name, element;
    double charge_e;
    std::int64_t count;
  };
  const Ion ions[] = {{"MG", "MG", 2.0, 2}, {"CLA", "CL", -1.0, 1}, {"FE", "FE", 2.0, 1},
                      {"MG", "MG", 1.5, 1}, {"NCO", "CO", 3.0, 1},  {"NA", "NA", 1.0, 1}};
  REQUIRE(c.ion_kinds.size() == std::size(ions));
  for (std::size_t i = 0; i < std::size(ions); ++i) {
    CHECK(c.ion_kinds[i].name.view() == ions[i].name);
    CHECK(c.ion_kinds[i].element == ions[i].element);
    CHECK(c.ion_kinds[i].charge_e == ions[i].charge_e);
    CHECK(c.ion_kinds[i].count == ions[i].count);
  }
  REQUIRE(c.unknown_names.size() == 1);
  CHECK(c.unknown_names[0].name.view() == "LIG");
  CHECK(c.unknown_names[0].residues == 2);
}

TEST_CASE(
    "composition: many names and charges take no longer each") {  // two hours when every one is compared
  Structure structure;
  for (int i = 0; i < 300'000; ++i) {
    const std::string name = std::to_string(i) + 'q';
    structure.atoms.push_back(
        {.charge_e = i % 2 == 0 ? 0.5 : 1.0, .name = "Q", .residue = Label(name), .residue_number = i});
  }
  const Composition composition = composition_of(structure.atoms);
  CHECK(composition.unknown_names.size() == 150'000);
  CHECK(composition.ion_kinds.size() == 150'000);
}

TEST_CASE("input water: counts as solute with a warning, on purpose without, and can be left out") {
  const std::string text = peptide + two_waters;
  const Structure plain = read_structure_text(text, "x.pqr");
  CHECK(plain.atoms.size() == 8);
  CHECK(plain.warnings ==
        std::vector<std::string>{
            "x.pqr: contains 2 waters, and water counts as solute: its charges are included, "
            "and ions keep their distance from it; use --input-water ignore to leave it "
            "out, or --input-water solute to confirm it"});

  const Structure meant = read_structure_text(text, "x.pqr", {.water = InputWater::solute});
  CHECK(meant.atoms.size() == 8);
  CHECK(meant.warnings.empty());

  const Structure dry = read_structure_text(text, "x.pqr", {.water = InputWater::ignore});
  CHECK(dry.atoms.size() == 2);
  CHECK(dry.atoms[1].name.view() == "CA");
  CHECK(dry.warnings.empty());
  REQUIRE(dry.composition);
  CHECK(dry.composition->water.residues == 2);  // of the file
  CHECK(dry.composition->water_left_out);
  CHECK_FALSE(plain.composition->water_left_out);

  CHECK(read_structure_text(peptide, "x.pqr").warnings.empty());
}

TEST_CASE("input water: what is checked of a structure is checked without the waters that are left out") {
  const std::string charged_water = PqrText(20).add("O", "HOH 7", -0.5).text();
  const ReadOptions ignore{.water = InputWater::ignore};
  CHECK(read_structure_text(peptide + charged_water, "x.pqr").warnings.size() == 2);  // not an integer, too
  CHECK(read_structure_text(peptide + charged_water, "x.pqr", ignore).warnings.empty());
  CHECK(error_of([&] { read_structure_text(two_waters, "x.pqr", ignore); }) ==
        "x.pqr: contains 2 waters and nothing else, so --input-water ignore leaves nothing; give a structure "
        "that has a solute");
  CHECK(error_of([&] {
          read_structure_text(PqrText().add("N", "ALA 1", 0.0).text() + two_waters, "x.pqr", ignore);
        }).find("x.pqr: the charge of its one atom is zero") == 0);
  const std::string ions_and_water = PqrText().add("MG", "MG 1", 2.0).text() + two_waters;
  CHECK(read_structure_text(ions_and_water, "x.pqr", ignore).atoms.size() == 1);
}

TEST_CASE("cell: CRYST1 is read in columns and between blanks, where it is a cell") {
  const auto cell = [](const std::string& record) {
    return read_structure_text(record + '\n' + peptide, "x.pqr").cell;
  };
  const auto columns = cell("CRYST1  143.170  126.240   87.310  90.00 100.50 120.00 P 1           1");
  REQUIRE(columns);
  CHECK(lengths_A(*columns) == Vec3<double>{143.17, 126.24, 87.31});
  CHECK(angles_deg(*columns) == Vec3<double>{90.0, 100.5, 120.0});
  const auto touching = cell("CRYST1 1143.170 1126.240  187.310  90.00 100.50 120.00");
  REQUIRE(touching);
  CHECK(lengths_A(*touching).y == 1126.24);
  const auto blanks = cell("CRYST1 40 50.5 60 90 90 90");
  REQUIRE(blanks);
  CHECK(lengths_A(*blanks) == Vec3<double>{40.0, 50.5, 60.0});
  for (const char* const none :
       {"CRYST1", "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1",
        "CRYST1    0.000    0.000    0.000  90.00  90.00  90.00 P 1           1",
        "CRYST1 40 50 sixty 90 90 90", "REMARK 40 50 60 90 90 90"}) {
    CAPTURE(std::string(none));
    CHECK_FALSE(cell(none));
  }
}

TEST_CASE("composition: is part of every report's structure") {
  const std::string cell = "CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1           1\n";
  const Structure structure =
      read_structure_text(cell + everything().text(), "x.pqr", {.water = InputWater::ignore});
  const json parsed = json::parse(report_text(structure_json(structure)));
  CHECK(parsed["path"] == "x.pqr");
  CHECK(parsed["atoms"] == structure.atoms.size());
  CHECK(parsed["cell"] == json{{"lengths_A", {40.0, 50.0, 60.0}},
                               {"angles_deg", {90.0, 90.0, 90.0}},
                               {"vectors_A", {{40.0, 0.0, 0.0}, {0.0, 50.0, 0.0}, {0.0, 0.0, 60.0}}},
                               {"kind", "undecided"},
                               {"used", false}});
  const json& composition = parsed["composition"];
  CHECK(composition["protein"] == json{{"residues", 2}, {"atoms", 4}, {"charge_e", 0.0}});
  CHECK(composition["nucleic_acid"]["residues"] == 2);
  CHECK(composition["lipid"]["residues"] == 1);
  CHECK(composition["water"] == json{{"residues", 4}, {"atoms", 7}, {"charge_e", 0.0}, {"left_out", true}});
  CHECK(composition["ions"][0] == json{{"name", "MG"}, {"element", "MG"}, {"charge_e", 2.0}, {"count", 2}});
  CHECK(composition["unknown"]["names"] == json::array({json{{"name", "LIG"}, {"residues", 2}}}));
  CHECK_FALSE(json::parse(report_text(structure_json({.path = "y"}))).contains("composition"));
}

TEST_CASE("composition: ions of one atom have the formal charges of the PDB's chemical components") {
  struct Component {
    const char *name, *element;
    double charge_e;
  };
  const Component components[] = {
      {"MN", "MN", 2},  {"MN3", "MN", 3}, {"CO", "CO", 2},  {"3CO", "CO", 3}, {"NCO", "CO", 3},
      {"FE", "FE", 3},  {"FE2", "FE", 2}, {"CU", "CU", 2},  {"CU1", "CU", 1}, {"NI", "NI", 2},
      {"3NI", "NI", 3}, {"HG", "HG", 2},  {"PB", "PB", 2},  {"AG", "AG", 1},  {"TL", "TL", 1},
      {"EU", "EU", 2},  {"EU3", "EU", 3}, {"YB", "YB", 3},  {"YB2", "YB", 2}, {"CR", "CR", 3},
      {"V", "V", 3},    {"PT", "PT", 2},  {"PT4", "PT", 4}, {"AU", "AU", 1},  {"AU3", "AU", 3},
      {"4TI", "TI", 4}, {"PD", "PD", 2},  {"AL", "AL", 3},  {"GD3", "GD", 3}, {"OS4", "OS", 4},
      {"Y1", "Y", 2},   {"MG", "MG", 2},  {"IOD", "I", -1}, {"SOD", "NA", 1}};
  for (const Component& component : components) {
    CAPTURE(std::string(component.name));
    const std::optional<FormalIon> ion = ion_component(component.name);
    REQUIRE(ion);
    CHECK(ion->element == component.element);
    CHECK(ion->charge_e == component.charge_e);
    CHECK(residue_kind({.name = component.name, .first_atom = component.element}) == ResidueKind::ion);
  }
  // The dictionary has these as atoms, or as something of several; W is also a coarse-grained water.
  for (const char* const name : {"GD", "HO", "MO", "TI", "W", "2MO", "UNX"}) CHECK(!ion_component(name));
}
