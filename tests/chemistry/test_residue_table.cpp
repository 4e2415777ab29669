// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "chemistry/templates/residue_match.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr std::size_t no_atom = ResidueTemplate::no_atom;

/// Bonds of an atom, a double one twice; what it shares with other residues once each.
std::vector<int> bond_orders(const ResidueTemplate& t) {
  std::vector<int> orders(t.atoms.size());
  for (const TemplateBond& bond : t.bonds) {
    orders[bond.first] += bond.order;
    orders[bond.second] += bond.order;
  }
  for (const std::size_t link : {t.link_before, t.link_after, t.link_side})
    if (link != no_atom) ++orders[link];
  return orders;
}

/// What an element has bonds for, with that formal charge (Lewis structures; sulfur and phosphorus also 6 and
/// 5).
std::set<int> valences(std::string_view element, int charge_e) {
  if (element == "H") return {1};
  if (element == "C") return {4};
  if (element == "N") return {3 + charge_e};
  if (element == "O") return {2 + charge_e};
  if (element == "S" || element == "SE") return {2 + charge_e, 6};
  if (element == "P") return {5};
  if (element == "F" || element == "BR") return {1};
  return {};
}

std::vector<Label> atom_names(const ResidueTemplate& t, NamingScheme scheme = NamingScheme::pdb) {
  return t.names[std::size_t(scheme)];
}

const ResidueTemplate& of(std::string_view name, ChainEnds ends = {}) {
  const ResidueTemplate* const found = residue_table().find(name, ends);
  REQUIRE(found != nullptr);
  return *found;
}

std::string called(const ResidueTemplate& t, NamingScheme scheme) {
  const auto& name = t.called_in(scheme);
  if (!name) return "lacks";
  std::string text(name->residue.view());
  for (const Label& patch : name->patches) (text += ' ') += patch.view();
  return text;
}

ResidueTable table_of(const std::string& text) {
  return ResidueTable("r.txt", text);
}

}  // namespace

TEST_CASE("residue table: every atom has the bonds of its element and formal charge") {
  std::size_t compared = 0;
  for (const ResidueTemplate& t : residue_table().templates()) {
    if (t.atoms.size() == 1) continue;
    const std::vector<int> orders = bond_orders(t);
    CAPTURE(describe(t));
    for (std::size_t n = 0; n < t.atoms.size(); ++n) {
      const TemplateAtom& atom = t.atoms[n];
      if (atom.element == ElementSymbol("CO")) continue;  // of a complex: coordinate bonds count for nothing
      const std::set<int> allowed = valences(atom.element.view(), atom.charge_e);
      CAPTURE(std::string(atom.name.view()));
      CAPTURE(orders[n]);
      CHECK(allowed.contains(orders[n]));
      ++compared;
    }
  }
  CHECK(compared > 10000);
}

TEST_CASE("residue table: a residue is one molecule, and each scheme has a name of its own for each atom") {
  for (const ResidueTemplate& t : residue_table().templates()) {
    CAPTURE(describe(t));
    std::vector<std::size_t> group(t.atoms.size());
    for (std::size_t n = 0; n < group.size(); ++n) group[n] = n;
    for (std::size_t round = 0; round < t.atoms.size(); ++round)
      for (const TemplateBond& bond : t.bonds)
        group[bond.first] = group[bond.second] = std::min(group[bond.first], group[bond.second]);
    CHECK(std::all_of(group.begin(), group.end(), [](std::size_t g) { return g == 0; }));
    for (std::size_t scheme = 0; scheme < naming_schemes; ++scheme) {
      CAPTURE(std::string(to_string(NamingScheme(scheme))));
      REQUIRE(t.names[scheme].size() == t.atoms.size());
      if (!t.called[scheme]) continue;
      std::set<std::string> names;
      for (const Label& name : t.names[scheme]) names.emplace(name.view());
      CHECK(names.size() == t.atoms.size());
    }
  }
}

