// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <map>

#include "structures/pdb/assembly.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string atoms =
    "ATOM      1  N   MET A   1       1.000   2.000   3.000  1.00 20.00           N\n"
    "ATOM      2  CA  MET B   1       4.000   5.000   6.000  1.00 20.00           C\n"
    "ATOM      3  CA  MET C   1       7.000   8.000   9.000  1.00 20.00           C\n";

// The second operator turns by 90 degrees about z and shifts by 10 along x: (x, y, z) to (10 - y, x, z).
const std::string remarks =
    "REMARK 350 COORDINATES FOR A COMPLETE MULTIMER\n"
    "REMARK 350 BIOMOLECULE: 1\n"
    "REMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: DIMERIC\n"
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A,\n"
    "REMARK 350                    AND CHAINS: B\n"
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n"
    "REMARK 350   BIOMT1   2  0.000000 -1.000000  0.000000       10.00000\n"
    "REMARK 350   BIOMT2   2  1.000000  0.000000  0.000000        0.00000\n"
    "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000\n"
    "REMARK 350 BIOMOLECULE: 2\n"
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: C\n"
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000\n"
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000\n"
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000\n";

std::string summary(const Structure& structure) {
  std::string text;
  for (const Atom& a : structure.atoms)
    text += std::string(a.chain.view()) + ':' + std::to_string(int(a.position_A.x)) + ',' +
            std::to_string(int(a.position_A.y)) + ',' + std::to_string(int(a.position_A.z)) + ' ';
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  REQUIRE(text.find(from) != text.npos);
  return text.replace(text.find(from), from.size(), to);
}

const std::string cif_atoms =
    "loop_\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.auth_"
    "asym_id\n"
    "_atom_site.label_seq_id\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
    "N MET A A 1 1 2 3\nMG MG C A . 4 5 6\nCA MET B VERYLONG 1 7 8 9\n";

std::string cif(const std::string& parts) {
  return "data_X\nloop_\n_pdbx_struct_assembly_gen.assembly_id\n_pdbx_struct_assembly_gen.oper_expression\n"
         "_pdbx_struct_assembly_gen.asym_id_list\n" +
         parts +
         "loop_\n_pdbx_struct_oper_list.id\n_pdbx_struct_oper_list.matrix[1][1]\n_pdbx_struct_oper_list."
         "matrix[1][2]\n"
         "_pdbx_struct_oper_list.matrix[1][3]\n_pdbx_struct_oper_list.vector[1]\n_pdbx_struct_oper_list."
         "matrix[2][1]\n"
         "_pdbx_struct_oper_list.matrix[2][2]\n_pdbx_struct_oper_list.matrix[2][3]\n_pdbx_struct_oper_list."
         "vector[2]\n"
         "_pdbx_struct_oper_list.matrix[3][1]\n_pdbx_struct_oper_list.matrix[3][2]\n_pdbx_struct_oper_list."
         "matrix[3][3]\n"
         "_pdbx_struct_oper_list.vector[3]\n"
         "1 1 0 0 0 0 1 0 0 0 0 1 0\n"
         "2 0 -1 0 10 1 0 0 0 0 0 1 0\n"
         "3 1 0 0 100 0 1 0 0 0 0 1 0\n"
         "P 1 0 0 0 0 1 0 0 0 0 1 7\n" +
         cif_atoms;
}

}  // namespace

TEST_CASE("assembly: REMARK 350 of a PDB file") {
  const Structure dimer = read_pdb(remarks + atoms, "x.pdb", {.assembly = "1"});
  CHECK(summary(dimer) == "A:1,2,3 B:4,5,6 A-2:8,1,3 B-2:5,4,6 ");
  CHECK(dimer.warnings ==
        std::vector<std::string>{"note: x.pdb: assembly '1' was built from 2 copies, 4 atoms"});
  CHECK(dimer.atoms[1].ends_chain);
  CHECK(summary(read_pdb(remarks + atoms, "x.pdb", {.assembly = "2"})) == "C:7,8,9 ");
  CHECK(summary(read_pdb(remarks + atoms, "x.pdb")) == "A:1,2,3 B:4,5,6 C:7,8,9 ");
  const std::vector<Assembly> assemblies = pdb_assemblies(remarks + atoms, "x.pdb");
  REQUIRE(assemblies.size() == 2);
  CHECK(assemblies[0].copies() == 2);
  CHECK(assemblies[0].parts[0].chains == std::vector<std::string>{"A", "B"});
}

