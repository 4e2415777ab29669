// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "programs/pdb2pqr.hpp"
#include "programs/pdb2pqr_files.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_reader.hpp"
#include "support/error_of.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Place {
  const char* name;
  double x, y, z;
};

/// A record: `residue` is columns 18-27.
std::string record(const std::string& residue, const Place& place) {
  const std::string name = place.name;
  char line[128];
  std::snprintf(line, sizeof line, "ATOM      1 %-4s %-10s   %8.3f%8.3f%8.3f  1.00  0.00\n",
                name.size() < 4 ? (' ' + name).c_str() : name.c_str(), residue.c_str(), place.x, place.y,
                place.z);
  return line;
}

std::string records(const std::string& residue, const std::vector<Place>& places) {
  std::string text;
  for (const Place& place : places) text += record(residue, place);
  return text;
}

// A nucleotide of an A-form helix with its phosphate, heavy atoms only.
const std::vector<Place> guanosine = {
    {"P", 7.084, 9.416, 55.154},   {"OP1", 8.013, 8.337, 54.745}, {"OP2", 7.613, 10.651, 55.764},
    {"O5'", 6.040, 8.797, 56.174}, {"C5'", 5.171, 7.753, 55.743}, {"C4'", 4.026, 7.612, 56.704},
    {"O4'", 4.532, 7.320, 58.026}, {"C3'", 3.181, 8.856, 56.892}, {"O3'", 2.235, 8.998, 55.843},
    {"C2'", 2.547, 8.571, 58.240}, {"O2'", 1.537, 7.601, 58.129}, {"C1'", 3.723, 7.984, 58.998},
    {"N9", 4.531, 9.025, 59.653},  {"C8", 5.794, 9.445, 59.318},  {"N7", 6.241, 10.388, 60.098},
    {"C5", 5.202, 10.603, 60.997}, {"C6", 5.099, 11.506, 62.092}, {"O6", 5.939, 12.318, 62.489},
    {"N1", 3.867, 11.399, 62.738}, {"C2", 2.857, 10.530, 62.381}, {"N2", 1.734, 10.574, 63.112},
    {"N3", 2.945, 9.682, 61.367},  {"C4", 4.133, 9.774, 60.727}};
// Glycine.
const std::vector<Place> glycine = {
    {"N", 0.0, 0.0, 0.0}, {"CA", 1.458, 0.0, 0.0}, {"C", 2.009, 1.420, 0.0}, {"O", 1.251, 2.390, 0.0}};

std::vector<Place> moved(std::vector<Place> places, double x, double y = 0.0, double z = 0.0) {
  for (Place& place : places) place = {place.name, place.x + x, place.y + y, place.z + z};
  return places;
}

Structure read(const std::string& text) {
  return read_pdb(text, "x.pdb");
}

/// What PDB2PQR would write: the atoms of its input with a charge each, without those named.
Structure echoed(const std::string& pdb, const std::string& without = "none") {
  std::string pqr;
  for (const Atom& atom : read_pdb(pdb, "in.pdb").atoms) {
    if (atom.name.view() == without || atom.residue.view() == without) continue;
    char line[128];
    std::snprintf(line, sizeof line, "ATOM 1 %s %s %s %d %.3f %.3f %.3f 0.25 1.5\n",
                  std::string(atom.name.view()).c_str(), std::string(atom.residue.view()).c_str(),
                  std::string(atom.chain.view()).c_str(), atom.residue_number, atom.position_A.x,
                  atom.position_A.y, atom.position_A.z);
    pqr += line;
  }
  return read_pqr(pqr, "out.pqr");
}

std::string fates_of(const Pdb2pqrInput& input) {
  std::string fates;
  for (const Pdb2pqrResidue& residue : input.residues) fates += "siwu-"[int(residue.fate)];
  return fates;
}

bool has_warning(const Structure& structure, const std::string& text) {
  return std::any_of(structure.warnings.begin(), structure.warnings.end(),
                     [&](const std::string& warning) { return warning.find(text) != warning.npos; });
}

}  // namespace

