// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>

#include "structures/gromacs/topology.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Files = std::map<std::string, std::string>;

GromacsTopology read(const Files& files) {
  return read_gromacs_topology("a.top", {.preprocessor = {.files = &files}, .most_atoms = 1000});
}

std::string top_error(const Files& files) {
  return error_of([&] { read(files); });
}

const std::string types =
    "[ defaults ]\n1 2 yes 0.5 0.8333\n"
    "[ atomtypes ]\n"
    "; name bonded number mass charge kind sigma epsilon\n"
    "opls_1 CT 6 12.011 0.1 A 0.3 0.2\n"  // all columns
    "NT 7 14.01 -0.2 A 0.3 0.2\n"         // no bonded type
    "HX HX 1.008 0.3 A 0.3 0.2\n"         // no number
    "OX 15.999 -0.4 A 0.3 0.2\n"          // neither
    "CL 17 35.45 -1.0 A 0.3 0.2\n"
    "MW 0 0.0 0.0 V 0.0 0.0\n";
const std::string protein =
    "[ moleculetype ]\nProtein_chain_A 3\n[ atoms ]\n"
    "1 opls_1 51 GLY CA 1 0.25 12.011\n"
    "2 NT 52 ALA N 1 -0.5\n"
    "3 HX 52A ALA HN 1\n"
    "4 OX 52A ALA O 1 0.0 15.999 OX 0.7 15.999 ; state B\n"
    "[ bonds ]\n1 2 1\n";
const std::string water =
    "[moleculetype]\nSOL 2\n[ atoms ]\n1 OX 1 SOL OW 1 -0.8 16\n2 HX 1 SOL HW1 1 0.4\n3 HX 1 SOL HW2 1 0.4\n"
    "4 MW 1 SOL MW 1 0 0\n[ settles ]\n1 1 0.1 0.16\n";
const std::string ion = "[ moleculetype ]\nCL 1\n[ atoms ]\n1 CL 1 CL CL 1\n";
const std::string system_part = "[ system ]\nA test\n[ molecules ]\nProtein_chain_A 1\nSOL 2\ncl 1\n";
const std::string whole = types + protein + water + ion + system_part;

std::int64_t line_of(const std::string& text, const std::string& part) {
  return 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(text.find(part)), '\n');
}

}  // namespace

TEST_CASE("GROMACS topology: atoms of all molecules") {
  const GromacsTopology top = read({{"a.top", whole}});
  const std::vector<Atom>& atoms = top.topology.atoms;
  REQUIRE(atoms.size() == 13);
  struct Expected {
    std::string name, residue;
    int number;
    char code;
    double charge_e;
    std::string element;
  };
  const Expected expected[] = {
      {"CA", "GLY", 51, ' ', 0.25, "C"}, {"N", "ALA", 52, ' ', -0.5, "N"},  {"HN", "ALA", 52, 'A', 0.3, "H"},
      {"O", "ALA", 52, 'A', 0.0, "O"},   {"OW", "SOL", 53, ' ', -0.8, ""},  {"HW1", "SOL", 53, ' ', 0.4, "H"},
      {"HW2", "SOL", 53, ' ', 0.4, "H"}, {"MW", "SOL", 53, ' ', 0.0, ""},   {"OW", "SOL", 54, ' ', -0.8, ""},
      {"HW1", "SOL", 54, ' ', 0.4, "H"}, {"HW2", "SOL", 54, ' ', 0.4, "H"}, {"MW", "SOL", 54, ' ', 0.0, ""},
      {"CL", "CL", 55, ' ', -1.0, "CL"}};
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    CAPTURE(i);
    CHECK(atoms[i].name.view() == expected[i].name);
    CHECK(atoms[i].residue.view() == expected[i].residue);
    CHECK(atoms[i].residue_number == expected[i].number);
    CHECK(atoms[i].insertion_code == expected[i].code);
    CHECK(atoms[i].charge_e == expected[i].charge_e);
    if (atoms[i].name.view() != "OW") CHECK(atoms[i].element.view() == expected[i].element);
    CHECK(atoms[i].ends_chain == (i == 3));
    CHECK(atoms[i].chain.view() == (i < 4 ? "A" : ""));
  }
  CHECK(top.topology.warnings.empty());
}

