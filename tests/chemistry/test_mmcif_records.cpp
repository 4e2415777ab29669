// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "chemistry/chemistry_lines.hpp"
#include "chemistry/perception/chemistry.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Atoms in both formats: MSE and LYS, a gap of three residues, CYS; a cysteine of another chain whose sulfur
/// is near; a bond that leads to another asymmetric unit; an ion on an axis.
struct Site {
  const char* name;
  const char* residue;
  char chain;
  int number;
  double x, y;
  const char* element;
};
constexpr Site sites[] = {{"N", "MSE", 'A', -1, 0.0, 0.0, "N"},  {"CA", "MSE", 'A', -1, 1.4, 0.0, "C"},
                          {"C", "MSE", 'A', -1, 2.8, 0.0, "C"},  {"N", "LYS", 'A', 0, 4.1, 0.0, "N"},
                          {"CA", "LYS", 'A', 0, 5.5, 0.0, "C"},  {"C", "LYS", 'A', 0, 6.9, 0.0, "C"},
                          {"NZ", "LYS", 'A', 0, 5.5, 6.0, "N"},  {"N", "CYS", 'A', 4, 14.9, 0.0, "N"},
                          {"CA", "CYS", 'A', 4, 16.3, 0.0, "C"}, {"C", "CYS", 'A', 4, 17.7, 0.0, "C"},
                          {"SG", "CYS", 'A', 4, 16.3, 3.0, "S"}, {"N", "CYS", 'B', 9, 0.0, 20.0, "N"},
                          {"CA", "CYS", 'B', 9, 1.4, 20.0, "C"}, {"C", "CYS", 'B', 9, 2.8, 20.0, "C"},
                          {"SG", "CYS", 'B', 9, 16.3, 5.6, "S"}, {"MG", "MG", 'A', 101, 30.0, 30.0, "MG"}};

std::string pdb_text() {
  std::string text =
      "REMARK 375 MG    MG A 101  LIES ON A SPECIAL POSITION.\n"
      "REMARK 465   M RES C SSSEQI\n"
      "REMARK 465     TRP A     2\n"
      "REMARK 465     GLY A     3A\n"
      "SEQRES   1 A    5  MSE LYS TRP GLY CYS\n"
      "MODRES 0XXX MSE A   -1  MET  SELENOMETHIONINE\n"
      "SSBOND   1 CYS A    4    CYS B    9                          1555   1555  2.60\n"
      "LINK         NZ  LYS A   0                 SG  CYS A   4     1555   2555  1.80\n";
  int serial = 0;
  for (const Site& s : sites) {
    char line[96];
    std::snprintf(line, sizeof line,
                  "ATOM  %5d %s%-3s %3s %c%4d    %8.3f%8.3f%8.3f  1.00 20.00          %2s\n", ++serial,
                  s.element[1] == 0 ? " " : "", s.name, s.residue, s.chain, s.number, s.x, s.y, 0.0,
                  s.element);
    if (s.element[1] != 0) line[15] = ' ';
    text += line;
  }
  return text + "END\n";
}

std::string mmcif_text() {
  std::string text = R"(data_0XXX
_pdbx_struct_special_symmetry.id 1
_pdbx_struct_special_symmetry.PDB_model_num 1
_pdbx_struct_special_symmetry.auth_asym_id A
_pdbx_struct_special_symmetry.auth_comp_id MG
_pdbx_struct_special_symmetry.auth_seq_id 101
_pdbx_struct_special_symmetry.PDB_ins_code ?
loop_
_pdbx_unobs_or_zero_occ_residues.PDB_model_num
_pdbx_unobs_or_zero_occ_residues.occupancy_flag
_pdbx_unobs_or_zero_occ_residues.auth_asym_id
_pdbx_unobs_or_zero_occ_residues.auth_comp_id
_pdbx_unobs_or_zero_occ_residues.auth_seq_id
_pdbx_unobs_or_zero_occ_residues.PDB_ins_code
1 1 A TRP 2 ?
1 1 A GLY 3 A
1 0 A LYS 0 ?
2 1 A SER 3 ?
loop_
_pdbx_poly_seq_scheme.asym_id
_pdbx_poly_seq_scheme.seq_id
_pdbx_poly_seq_scheme.mon_id
_pdbx_poly_seq_scheme.pdb_strand_id
A 1 MSE A
A 2 LYS A
A 2 ARG A
A 3 TRP A
A 4 GLY A
A 5 CYS A
B 1 CYS B
_pdbx_struct_mod_residue.id 1
_pdbx_struct_mod_residue.auth_asym_id A
_pdbx_struct_mod_residue.auth_comp_id MSE
_pdbx_struct_mod_residue.auth_seq_id -1
_pdbx_struct_mod_residue.PDB_ins_code ?
_pdbx_struct_mod_residue.parent_comp_id MET
loop_
_struct_conn.conn_type_id
_struct_conn.ptnr1_auth_asym_id
_struct_conn.ptnr1_auth_seq_id
_struct_conn.pdbx_ptnr1_PDB_ins_code
_struct_conn.ptnr1_label_atom_id
_struct_conn.ptnr1_symmetry
_struct_conn.ptnr2_auth_asym_id
_struct_conn.ptnr2_auth_seq_id
_struct_conn.pdbx_ptnr2_PDB_ins_code
_struct_conn.ptnr2_label_atom_id
_struct_conn.ptnr2_symmetry
disulf A 4 ? SG 1_555 B 9 ? SG 1_555
covale A 0 ? NZ 1_555 A 4 ? SG 2_555
hydrog A 0 ? NZ 1_555 A 4 ? N 1_555
covale A ? ? NZ 1_555 A 4 ? N 1_555
loop_
_atom_site.group_PDB
_atom_site.id
_atom_site.type_symbol
_atom_site.auth_atom_id
_atom_site.auth_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.label_asym_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
)";
  int serial = 0;
  for (const Site& s : sites) {
    char line[96];
    std::snprintf(line, sizeof line, "ATOM %d %s %s %s %c %d %c %.3f %.3f 0.000\n", ++serial, s.element,
                  s.name, s.residue, s.chain, s.number, s.chain, s.x, s.y);
    text += line;
  }
  return text;
}

