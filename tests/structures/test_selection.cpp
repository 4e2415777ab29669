// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/text/nearest_words.hpp"
#include "structures/selection/near_atoms.hpp"
#include "structures/selection/selection.hpp"
#include "structures/selection/wildcards.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

Atom atom(const char* chain, const char* segment, const char* residue, int number, char code,
          const char* name, Vec3<double> position_A) {
  Atom atom;
  atom.chain = chain;
  atom.segment = segment;
  atom.residue = residue;
  atom.residue_number = number;
  atom.insertion_code = code;
  atom.name = name;
  atom.position_A = position_A;
  return atom;
}

/// Two residues of a protein, two of RNA, a lipid, two waters of one number, an ion.
std::vector<Atom> sample() {
  std::vector<Atom> atoms{
      atom("A", "PROA", "ALA", -1, ' ', "N", {0, 0, 0}),
      atom("A", "PROA", "ALA", -1, ' ', "CA", {1, 0, 0}),
      atom("A", "PROA", "ALA", -1, ' ', "CB", {2, 0, 0}),
      atom("A", "PROA", "GLY", 52, ' ', "N", {3, 0, 0}),
      atom("A", "PROA", "GLY", 52, 'A', "N", {4, 0, 0}),
      atom("A", "PROA", "GLY", 52, 'B', "O", {5, 0, 0}),
      atom("B", "RNAB", "GUA", 53, ' ', "P", {10, 0, 0}),
      atom("B", "RNAB", "GUA", 53, ' ', "O5'", {11, 0, 0}),
      atom("B", "RNAB", "ADE", 54, ' ', "O5*", {12, 0, 0}),
      atom("C", "MEMB", "POPC", 1, ' ', "P", {20, 0, 0}),
      atom("W", "SOLV", "TIP3", 1, ' ', "OH2", {30, 0, 0}),
      atom("W", "SOLV", "TIP3", 1, ' ', "H1", {31, 0, 0}),
      atom("W", "SOLV", "TIP3", 1, ' ', "OH2", {33, 0, 0}),
      atom("W", "SOLV", "TIP3", 1, ' ', "H1", {34, 0, 0}),
      atom("", "", "SOD", 9, ' ', "SOD", {36, 0, 0}),
  };
  atoms.back().element = "NA";
  return atoms;
}

/// "--11-": what a selection gives.
std::string selected(const std::string& selection, const std::vector<Atom>& atoms = sample()) {
  std::string text;
  for (const std::uint8_t one : select(atoms, selection)) text += one == 1 ? '1' : one == 0 ? '-' : '?';
  return text;
}

std::string selected(const std::function<bool(const Atom&)>& is_selected) {
  std::string text;
  for (const Atom& one : sample()) text += is_selected(one) ? '1' : '-';
  return text;
}

