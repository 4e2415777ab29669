// SPDX-License-Identifier: BSD-3-Clause
#include "input/ligand_file.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "files/input_file.hpp"
#include "structures/amber/prmtop.hpp"
#include "structures/charmm/psf.hpp"
#include "structures/charmm/residue_topology.hpp"
#include "structures/engines/openmm_residues.hpp"
#include "structures/formats/file_format.hpp"
#include "structures/gromacs/topology.hpp"
#include "structures/mol2.hpp"

namespace ionwell {
namespace {

/// Each molecule once. They are told apart by their segments, for they number residues alike.
LigandFile read_molecule_types(const std::string& path) {
  const GromacsTopology read = read_gromacs_topology(path, {.preprocessor = {}, .may_be_part = true});
  std::set<std::size_t> used;
  for (const GromacsMoleculeEntry& entry : read.molecules) used.insert(entry.type);
  LigandFile file{.is_topology = true};
  for (std::size_t t = 0; t < read.types.size(); ++t) {
    if (!used.empty() && !used.contains(t)) continue;
    const auto before = std::uint32_t(file.atoms.size());
    const std::string segment = std::to_string(t);
    for (Atom atom : read.types[t].atoms) {
      atom.segment = segment.c_str();
      file.atoms.push_back(atom);
    }
    for (const AtomLink& bond : read.types[t].bonds)
      file.bonds.push_back({bond.first + before, bond.second + before});
  }
  return file;
}

}  // namespace

LigandFile read_ligand_file(const std::string& path, const std::vector<LigandsOf>& engines) {
  InputFile input(path);
  if (const std::optional<LigandKind> kind = leap_kind(path, input.head())) {
    if (kind == LigandKind::leap_parameters) return {.has_only_parameters = true, .warnings = {}};
    const FileBytes bytes = read_input_file(std::move(input));
    LeapLibrary library = read_leap_library(bytes.text(), path);
    return {.atoms = std::move(library.atoms),
            .bonds = std::move(library.bonds),
            .is_topology = true,
            .warnings = {}};
  }
  if (const std::optional<LigandKind> kind = charmm_kind(path)) {
    if (kind == LigandKind::charmm_parameters) return {.has_only_parameters = true, .warnings = {}};
    const FileBytes bytes = read_input_file(std::move(input));
    CharmmResidues residues = read_charmm_residues(bytes.text(), path);
    return {.atoms = std::move(residues.atoms),
            .bonds = std::move(residues.bonds),
            .is_topology = true,
            .warnings = {}};
  }
  if (openmm_kind(path)) {
    const FileBytes bytes = read_input_file(std::move(input));
    OpenmmResidues residues = read_openmm_residues(bytes.text(), path);
    const bool is_empty = residues.atoms.empty();
    return {.atoms = std::move(residues.atoms),
            .bonds = std::move(residues.bonds),
            .is_topology = true,
            .has_only_parameters = is_empty,
            .uncharged = std::move(residues.uncharged),
            .is_whole = true,
            .warnings = {}};
  }
  const std::optional<FileFormat> format = format_of_file(input);
  if (format == FileFormat::gromacs_topology) {
    if (!input.can_be_reopened())
      fail<UsageError>(input.name(), ": a GROMACS topology needs the files that it includes; give its path");
    const bool is_of_engine =
        gromacs_kind(path) && std::ranges::find(engines, LigandsOf::gromacs) != engines.end();
    if (is_of_engine && has_only_gromacs_parameters(read_input_file(std::move(input)).text()))
      return {.has_only_parameters = true, .warnings = {}};
    LigandFile file = read_molecule_types(path);
    file.is_whole = is_of_engine;
    return file;
  }
  if (format != FileFormat::mol2 && format != FileFormat::prmtop && format != FileFormat::psf)
    fail(input.name(), ": is ", format ? describe(*format) : "in an unknown format",
         ", but --ligand reads mol2 files, topologies (prmtop, PSF, GROMACS .itp and .top) and, with --for "
         "amber, LEaP .lib, .off and .frcmod files, with --for charmm .rtf, .str and .prm, with --for openmm "
         ".xml; convert it, for example with Open Babel");
  const FileBytes bytes = read_input_file(std::move(input));
  if (format == FileFormat::mol2) {
    Structure read = read_mol2(bytes.text(), path);
    return {.atoms = std::move(read.atoms),
            .bonds = {},
            .has_positions = true,
            .warnings = std::move(read.warnings)};
  }
  const bool is_psf = format == FileFormat::psf;
  Topology read = is_psf ? read_psf(bytes.text(), path) : read_prmtop(bytes.text(), path);
  return {.atoms = std::move(read.atoms),
          .bonds = is_psf ? read_psf_bonds(bytes.text(), path) : read_bonds_to_hydrogen(bytes.text(), path),
          .is_topology = true,
          .warnings = {}};
}

}  // namespace ionwell
