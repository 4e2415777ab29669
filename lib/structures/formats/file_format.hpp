// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "files/input_file.hpp"

namespace ionwell {

/// The formats of structures, of topologies and of positions that are read.
enum class FileFormat {
  pqr,
  pdb,
  mmcif,
  mol2,
  tpr,
  psf,
  prmtop,
  gromacs_topology,
  gro,
  g96,
  charmm_crd,
  inpcrd,
  amber_netcdf,
  dcd,
  namd_binary,
  xtc,
  trr,
  xsc
};

/// What a file of a format is good for: atoms with positions, atoms without, positions alone, a cell alone.
enum class FileRole { structure, topology, coordinates, cell };

FileRole role_of(FileFormat format);

/// "a PSF topology", "GROMACS coordinates (.gro)": what messages call it.
std::string_view describe(FileFormat format);

/// The format of a file that begins so (64 KiB, unpacked): by its content; the extension decides between
/// those that have no mark of their own. Nothing for what is none of them.
std::optional<FileFormat> find_format(std::string_view head, const std::string& path);

/// The same of a file, which may be gzipped; more of it is looked at where 64 KiB do not decide, because
/// remarks of any length may come first. Throws Error for what is known and not read (unread_format).
std::optional<FileFormat> format_of_file(InputFile& file);

/// "structures are read from PQR, PDB, ...": what messages say about files in an unknown format.
std::string_view formats_read();

/// Has this text, a part of a file, an ATOM or HETATM record?
bool has_atom_record(std::string_view text);

/// Lower-case extension, without .gz.
std::string extension_of(const std::string& path);

}  // namespace ionwell
