// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdio>

#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Columns 13-27 as they are, then a place, then columns 55 on.
std::string atom(const std::string& names, double x, const std::string& tail = "  1.00 20.00           C") {
  char line[128];
  std::snprintf(line, sizeof line, "ATOM      1 %-15s   %8.3f%8.3f%8.3f%s\n", names.c_str(), x, 2.0, -3.5,
                tail.c_str());
  return line;
}

const std::string first =
    "ATOM      1  N   MET A   1      11.269 124.021 231.688  1.00 20.10           N\n"
    "ATOM      2  CA  MET A   1      12.299 124.537 230.744  1.00 21.00      SEGA C\n";

Atom only(const std::string& text) {
  const Structure structure = read_pdb(text, "x.pdb");
  REQUIRE(structure.atoms.size() == 1);
  return structure.atoms[0];
}

std::string pdb_error(const std::string& text) {
  return error_of([&] { read_pdb(text, "x.pdb"); });
}

std::string names_of(const Structure& structure) {
  std::string names;
  for (const Atom& a : structure.atoms) names += std::string(a.name.view()) + ' ';
  return names;
}

}  // namespace

TEST_CASE("PDB: what a record says") {
  const Structure structure =
      read_pdb("CRYST1   50.000   60.000   70.000  90.00  95.00  90.00 P 1\n" + first, "x.pdb");
  REQUIRE(structure.atoms.size() == 2);
  CHECK(structure.warnings.empty());
  const Atom& a = structure.atoms[1];
  CHECK(a.position_A == Vec3<double>{12.299, 124.537, 230.744});
  CHECK(a.name.view() == "CA");
  CHECK(a.residue.view() == "MET");
  CHECK(a.chain.view() == "A");
  CHECK(a.segment.view() == "SEGA");
  CHECK(a.element.view() == "C");
  CHECK(a.residue_number == 1);
  CHECK(a.insertion_code == ' ');
  CHECK(a.charge_e == 0.0);
  CHECK(a.radius_A == 0.0);
  REQUIRE(structure.cell);
  CHECK(lengths_A(*structure.cell) == Vec3<double>{50.0, 60.0, 70.0});
  CHECK(angles_deg(*structure.cell).y == 95.0);
  CHECK(!read_pdb("CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1\n" + first, "x.pdb").cell);
}

TEST_CASE("PDB: residue numbers of all kinds") {
  struct Case {
    std::string columns;  // 23-27
    int number;
    char code;
  };
  for (const Case& c : std::vector<Case>{{"  -5 ", -5, ' '},
                                         {"-999 ", -999, ' '},
                                         {"  52A", 52, 'A'},
                                         {"9999 ", 9999, ' '},
                                         {"A000 ", 10000, ' '},    // hybrid-36
                                         {"ZZZZ ", 1223055, ' '},  // 9999 + 26 * 36^3
                                         {"a000 ", 1223056, ' '},
                                         {"271a ", 10010, ' '},  // hexadecimal, as VMD writes it
                                         {"12345", 12345, ' '}}) {
    CAPTURE(c.columns);
    const Structure structure = read_pdb(atom(" CA  ALA A" + c.columns, 1.0), "x.pdb");
    CHECK(structure.atoms[0].residue_number == c.number);
    CHECK(structure.atoms[0].insertion_code == c.code);
    CHECK(structure.warnings.empty());
  }
  CHECK(read_pdb(first + atom(" CA  ALA A**** ", 1.0), "x.pdb").warnings ==
        std::vector<std::string>{"note: x.pdb:3: the residue number is not a number; 0 was used (1 line)"});
}

TEST_CASE("PDB: column 21 is the residue's or the chain's") {
  struct Case {
    std::string columns;  // 18-22
    std::string residue, chain;
  };
  for (const Case& c : std::vector<Case>{{"TIP3W", "TIP3", "W"},
                                         {"POPC ", "POPC", ""},
                                         {"ALAAB", "ALA", "AB"},
                                         {"  GBC", "G", "BC"},
                                         {" DA A", "DA", "A"},
                                         {"LIG1A", "LIG1", "A"},
                                         {"    A", "", "A"}}) {
    CAPTURE(c.columns);
    const Atom a = only(atom(" C1  " + c.columns + "   7 ", 1.0));
    CHECK(a.residue.view() == c.residue);
    CHECK(a.chain.view() == c.chain);
    CHECK(a.residue_number == 7);
  }
}