TEST_CASE("PDB2PQR: each piece of a chain gets a letter, and each residue a number") {
  const Structure structure =
      read(records("GLY A  -3 ", glycine) + records("GLY A  -2A", glycine) + "TER\n" +
           records("GLY A  -3 ", glycine) + records("GLY B  -7 ", glycine));  // a chain along its bonds
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  REQUIRE(input.pdb_texts.size() == 1);
  std::string places;
  for (const Atom& atom : read_pdb(input.pdb_texts[0], "in.pdb").atoms)
    if (atom.name == Label("CA"))
      places += describe_residue(atom) + (atom.insertion_code == ' ' ? ", " : "!");
  CHECK(places == "GLY 1 A, GLY 2 A, GLY 1 B, GLY 2 B, ");
  const std::vector<Structure> outputs = {echoed(input.pdb_texts[0])};
  const Structure charged = charged_structure(structure, input, outputs, {});
  REQUIRE(charged.atoms.size() == structure.atoms.size());
  for (std::size_t i = 0; i < charged.atoms.size(); ++i) {
    CHECK(describe(charged.atoms[i]) == describe(structure.atoms[i]));
    CHECK(charged.atoms[i].position_A == structure.atoms[i].position_A);
    CHECK(charged.atoms[i].ends_chain == structure.atoms[i].ends_chain);
    CHECK(charged.atoms[i].charge_e == 0.25);
    CHECK(charged.atoms[i].radius_A == 1.5);
  }
  CHECK(charged.warnings.empty());
}

TEST_CASE("PDB2PQR: a hydrogen that it puts too far away comes to the length of its bond") {
  const Structure structure = read(records("GLY A   1 ", glycine));
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  const auto charged_with = [&](double length_A) {
    Structure output = echoed(input.pdb_texts.at(0));
    Atom hydrogen = output.atoms.front();  // N
    hydrogen.name = "H";
    hydrogen.element = {};
    hydrogen.position_A.y -= length_A;
    output.atoms.push_back(hydrogen);
    return charged_structure(structure, input, std::vector<Structure>{output}, {});
  };
  const Structure usual = charged_with(1.03), far = charged_with(1.4);
  CHECK(usual.atoms.back().position_A.y == doctest::Approx(-1.03));
  CHECK(usual.warnings.empty());
  CHECK(far.atoms.back().name == Label("H"));
  CHECK(far.atoms.back().position_A.y == doctest::Approx(-1.01));
  CHECK(far.warnings ==
        std::vector<std::string>{"note: x.pdb: PDB2PQR placed hydrogens farther than 1.2 A from their atoms; "
                                 "ionwell moved them to the length of a bond: 1 atom (GLY 1 A H)"});
}

TEST_CASE("PDB2PQR: why atoms are left out depends on what they are") {
  const std::vector<Place> with_end = [] {
    auto atoms = glycine;
    atoms.push_back({"OXT", 2.1, -1.1, 0.0});
    return atoms;
  }();
  const auto warnings_of = [](const Structure& structure, const char* without) {
    const Pdb2pqrInput input = pdb2pqr_input(structure);
    const std::vector<Structure> outputs = {echoed(input.pdb_texts.at(0), without)};
    return charged_structure(structure, input, outputs, {}).warnings;
  };
  const Structure alone = read(records("GLY A   1 ", with_end));
  CHECK(warnings_of(alone, "OXT") ==
        std::vector<std::string>{
            "x.pdb: left out by PDB2PQR, which treats a single residue of a chain as a first residue, so "
            "that the charge of a last one is missing: 1 atom (GLY 1 A OXT)"});
  const Structure two = read(records("GLY A   1 ", glycine) + records("GLY A   2 ", with_end));
  CHECK(warnings_of(two, "OXT") ==
        std::vector<std::string>{"x.pdb: left out by PDB2PQR, which has no such atom in "
                                 "these residues: 1 atom (GLY 2 A OXT)"});
  CHECK(warnings_of(read(records("  G A   1 ", guanosine)), "N2").at(0).find("which has no such atom") !=
        std::string::npos);
  CHECK(warnings_of(read(records("  G A   1 ", guanosine)), "OP2").at(0).find("starts a nucleic acid") !=
        std::string::npos);
}

