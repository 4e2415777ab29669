// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "files/input_file.hpp"
#include "files/packing.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/trajectory.hpp"
#include "structures/formats/unread_format.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using std::literals::operator""s;

/// What the file is called, between "is" and "which is not read".
std::string kind_of(const std::string& content, const std::string& name) {
  const TemporaryFolder folder;
  write_text(folder / name, content);
  InputFile file(folder / name);
  const std::string message = error_of([&] { format_of_file(file); });
  const std::string start = folder / name + ": is ", end = ", which is not read; ";
  if (!message.starts_with(start) || message.find(end) == std::string::npos) return message;
  return message.substr(start.size(), message.find(end) - start.size());
}

const std::string atom = "ATOM      1  N   MET A   1      11.269 124.021 231.688  0.7500 1.8240\n";

}  // namespace

TEST_CASE("unread formats: each is named by its content, whatever the file is called") {
  struct Known {
    std::string content, kind;
  };
  const std::vector<Known> files = {
      {"title\n  16.885  14.725  13.131  16.631  15.459  12.472  16.073  14.113  13.183  17.723\n  14.187\n",
       "an AMBER ASCII trajectory (mdcrd)"},
      {"\n  16.885  14.725-113.131\n", "an AMBER ASCII trajectory (mdcrd)"},
      {"2\nwater\nO 0.0 0.0 0.0\nH 0.96 0.0 0.0\n", "an XYZ file (without residues and charges)"},
      {"2\n\n8 0.0 0.0 0.0\n1 0.96 0.0 0.0\n", "an XYZ file (without residues and charges)"},
      {"   2 water\n  1  O   0.0  0.0  0.0  1  2\n  2  H   0.96  0.0  0.0  2  1\n", "a Tinker XYZ file"},
      {"x\n  program\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n", "an SDF or MOL file"},
      {"{\n  s_m_m2io_version\n  :::\n  2.0.0\n}\n\nf_m_ct {\n", "a Maestro file (.mae, .cms)"},
      {"LAMMPS data file\n\n5 atoms\n1 bonds\n\n0.0 10.0 xlo xhi\n", "a LAMMPS data file"},
      {"ITEM: TIMESTEP\n0\n", "a LAMMPS trajectory"},
      {"REMARK  receptor\nATOM      1  N   GLY A   1      -0.520   1.360   0.000  1.00  0.00    -0.348 N \n",
       "a PDBQT file of AutoDock (without all hydrogens)"},
      {"REMARK  ligand\nROOT\n" + atom, "a PDBQT file of AutoDock (without all hydrogens)"},
      {"* top\n36 1\n\nMASS 1 H 1.008\n\nRESI ALA 0.00\nGROUP\nATOM N NH1 -0.47\n",
       "a CHARMM topology of residues (.rtf)"},
      {"* par\n\nBONDS\nCA CA 305.0 1.375\n\nANGLES\nCA CA CA 40.0 120.0\n",
       "a file of CHARMM parameters (.prm)"},
      {"!!index array str\n \"ALA\"\n", "a LEaP library (.lib, .off)"},
      {"remark\nMASS\nca 12.01\n\nBOND\nca-ca 478.4 1.387\n\nANGL\n\nDIHE\n",
       "a file of AMBER parameters (.frcmod)"},
      {"<?xml version=\"1.0\"?>\n<System/>\n", "an XML file (PDBML, or of OpenMM)"},
      {"<!DOCTYPE html>\n<html>\n", "a web page"},
      {"{\n  \"schema_version\": 1\n}\n", "a JSON file"},
      {">1ABC\nMKV\n", "a sequence (FASTA, without positions)"},
      {"data_r1abcsf\n_entry.id 1ABC\nloop_\n_refln.index_h\n1\n", "a CIF file of structure factors"},
      {"data_ATP\n_chem_comp.id ATP\nloop_\n_chem_comp_atom.atom_id\nPG\n",
       "a CIF file of a chemical component"},
      {"data_x\nloop_\n_atom_site_label\n_atom_site_fract_x\nC1 0.5\n",
       "a CIF file of a small molecule with fractional coordinates"},
      {"[ System ]\n   1    2    3\n", "a GROMACS index file (.ndx)"},
      {"; run\nintegrator  = md\nnsteps = 5\n", "a file of GROMACS run parameters (.mdp)"},
      {"Charm++: standalone mode\nInfo: NAMD 2.14 for Linux\n", "a log file"},
      {"# map\nobject 1 class gridpositions counts 2 2 2\n", "an OpenDX map"},
      {"\x89HDF\r\n\x1a\n" + std::string(20, '\0'),
       "an HDF5 file (a map, or a trajectory of MDTraj or H5MD)"},
      {"CDF\1" + std::string(40, '\0'), "a NetCDF file without AMBER's conventions"},
      {"\xFF\xFF\x26\xFD\0\0\0\5"s + std::string(40, '\0'), "a GROMACS energy file (.edr)"},
      {"\0\2\x9F\x29\0\0\0\7"s + std::string(40, '\0'), "a GROMACS checkpoint (.cpt)"},
      {"\xFF\xFE"
       "A\0T\0O\0M\0"s,
       "UTF-16 text"},
      {std::string(208, '\1') + "MAP " + std::string(60, '\0'), "a CCP4 or MRC map"},
  };
  for (const Known& known : files) {
    CAPTURE(known.kind);
    CHECK(is_unread_format(known.content));
    CHECK(kind_of(known.content, "a") == known.kind);
    CHECK(kind_of(known.content, "a.pdb") == known.kind);
    CHECK(kind_of(gzip(known.content), "a.gz") == known.kind);
  }
}