TEST_CASE("PDB: serial numbers may be anything, and fields may touch") {
  for (const std::string& serial : std::vector<std::string>{"186a0", "A0000", "*****", "    0", "     "}) {
    CAPTURE(serial);
    CHECK(only("HETATM" + serial + " MG    MG A 301     -99.123-100.456-200.789  1.00100.00          MG2+\n")
              .position_A == Vec3<double>{-99.123, -100.456, -200.789});
  }
  CHECK(only("ATOM  100000 N   ALA A   1    -999.999-999.999-999.999\n").position_A.x == -999.999);
  CHECK(only("HETATM    1 MG    MG A 301     -99.123-100.456-200.789  1.00100.00          mg\n")
            .element.view() == "MG");
  CHECK(only("ATOM      1  N   ALA A   1       1.000   2.000   3.000\n").element.empty());
  CHECK(only("ATOM      1  N   ALA A   1       1.000   2.000   3.000  1.00 20.00      1ABC  12\n")
            .element.empty());
}

TEST_CASE("PDB: TER ends chains, and only the first model counts") {
  const auto ends = [](const std::string& text) {
    std::string found;
    for (const Atom& a : read_pdb(text, "x.pdb").atoms) found += a.ends_chain ? 'T' : '-';
    return found;
  };
  CHECK(ends("TER\n" + first + "TER      3      MET A   1\n" + first) == "-T--");
  CHECK(ends(first + "ENDMDL\nTER\n") == "--");
  const std::string model = "ENDMDL\nMODEL        2\n" + first;
  const Structure models = read_pdb("MODEL        1\n" + first + model + model + "ENDMDL\nEND\n", "x.pdb");
  CHECK(models.atoms.size() == 2);
  CHECK(models.warnings ==
        std::vector<std::string>{
            "note: x.pdb: contains 3 models (parts that end with ENDMDL or END); the first was used"});
  CHECK(read_pdb(first + "END\n" + first, "x.pdb").warnings.size() == 1);
  CHECK(read_pdb("MODEL        1\n" + first + "ENDMDL\nEND\n", "x.pdb").warnings.empty());
}

TEST_CASE("PDB: of alternate locations the highest occupancy is taken, for a whole residue") {
  const std::string text =
      atom(" N   SER A  12 ", 1.0) + atom(" CA ASER A  12 ", 2.0, "  0.40 20.00") +
      atom(" CA BSER A  12 ", 3.0, "  0.60 20.00") + atom(" CB ASER A  12 ", 4.0, "  0.40 20.00") +
      atom(" CB BSER A  12 ", 5.0, "  0.60 20.00") +
      atom(" OG CSER A  12 ", 6.0, "  0.30 20.00") +  // nowhere else
      atom(" CA AGLY A  13 ", 7.0, "  0.50 20.00") + atom(" CA BGLY A  13 ", 8.0, "  0.50 20.00") + "TER\n" +
      atom(" N   ALA A  14 ", 9.0);
  const Structure structure = read_pdb(text, "x.pdb");
  std::string x;
  for (const Atom& a : structure.atoms) x += std::to_string(int(a.position_A.x)) + ' ';
  CHECK(x == "1 3 5 6 7 9 ");
  CHECK(structure.atoms[4].ends_chain);  // though its record went
  CHECK(!structure.atoms[3].ends_chain);
  CHECK(structure.warnings ==
        std::vector<std::string>{"note: x.pdb: 2 residues have alternate locations, first SER 12 A; the one "
                                 "with the highest occupancy was used, and 3 atoms were left out"});
}

TEST_CASE("PDB: an alternate location without an occupancy has a whole one") {
  CHECK(names_of(read_pdb(atom(" CA ASER A  12 ", 1.0, "  0.40 20.00") +
                              atom(" CB ASER A  12 ", 1.0, "  0.40 20.00") + atom(" CA BSER A  12 ", 2.0, ""),
                          "x.pdb")) == "CB CA ");
}

TEST_CASE("PDB: a point mutation keeps one residue") {
  const std::string text =
      atom(" CA ASER A  12 ", 1.0, "  0.40 20.00") + atom(" OG ASER A  12 ", 2.0, "  0.40 20.00") +
      atom(" CA BTHR A  12 ", 3.0, "  0.60 20.00") + atom(" CG2BTHR A  12 ", 4.0, "  0.60 20.00");
  CHECK(names_of(read_pdb(text, "x.pdb")) == "CA CG2 ");
}