std::string selection_error(const std::string& selection) {
  try {
    select(sample(), selection);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("selections: additive is what was added to a crystal, by the residue's name") {
  const std::vector<Atom> atoms{
      atom("A", "", "GOL", 1, ' ', "C1", {0, 0, 0}), atom("A", "", "ATP", 2, ' ', "PG", {5, 0, 0}),
      atom("A", "", "SO4", 3, ' ', "S", {9, 0, 0}), atom("A", "", "MG", 4, ' ', "MG", {12, 0, 0})};
  CHECK(selected("additive", atoms) == "1-1-");
  CHECK(selected("additive") == std::string(sample().size(), '-'));
}

TEST_CASE("selections: terms") {
  struct Case {
    std::string selection, atoms;
  };
  const Case cases[] = {
      {"all", "111111111111111"},
      {"none", "---------------"},
      {"protein", "111111---------"},
      {"nucleic", "------111------"},
      {"lipid", "---------1-----"},
      {"water", "----------1111-"},
      {"ion", "--------------1"},
      {"backbone", "11-111---------"},
      {"nucleicbackbone", "------11-------"},
      {"chain A", "111111---------"},
      {"chainID A C", "111111---1-----"},
      {"chain \"\"", "--------------1"},
      {"segid RNAB", "------111------"},
      {"segment PRO*", "111111---------"},
      {"resname GLY POPC", "---111---1-----"},
      {"resname GLY MISSING", "---111---------"},
      {"name C*", "-11------------"},
      {"name ?", "1--1111--1-----"},
      {"name C[AB]", "-11------------"},
      {"name C[!A]", "--1------------"},
      {"name O5*", "-------11------"},
      {"name \"O5*\"", "--------1------"},
      {"name 'O5''", "-------1-------"},
      {"name O5'", "-------1-------"},
      {"element na", "--------------1"},
      {"element P", "------1--1-----"},
      {"resid 52", "---1-----------"},
      {"resid 52A", "----1----------"},
      {"resid 52A 53", "----1-11-------"},
      {"resid 52A-52B", "----11---------"},
      {"resid 52:53", "---11111-------"},
      {"resid 52 to 54", "---111111------"},
      {"resid 52 : 54", "---111111------"},
      {"resid 52 - 54", "---111111------"},
      {"resid 52:52", "---1-----------"},
      {"resid -1", "111------------"},
      {"resid -5--1", "111------------"},
      {"resid -5:1", "111------11111-"},
      {"resid 9 -1", "111-----------1"},
      {"resnum 52", "---111---------"},
      {"resnum 52:53", "---11111-------"},
      {"index 0 3:4 14", "1--11---------1"},
      {"index 13:99", "-------------11"},
      {"bynum 1 4-5 15", "1--11---------1"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.selection);
    CHECK(selected(c.selection) == c.atoms);
  }
}

TEST_CASE("selections: operators and parentheses") {
  const auto is_n = [](const Atom& a) { return a.name == "N"; };
  CHECK(selected("not name N") == selected([&](const Atom& a) { return !is_n(a); }));
  CHECK(selected("not not name N") == selected(is_n));
  CHECK(selected("name N and resid 52") == selected([&](const Atom& a) {
          return is_n(a) && a.residue_number == 52 && a.insertion_code == ' ';
        }));
  CHECK(selected("chain A and name CA or chain B") ==
        selected([](const Atom& a) { return (a.chain == "A" && a.name == "CA") || a.chain == "B"; }));
  CHECK(selected("chain A and(name CA or name N)and not resid 52") == selected([](const Atom& a) {
          return a.chain == "A" && (a.name == "CA" || a.name == "N") &&
                 !(a.residue_number == 52 && a.insertion_code == ' ');
        }));
  CHECK(selected("not protein and not water") == selected([](const Atom& a) {
          return a.position_A.x > 6 && (a.position_A.x < 30 || a.position_A.x > 35);
        }));
  CHECK(selected("\t( (all)\n) ") == selected("all"));
}

TEST_CASE("selections: distances and residues") {
  CHECK(selected("within 2 of name P") == "------1111-----");
  CHECK(selected("around 2 name P") == "-------11------");
  CHECK(selected("around 1.0 index 0") == "-1-------------");  // at the distance itself
  CHECK(selected("around 0.999 index 0") == "---------------");
  CHECK(selected("within 0 of index 3") == "---1-----------");
  CHECK(selected("within 1e9 of index 3") == "111111111111111");
  CHECK(selected("within 5 of none") == "---------------");
  CHECK(selected("around 1.5 protein and name CA") == "1-1------------");  // of (protein and name CA)
  CHECK(selected("(around 1.5 index 0) and name CA") == "-1-------------");
  CHECK(selected("water and within 3 of ion") == "------------11-");
  CHECK(selected("byres name CA") == "111------------");
  CHECK(selected("same residue as name CA") == "111------------");
  CHECK(selected("same residue as index 12") == "------------11-");  // one of two waters of a number
  CHECK(selected("byres within 3 of ion") == "------------111");
  CHECK(selected("same resname as resid 52A") == "---111---------");
  CHECK(selected("same chain as index 0") == "111111---------");
  CHECK(selected("same name as index 9") == "------1--1-----");
}

TEST_CASE("selections: residues of one number in two segments are two") {
  std::vector<Atom> atoms{atom("", "ION1", "X", 1, ' ', "A", {}), atom("", "ION2", "X", 1, ' ', "B", {})};
  CHECK(selected("same residue as index 0", atoms) == "1-");
}

TEST_CASE("selections: what cannot be read, and where") {
  struct Bad {
    std::string selection, message;  // behind "selection '...', character "
  };
  const Bad cases[] = {
      {"", "1: it is empty; write 'all' for all atoms"},
      {"  ", "3: it is empty; write 'all' for all atoms"},
      {"protien", "1: expected a term, found 'protien'; it begins with one of protein, "},
      {"protein and", "12: expected a term, found the end; it begins with one of "},
      {"protein water", "9: expected 'and', 'or' or the end, found 'water'; join terms by 'and' or 'or'"},
      {"protein)", "8: expected 'and', 'or' or the end, found ')'; there is no '(' for it"},
      {"(protein", "9: expected ')', found the end; close the parenthesis"},
      {"chain", "6: expected a name, found the end; write one, in quotes if it is a word of selections"},
      {"chain and protein", "7: expected a name, found 'and'; write one"},
      {"name \"CA", "6: this quote is not closed; close it at the end of the name"},
      {"resid", "6: expected a number, found the end; write one, or a range such as 1:10"},
      {"resid x", "7: 'x' is not a valid number here; "},
      {"resid 1 2x3", "9: '2x3' is not a valid number here; "},
      {"resid 1:", "9: '' is not a valid number here; "},
      {"resid 5:1", "7: this range ends before it begins; swap its ends"},
      {"resid 1.5", "7: '1.5' is not a valid number here; "},
      {"resid 99999999999", "7: '99999999999' is not a valid number here; "},
      {"resnum 52A", "8: '52A' is not a valid number here; "},
      {"index 1A", "7: '1A' is not a valid number here; "},
      {"around protein", "8: expected a distance in A, 0 or more, found 'protein'; write a number"},
      {"around -1 protein", "8: expected a distance in A, 0 or more, found '-1'; write a number"},
      {"within nan of protein", "8: expected a distance in A, 0 or more, found 'nan'"},
      {"within 5 protein", "10: expected 'of', found 'protein'; write it there"},
      {"same colour as protein",
       "6: expected the property that is the same, found 'colour'; write residue, chain, "},
      {"type CT1",
       "1: 'type' cannot be selected, because ionwell does not keep atom types; select by name or element"},
      {"protein or water and ion", "18: programs differ in how they read 'and' after 'or'; "},
      {"within 5 of protein and water", "21: 'and' after 'within' may belong to its selection or not; "},
      {"not within 5 of protein or water", "25: 'or' after 'within' may belong to its selection or not; "},
      {std::string(200, '('), "101: it is nested more than 100 deep; simplify it"},
  };
  for (const Bad& bad : cases) {
    CAPTURE(bad.selection);
    const std::string message = selection_error(bad.selection);
    CAPTURE(message);
    CHECK(message.starts_with("selection '"));
    CHECK(message.find("', character " + bad.message) != message.npos);
  }
}

TEST_CASE("selections: names and numbers that the structure has not") {
  CHECK(selection_error("chain D") ==
        "selection 'chain D', character 1: 'D' is not in the structure, whose chains are A, B, C, W");
  CHECK(selection_error("protein and chain A D")
            .starts_with("selection 'protein and chain A D', character 13: 'D' is"));
  CHECK(selection_error("segid RNBA").ends_with("whose segments are RNAB, PROA, MEMB, SOLV"));
  CHECK(
      selection_error("resname TIP")
          .ends_with(
              "'TIP' is not in the structure, whose residue names are TIP3, ALA, GLY, GUA, ADE, POPC, SOD"));
  CHECK(selection_error("name Z*").find("'Z*' is not in the structure, whose atom names are") !=
        std::string::npos);
  CHECK(selection_error("resid 100:200") ==
        "selection 'resid 100:200', character 1: no residue has such a number; those of the structure are "
        "from -1 to "
        "54");
  CHECK(selection_error("index 15") ==
        "selection 'index 15', character 1: no atom has such a number; the structure has 15 atoms, the first "
        "has "
        "number 0");
  CHECK(selection_error("bynum 0").ends_with("the first has number 1"));
  CHECK(selection_error("index 9223372036854775807").find("no atom has") ==
        std::string::npos);  // no number at all
  CHECK(selected("not resname HOH and not (name Z* or element Z)") == selected("all"));
  CHECK(selection_error("not chain D").find("'D' is not in the structure") != std::string::npos);
  CHECK(selection_error("not name N and name Z").find("'Z' is not in the structure") != std::string::npos);
  std::vector<Atom> nameless{atom("", "S", "X", 1, ' ', "A", {})};
  CHECK(error_of([&] { select(nameless, "chain A"); }) ==
        "selection 'chain A', character 1: 'A' is not in the structure, which has no chains");
  CHECK(select({}, "protein and chain A").empty());
}

TEST_CASE("selections: distances against a plain loop over all pairs") {
  std::vector<Atom> atoms;
  std::uint64_t state = 12345;
  const auto random = [&state](double edge_A) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 40) / double(1 << 24) * edge_A;
  };
  for (int i = 0; i < 1500; ++i)
    atoms.push_back(
        atom("A", "", i % 7 == 0 ? "ALA" : "TIP3", i, ' ', "N", {random(60), random(25), random(2)}));
  for (int i = 0; i < 20; ++i) atoms.push_back(atom("A", "", "ALA", i, ' ', "N", {double(i), 100.0, -80.0}));
  atoms[7].position_A = {-90000.0, 90000.0, 0.0};
  atoms[8].position_A = {-90000.0, 90003.0, 0.0};
  for (const double distance_A : {0.0, 0.5, 1.0, 3.0, 5.0, 13.0, 40.0, 150.0}) {
    CAPTURE(distance_A);
    std::vector<std::uint8_t> protein(atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i) protein[i] = atoms[i].residue == "ALA";
    std::vector<std::uint8_t> expected = protein;
    std::size_t near = 0;
    for (std::size_t i = 0; i < atoms.size(); ++i)
      for (std::size_t j = 0; j < atoms.size() && expected[i] == 0; ++j)
        if (protein[j] != 0 &&
            distance_squared(atoms[i].position_A, atoms[j].position_A) <= distance_A * distance_A)
          expected[i] = 1, ++near;
    CHECK(atoms_within(atoms, protein, distance_A) == expected);
    CHECK((near > 0) == (distance_A > 0.0));
  }
}

