// SPDX-License-Identifier: BSD-3-Clause
#include "structures/formats/coordinate_file.hpp"

#include <utility>

#include "structures/amber/amber_netcdf.hpp"
#include "structures/amber/inpcrd.hpp"
#include "structures/charmm/charmm_crd.hpp"
#include "structures/charmm/dcd.hpp"
#include "structures/charmm/namd_binary.hpp"
#include "structures/gromacs/g96.hpp"
#include "structures/gromacs/gro.hpp"
#include "structures/gromacs/trr.hpp"
#include "structures/gromacs/xtc.hpp"
#include "structures/mol2.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "structures/pdb/pqr_reader.hpp"

namespace ionwell {
namespace {

Coordinates coordinates_of(Structure&& structure) {
  Coordinates coordinates{.cell = structure.cell, .warnings = std::move(structure.warnings)};
  for (const Atom& atom : structure.atoms) {
    coordinates.positions_A.push_back(atom.position_A);
    coordinates.labels.push_back({atom.name, atom.residue, atom.residue_number});
  }
  return coordinates;
}

}  // namespace

bool has_frames(FileFormat format) {
  switch (format) {
    case FileFormat::gro:
    case FileFormat::g96:
    case FileFormat::amber_netcdf:
    case FileFormat::dcd:
    case FileFormat::xtc:
    case FileFormat::trr:
      return true;
    default:
      return false;
  }
}

Coordinates read_coordinates(FileFormat format, std::string_view bytes, const std::string& path,
                             FrameChoice frame) {
  switch (format) {
    case FileFormat::gro:
      return read_gro(bytes, path, frame);
    case FileFormat::g96:
      return read_g96(bytes, path, frame);
    case FileFormat::charmm_crd:
      return read_charmm_crd(bytes, path);
    case FileFormat::inpcrd:
      return read_inpcrd(bytes, path);
    case FileFormat::amber_netcdf:
      return read_amber_netcdf(bytes, path, frame);
    case FileFormat::dcd:
      return read_dcd(bytes, path, frame);
    case FileFormat::namd_binary:
      return read_namd_binary(bytes, path);
    case FileFormat::xtc:
      return read_xtc(bytes, path, frame);
    case FileFormat::trr:
      return read_trr(bytes, path, frame);
    case FileFormat::mmcif:
      return coordinates_of(read_mmcif(bytes, path));
    case FileFormat::mol2:
      return coordinates_of(read_mol2(bytes, path, Mol2Charges::optional));
    case FileFormat::pqr:
      return coordinates_of(read_pqr(bytes, path));
    default:
      return coordinates_of(read_pdb(bytes, path));
  }
}

}  // namespace ionwell
