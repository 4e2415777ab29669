// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "chemistry/made_structure.hpp"
#include "core/text/lines.hpp"
#include "structures/engines/engine_files.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const auto with_hydrogens = MadeStructure::Hydrogens::yes;

constexpr ChainEnds n_end{.first = ChainEnd::n_terminal}, c_end{.last = ChainEnd::c_terminal},
    five{.first = ChainEnd::five_hydroxyl}, three{.last = ChainEnd::three_hydroxyl};

struct CharmmFolder {
  std::string script;
  std::vector<EngineFile> files;

  bool has(std::string_view lines) const { return script.find(lines) != std::string::npos; }

  std::string text(const std::string& name) const {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const EngineFile& f) { return f.name == name; });
    return found == files.end() ? std::string() : found->text;
  }

  /// "ACE1:CAY,HY1 ALA1:N": residues of a segment's file, and their atoms.
  std::string segment(const std::string& name) const {
    std::string said, last;
    const std::string file = text("segment_" + name + ".pdb");
    LineScanner lines(file);
    for (std::string_view line; lines.next(line);) {
      if (!line.starts_with("ATOM") && !line.starts_with("HETATM")) continue;
      const std::string residue =
          std::string(trim(line.substr(17, 4))) + std::string(trim(line.substr(22, 5)));
      said += residue == last ? "," : (said.empty() ? "" : " ") + residue + ':';
      said += trim(line.substr(12, 4));
      last = residue;
    }
    return said;
  }
};

CharmmFolder charmm_folder(const std::vector<Atom>& atoms, std::vector<EngineIon> ions = {}) {
  CharmmFolder folder;
  folder.files = engine_files(Engine::charmm, {.atoms = atoms, .ions = std::move(ions)});
  folder.script = folder.text("psfgen.tcl");
  return folder;
}

bool is_end_patch(std::string_view patch) {
  constexpr std::string_view ends[] = {"NTER", "GLYP", "PROP", "NNEU", "NGNE",
                                       "5TER", "5PHO", "CTER", "CNEU", "3TER"};
  return std::find(std::begin(ends), std::end(ends), patch) != std::end(ends);
}

}  // namespace

TEST_CASE("CHARMM: each residue of the table has CHARMM's names, and patches for its ends and its state") {
  int checked = 0;
  for (const ResidueTemplate& residue : residue_table().templates()) {
    const std::optional<ProgramName>& called = residue.called_in(NamingScheme::charmm);
    const bool is_protein = residue.kind == ResidueClass::amino_acid;
    const bool is_nucleotide = residue.kind == ResidueClass::rna || residue.kind == ResidueClass::dna;
    if (!called || (!is_protein && !is_nucleotide) || residue.name == Label("CYX")) continue;
    if (residue.link_before == ResidueTemplate::no_atom && residue.ends.first == ChainEnd::none) continue;
    if (residue.link_after == ResidueTemplate::no_atom && residue.ends.last == ChainEnd::none) continue;
    CAPTURE(describe(residue));
    MadeStructure made(with_hydrogens);
    const char* const neighbour = is_protein ? "ALA" : residue.kind == ResidueClass::dna ? "DA" : "A";
    const bool has_before = residue.ends.first == ChainEnd::none,
               has_after = residue.ends.last == ChainEnd::none;
    if (has_before)
      made.add(neighbour, is_protein ? n_end : five).bound(residue.name.view(), residue.ends);
    else
      made.add(residue.name.view(), residue.ends);
    if (has_after) made.bound(neighbour, is_protein ? c_end : three);
    const CharmmFolder folder = charmm_folder(made.atoms());
    std::string names;
    for (std::size_t n = 0; n < residue.atoms.size(); ++n)
      names.append(n == 0 ? "" : ",").append(residue.name_in(NamingScheme::charmm, n).view());
    const std::string number = has_before ? "2" : "1";
    CHECK(folder.segment("A").find(std::string(called->residue.view()) + number + ':' + names) !=
          std::string::npos);
    std::string first = is_protein ? "NTER" : "5TER", last = is_protein ? "CTER" : "3TER";
    for (const Label& patch : called->patches) {
      const std::string name(patch.view());
      if (!is_end_patch(name))
        CHECK(folder.has("\npatch " + name + " A:" + number + '\n'));
      else if (name.starts_with("C") || name.starts_with("3"))
        last = name;
      else
        first = name;
    }
    CHECK(folder.has("segment A {\n  first " + first + "\n  last " + last + "\n  auto angles dihedrals\n"));
    CHECK(folder.has("pdbalias") == false);
    ++checked;
  }
  CHECK(checked > 100);
}