TEST_CASE("residue table: formal charges of residues, variants and ends") {
  const std::map<std::string, int> inner = {
      {"ALA", 0},   {"ARG", 1},  {"ARN", 0},   {"ASN", 0},  {"ASP", -1}, {"ASH", 0},  {"CYS", 0},
      {"CYM", -1},  {"CYX", 0},  {"GLN", 0},   {"GLU", -1}, {"GLH", 0},  {"GLY", 0},  {"HIS", 0},
      {"HID", 0},   {"HIE", 0},  {"HIP", 1},   {"ILE", 0},  {"LEU", 0},  {"LYS", 1},  {"LYN", 0},
      {"MET", 0},   {"MSE", 0},  {"PHE", 0},   {"PRO", 0},  {"SER", 0},  {"SEP", -2}, {"SEP1", -1},
      {"THR", 0},   {"TPO", -2}, {"TPO1", -1}, {"TRP", 0},  {"TYR", 0},  {"TYM", -1}, {"PTR", -2},
      {"PTR1", -1}, {"VAL", 0},  {"A", -1},    {"C", -1},   {"G", -1},   {"U", -1},   {"I", -1},
      {"DA", -1},   {"DC", -1},  {"DG", -1},   {"DT", -1},  {"PSU", -1}, {"H2U", -1}, {"5MU", -1},
      {"5MC", -1},  {"1MG", -1}, {"2MG", -1},  {"7MG", 0},  {"M2G", -1}, {"1MA", 0},  {"OMC", -1},
      {"OMG", -1},  {"4SU", -1}, {"YYG", -1},  {"5BU", -1}, {"CBV", -1}, {"GTP", -4}, {"GDP", -3},
      {"A23", -2},  {"CCC", -2}, {"23G", -2},  {"ACE", 0},  {"NME", 0},  {"NH2", 0},  {"HOH", 0},
      {"DOD", 0},   {"NCO", 3},  {"SO4", -2},  {"PO4", -3}, {"MG", 2},   {"CL", -1},  {"FE2", 2},
      {"MN3", 3},   {"IOD", -1}};
  for (const auto& [name, charge_e] : inner) {
    CAPTURE(name);
    CHECK(of(name).charge_e() == charge_e);
  }
  const std::map<ChainEnd, int> change = {
      {ChainEnd::n_terminal, 1},         {ChainEnd::n_terminal_neutral, 0}, {ChainEnd::c_terminal, -1},
      {ChainEnd::c_terminal_neutral, 0}, {ChainEnd::five_hydroxyl, 1},      {ChainEnd::five_phosphate, 0},
      {ChainEnd::five_phosphate_2, -1},  {ChainEnd::three_hydroxyl, 0},     {ChainEnd::none, 0}};
  std::map<ChainEnd, int> seen;
  for (const ResidueTemplate& t : residue_table().templates()) {
    CAPTURE(describe(t));
    CHECK(t.charge_e() == of(t.name.view()).charge_e() + change.at(t.ends.first) + change.at(t.ends.last));
    ++seen[t.ends.first];
    ++seen[t.ends.last];
  }
  CHECK(seen.size() == change.size());
  for (const auto& [end, count] : seen) CHECK(count > 30);
}

TEST_CASE("residue table: what programs call residues, and which they lack") {
  using enum NamingScheme;
  const ChainEnds first{ChainEnd::n_terminal, {}}, last{{}, ChainEnd::c_terminal},
      both{ChainEnd::n_terminal, ChainEnd::c_terminal};
  const ChainEnds five{ChainEnd::five_hydroxyl, {}}, three{{}, ChainEnd::three_hydroxyl};
  const ChainEnds whole{ChainEnd::five_hydroxyl, ChainEnd::three_hydroxyl};
  CHECK(called(of("ALA", first), amber) == "NALA");
  CHECK(called(of("ALA", first), charmm) == "ALA NTER");
  CHECK(called(of("GLY", first), charmm) == "GLY GLYP");
  CHECK(called(of("PRO", first), charmm) == "PRO PROP");
  CHECK(called(of("PRO", first), gromacs_charmm) == "PRO PRO-NH2+");
  CHECK(called(of("CYX", last), amber) == "CCYX");
  CHECK(called(of("HID", last), charmm) == "HSD CTER");
  CHECK(called(of("HIP"), gromacs) == "HIP");
  CHECK(called(of("ALA", both), amber) == "lacks");
  CHECK(called(of("ALA", both), charmm) == "ALA NTER CTER");
  CHECK(called(of("ASH"), amber) == "ASH");
  CHECK(called(of("ASH", first), amber) == "lacks");
  CHECK(called(of("ASH", first), charmm) == "ASP ASPP NTER");
  CHECK(called(of("ASH"), pdb) == "ASP");
  CHECK(called(of("TYM"), charmm) == "lacks");
  CHECK(called(of("ACE"), charmm) == " ACE");
  CHECK(called(of("A", five), amber) == "A5");
  CHECK(called(of("A", three), gromacs) == "RA3");
  CHECK(called(of("DT", whole), amber) == "DTN");
  CHECK(called(of("DT", five), charmm) == "THY DEO5 5TER");
  CHECK(called(of("DT", three), charmm) == "THY DEOX 3TER");
  CHECK(called(of("A", {ChainEnd::five_phosphate, {}}), charmm) == "ADE 5PHO");
  CHECK(called(of("A", {ChainEnd::five_phosphate, {}}), amber) == "AP5");
  CHECK(called(of("DA", {ChainEnd::five_phosphate, {}}), amber) == "DAP");
  CHECK(called(of("A", {ChainEnd::five_phosphate, ChainEnd::three_hydroxyl}), amber) == "lacks");
  CHECK(called(of("DA", {ChainEnd::five_phosphate_2, {}}), charmm) == "lacks");
  CHECK(called(of("M2G"), amber) == "DMG");
  CHECK(called(of("M2G", five), amber) == "lacks");
  CHECK(called(of("NA"), charmm) == "SOD");
  CHECK(called(of("BA"), gromacs_charmm) == "lacks");
  CHECK(called(of("MSE"), amber) == "lacks");
}