TEST_CASE("PDB: charges in place of occupancies") {
  const auto with = [](const std::string& a, const std::string& b) {
    return read_pdb(atom(" N   ALA A   1 ", 1.0, a) + atom(" CA  ALA A   1 ", 2.0, b), "x.pdb");
  };
  const Structure both = with(" -0.47  1.85", "  0.14  2.27");
  CHECK(both.atoms[0].charge_e == -0.47);
  CHECK(both.atoms[1].radius_A == 2.27);
  CHECK(both.warnings ==
        std::vector<std::string>{"x.pdb: the occupancies cannot be occupancies (some are negative) and were "
                                 "read as charges, -0.33 e in all, and the B-factors as radii"});
  const Structure charges = with(" -0.47 80.00", "  0.47 20.00");
  CHECK(charges.atoms[1].charge_e == 0.47);
  CHECK(charges.atoms[1].radius_A == 0.0);
  CHECK(charges.warnings.size() == 1);
  CHECK(with(" -1.00 80.00", "  0.50 20.00").atoms[0].charge_e == 0.0);  // a flag, not charges
  CHECK(with("  0.47  1.85", "  0.53  2.27").atoms[0].charge_e == 0.0);
  CHECK(with("  1.00******", "  1.00******").warnings.empty());  // an overflow of Fortran
}

TEST_CASE("PDB: records that cannot be read") {
  const std::string hint =
      "; an ATOM record of a PDB file has x, y and z in columns 31-38, 39-46 and 47-54: write the file "
      "again, or give it the right ending";
  const std::string good = "ATOM      3  C   MET A   1      12.299 124.537 230.744  1.00 20.00";
  const auto bad = [&](std::size_t column, const std::string& text) {
    return pdb_error(first + std::string(good).replace(column - 1, text.size(), text) + '\n' + first);
  };
  REQUIRE(pdb_error(first + good + '\n') == "no error");
  CHECK(bad(31, "     nan") == "x.pdb:3: x 'nan' is not a finite number" + hint);
  CHECK(bad(39, "    -inf") == "x.pdb:3: y '-inf' is not a finite number" + hint);
  CHECK(bad(47, " 230.7x4") == "x.pdb:3: z '230.7x4' is not a finite number" + hint);
  CHECK(bad(47, "        ") == "x.pdb:3: z '' is not a finite number" + hint);
  CHECK(bad(31, "   1e300") == "x.pdb:3: x is 1e+300 A, but an atom has at most 100000 A" + hint);
  CHECK(bad(13, "    ") == "x.pdb:3: the atom has no name (columns 13-16)" + hint);
  CHECK(bad(55, "   abc") == "x.pdb:3: occupancy 'abc' is not a finite number" + hint);
  CHECK(bad(61, "   nan") == "x.pdb:3: B-factor 'nan' is not a finite number" + hint);
  CHECK(pdb_error(first + good.substr(0, 50) + '\n') == "x.pdb:3: the line ends before its z" + hint);
  // A serial number of six digits has moved the columns.
  CHECK(pdb_error(first + "ATOM  100000  C   MET A   1      12.299 124.537 230.744  1.00 20.00\n") ==
        "x.pdb:3: y '9 124.53' is not a finite number" + hint);
  CHECK(pdb_error("REMARK nothing\nEND\n") ==
        "x.pdb: has no atoms (no line starts with ATOM or HETATM); is it the right file?");
  CHECK(pdb_error("") == pdb_error("END\n"));
}

TEST_CASE("PDB: a file cut at any byte is refused, or gives only atoms that are complete") {
  const std::string text = first + first;
  const Structure whole = read_pdb(text, "x.pdb");
  for (std::size_t size = first.size(); size < text.size(); ++size) {
    CAPTURE(size);
    std::vector<Atom> atoms;
    const std::string message = error_of([&] { atoms = read_pdb(text.substr(0, size), "x.pdb").atoms; });
    if (message != "no error") {
      CHECK(message.starts_with("x.pdb:"));
      continue;
    }
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      CHECK(atoms[i].position_A == whole.atoms[i].position_A);
      CHECK(atoms[i].element == whole.atoms[i].element);
    }
  }
}