TEST_CASE("wildcards") {
  struct Case {
    std::string pattern, text;
    bool matches;
  };
  const Case cases[] = {
      {"", "", true},         {"*", "", true},       {"*", "abc", true},
      {"?", "", false},       {"a*c", "abbc", true}, {"a*c", "abcd", false},
      {"*b*", "abc", true},   {"**", "a", true},     {"a?c", "abc", true},
      {"[ab]", "b", true},    {"[ab]", "c", false},  {"[!ab]", "c", true},
      {"[a-c]1", "b1", true}, {"[a-c]", "d", false}, {"[", "[", true},
      {"[]]", "]", true},     {"a", "ab", false},    {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false}};
  for (const Case& c : cases) {
    CAPTURE(c.pattern);
    CAPTURE(c.text);
    CHECK(matches_wildcards(c.pattern, c.text) == c.matches);
  }
}

TEST_CASE("nearest words") {
  CHECK(mistakes_between("", "") == 0);
  CHECK(mistakes_between("chian", "chain") == 1);
  CHECK(mistakes_between("kitten", "sitting") == 3);
  CHECK(nearest_first("gly", {"ALA", "GLN", "GLY"}, 2) == "GLY, GLN and 1 more");
  CHECK(nearest_first("x", {}, 2) == "");
}