TEST_CASE("residue table: names of atoms where the schemes differ") {
  using enum NamingScheme;
  const auto name = [](const ResidueTemplate& t, std::string_view atom, NamingScheme scheme) {
    const std::size_t n = t.find(atom);
    REQUIRE(n != no_atom);
    return std::string(t.name_in(scheme, n).view());
  };
  CHECK(name(of("A"), "HO2'", charmm) == "H2'");
  CHECK(name(of("A"), "H2'", charmm) == "H2''");
  CHECK(name(of("A"), "HO2'", pdb2pqr) == "H2''");
  CHECK(name(of("A"), "HO2'", pdb2) == "2HO*");
  CHECK(name(of("PSU"), "HO2'", amber) == "HO'2");
  CHECK(name(of("PSU"), "OP1", amber) == "O1P");
  CHECK(name(of("2MG"), "CM2", amber) == "C10");
  CHECK(name(of("DT"), "H72", charmm) == "H52");
  CHECK(name(of("ILE"), "HD11", charmm) == "HD1");
  CHECK(name(of("LEU"), "HD11", charmm) == "HD11");
  CHECK(name(of("ALA"), "HB2", charmm) == "HB2");
  CHECK(name(of("SER"), "HB2", gromacs) == "HB1");
  CHECK(name(of("ALA", {ChainEnd::n_terminal, {}}), "H1", pdb2pqr) == "H");
  CHECK(name(of("ALA", {{}, ChainEnd::c_terminal}), "O", charmm) == "OT1");
  CHECK(name(of("HOH"), "O", charmm) == "OH2");
}

TEST_CASE("residue table: a residue's variant and end come from its atoms, in every scheme that has it") {
  ResidueMatcher matcher(residue_table());
  std::size_t compared = 0;
  for (const ResidueTemplate& t : residue_table().templates())
    for (std::size_t scheme = 0; scheme < naming_schemes; ++scheme) {
      const auto& program = t.called[scheme];
      if (!program || program->residue.empty()) continue;
      CAPTURE(describe(t));
      CAPTURE(std::string(to_string(NamingScheme(scheme))));
      const ResidueMatch& match = matcher.match(program->residue.view(), atom_names(t, NamingScheme(scheme)));
      REQUIRE(match.residue != nullptr);
      CAPTURE(describe(*match.residue));
      CHECK(match.missing_heavy + match.missing_hydrogens + match.unknown_heavy + match.unknown_hydrogens ==
            0);
      // CYX has the atoms of CYM, DOD and WAT those of HOH.
      if (t.name.view() != "CYX" && t.name.view() != "DOD") {
        CHECK(match.residue->charge_e() == t.charge_e());
        CHECK(match.residue->ends == t.ends);
      }
      ++compared;
    }
  CHECK(compared > 1500);
}

TEST_CASE(
    "residue table: a residue without hydrogens is the plain one, with the end that its heavy atoms show") {
  ResidueMatcher matcher(residue_table());
  const auto match = [&](std::string_view residue, std::vector<Label> atoms) {
    return describe(*matcher.match(residue, atoms).residue);
  };
  CHECK(match("CYS", {"N", "CA", "C", "O", "CB", "SG"}) == "CYS");
  CHECK(match("GLY", {"N", "CA", "C", "O", "OXT"}) == "GLY, c_terminal");
  CHECK(match("HIS", {"N", "CA", "C", "O", "CB", "CG", "ND1", "CD2", "CE1", "NE2"}) == "HIS");
  std::vector<Label> uridine = {"O5'", "C5'", "C4'", "O4'", "C3'", "O3'", "C2'", "O2'", "C1'",
                                "N1",  "C2",  "O2",  "N3",  "C4",  "O4",  "C5",  "C6"};
  CHECK(match("U", uridine) == "U, five_hydroxyl");
  uridine.insert(uridine.end(), {"P", "OP1", "OP2"});
  CHECK(match("U", uridine) == "U");
  uridine.emplace_back("OP3");
  CHECK(match("U", uridine) == "U, five_phosphate");
  CHECK(match("T", {"P",   "O1P", "O2P", "O5*", "C5*", "C4*", "O4*", "C3*", "O3*", "C2*",
                    "C1*", "N1",  "C2",  "O2",  "N3",  "C4",  "O4",  "C5",  "C5M", "C6"}) == "DT");
}