TEST_CASE("PDB: recognised by its content") {
  CHECK(is_pdb(first));
  CHECK(is_pdb("REMARK x\nMODEL 1\n" + first));
  CHECK(is_pdb("HEADER    RIBOSOME                                01-JAN-00   1ABC\nREMARK\n"));
  CHECK(is_pdb(first + first.substr(0, 40)));  // a head may end anywhere
  CHECK(is_pdb("ATOM      1  N   ALA A   1       1.000   2.000   3.000\n"));
  CHECK(!is_pdb("ATOM      1  N   MET A   1      11.269 124.021 231.688  0.1592 1.8240\n"));  // PQR
  CHECK(
      !is_pdb("ATOM      1  N   MET A   1      11.269 124.021 231.688 -0.30  1.85\n"));  // PQR, two decimals
  // Two or four decimals, by the element or the name of the file.
  for (const std::string xyz : {"   27.34   24.43    2.61", " 27.3400 24.4300 -2.6140"}) {
    const std::string plain = "ATOM      1  N   MET A   1    " + xyz + "  1.00  1.67";
    CHECK(is_pdb(plain + "           N\n"));
    CHECK(is_pdb(plain + "\n", NameEnding::pdb));
    CHECK(!is_pdb(plain + "\n"));
    CHECK(!is_pdb("ATOM      1  N   MET A   1    " + xyz + " -0.30  1.85\n", NameEnding::pdb));  // a charge
  }
  CHECK(!is_pdb("ATOM      1  N   MET A   1     27.34   24.43    2.61   1.00  1.67           N\n"));
  CHECK(!is_pdb("ATOM 1 N ALA A 1 1.0 2.0 3.0 0.5 1.8\n"));
  const auto atom = [](const std::string& name, const std::string& numbers) {
    return "ATOM      1  " + name + "   GLY A   1      11.269 124.021 231.688" + numbers + '\n';
  };
  // Without elements: no charges are alike in a residue, whatever else the numbers look like.
  for (const std::string numbers : {"  1.00  1.00", "  1.00  0.00", "  0.00  1.50", "  0.50  3.00"})
    CHECK(is_pdb(atom("N", numbers) + atom("C", numbers)));
  CHECK(is_pdb(atom("N", "  1.00  1.00") + atom("C", "  1.00  2.50")));
  CHECK(!is_pdb(atom("N", "  0.30  1.00") + atom("C", "  0.50  1.00")));
  const std::string one = atom("N", "  1.00  1.00");
  CHECK(!is_pdb(one));  // an ion's charge and radius?
  CHECK(is_pdb(one, NameEnding::pdb));
  CHECK(is_pdb(atom("N", "  0.30  1.00") + atom("C", "  0.50  1.00"), NameEnding::pdb));
  CHECK(!is_pdb(atom("N", " -0.30  1.00") + atom("C", "  0.50  1.00"), NameEnding::pdb));
  for (const char* const other :
       {"", "data_1ABC\n_entry.id 1ABC\n", "PSF EXT\n", "%VERSION  VERSION_STAMP\n", "@<TRIPOS>MOLECULE\nx\n",
        "CORD", "title\n 2\n    1ALA      N    1   1.000\n"})
    CHECK(!is_pdb(other));
}

TEST_CASE("PDB: the records to keep before atoms that are written again") {
  const std::string text =
      "HEADER    RNA\nTITLE     X\nNUMMDL    2\nREMARK 350 BIOMOLECULE: 1\nSEQRES   1 A    2  MET "
      "ALA\nSSBOND   1\r\n"
      "CRYST1   50.000\nORIGX1 1\nSCALE2 1\nMTRIX3   1\nMODEL        1\n" +
      first + "CONECT    1    2\nMASTER\nEND\n";
  std::string kept;
  for (const std::string& record : pdb_header_records(text)) kept += record.substr(0, 6) + '|';
  CHECK(kept == "HEADER|TITLE |REMARK|SEQRES|SSBOND|CRYST1|ORIGX1|SCALE2|MTRIX3|");
}