TEST_CASE("GROMACS topology: what a writer needs") {
  const GromacsTopology top = read({{"a.top", whole}});
  CHECK(top.title == "A test");
  CHECK(top.has_water);
  CHECK(top.has_ions);
  REQUIRE(top.types.size() == 3);
  CHECK(top.types[0].name == "Protein_chain_A");
  CHECK(top.types[0].net_charge_e == doctest::Approx(0.05).epsilon(1e-15));
  CHECK(!top.types[1].is_ion());
  CHECK(top.types[2].is_ion());
  CHECK(top.types[2].path == "a.top");
  CHECK(top.types[2].line == line_of(whole, "CL 1\n[ atoms"));
  REQUIRE(top.molecules.size() == 3);
  CHECK(top.molecules[1].type == 1);
  CHECK(top.molecules[1].count == 2);
  CHECK(top.molecules[2].type == 2);  // cl, which only differs in case
  CHECK(top.molecules_begin.line == line_of(whole, "[ molecules ]"));
  CHECK(top.last_entry.path == "a.top");
  CHECK(top.last_entry.line == line_of(whole, "cl 1"));
}

TEST_CASE("GROMACS topology: with includes, and [ molecules ] elsewhere") {
  const Files files{{"a.top", "#include \"ff.itp\"\n#include \"sys.itp\"\n"},
                    {"ff.itp", types + ion},
                    {"sys.itp", "[ system ]\nx\n[ molecules ]\nCL 3\nCL 0\n"}};
  const GromacsTopology top = read(files);
  CHECK(top.topology.atoms.size() == 3);
  CHECK(!top.has_water);
  CHECK(top.included.size() == 2);
  CHECK(top.molecules.size() == 1);
  CHECK(top.molecules_begin.path == "sys.itp");
  CHECK(top.last_entry.path == "sys.itp");
  CHECK(top.last_entry.line == 5);
}

TEST_CASE("GROMACS topology: directives with free blanks, case, - and _, defined words as charges") {
  const std::string text =
      "[Atom_Types]\nCL 17 35.45 -1.0 A 0 0\n[ Molecule-Type ]\nCL 1\n[atoms]\n"
      "#ifdef HALF\n#define q -0.5\n#else\n#define q -1\n#endif\n1 CL 1 CL CL 1 q\n"
      "[   molecules   ]\nCL 2\n";
  const Files files{{"a.top", text}};
  CHECK(read(files).topology.atoms.at(1).charge_e == -1.0);
  CHECK(read_gromacs_topology("a.top", {.preprocessor = {.defines = {"HALF"}, .files = &files}})
            .topology.atoms.at(1)
            .charge_e == -0.5);
}

TEST_CASE("GROMACS topology: what it refuses") {
  struct Bad {
    std::string text, message;
  };
  const std::string start = types + "[ moleculetype ]\nM 1\n[ atoms ]\n";
  const std::string line = std::to_string(1 + std::count(start.begin(), start.end(), '\n'));
  const std::string begin = "a.top:" + line + ": ";
  const Bad cases[] = {
      {"1 CL 1 CL CL\n",
       "a line of [ atoms ] has number, type, residue number, residue, atom and charge group; this one is '1 "
       "CL 1 CL CL'"},
      {"2 CL 1 CL CL 1\n",
       "atom number '2' should be 1 (atoms of a [ moleculetype ] are numbered from 1 on); are lines "
       "missing?"},
      {"1 CL x CL CL 1\n",
       "residue number 'x' is not a whole number, with or without one letter after it; correct this line"},
      {"1 CL 1 CL CL 1 nan\n", "charge 'nan' is not a finite number; correct this line"},
      {"1 CL 1 CL CL 1 -1,0\n", "charge '-1,0' is not a finite number; correct this line"},
      {"1 CL 1 CL CL 1 1e4\n",
       "charge is 10000 e, but an atom has at most 1000 e; check the columns of this line"},
      {"1 CL 1 CL CL 1 -1 heavy\n", "mass 'heavy' is not a finite number; correct this line"},
      {"1 XX 1 CL CL 1\n",
       "the line has no charge, and there is no 'XX' in [ atomtypes ] to get it from; include the force "
       "field first"},
      {"[ atomtypes ]\nA B C\n", "+1"},
      {"[ atoms\n", "'[ atoms' has no ]; write [ NAME ]"},
  };
  for (const Bad& bad : cases) {
    CAPTURE(bad.text);
    if (bad.message == "+1") {
      CHECK(top_error({{"a.top", start + bad.text}}).find("a line of [ atomtypes ] has name") !=
            std::string::npos);
    } else {
      CHECK(top_error({{"a.top", start + bad.text}}) == begin + bad.message);
    }
  }
  CHECK(top_error({{"a.top", "[ atoms ]\n"}}) ==
        "a.top:1: [ atoms ] comes before the name of a [ moleculetype ]; put it after one");
  CHECK(
      top_error({{"a.top", "[ moleculetype ]\n[ atoms ]\n"}}).starts_with("a.top:2: [ atoms ] comes before"));
  CHECK(top_error({{"a.top", "[ moleculetype ]\nM 1\nN 1\n"}}) ==
        "a.top:3: 'N 1' is a second line of [ moleculetype ], which has only one");
  CHECK(top_error({{"a.top", types + ion + "#include \"b\"\n"}, {"b", ion}}) ==
        "b:2: [ moleculetype ] 'CL' was defined before (a.top:" +
            std::to_string(line_of(types + ion, "CL 1\n")) + "); rename or remove one of the two");
  CHECK(top_error({{"a.top", types + ion}}) ==
        "a.top: has no [ molecules ]; give the topology of the whole system (.top), not a part of it (.itp)");
  CHECK(top_error({}) == "a.top: there is no such file");
}