TEST_CASE("residue table: a name alone is not enough") {
  ResidueMatcher matcher(residue_table());
  std::vector<Label> chlorophyll = {"MG", "CHA", "CHB", "CHC", "CHD", "NA", "C1A", "C2A", "C3A", "C4A"};
  CHECK(matcher.match("CLA", chlorophyll).residue == nullptr);
  CHECK(matcher.match("LIG", chlorophyll).residue == nullptr);
  CHECK(describe(*matcher.match("CLA", std::vector<Label>{"CLA"}).residue) == "CL");
  CHECK(describe(*matcher.match("I", std::vector<Label>{"I"}).residue) == "IOD");
  CHECK(residue_table().is_known("additive", "GOL"));
  CHECK(residue_table().is_known("additive", "SO4"));
  CHECK_FALSE(residue_table().is_known("additive", "ALA"));
  CHECK(residue_table().is_known("cofactor", "HEM"));
}

TEST_CASE("residue table: the lists of core/chemistry say the same of each component") {
  for (const ResidueTemplate& t : residue_table().templates()) {
    CAPTURE(describe(t));
    const bool is_nucleic = t.kind == ResidueClass::rna || t.kind == ResidueClass::dna;
    const ResidueKind kind = residue_kind({.name = t.residue.view(),
                                           .atoms = t.atoms.size(),
                                           .first_atom = t.atoms[0].name.view(),
                                           .element = t.atoms[0].element.view()});
    if (t.residue == Label("ACT") || t.residue == Label("FMT") || t.residue == Label("GTP") ||
        t.residue == Label("GDP"))
      continue;  // ligands there
    CHECK((kind == ResidueKind::protein) ==
          (t.kind == ResidueClass::amino_acid || t.kind == ResidueClass::cap));
    CHECK((kind == ResidueKind::nucleic_acid) == is_nucleic);
    CHECK((kind == ResidueKind::water) == (t.kind == ResidueClass::water));
    CHECK((kind == ResidueKind::ion) ==
          (t.kind == ResidueClass::ion || t.kind == ResidueClass::polyatomic_ion));
  }
}

TEST_CASE("residue table: a mistake in the file is told with its line") {
  const std::string head = "lists other\nfragment f\n  bond C1-C2\n";
  const auto error = [&](const std::string& text) { return error_of([&] { table_of(head + text); }); };
  CHECK(error("residue X = f amino_acid X\n  bond C1-C2\n") == "r.txt:5: the bond C1-C2 exists already");
  CHECK(error("residue X = g amino_acid X\n")
            .starts_with("r.txt:4: there is no fragment or residue 'g' above"));
  CHECK(error("residue X = f\n").starts_with("r.txt:4: residue X has no class"));
  CHECK(error("residue X = f cap\n  drop C3\n").starts_with("r.txt:5: the residue has no atom 'C3' here"));
  CHECK(
      error("residue X = f cap\n  names pdb3 C1=C2\n").starts_with("r.txt:5: 'pdb3' is not a naming scheme"));
  CHECK(error("residue X = f cap\n  names other C3=C2\n")
            .starts_with("r.txt:5: the residue has no atom 'C3' here"));
  CHECK(error("residue X = f cap\n  charge C1 +12\n").starts_with("r.txt:5: '+12' is not a formal charge"));
  CHECK(
      error("residue X = f cap\n  bind C1-C3\n").starts_with("r.txt:5: 'bind' is not a change of a residue"));
  CHECK(error("residue X = f cap\n  bond C1+C3\n").starts_with("r.txt:5: 'C1+C3' is not a bond"));
  CHECK(error("residue X cap\n  bond ZN-C3\n").starts_with("r.txt:4: X ZN has no element"));
  CHECK(error("variant Y of X\n").starts_with("r.txt:4: there is no residue 'X' above"));
  CHECK(error("end n_terminus of amino_acid\n").starts_with("r.txt:4: 'n_terminus' is not an end"));
  CHECK(error("schemes pdb amber\n").starts_with("r.txt:4: scheme 2 is not pdb2"));
  CHECK(error("residue X = f amino_acid X\nend n_terminal of X\n  drop C7\n")
            .starts_with("r.txt:6: the residue has no atom"));
  CHECK(error_of([] { table_of("  bond A-B\n"); }).starts_with("r.txt:1: there is no block above this line"));
  CHECK(error("residue X = f cap\n") == "no error");
}