TEST_CASE("PDB: a file is read in pieces as its text is, with the lines that messages name") {
  std::string text = "HEADER    RNA\nREMARK 350 BIOMOLECULE: 1\nMODEL        1\n" + first;
  for (int n = 0; n < 220'000; ++n)  // of 17 MB, which are two pieces
    text += atom(" O   HOH B" + std::to_string(1000 + n % 9000) + " ", 0.001 * double(n * 7919L % 900'000));
  text += "TER\n" + atom(" O   HOH C**** ", 1.0) + "ENDMDL\nTITLE     X\nMODEL        2\n" + first;
  const std::string wrong = std::string(text).insert(text.size() - 900, "\nATOM      1 N\n"),
                    cut = text.substr(0, text.rfind("ENDMDL") - 20);
  for (const bool is_packed : {false, true}) {
    CAPTURE(is_packed);
    std::string path;
    const auto read = [&](const std::string& of) {
      const TemporaryFile file("long.pdb", is_packed ? gzip(of) : of);
      path = file.path();
      return read_pdb(InputFile(path));
    };
    const PdbFile found = read(text);
    const Structure expected = read_pdb(text, path);
    REQUIRE(found.structure.atoms.size() == 220'003);
    for (std::size_t n = 0; n < expected.atoms.size(); ++n) {
      REQUIRE(found.structure.atoms[n].position_A == expected.atoms[n].position_A);
      REQUIRE(found.structure.atoms[n].ends_chain == expected.atoms[n].ends_chain);
    }
    CHECK(found.structure.warnings == expected.warnings);
    CHECK(found.structure.warnings.size() == 2);
    CHECK(found.header_records == pdb_header_records(text));
    for (const std::string& other : {wrong, cut}) {
      const std::string message = error_of([&] { read(other); });
      CHECK(message == error_of([&] { read_pdb(other, path); }));
      CHECK(message.starts_with(path + ":2"));  // of more than 200,000 lines
    }
  }
}

TEST_CASE("PDB: files of simulation programs") {
  struct Known {
    std::string name;
    std::size_t atoms;
    bool has_cell;
    std::string last;  // atom
  };
  for (const Known& known : std::vector<Known>{{"1MJI", 8720, false, "HOH 187 F H2"},         // OpenMM
                                               {"1k5i_c36", 17927, true, "POT 5767 POT"}}) {  // GROMACS
    const std::string path = shared_data("data/md/" + known.name + ".pdb.gz");
    if (path.empty()) return;
    CAPTURE(path);
    const FileBytes bytes = read_input_file(path);
    CHECK(is_pdb(bytes.text().substr(0, 65536)));
    const Structure structure = read_pdb(bytes.text(), path);
    CHECK(structure.atoms.size() == known.atoms);
    CHECK(structure.cell.has_value() == known.has_cell);
    CHECK(describe(structure.atoms.back()) == known.last);
    CHECK(structure.warnings.empty());
  }
}

TEST_CASE("PDB: a cell is a crystal's where a record says so, and otherwise undecided") {
  const std::string cell = "CRYST1   50.000   60.000   70.000  90.00  95.00  90.00 ";
  const auto kind = [&](const std::string& before, const std::string& group, const std::string& behind) {
    return read_pdb(before + cell + group + "\n" + behind + first, "x.pdb").cell->kind;
  };
  for (const std::string group : {"P 1", "P 1           1", "P1", "", "P 1         1"})
    CHECK(kind("", group, "") == CellKind::undecided);
  for (const std::string group :
       {"P 21 21 21    4", "P 1 21 1      2", "C 1 2 1", "P -1          2", "I 41 2 2"})
    CHECK(kind("", group, "") == CellKind::crystal);
  CHECK(kind("EXPDTA    X-RAY DIFFRACTION\n", "P 1", "") == CellKind::crystal);
  CHECK(kind("REMARK 290 CRYSTALLOGRAPHIC SYMMETRY\n", "P 1", "") == CellKind::crystal);
  CHECK(kind("", "P 1", "SCALE1      0.020000  0.000000  0.000000        0.00000\n") == CellKind::crystal);
  CHECK(kind("REMARK 350 ASSEMBLY\n", "P 1", "") == CellKind::undecided);
  const auto free_form = [&](const std::string& group) {
    return read_pdb("CRYST1 40 50.5 60 90 90 90 " + group + "\n" + first, "x.pdb").cell->kind;
  };
  CHECK(free_form("P 1 1") == CellKind::undecided);
  CHECK(free_form("P 21 21 21 4") == CellKind::crystal);
}

TEST_CASE("PDB: what says that the cell is a crystal's does not stay with another cell") {
  const std::vector<std::string> records = {
      "HEADER    LYSOZYME", "EXPDTA    X-RAY DIFFRACTION", "REMARK 290", "SCALE1", "CRYST1", "SSBOND"};
  CHECK(records_without_places(records) == std::vector<std::string>{"HEADER    LYSOZYME", "SSBOND"});
}