TEST_CASE("GROMACS topology: molecules that are not there, and counts") {
  const auto with = [](const std::string& entry) {
    return top_error({{"a.top", "#include \"ff\"\n[ molecules ]\n" + entry},
                      {"ff", types + water + ion + "[ moleculetype ]\nE 1\n"}});
  };
  CHECK(with("NA 1\n") ==
        "a.top:3: there is no [ moleculetype ] 'NA' among SOL CL E; include the file that defines it before "
        "[ molecules ]");
  for (const std::string count : {"", " -1", " x", " 1.5", " 99999999999999999999"})
    CHECK(with("CL" + count + "\n").starts_with("a.top:3: the count of molecules 'CL' is '"));
  CHECK(with("CL 1\nSOL 250\n") ==
        "a.top:4: with 250 molecules 'SOL' the system has more than 1,000 atoms; correct the count");
  CHECK(with("CL 9223372036854775807\n").starts_with("a.top:3: with 9,223,372,036,854,775,807 molecules"));
  CHECK(with("E 1\n").starts_with("a.top:3: molecule 'E' has no [ atoms ] (ff:"));
  CHECK(with("") == "a.top:2: [ molecules ] has no molecules; add them");
  CHECK(with("CL 0\n") == "a.top:2: [ molecules ] has no molecules; add them");
  CHECK(with("CL 1\nSOL 249\n") == "no error");
}

TEST_CASE("GROMACS topology: a file cut at any line is refused, or only its last molecules are missing") {
  std::size_t read_ones = 0;
  for (std::size_t at = whole.find('\n'); at + 1 < whole.size(); at = whole.find('\n', at + 1)) {
    const std::string cut = whole.substr(0, at + 1);
    CAPTURE(cut);
    const std::string message = top_error({{"a.top", cut}});
    if (message != "no error") {
      CHECK(message.starts_with("a.top:"));
      CHECK(cut.find("Protein_chain_A 1") == cut.npos);
    } else {
      ++read_ones;
    }
  }
  CHECK(read_ones == 2);
}

TEST_CASE("GROMACS topology: its recogniser") {
  CHECK(is_gromacs_topology(
      "; made by hand\n\n#include \"amber99.ff/forcefield.itp\"\n\n[ moleculetype ]\nM 1\n"));
  CHECK(is_gromacs_topology("#ifdef X\n#endif\n[ defaults ]\n"));
  CHECK(is_gromacs_topology("[moleculetype]\nM"));
  CHECK(is_gromacs_topology("#include \"ff.itp\"\n#include \"water.itp\"\n"));
  CHECK(is_gromacs_topology("#include \"ff.prm\"\n#define FLEXIBLE\n[ system ]\nX\n"));
  CHECK(!is_gromacs_topology("#include <vector>\n"));
  CHECK(!is_gromacs_topology(""));
  CHECK(!is_gromacs_topology("[ System ]\n1 2 3\n"));  // an index file
  CHECK(!is_gromacs_topology("ATOM      1  N   ALA\n"));
  CHECK(!is_gromacs_topology("# comment\n@<TRIPOS>MOLECULE\n"));
  CHECK(!is_gromacs_topology("#include <iostream>\nint main() {}\n"));
  CHECK(!is_gromacs_topology("Title\n2\n    1SOL     OW    1   0.1   0.2   0.3\n"));
}

TEST_CASE("GROMACS topology: bonds and constraints between residues, of every molecule") {
  const std::string twice = types + protein + "[ constraints ]\n2 3 1\n1 9 1\nnothing\n" + water + ion +
                            "[ system ]\nA test\n[ molecules ]\nSOL 1\nProtein_chain_A 2\n";
  CHECK(read({{"a.top", twice}}).topology.links == std::vector<AtomLink>{{4, 5}, {5, 6}, {8, 9}, {9, 10}});
}