TEST_CASE("PDB2PQR: what it is not sent, and what comes back") {
  const Structure structure = read(
      records("  G A   1 ", {guanosine.begin(), guanosine.begin() + 3}) + records("  G A   2 ", guanosine) +
      "TER\n" + records("MSE A   3 ", glycine) + record("MSE A   3 ", {"SE", 1.0, 5.0, 1.0}) +
      records("LIG A   4 ", glycine) + record(" MG A 301 ", {"MG", 9.0, 9.0, 9.0}) +
      record("HOH A 401 ", {"O", 5.0, 5.0, 5.0}) + record(" XE A 402 ", {"XE", 7.0, 5.0, 5.0}));
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  CHECK(fates_of(input) == "-ssuiwu");
  const Structure sent = read_pdb(input.pdb_texts.at(0), "in.pdb");
  CHECK(sent.atoms.size() == guanosine.size() + 5);
  CHECK(sent.atoms.back().name.view() == "SD");
  CHECK(sent.atoms.back().residue.view() == "MET");
  const std::vector<Structure> outputs = {echoed(input.pdb_texts[0], "OP2")};
  const Structure charged = charged_structure(structure, input, outputs, {});
  CHECK(charged.atoms.size() == guanosine.size() - 1 + 5 + 1);
  const Atom& ion = charged.atoms.back();
  CHECK(ion.charge_e == 2.0);
  CHECK(ion.radius_A == doctest::Approx(0.72));                        // Shannon
  CHECK(charged.atoms[charged.atoms.size() - 2].name.view() == "SE");  // by its place
  CHECK(charged.warnings ==
        std::vector<std::string>{
            "x.pdb: left out, because the force field of PDB2PQR has no charges for them: 2 residues (LIG 4 "
            "A, XE 402 A)",
            "x.pdb: left out, because too few atoms are present to build the others: 1 residue (G 1 A)",
            "x.pdb: left out by PDB2PQR, which starts a nucleic acid with a hydroxyl: 1 atom (G 2 A OP2)",
            "note: x.pdb: 1 selenomethionine has the charges of methionine",
            "note: x.pdb: with formal charge and ionic radius: 1 ion (MG 301 A)",
            "note: x.pdb: 1 water was left out"});
  const std::vector<Structure> without = {echoed(input.pdb_texts[0], "MET")};
  CHECK(has_warning(charged_structure(structure, input, without, {}),
                    "3 residues (MSE 3 A, LIG 4 A, XE 402 A)"));
  const std::vector<Structure> nothing(1);
  CHECK(error_of([&] {
          charged_structure(structure, input, nothing, {});
        }).starts_with("x.pdb: PDB2PQR's force field has charges for none of its residues"));
  CHECK(error_of([&] {
          pdb2pqr_input(read(record(" XE A 402 ", {"XE", 7.0, 5.0, 5.0})));
        }).starts_with("x.pdb: has no amino acid or nucleotide"));
}

TEST_CASE("PDB2PQR: is not run for ions alone") {
  const Structure structure = read(record(" MG A 301 ", {"MG", 9.0, 9.0, 9.0}));
  const SignalNotes notes;
  const ChargedStructure charged =
      assign_charges(structure, {.program = "/no/such/program"}, notes, [](double) {});
  REQUIRE(charged.structure.atoms.size() == 1);
  CHECK(charged.structure.atoms[0].charge_e == 2.0);
  CHECK(charged.note.empty());
}

TEST_CASE("PDB2PQR: names that it knows") {
  const auto sent_name = [](const std::string& residue, std::vector<Place> places) {
    const Structure structure = read(records(residue, places));
    return std::string(read_pdb(pdb2pqr_input(structure).pdb_texts.at(0), "in.pdb").atoms[0].residue.view());
  };
  for (const char* const name : {"  G", " RG", "RG5", " G3", "GUA", " GN"})
    CHECK(sent_name(std::string(name) + " A   1 ", guanosine) == "G");
  std::vector<Place> deoxy = guanosine;
  std::erase_if(deoxy, [](const Place& place) { return place.name == std::string("O2'"); });
  for (const char* const name : {"  G", " DG", "DG5", "GUA"})
    CHECK(sent_name(std::string(name) + " A   1 ", deoxy) == "DG");
  CHECK(sent_name("HSD A   1 ", glycine) == "HID");
  CHECK(sent_name("NGLYA   1 ", glycine) == "GLY");
  CHECK(sent_name("GLUPA   1 ", glycine) == "GLH");
}