TEST_CASE("unread formats: by the name where the content says nothing") {
  CHECK(kind_of("words\n", "a.log") == "a log file");
  CHECK(kind_of("words\n", "A.FRCMOD") == "a file of AMBER parameters (.frcmod)");
  CHECK(kind_of("words\n", "a.mae.gz") == "a Maestro file (.mae, .cms)");
  CHECK(kind_of("\1\2\3\4", "a.tng") == "a TNG trajectory");
  CHECK(kind_of("words\n", "a.itp") == "a part of a GROMACS topology (.itp)");
  for (const char* const name : {"a", "a.txt", "a.p", "a."}) CHECK(kind_of("words\n", name) == "no error");
}

TEST_CASE("unread formats: what is read is none of them") {
  for (const std::string& content :
       {atom, "REMARK made by Amber 18 SANDER and PMEMD, Info: NAMD 2\n" + atom,
        "; Created by:\n;                      :-) GROMACS - gmx pdb2gmx, 2022.5 (-:\n#include "
        "\"a.ff/forcefield.itp\"\n"s,
        "AUTHOR    X\n" + atom,
        "title\n    2\n   1.0000000   2.0000000   3.0000000   4.0000000   5.0000000   6.0000000\n"s,
        "8\n    1\n    1ALA      N    1   1.000   2.000   3.000\n   1.0 1.0 1.0\n"s,
        "[ defaults ]\n1 2\n[ atomtypes ]\n"s,
        "* title\n*\n 1\n    1    1 NA   NA     1.00000   2.00000   3.00000 A 1 0.0\n"s,
        "data_1ABC\n_entry.id 1ABC\nloop_\n_chem_comp_atom.atom_id\nC\n"s,
        "TITLE     ELECTRON " + std::string(189, 'X') + "MAP \n" + atom}) {
    CAPTURE(content);
    CHECK(!is_unread_format(content));
    CHECK(find_format(content, "a"));
  }
}

TEST_CASE("formats: what tells them may come behind remarks of any length") {
  const TemporaryFolder folder;
  std::string remarks, comments;
  while (remarks.size() < 200'000) {
    remarks += "REMARK   3  WORDS ABOUT HOW THE STRUCTURE WAS REFINED\n";
    comments += "_diffrn_radiation_wavelength.id 1\n";
  }
  const std::string pdb = "ATOM      1  N   MET A   1      11.269 124.021 231.688  1.00 22.45           N\n",
                    cif = "loop_\n_atom_site.label_atom_id\n_atom_site.Cartn_x\nC 1.0\n";
  const auto format_of = [&](const std::string& name, const std::string& content) {
    write_text(folder / name, content);
    InputFile file(folder / name);
    return format_of_file(file);
  };
  for (const bool packed : {false, true}) {
    const auto stored = [packed](const std::string& text) { return packed ? gzip(text) : text; };
    CHECK(format_of("a", stored(remarks + pdb)) == FileFormat::pdb);
    CHECK(format_of("a", stored(remarks + atom)) == FileFormat::pqr);
    CHECK(format_of("a", stored("data_1ABC\n_entry.id 1ABC\n" + comments + cif)) == FileFormat::mmcif);
    CHECK(!format_of("a", stored("data_r1abcsf\n_entry.id 1ABC\n" + comments)));
  }
}

TEST_CASE("formats: a byte-order mark before the text changes nothing") {
  const std::string mark = "\xEF\xBB\xBF";
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, FileFormat>> files = {
      {atom, FileFormat::pqr},
      {"%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n", FileFormat::prmtop},
      {"* title\n*\n    1\n    1    1 NA   NA     1.00000   2.00000   3.00000 A    1      0.00000\n",
       FileFormat::charmm_crd},
      {"PSF EXT\n\n       1 !NTITLE\n", FileFormat::psf},
      {"title\n    1\n   1.0000000   2.0000000   3.0000000\n", FileFormat::inpcrd},
      {"title\n    1\n    1NA      NA    1   1.000   2.000   3.000\n   1.0 1.0 1.0\n", FileFormat::gro},
      {"TITLE\nx\nEND\nPOSITIONRED\n    1.000000000    2.000000000    3.000000000\nEND\n", FileFormat::g96},
      {"data_X\n_atom_site.id 1\n", FileFormat::mmcif},
      {"@<TRIPOS>MOLECULE\nx\n", FileFormat::mol2},
      {"# NAMD extended system\n#$LABELS step a_x a_y a_z\n0 1 0 0\n", FileFormat::xsc},
      {"[ defaults ]\n1 2\n", FileFormat::gromacs_topology}};
  for (const auto& [text, format] : files)
    for (const bool packed : {false, true}) {
      CAPTURE(text);
      write_text(folder / "a", packed ? gzip(mark + text) : mark + text);
      InputFile file(folder / "a");
      CHECK(format_of_file(file) == format);
      CHECK(read_input_file(std::move(file)).text() == text);
      if (role_of(format) != FileRole::coordinates) continue;
      CHECK(Trajectory({folder / "a"}).read(0).positions_A.size() == 1);
    }
  const std::string binary = mark + "\0\1\2\3"s;  // may begin with any bytes
  write_text(folder / "a", binary);
  CHECK(read_input_bytes(InputFile(folder / "a")).text() == binary);
}