TEST_CASE("assembly: operators of REMARK 350 that are none") {
  const auto error = [](const std::string& from, const std::string& to) {
    return error_of([&] { pdb_assemblies(replaced(remarks, from, to), "x.pdb"); });
  };
  const std::string out_of_place =
      " is out of place; REMARK 350 has BIOMT1, BIOMT2 and BIOMT3 of each operator after the chains that it "
      "moves";
  CHECK(error("BIOMT2   1  0.000000  1.0", "BIOMT2   1  0.000000  2.0")
            .starts_with("x.pdb:8: operator '1' of an assembly is not a rotation"));
  CHECK(error("BIOMT3   1  0.000000  0.000000  1.0", "BIOMT3   1  0.000000  0.000000 -1.0")
            .starts_with("x.pdb:8: operator '1'"));
  CHECK(error("BIOMT2   1  0.000000", "BIOMT2   1       nan").starts_with("x.pdb:7: 'nan' is not a number"));
  CHECK(error("BIOMT2   1", "BIOMT3   1") == "x.pdb:7: BIOMT3 1" + out_of_place);
  CHECK(error("BIOMT2   1", "BIOMT2   9") == "x.pdb:7: BIOMT2 9" + out_of_place);
  CHECK(error("BIOMT1   1", "BIOMT9   1") == "x.pdb:6: BIOMT9 1" + out_of_place);
  CHECK(error("APPLY", "     ") == "x.pdb:6: BIOMT1 1" + out_of_place);
}

TEST_CASE("assembly: none of that name, or of chains that are not there") {
  CHECK(error_of([] { read_pdb(remarks + atoms, "x.pdb", {.assembly = "7"}); }) ==
        "x.pdb: has no assembly '7'; it has 1, 2");
  CHECK(error_of([] {
          read_pdb(atoms, "x.pdb", {.assembly = "1"});
        }).starts_with("x.pdb: describes no biological assembly"));
  CHECK(error_of([] {
          read_pdb(replaced(remarks, "CHAINS: C", "CHAINS: Z") + atoms, "x.pdb", {.assembly = "2"});
        }) == "x.pdb: assembly '2' contains none of the chains in the file; use another one, or none");
}

TEST_CASE("assembly: mmCIF names chains by label_asym_id, and copies keep what belongs together") {
  const std::string text = cif("1 '(1,2)' A\n1 1-2 C\n2 P B\n3 '(P)(1-3)' A,B\n");
  // The ion C is of chain A, in another part of the assembly.
  CHECK(summary(read_mmcif(text, "x.cif", {.assembly = "1"})) == "A:1,2,3 A-2:8,1,3 A:4,5,6 A-2:5,4,6 ");
  CHECK(summary(read_mmcif(text, "x.cif", {.assembly = "2"})) == "VERYLONG:7,8,16 ");
  // The name has no room for a number.
  CHECK(summary(read_mmcif(text, "x.cif", {.assembly = "3"})) ==
        "A:1,2,10 VERYLONG:7,8,16 A-2:8,1,10 X1:2,7,16 A-3:101,2,10 X2:107,8,16 ");
  const std::string shifted = cif("1 (2)(3) A\n");  // first 3, then 2
  CHECK(summary(read_mmcif(shifted, "x.cif", {.assembly = "1"})) == "A:8,101,3 ");
}

TEST_CASE("assembly: operator expressions that make no sense, or too much") {
  std::string bomb;
  for (int i = 0; i < 40; ++i) bomb += "(1-3)";
  for (const std::string& expression :
       std::vector<std::string>{"9", "1-9", "1-2000000000", "3-1", "(1", "(1)2", "()", "1,,2", "-", bomb}) {
    CAPTURE(expression);
    const std::string message =
        error_of([&] { mmcif_assemblies(cif("1 '" + expression + "' A\n"), "x.cif"); });
    CHECK(message.starts_with("x.cif:3: the operator expression '"));
  }
  CHECK(error_of([] {
          mmcif_assemblies(replaced(cif("1 1 A\n"), "0 -1 0 10", "0 -1 0 x"), "x.cif");
        }).find("'x' in operator '2' of _pdbx_struct_oper_list is not a number") != std::string::npos);
}