TEST_CASE("PDB2PQR: coordinates that do not fit are shifted, and come back exactly") {
  Structure structure = read(records("GLY A   1 ", glycine));
  for (Atom& atom : structure.atoms) atom.position_A.x = atom.position_A.x - 5000.0 + 0.00025;
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  CHECK(input.shift_A.x == 4999.0);
  const std::vector<Structure> outputs = {echoed(input.pdb_texts[0])};
  const Structure charged = charged_structure(structure, input, outputs, {});
  for (std::size_t i = 0; i < charged.atoms.size(); ++i)
    CHECK(charged.atoms[i].position_A == structure.atoms[i].position_A);
}

TEST_CASE("PDB2PQR: more pieces than letters go to another file, long chains are refused") {
  std::string text;
  for (int i = 0; i < 70; ++i) text += records("GLY A   1 ", moved(glycine, 5.0 * i)) + "TER\n";
  const Structure structure = read(text);
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  REQUIRE(input.pdb_texts.size() == 2);
  const std::vector<Structure> outputs = {echoed(input.pdb_texts[0]), echoed(input.pdb_texts[1])};
  const Structure charged = charged_structure(structure, input, outputs, {});
  REQUIRE(charged.atoms.size() == structure.atoms.size());
  CHECK(charged.atoms.back().position_A == structure.atoms.back().position_A);

  Structure chain = read(records("GLY A   1 ", glycine));
  const std::vector<Atom> residue = chain.atoms;
  for (int i = 1; i < 10'000; ++i)
    for (Atom atom : residue) {
      atom.residue_number = i + 1;
      chain.atoms.push_back(atom);
    }
  CHECK(error_of([&] {
          pdb2pqr_input(chain);
        }).starts_with("x.pdb: GLY 10000 A is residue 10,000 of its chain"));
}

TEST_CASE("PDB2PQR: the atoms that it misses, each once, under the names of the input") {
  const Structure structure = read(records("GLY X  57A", glycine));
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  const std::string printed =
      "WARNING:Missing atom OXT in residue GLY A 1\nWARNING:Missing atom OXT in residue GLY A 1\n"
      "WARNING:Missing atom N in residue GLY A 9\nWARNING:Missing atom in residue\nINFO:Missing atom\n";
  const std::vector<MissingAtom> missing = missing_atoms(printed, input, 0);
  CHECK(missing == std::vector<MissingAtom>{{"OXT", 0}});
  CHECK(missing_atoms(printed, input, 1).empty());
  CHECK(list_of(missing, structure, input) == "1 atom (GLY 57A X OXT)");
}

TEST_CASE("PDB2PQR: not installed") {
  const Structure structure = read(records("GLY A   1 ", glycine));
  const SignalNotes notes;
  CHECK(error_of([&] { assign_charges(structure, {.program = "no-such-pdb2pqr"}, notes, [](double) {}); })
            .starts_with(
                "there is no program no-such-pdb2pqr to assign charges; on Debian and Ubuntu install the "
                "package pdb2pqr"));
}

TEST_CASE("PDB2PQR: ions get the formal charges of their chemical components") {
  struct Component {
    const char *name, *atom;
    double charge_e;
  };
  const Component components[] = {{"MN3", "MN", 3}, {"3CO", "CO", 3}, {"FE", "FE", 3},  {"FE2", "FE", 2},
                                  {"CU", "CU", 2},  {"CU1", "CU", 1}, {"TL", "TL", 1},  {"EU3", "EU", 3},
                                  {"YB2", "YB", 2}, {"MG", "MG", 2},  {"BS3", "BI", 3}, {"NCO", "CO", 3}};
  std::string text = records("GLY A   1 ", glycine);
  int number = 1;
  for (const Component& component : components) {
    char residue[16];
    std::snprintf(residue, sizeof residue, "%3s A%4d ", component.name, ++number);
    text += record(residue, {component.atom, 9.0 * number, 0.0, 0.0});
  }
  const Structure structure = read(text);
  const Pdb2pqrInput input = pdb2pqr_input(structure);
  CHECK(fates_of(input) == "s" + std::string(std::size(components), 'i'));
  const std::vector<Structure> outputs = {echoed(input.pdb_texts[0])};
  const Structure charged = charged_structure(structure, input, outputs, {});
  REQUIRE(charged.atoms.size() == glycine.size() + std::size(components));
  for (std::size_t n = 0; n < std::size(components); ++n) {
    CAPTURE(std::string(components[n].name));
    const Atom& ion = charged.atoms[glycine.size() + n];
    CHECK(ion.charge_e == components[n].charge_e);
    CHECK(ion.element == ElementSymbol(components[n].atom));
    CHECK((ion.radius_A > 0.4) == (components[n].atom != std::string("CO")));
  }
  CHECK(has_warning(charged, "with formal charge and ionic radius: 12 ions"));
}

TEST_CASE("PDB2PQR: runs, and a dinucleotide and an ion have whole charges") {
  if (find_program("pdb2pqr30").empty() && find_program("pdb2pqr").empty())
    return skip("there is no PDB2PQR here");
  // The phosphate of the second lies 1.6 A from O3' of the first.
  const Structure structure =
      read(records("  G X -12B", guanosine) + records("  G X -11 ", moved(guanosine, -6.4, -0.4, 0.7)) +
           "TER\n" + record(" MG X 301 ", {"MG", 20.0, 9.0, 9.0}));
  const TemporaryFolder folder;
  const SignalNotes notes;
  const ChargedStructure charged =
      assign_charges(structure, {.keep_scratch = folder / "kept"}, notes, [](double) {});
  const std::vector<Atom>& atoms = charged.structure.atoms;
  CHECK(charged.note.starts_with("x.pdb: charges and radii come from PDB2PQR v"));
  CHECK(charged.note.ends_with(" --ff=AMBER --keep-chain --whitespace)"));
  const double net_e = net_charge_e(atoms);
  CHECK(std::abs(net_e - 1.0) < 0.01);  // one phosphate and Mg2+; both ends have a hydroxyl
  CHECK(has_warning(charged.structure, "3 atoms (G -12B X P, G -12B X OP1, G -12B X OP2)"));
  CHECK(std::count_if(atoms.begin(), atoms.end(),
                      [](const Atom& atom) { return atom.element == ElementSymbol("H"); }) > 10);
  for (const Atom& atom : atoms) {
    CHECK(atom.chain.view() == "X");
    CHECK((atom.residue_number == -12 || atom.residue_number == -11 || atom.residue_number == 301));
    CHECK((atom.insertion_code == 'B') == (atom.residue_number == -12));
    CHECK((atom.residue.view() == "MG") == (atom.residue_number == 301));
  }
  CHECK(!read_text(folder / "kept/solute1.pqr").empty());
  CHECK(!has_warning(charged.structure, "--keep-pdb2pqr"));
  write_text(folder / "kept/solute1.pqr", "mine");
  const ChargedStructure again =
      assign_charges(structure, {.keep_scratch = folder / "kept"}, notes, [](double) {});
  CHECK(read_text(folder / "kept/solute1.pqr") == "mine");
  CHECK(!read_text(folder / "kept/run-1/solute1.pqr").empty());
  CHECK(has_warning(again.structure,
                    "--keep-pdb2pqr: " + folder / "kept" +
                        " already contains files, which ionwell does not touch; those of PDB2PQR are in " +
                        folder / "kept/run-1"));
  CHECK(error_of([&] {
          assign_charges(structure, {.force_field = ChargeForceField::swanson}, notes, [](double) {});
        }).find("AMBER") != std::string::npos);
}
