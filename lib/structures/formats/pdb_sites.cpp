// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/pdb_sites.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/text_stream.hpp"
#include "files/input_file.hpp"
#include "structures/atom_limits.hpp"
#include "structures/formats/coordinate_file.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/formats/read_structure.hpp"
#include "structures/pdb/mmcif_reader.hpp"

namespace ionwell {
namespace {

constexpr std::size_t first_coordinate_column = 30, coordinate_width = 8;

bool starts_with(std::string_view line, std::string_view word) {
  return line.substr(0, word.size()) == word;
}

Vec3<double> read_position(std::string_view line, const std::string& place) {
  std::array<double, 3> values{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view text =
        trim(columns(line, first_coordinate_column + axis * coordinate_width, coordinate_width));
    const std::optional<double> value = parse_number(text);
    if (!value || std::abs(*value) > largest_coordinate_A)
      fail(place, ": the ", "xyz"[axis], " coordinate ", quote(text),
           " is not a number of at most 100000 A (a PDB record has x, y, z in columns 31-54); correct the "
           "line");
    values[axis] = *value;
  }
  return {values[0], values[1], values[2]};
}

/// What tells an ion from other atoms, besides its names.
struct IonMarks {
  Label element;
  double charge_e = 0.0;
};

/// "2+" or "+2" of columns 79-80; 0 where there is none.
double read_charge(std::string_view text) {
  const auto sign_at = [text](std::size_t i) { return text[i] == '+' ? 1.0 : text[i] == '-' ? -1.0 : 0.0; };
  if (text.size() != 2) return 0.0;
  if (is_digit(text[0])) return sign_at(1) * double(text[0] - '0');
  return is_digit(text[1]) ? sign_at(0) * double(text[1] - '0') : 0.0;
}

/// The atoms of a file's first model.
struct PdbAtoms {
  std::vector<PdbSite> atoms;
  std::vector<IonMarks> marks;
};

PdbAtoms pdb_atoms(InputFile file) {
  const std::string path = file.name();
  const FileBytes bytes = read_input_file(std::move(file));
  PdbAtoms read;
  LineScanner lines(bytes.text());
  for (std::string_view line; lines.next(line);) {
    if (starts_with(line, "ENDMDL")) break;
    if (!starts_with(line, "ATOM  ") && !starts_with(line, "HETATM")) continue;
    const std::string_view insertion_code = columns(line, 26, 1);
    read.atoms.push_back({.name = trim(columns(line, 12, 4)),
                          .residue = trim(columns(line, 17, 4)),
                          .chain = trim(columns(line, 21, 1)),
                          .residue_number = parse_integer(trim(columns(line, 22, 4))).value_or(0),
                          .insertion_code = insertion_code.empty() ? ' ' : insertion_code[0],
                          .position_A = read_position(line, path + ':' + std::to_string(lines.number())),
                          .occupancy = parse_number(trim(columns(line, 54, 6))),
                          .b_factor_A2 = parse_number(trim(columns(line, 60, 6)))});
    read.marks.push_back({trim(columns(line, 76, 2)), read_charge(trim(columns(line, 78, 2)))});
  }
  return read;
}

PdbAtoms atoms_of(const Structure& structure) {
  PdbAtoms read;
  for (const Atom& atom : structure.atoms) {
    read.atoms.push_back({.name = atom.name,
                          .residue = atom.residue,
                          .chain = atom.chain,
                          .residue_number = atom.residue_number,
                          .insertion_code = atom.insertion_code,
                          .position_A = atom.position_A});
    read.marks.push_back({atom.element.view(), atom.charge_e});
  }
  return read;
}

PdbAtoms mmcif_atoms(InputFile file) {
  const AtomSites sites = read_mmcif_sites(std::move(file));
  PdbAtoms read = atoms_of(sites.structure);
  for (std::size_t i = 0; i < read.atoms.size(); ++i) {
    read.atoms[i].occupancy = sites.details[i].occupancy;
    read.atoms[i].b_factor_A2 = sites.details[i].b_factor;
  }
  return read;
}

/// Of a format that has names beside positions.
PdbAtoms labelled_atoms(InputFile file, FileFormat format) {
  const std::string path = file.name();
  const FileBytes bytes = read_input_file(std::move(file));
  const Coordinates coordinates = read_coordinates(format, bytes.text(), path, {});
  PdbAtoms read;
  for (std::size_t i = 0; i < coordinates.labels.size(); ++i) {
    const AtomLabels& labels = coordinates.labels[i];
    read.atoms.push_back({.name = labels.name,
                          .residue = labels.residue,
                          .residue_number = labels.residue_number,
                          .position_A = coordinates.positions_A[i]});
    read.marks.emplace_back();
  }
  return read;
}

PdbAtoms read_atoms(InputFile file) {
  const std::optional<FileFormat> format = format_of_file(file);
  switch (format.value_or(FileFormat::pdb)) {
    case FileFormat::mmcif:
      return mmcif_atoms(std::move(file));
    case FileFormat::gro:
    case FileFormat::g96:
    case FileFormat::charmm_crd:
      return labelled_atoms(std::move(file), *format);
    case FileFormat::pdb:
      return pdb_atoms(std::move(file));
    case FileFormat::pqr:
      if (extension_of(file.name()) == ".pqr") return atoms_of(read_pqr_file(std::move(file)));
      return pdb_atoms(std::move(file));
    default:
      fail(file.name(), ": is ", describe(*format),
           ", but ions with names are needed; give a PDB, mmCIF, PQR or .gro file of ions, for example from "
           "'ionwell place'");
  }
}

PdbSites keep_ions(const PdbAtoms& read) {
  PdbSites kept;
  for (std::size_t begin = 0; begin < read.atoms.size();) {
    const std::size_t end = end_of_residue(std::span(read.atoms), begin);
    const PdbSite& first = read.atoms[begin];
    const IonMarks& marks = read.marks[begin];
    const ResidueKind kind = residue_kind({.name = first.residue.view(),
                                           .atoms = end - begin,
                                           .first_atom = first.name.view(),
                                           .element = marks.element.view(),
                                           .charge_e = marks.charge_e});
    for (std::size_t i = begin; i < end; ++i) {
      const bool is_site = kind == ResidueKind::ion &&
                           (end - begin == 1 || read.atoms[i].name == central_atom(first.residue.view()));
      is_site ? kept.sites.push_back(read.atoms[i]) : void(++kept.others);
    }
    begin = end;
  }
  return kept;
}

}  // namespace

PdbSites read_pdb_sites(const std::string& file, SiteChoice choice) {
  InputFile input(file);
  const std::string path = input.name();
  PdbAtoms read = read_atoms(std::move(input));
  if (read.atoms.empty())
    fail(path,
         ": no ATOM or HETATM record was found; give a PDB, mmCIF, PQR or .gro file of ions, for example "
         "from 'ionwell place'");
  if (choice == SiteChoice::all) return {.sites = std::move(read.atoms)};
  PdbSites kept = keep_ions(read);
  if (kept.sites.empty())
    fail(path, ": holds ", count_of(kept.others, "atom"),
         " but no ion (a residue of one atom with the name, element or charge of an ion); --sites all uses "
         "every atom");
  return kept;
}

std::string_view to_string(SiteWeight weight) {
  switch (weight) {
    case SiteWeight::occupancy:
      return "occupancy";
    case SiteWeight::b_factor:
      return "bfactor";
    case SiteWeight::none:
      break;
  }
  return "none";
}

std::vector<double> site_weights(std::span<const PdbSite> sites, SiteWeight weight, const std::string& file) {
  std::vector<double> weights;
  if (weight == SiteWeight::none) return weights;
  weights.reserve(sites.size());
  const bool by_occupancy = weight == SiteWeight::occupancy;
  bool any = false;
  for (const PdbSite& site : sites) {
    const std::optional<double>& value = by_occupancy ? site.occupancy : site.b_factor_A2;
    const bool is_good = value && (by_occupancy ? *value >= 0.0 && *value <= 1.0 : *value > 0.0);
    if (!value || !is_good) {
      TextStream problem;
      problem << (value ? "" : "no ") << (by_occupancy ? "occupancy" : "B-factor");
      if (value) problem << " of " << *value;
      fail(file, ": the site ", site.residue, ' ', site.residue_number, ' ', site.chain, " has ",
           value ? (by_occupancy ? "an " : "a ") : "", problem.str(),
           by_occupancy ? "; it should be 0 to 1" : "; it should be more than 0",
           " in the PDB columns; leave --site-weights out, or give a file that has it");
    }
    weights.push_back(by_occupancy ? *value : 1.0 / *value);
    any = any || weights.back() > 0.0;
  }
  if (!any) fail(file, ": all sites have an occupancy of 0; leave --site-weights out");
  return weights;
}

}  // namespace ionwell
