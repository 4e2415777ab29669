// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdio>

#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string tags =
    "loop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
    "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n"
    "_atom_site.pdbx_PDB_ins_code\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n"
    "_atom_site.occupancy\n_atom_site.B_iso_or_equiv\n_atom_site.auth_seq_id\n_atom_site.auth_asym_id\n"
    "_atom_site.pdbx_PDB_model_num\n";
const std::string rows =
    "ATOM 1 P P . G AA 1 ? 1.5 2.25 -3.125 1.00 20.0 -7 LONGA 1\n"
    "ATOM 2 O \"O5'\" . G AA 1 ? 2.5 2.25 -3.125 1.00 20.0 -7 LONGA 1\n"
    "ATOM 3 N N . A AA 2 B 3.5 2.25 -3.125 1.00 20.0 -7 LONGA 1\n"
    "HETATM 4 MG MG . MG B . ? 4.5 2.25 -3.125 1.00 20.0 301 LONGA 1\n";

std::string cif(const std::string& atoms, const std::string& before = "") {
  return "data_X\n#\n" + before + tags + atoms + "#\n";
}

Structure read(const std::string& text) {
  return read_mmcif(text, "x.cif");
}

std::string cif_error(const std::string& text) {
  return error_of([&] { read(text); });
}

}  // namespace

TEST_CASE("mmCIF: names and numbers of the authors, and the ends of polymers") {
  const Structure structure =
      read(cif(rows,
               "_cell.length_a 50.0(1)\n_cell.length_b 60\n_cell.length_c 70\n"
               "_cell.angle_alpha 90\n_cell.angle_beta 95.5\n_cell.angle_gamma 90\n#\n"));
  REQUIRE(structure.atoms.size() == 4);
  CHECK(structure.warnings.empty());
  CHECK(structure.atoms[0].position_A == Vec3<double>{1.5, 2.25, -3.125});
  CHECK(structure.atoms[1].name.view() == "O5'");
  CHECK(structure.atoms[1].chain.view() == "LONGA");
  CHECK(structure.atoms[1].residue_number == -7);
  CHECK(structure.atoms[1].insertion_code == ' ');
  CHECK(structure.atoms[2].insertion_code == 'B');
  CHECK(structure.atoms[2].residue.view() == "A");
  CHECK(structure.atoms[3].element.view() == "MG");
  CHECK(structure.atoms[3].residue_number == 301);
  std::string ends;
  for (const Atom& atom : structure.atoms) ends += atom.ends_chain ? 'T' : '-';
  CHECK(ends == "--T-");
  REQUIRE(structure.cell);
  CHECK(lengths_A(*structure.cell) == Vec3<double>{50.0, 60.0, 70.0});
  CHECK(angles_deg(*structure.cell).y == 95.5);
  CHECK(!read(cif(rows)).cell);
}