TEST_CASE("CHARMM: caps are patches of their neighbours, whose number they have") {
  MadeStructure made(with_hydrogens);
  made.add("ACE").bound("GLY").bound("NME");
  made.chain("B", 5).add("ACE").bound("PRO").bound("ALA").bound("NH2");
  const CharmmFolder folder = charmm_folder(made.atoms());
  CHECK(folder.has("segment A {\n  first ACE\n  last CT3\n"));
  CHECK(folder.has("segment B {\n  first ACP\n  last CT2\n"));
  CHECK(folder.segment("A") == "GLY2:CAY,HY1,HY2,HY3,CY,OY,N,CA,C,O,HN,HA1,HA2,NT,HNT,CAT,HT1,HT2,HT3");
  CHECK(folder.segment("B").ends_with("HB3,NT,HT1,HT2"));
  MadeStructure alone(with_hydrogens);
  alone.add("ACE").bound("NME");
  CHECK(error_of([&] { charmm_folder(alone.atoms()); }).find("is not bound to an amino acid") !=
        std::string::npos);
}

TEST_CASE("CHARMM: disulfides are patched, before positions are read and water is there") {
  MadeStructure made(with_hydrogens);
  made.chain("A", 20).add("CYX", n_end).bound("ALA").bound("ASH", c_end);
  made.chain("B", 7).add("GLY", n_end).bound("CYX", c_end);
  made.join(0, "SG", 4, "SG", 2.05).chain("W").add("HOH");
  const CharmmFolder folder = charmm_folder(made.atoms());
  CHECK(folder.has(
      "\npatch ASPP A:22\npatch DISU A:20 B:8\nregenerate angles dihedrals\ncoordpdb segment_A.pdb "
      "A\ncoordpdb segment_B.pdb B\n"));
  CHECK(folder.has("segment B {\n  first GLYP\n  last CTER\n"));
  CHECK(folder.script.find("regenerate") < folder.script.find("segment WT1 {\n  auto none"));
  CHECK(folder.has("foreach file {\n  top_all36_prot.rtf\n  toppar_water_ions.str\n} {\n"));

  // A single cysteine without a proton is a thiolate, and a residue of its own.
  MadeStructure thiolate(with_hydrogens);
  thiolate.add("ALA", n_end).bound("CYM").bound("ALA", c_end);
  const CharmmFolder charged = charmm_folder(thiolate.atoms());
  CHECK(charged.segment("A").find("CYM2:") != std::string::npos);
  CHECK(!charged.has("\npatch"));
  CHECK(!charged.has("regenerate"));
}

TEST_CASE("CHARMM: a gap makes two segments, and psfgen reads only the files that are needed") {
  MadeStructure made(with_hydrogens);
  made.add("A", five).bound("2MG").bound("DU").bound("C", three);
  made.number(9).add("DG", five).bound("DT", three);
  made.chain("M", 1).add("MN").add("ZN");
  const CharmmFolder folder = charmm_folder(made.atoms(), {{"MG", "MG", 2.0, {0.0, 0.0, 9.0}}});
  CHECK(folder.has("segment A {\n  first 5TER\n  last 3TER\n"));
  CHECK(folder.has("segment A1 {\n  first 5TER\n  last 3TER\n"));
  CHECK(folder.has("\npatch DEO5 A:3\npatch DEO5 A1:9\npatch DEOX A1:10\nregenerate angles dihedrals\n"));
  CHECK(folder.segment("A1").starts_with("GUA9:"));
  CHECK(folder.segment("IN1") == "MN2P1:MN2P ZN22:ZN");
  CHECK(
      folder.has("foreach file {\n  top_all36_na.rtf\n  top_all36_cgenff.rtf\n  "
                 "stream/na/toppar_all36_na_rna_modified.str\n  toppar_water_ions.str\n  "
                 "stream/misc/toppar_ions_won.str\n} {\n"));
  MadeStructure phosphorylated(with_hydrogens);
  phosphorylated.add("ALA", n_end).bound("PTR").bound("SEP").bound("TPO", c_end);
  const CharmmFolder protein = charmm_folder(phosphorylated.atoms());
  CHECK(protein.has("\npatch TP2 A:2\npatch SP2 A:3\npatch THPB A:4\n"));
  CHECK(
      protein.has("foreach file {\n  top_all36_prot.rtf\n  top_all36_na.rtf\n  "
                  "stream/prot/toppar_all36_prot_na_combined.str\n} {\n"));
}

