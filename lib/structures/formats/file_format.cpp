// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/file_format.hpp"

#include <filesystem>

#include "core/text/lines.hpp"
#include "files/packing.hpp"
#include "structures/amber/amber_netcdf.hpp"
#include "structures/amber/inpcrd.hpp"
#include "structures/amber/prmtop.hpp"
#include "structures/charmm/charmm_crd.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/charmm/namd_binary.hpp"
#include "structures/charmm/psf.hpp"
#include "structures/charmm/xsc.hpp"
#include "structures/formats/unread_format.hpp"
#include "structures/gromacs/g96.hpp"
#include "structures/gromacs/gro.hpp"
#include "structures/gromacs/topology.hpp"
#include "structures/gromacs/trr.hpp"
#include "structures/gromacs/xtc.hpp"
#include "structures/mol2.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_record.hpp"

namespace ionwell {
namespace {

/// GROMACS's run input files begin with the version of the program, an XDR string: "VERSION 2022.5".
bool is_tpr(std::string_view head) {
  constexpr std::size_t lengths = 8;  // of the string, twice
  return columns(head, lengths, 8) == "VERSION ";
}

}  // namespace

bool has_atom_record(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);)
    if (is_atom_record(trim(line))) return true;
  return false;
}

std::string extension_of(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name.replace_extension();
  return lower_case(name.extension().string());
}

FileRole role_of(FileFormat format) {
  switch (format) {
    case FileFormat::pqr:
    case FileFormat::pdb:
    case FileFormat::mmcif:
    case FileFormat::mol2:
    case FileFormat::tpr:
      return FileRole::structure;
    case FileFormat::psf:
    case FileFormat::prmtop:
    case FileFormat::gromacs_topology:
      return FileRole::topology;
    case FileFormat::xsc:
      return FileRole::cell;
    default:
      return FileRole::coordinates;
  }
}

std::string_view describe(FileFormat format) {
  switch (format) {
    case FileFormat::pqr:
      return "a PQR file";
    case FileFormat::pdb:
      return "a PDB file";
    case FileFormat::mmcif:
      return "an mmCIF file";
    case FileFormat::mol2:
      return "a mol2 file";
    case FileFormat::tpr:
      return "a GROMACS run input (.tpr)";
    case FileFormat::psf:
      return "a PSF topology";
    case FileFormat::prmtop:
      return "an AMBER topology";
    case FileFormat::gromacs_topology:
      return "a GROMACS topology";
    case FileFormat::gro:
      return "GROMACS coordinates (.gro)";
    case FileFormat::g96:
      return "GROMOS-96 coordinates";
    case FileFormat::charmm_crd:
      return "CHARMM coordinates";
    case FileFormat::inpcrd:
      return "AMBER coordinates";
    case FileFormat::amber_netcdf:
      return "AMBER coordinates (NetCDF)";
    case FileFormat::dcd:
      return "a DCD trajectory";
    case FileFormat::namd_binary:
      return "NAMD binary coordinates";
    case FileFormat::xtc:
      return "an XTC trajectory";
    case FileFormat::trr:
      return "a TRR trajectory";
    case FileFormat::xsc:
      return "a NAMD cell (.xsc)";
  }
  return {};
}

std::optional<FileFormat> find_format(std::string_view head, const std::string& path) {
  struct Recognised {
    bool (*is_format)(std::string_view head);
    FileFormat format;
  };
  // Those with a mark of their own first.
  constexpr Recognised formats[] = {
      {is_dcd, FileFormat::dcd},     {is_xtc, FileFormat::xtc},
      {is_trr, FileFormat::trr},     {is_amber_netcdf, FileFormat::amber_netcdf},
      {is_tpr, FileFormat::tpr},     {is_mol2, FileFormat::mol2},
      {is_psf, FileFormat::psf},     {is_prmtop, FileFormat::prmtop},
      {is_mmcif, FileFormat::mmcif}, {is_xsc, FileFormat::xsc},
      {is_g96, FileFormat::g96}};
  for (const Recognised& known : formats)
    if (known.is_format(head)) return known.format;
  const std::string extension = extension_of(path);
  if (extension == ".pqr") return FileFormat::pqr;
  if (is_unread_format(head)) return {};
  const bool is_named_pdb = extension == ".pdb" || extension == ".ent";
  if (is_pdb(head, is_named_pdb ? NameEnding::pdb : NameEnding::other)) return FileFormat::pdb;
  if (has_atom_record(head)) return FileFormat::pqr;
  constexpr Recognised unmarked[] = {{is_gromacs_topology, FileFormat::gromacs_topology},
                                     {is_gro, FileFormat::gro},
                                     {is_charmm_crd, FileFormat::charmm_crd},
                                     {is_inpcrd, FileFormat::inpcrd},
                                     {is_namd_binary, FileFormat::namd_binary}};
  for (const Recognised& known : unmarked)
    if (known.is_format(head)) return known.format;
  return {};
}

std::optional<FileFormat> format_of_file(InputFile& file) {
  constexpr std::size_t enough = 1 << 16, longest_preface = 1 << 24;
  const auto first_bytes = [&file](std::size_t size) {
    return is_gzip(file.head()) ? gunzip_head(file.head(), size) : std::string(file.head());
  };
  refuse_other_packing(file.head(), file.name());
  std::string head = first_bytes(enough);
  refuse_other_packing(head, file.name());
  std::optional<FileFormat> format = find_format(head, file.name());
  if (!format) refuse_unread_format(head, file.name());
  if (!format && head.find('\0') == head.npos) {
    file.lengthen_head(longest_preface);
    head = first_bytes(longest_preface);
    format = find_format(head, file.name());
  }
  if (!format) refuse_unread_name(file.name());
  return format;
}

std::string_view formats_read() {
  return "structures are read from PQR, PDB, mmCIF, mol2 and .tpr files, and from topologies (PSF, prmtop, "
         ".top) with coordinates (PDB, .gro, .g96, CRD, inpcrd, rst7, .coor, DCD, XTC, TRR, NetCDF)";
}

}  // namespace ionwell