TEST_CASE("mmCIF: a file that is read piece by piece has the atoms, warnings and errors of its text") {
  std::string atoms;
  for (int n = 0; atoms.size() < 36'000'000; ++n) {  // two pieces and a bit
    char row[160];
    std::snprintf(row, sizeof row, "ATOM %d O %s . HOH W%d . ? %.3f\n;%d.25\n; -3.125 1.00 20.0 %d W%d %d\n",
                  n, n % 7 == 0 ? "'O 1'" : "OW", n % 10, 0.001 * n, n % 100, n / 3, n / 30000,
                  1 + n / 400'000);
    atoms += row;
  }
  const std::string before =
      "_pdbx_struct_assembly_gen.assembly_id 1\n_pdbx_struct_assembly_gen.oper_expression X\n"
      "_pdbx_struct_assembly_gen.asym_id_list W3\n";
  const std::string after =
      "loop_\n_pdbx_struct_oper_list.id\n_pdbx_struct_oper_list.matrix[1][1]\n_pdbx_struct_oper_list.matrix["
      "1][2]\n"
      "_pdbx_struct_oper_list.matrix[1][3]\n_pdbx_struct_oper_list.vector[1]\n_pdbx_struct_oper_list.matrix["
      "2][1]\n"
      "_pdbx_struct_oper_list.matrix[2][2]\n_pdbx_struct_oper_list.matrix[2][3]\n_pdbx_struct_oper_list."
      "vector[2]\n"
      "_pdbx_struct_oper_list.matrix[3][1]\n_pdbx_struct_oper_list.matrix[3][2]\n_pdbx_struct_oper_list."
      "matrix[3][3]\n"
      "_pdbx_struct_oper_list.vector[3]\nX -1 0 0 1 0 -1 0 2 0 0 1 3\n_cell.length_a 50\n_cell.length_b 60\n"
      "_cell.length_c 70\n_cell.angle_alpha 90\n_cell.angle_beta 95.5\n_cell.angle_gamma 90\n";
  const TemporaryFolder folder;
  const std::string path = folder / "x.cif";
  const auto outcome = [](const auto& read) {
    Structure structure;
    std::string text = error_of([&] { structure = read(); });
    for (const std::string& warning : structure.warnings) text += warning + '\n';
    return std::pair(text, std::move(structure));
  };
  for (const std::string& text :
       {cif(atoms, before) + after, cif(atoms, before), cif(atoms, before) + "loop_ value\n",
        cif(atoms, before) + "_a.b\n;\n" + atoms, cif(atoms + "ATOM 1 O O\n", before)})
    for (const std::string& assembly : {std::string(), std::string("1")})
      for (const bool packed : {false, true}) {
        if (packed && !text.ends_with(after)) continue;
        write_text(path, packed ? gzip(text) : text);
        const auto [expected_text, expected] =
            outcome([&] { return read_mmcif(text, path, {.assembly = assembly}); });
        const auto [found_text, found] =
            outcome([&] { return read_mmcif(InputFile(path), {.assembly = assembly}); });
        CHECK(found_text == expected_text);
        REQUIRE(found.atoms.size() == expected.atoms.size());
        CHECK(found.cell.has_value() == expected.cell.has_value());
        std::int64_t other = 0;
        for (std::size_t n = 0; n < found.atoms.size(); ++n)
          other += found.atoms[n].position_A != expected.atoms[n].position_A ||
                   describe(found.atoms[n]) != describe(expected.atoms[n]);
        CHECK(other == 0);
      }
}

TEST_CASE("mmCIF: rows that go over the pieces of a text") {
  // ;4 begins no text field, for no line begins with it; the others do.
  const std::string_view lines[] = {"1 2 3 ;4 '5 a'\n", "6\n", "# none\n", "7 8\n", ";9\n", "b\n", ";\n",
                                    "10 11\n",          "12"};
  std::size_t given = 0;
  std::string line;
  const std::string path = "x.cif";
  CifScanner scanner([&] { return std::string_view(line = given < std::size(lines) ? lines[given++] : ""); },
                     path);
  std::string_view row[3];
  std::string rows_as_read;
  while (scanner.kind() != CifScanner::Kind::end) {
    rows_as_read += std::to_string(scanner.line()) + ':';
    const std::size_t count = scanner.take_row(row);
    for (std::size_t n = 0; n < count; ++n) rows_as_read.append(" ").append(row[n]);
    rows_as_read += '|';
    if (count < 3) break;
  }
  CHECK(rows_as_read == "1: 1 2 3|1: ;4 5 a 6|4: 7 8 9\nb|8: 10 11 12|");
}

TEST_CASE("mmCIF: any order of columns, any case, quotes, text fields, comments and line ends") {
  const std::string text =
      "# a comment with data_ and loop_\nDATA_X\n_struct.title\n;loop_\n_atom_site.Cartn_x\n;\n"
      "LOOP_ _ATOM_SITE.Cartn_z _atom_site.cartn_y\n_atom_site.Cartn_x\n_atom_site.label_atom_id "
      "_atom_site.label_comp_id\n"
      "-3 2 1 'C1' # behind\nLIG\n1.0E1 2\n;3\n;\n\"H5''\" 'a b'\n_other.item 'it''s'\n";
  const auto with = [&text](const std::string& line_end) {
    std::string changed;
    for (const char c : text) changed += c == '\n' ? line_end : std::string(1, c);
    return changed;
  };
  for (const std::string& variant : {text, with("\r\n"), with("\r"), "\xEF\xBB\xBF" + text}) {
    const Structure structure = read(variant);
    REQUIRE(structure.atoms.size() == 2);
    CHECK(structure.atoms[0].position_A == Vec3<double>{1.0, 2.0, -3.0});
    CHECK(structure.atoms[1].position_A == Vec3<double>{3.0, 2.0, 10.0});
    CHECK(structure.atoms[1].name.view() == "H5''");
    CHECK(structure.atoms[1].residue.view() == "a b");
  }
  const Structure single = read(
      "data_X\n_atom_site.label_atom_id MG\n_atom_site.label_comp_id MG\n_atom_site.Cartn_x "
      "1\n_atom_site.Cartn_y 2\n"
      "_atom_site.Cartn_z 3\n");
  REQUIRE(single.atoms.size() == 1);
  CHECK(single.atoms[0].position_A == Vec3<double>{1.0, 2.0, 3.0});
}

TEST_CASE("mmCIF: the first model and the first block, alternate locations, charges") {
  const Structure models =
      read(cif("ATOM 1 C CA A SER A 1 ? 1 0 0 0.4 20 1 A 1\nATOM 2 C CA B SER A 1 ? 2 0 0 0.6 20 1 A 1\n"
               "ATOM 3 C CA . SER A 1 ? 3 0 0 1.0 20 1 A 2\nATOM 4 C CA . SER A 1 ? 4 0 0 1.0 20 1 A 7\n"));
  REQUIRE(models.atoms.size() == 1);
  CHECK(models.atoms[0].position_A.x == 2.0);
  CHECK(models.warnings.size() == 2);
  CHECK(models.warnings[0] == "note: x.cif: contains 3 models; the first was used");

  const Structure blocks = read(cif(rows) + cif(rows));
  CHECK(blocks.atoms.size() == 4);
  CHECK(blocks.warnings == std::vector<std::string>{"x.cif: 4 atoms of a second _atom_site were left out"});

  const Structure charged = read(
      "data_X\nloop_\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.Cartn_x\n_atom_site."
      "Cartn_y\n"
      "_atom_site.Cartn_z\n_atom_site.partial_charge\n_atom_site.radius\n_atom_site.pdbx_formal_charge\n"
      "N ALA 1 2 3 -0.4157 1.824 1\nH ALA 2 2 3 ? . ?\n");
  CHECK(charged.atoms[0].charge_e == -0.4157);
  CHECK(charged.atoms[0].radius_A == 1.824);
  CHECK(charged.atoms[1].charge_e == 0.0);
  CHECK(read(cif("ATOM 1 C CA . LONGESTNAME A 1 ? 1 0 0 1 20 1 A 1\n")).warnings ==
        std::vector<std::string>{
            "note: x.cif: names were shortened to 8 characters, first 'LONGESTNAME' (1 name)"});
  CHECK(read(cif("ATOM 1 C CA . SER A 1 ? 1 0 0 1 20 15A A 1\n")).atoms[0].insertion_code == 'A');
}

TEST_CASE("mmCIF: files that cannot be read") {
  const auto row = [](const std::string& x) {
    return cif("ATOM 1 C CA . SER A 1 ? " + x + " 0 0 1.0 20 1 A 1\n");
  };
  REQUIRE(cif_error(row("1.5(3)")) == "no error");
  const std::string hint = " is not a finite number; correct this row of _atom_site, or get the file again";
  CHECK(cif_error(row("nan")) == "x.cif:21: Cartn_x 'nan'" + hint);
  CHECK(cif_error(row("?")) == "x.cif:21: Cartn_x ''" + hint);
  CHECK(cif_error(row("1,5")) == "x.cif:21: Cartn_x '1,5'" + hint);
  CHECK(cif_error(row("1e9")) ==
        "x.cif:21: Cartn_x is 1e+09, but for an atom it is below 100000; check the units and the columns of "
        "this row");
  CHECK(cif_error(row("1 2")) ==
        "x.cif:21: the file ends in the middle of this row of _atom_site, or a value is missing (1 of 17 are "
        "complete); copy it again");
  CHECK(cif_error(cif("")) == "x.cif: has no atoms (no row of _atom_site); is it the right file?");
  CHECK(cif_error("data_X\n") == cif_error(""));
  CHECK(cif_error("data_X\n_a.b 'x\n") ==
        "x.cif:2: a value in quotes, ''x', does not end in its line; copy the file again, or close it");
  CHECK(cif_error("data_X\n_a.b\n;x\ny\n").starts_with("x.cif:3: a text field"));
  CHECK(cif_error("data_X\n_a.b _a.c\n") == "x.cif:2: '_a.b' has no value; copy the file again");
  CHECK(cif_error("data_X\nloop_ 1 2\n") == "x.cif:2: loop_ is not followed by a name; copy the file again");
  CHECK(cif_error("data_X\nloop_ _a.b _a.c 1 2 3\n").starts_with("x.cif:2: the loop of _a.b and 1 more"));
  CHECK(cif_error("data_X\nstray\n").starts_with("x.cif:2: the value 'stray' has no name before it"));
  CHECK(cif_error("data_X\nloop_\n_atom_site.id\n_atom_site.label_atom_id\n1 C\n") ==
        "x.cif:5: the category _atom_site has no Cartn_x, which a structure needs; get the file again");
}

TEST_CASE("mmCIF: a file cut at any byte is refused, or gives only atoms that are complete") {
  const std::string text = cif(rows);
  const Structure whole = read(text);
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    std::vector<Atom> atoms;
    const std::string message = error_of([&] { atoms = read(text.substr(0, size)).atoms; });
    if (message != "no error") {
      CHECK(message.starts_with("x.cif:"));
      continue;
    }
    REQUIRE(atoms.size() <= whole.atoms.size());
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      CHECK(atoms[i].position_A == whole.atoms[i].position_A);
      CHECK(atoms[i].chain == whole.atoms[i].chain);
    }
  }
}