TEST_CASE(
    "CHARMM: hydrogens that are not there are built, or left to psfgen, which stops for any other atom") {
  MadeStructure made(with_hydrogens);
  made.add("ALA", n_end).bound("SER").number(-3, 'B').bound("ALA", c_end);
  std::vector<Atom> atoms = made.atoms();
  atoms.erase(atoms.begin() + made.at(2, "H"));
  atoms.erase(atoms.begin() + made.at(1, "HA"));
  const CharmmFolder folder = charmm_folder(atoms);
  CHECK(folder.segment("A").find(",HG1,HA ALA-3B:") != std::string::npos);
  // The first atom lies in the origin, where psfgen has what has no position.
  CHECK(folder.has("set to_place {\n  A:1:N A:-3B:HN\n}\n"));
  CHECK(folder.has("set chains {\n  A\n}\n"));
  CHECK(folder.script.find("exit 1\n      }\n") < folder.script.find("guesscoord\n"));
  std::vector<Atom> lacking = made.atoms();
  lacking.erase(lacking.begin() + made.at(1, "CB"));
  CHECK(error_of([&] { charmm_folder(lacking); }).find("SER 2 A (lacks CB)") != std::string::npos);
}

TEST_CASE("CHARMM: rings are closed by a patch") {
  MadeStructure made(with_hydrogens);
  made.add("ALA");
  for (int n = 0; n < 4; ++n) made.bound("ALA");
  made.join(0, "N", 4, "C", 1.4);
  const CharmmFolder folder = charmm_folder(made.atoms());
  CHECK(folder.has("segment A {\n  first none\n  last none\n"));
  CHECK(folder.has("\npatch LINK A:4 A:5 A:1 A:2\nregenerate angles dihedrals\n"));
  MadeStructure rna(with_hydrogens);
  rna.add("A").bound("C").bound("G").join(0, "P", 2, "O3'", 1.6);
  CHECK(charmm_folder(rna.atoms()).has("\npatch LKNA A:3 A:1\n"));
  MadeStructure small(with_hydrogens);
  small.add("ALA").bound("ALA").bound("ALA").join(0, "N", 2, "C", 1.4);
  CHECK(error_of([&] { charmm_folder(small.atoms()); }).find("needs four") != std::string::npos);
}

TEST_CASE("CHARMM: residues of a chain that have no numbers of their own get new ones") {
  MadeStructure made(with_hydrogens);
  made.add("ALA", n_end).number(1).bound("SER").number(12'000).bound("CYX", c_end);
  made.chain("B").add("CYX", n_end).bound("ALA", c_end).join(2, "SG", 3, "SG", 2.05);
  const CharmmFolder folder = charmm_folder(made.atoms());
  CHECK(folder.segment("A").find(" SER2:") != std::string::npos);
  CHECK(folder.has("\npatch DISU A:3 B:1\n"));
}

TEST_CASE("CHARMM: what its force field does not have is refused") {
  MadeStructure made(with_hydrogens);
  made.add("ALA", n_end).bound("MSE").bound("ALA", c_end).chain("L").add_atoms("LIG", {"C1", "C2"});
  const std::string error = error_of([&] { charmm_folder(made.atoms()); });
  CHECK(error.find("MSE 2 A") != std::string::npos);
  CHECK(error.find("LIG 1 L") != std::string::npos);
  CHECK(error.find("--replace-nonstandard") != std::string::npos);
  MadeStructure branched(with_hydrogens);
  branched.add("A", five).bound("C").bound("G", three).number(9).add("U").bound("A", three);
  branched.join(1, "O2'", 3, "P", 1.6);
  CHECK(error_of([&] { charmm_folder(branched.atoms()); }).find("no phosphodiester bond of ") !=
        std::string::npos);
}

TEST_CASE("CHARMM: a chain that ends without an end is refused, for its charge would be no integer") {
  MadeStructure first(with_hydrogens);
  first.add("A").bound("C", three);
  CHECK(error_of([&] { charmm_folder(first.atoms()); }).starts_with("A 1 A is at the end of a chain"));
  MadeStructure last(with_hydrogens);
  last.add("ALA", n_end).bound("SER");
  CHECK(error_of([&] { charmm_folder(last.atoms()); }).starts_with("SER 2 A is at the end of a chain"));
}

TEST_CASE("CHARMM: names of chains and insertion codes are words of Tcl") {
  MadeStructure made(with_hydrogens);
  made.chain("}").add("DA", five).number(5, '[').bound("DA", three);
  made.chain("{").add("DA", five).bound("DA", three);
  std::vector<Atom> atoms = made.atoms();
  atoms.erase(atoms.begin() + made.at(1, "H8"));
  const CharmmFolder folder = charmm_folder(atoms);
  CHECK(folder.has("segment _ {\n"));
  CHECK(folder.has("segment _1 {\n"));
  CHECK(folder.has("patch DEO5 _:1\npatch DEOX \"_:5\\[\"\n"));
  CHECK(folder.has("\"_:5\\[:H8\""));
}