template <typename File>
std::vector<std::string> records_table(const File& file) {
  const Chemistry chemistry = perceive(file.structure.atoms, file.records);
  std::vector<std::string> lines = chemistry_lines(chemistry, file.structure.atoms, 100);
  lines.push_back(chain_summary(chemistry));
  return lines;
}

}  // namespace

TEST_CASE("mmCIF records: bonds, modifications, sequences, missing residues and axes of an entry") {
  const TemporaryFile file("entry.cif", mmcif_text());
  const EntryRecords records = read_mmcif_entry(InputFile(file.path())).records;
  REQUIRE(records.bonds.size() == 2);
  CHECK(records.bonds[0].first_residue == RecordedResidue{"A", 4});
  CHECK(records.bonds[0].second_residue == RecordedResidue{"B", 9});
  CHECK(records.bonds[0].second_atom == Label("SG"));
  CHECK_FALSE(records.bonds[0].is_across_symmetry);
  CHECK(records.bonds[1].is_across_symmetry);
  REQUIRE(records.missing.size() == 2);
  CHECK(records.missing[1].residue == RecordedResidue{"A", 3, 'A'});
  CHECK(records.missing[1].name == Label("GLY"));
  REQUIRE(records.sequences.size() == 2);
  CHECK(records.sequences[0].residues == std::vector<Label>{"MSE", "LYS", "TRP", "GLY", "CYS"});
  CHECK(records.sequences[1].chain == Label("B"));
  REQUIRE(records.modifications.size() == 1);
  CHECK(records.modifications[0].residue == RecordedResidue{"A", -1});
  CHECK(records.modifications[0].parent == Label("MET"));
  REQUIRE(records.on_axes.size() == 1);
  CHECK(records.on_axes[0] == RecordedResidue{"A", 101});
}

TEST_CASE("mmCIF records: sequences of entities, where the scheme of the polymers is not there") {
  std::string text = mmcif_text();
  const std::size_t begin = text.find("loop_\n_pdbx_poly_seq_scheme"), end = text.find("_pdbx_struct_mod");
  text.replace(begin, end - begin,
               "loop_\n_entity_poly.entity_id\n_entity_poly.pdbx_strand_id\n1 A,C\n2 B\n"
               "loop_\n_entity_poly_seq.entity_id\n_entity_poly_seq.num\n_entity_poly_seq.mon_id\n"
               "1 1 MSE\n1 2 LYS\n1 2 ARG\n2 1 CYS\n");
  const TemporaryFile file("entry.cif", text);
  const EntryRecords records = read_mmcif_entry(InputFile(file.path())).records;
  REQUIRE(records.sequences.size() == 3);
  CHECK(records.sequences[1].chain == Label("C"));
  CHECK(records.sequences[1].residues == std::vector<Label>{"MSE", "LYS"});
  CHECK(records.sequences[2].residues == std::vector<Label>{"CYS"});
}

TEST_CASE("mmCIF records: the PDB file and the mmCIF file of an entry give the same table") {
  const TemporaryFile pdb("entry.pdb", pdb_text()), mmcif("entry.cif", mmcif_text());
  const auto table = records_table(read_pdb(InputFile(pdb.path())));
  CHECK(table == records_table(read_mmcif_entry(InputFile(mmcif.path()))));
  std::string text;
  for (const std::string& line : table) text += line + '\n';
  CHECK(text.find("MG 101 A: on an axis of symmetry") != text.npos);
  CHECK(text.find("a gap after LYS 0 A (C and N are 8.00 A apart; missing: TRP GLY)") != text.npos);
  CHECK(text.find("disulfide bond to CYS 9 B (SG and SG are 2.60 A apart; the entry states it, too)") !=
        text.npos);
  CHECK(text.find("it leads to another asymmetric unit") != text.npos);
}

TEST_CASE("PDB records: CONECT names atoms by their serial numbers, whatever was left out before them") {
  std::string text =
      "ATOM      7  C1 ALIG A   1       0.000   0.000   0.000  0.40 20.00           C\n"
      "ATOM      8  C1 BLIG A   1       0.100   0.000   0.000  0.60 20.00           C\n"
      "ATOM      9  C2  LIG A   1       1.500   0.000   0.000  1.00 20.00           C\n"
      "ATOM  A0000  O3  LIG A   1       2.900   0.000   0.000  1.00 20.00           O\n"
      "ATOM     11  C4  LIG A   1      20.000   0.000   0.000  1.00 20.00           C\n"
      "ATOM     11  C5  LIG A   1      25.000   0.000   0.000  1.00 20.00           C\n"
      "CONECT    8    9\nCONECT    9A0000    8   11   77\nCONECT    7    9\nEND\n";
  const TemporaryFile file("entry.pdb", text);
  const PdbFile read = read_pdb(InputFile(file.path()));
  REQUIRE(read.structure.atoms.size() == 5);
  CHECK(read.records.connected_atoms ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {1, 2}, {1, 0}});
}