TEST_CASE("mmCIF: a file whose last line has no end is whole, and one that is cut in its last value is not") {
  const std::string text = "data_X\n" + tags + rows;
  for (std::string whole :
       {text.substr(0, text.size() - 1), text + "#", text.substr(0, text.size() - 1) + ' '}) {
    CHECK(read(whole).atoms.size() == 4);
    const TemporaryFolder folder;
    write_text(folder / "x.cif", whole);  // in pieces
    CHECK(read_mmcif(InputFile(folder / "x.cif")).atoms.size() == 4);
  }
  const std::string start =
      "data_X\nloop_\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n_atom_site.Cartn_x\n"
      "_atom_site.Cartn_y\n_atom_site.Cartn_z\n";
  CHECK(read(start + "N GLY 1.0 2.0 -3.000\nCA GLY 1.0 2.0 -4.125").atoms[1].position_A.z == -4.125);
  CHECK(read(start + "N GLY 1.0 2.0 -3.000").atoms.size() == 1);
  CHECK(cif_error(start + "N GLY 1.0 2.0 -3.000\nCA GLY 1.0 2.0 -4.1") ==
        "x.cif:9: the file ends in the middle of this row of _atom_site; copy it again (or end the line, if "
        "it is "
        "complete)");
}

TEST_CASE("mmCIF: recognised by its content") {
  CHECK(is_mmcif(cif(rows)));
  CHECK(is_mmcif("# comment\n\ndata_1ABC\n#\n_entry.id 1ABC\n"));  // its atoms come behind the head
  CHECK(!is_mmcif("data_r1abcsf\n_entry.id 1ABC\nloop_\n_refln.index_h\n"));
  CHECK(!is_mmcif("data_ATP\n_chem_comp.id ATP\n"));
  CHECK(!is_mmcif("data_x\nloop_\n_atom_site_label\n_atom_site_fract_x\nC1 0.5\n"));
  CHECK(!is_mmcif("HEADER    X\nREMARK _atom_site.\n"));
  CHECK(!is_mmcif(""));
}

TEST_CASE("mmCIF: a cell is a crystal's where an item says so, and otherwise undecided") {
  const std::string cell =
      "_cell.length_a 50\n_cell.length_b 60\n_cell.length_c 70\n"
      "_cell.angle_alpha 90\n_cell.angle_beta 95.5\n_cell.angle_gamma 90\n#\n";
  const auto kind = [&](const std::string& more) { return read(cif(rows, cell + more)).cell->kind; };
  for (const std::string more :
       {"", "_symmetry.space_group_name_H-M 'P 1'\n#\n", "_symmetry.space_group_name_H-M ?\n#\n",
        "_exptl.method ?\n#\n", "_space_group.name_H-M_alt 'P 1'\n#\n"})
    CHECK(kind(more) == CellKind::undecided);
  for (const std::string more :
       {"_symmetry.space_group_name_H-M 'P 21 21 21'\n#\n", "_exptl.method 'X-RAY DIFFRACTION'\n#\n",
        "loop_\n_exptl.entry_id\n_exptl.method\n1XYZ 'X-RAY DIFFRACTION'\n1XYZ 'NEUTRON DIFFRACTION'\n#\n",
        "_space_group.name_H-M_alt 'C 1 2 1'\n#\n", "_atom_sites.fract_transf_matrix[1][1] 0.02\n#\n"})
    CHECK(kind(more) == CellKind::crystal);
}
