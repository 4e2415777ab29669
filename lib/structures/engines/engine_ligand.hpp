// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// What an engine reads of a ligand: mol2, LEaP's library (.lib, .off) and CHARMM's topology (.rtf, .str)
/// have residues with charges, parameters (.frcmod; .prm) have none; OpenMM's force fields (.xml) and parts
/// of GROMACS's topologies (.itp) may have either.
enum class LigandKind : std::uint8_t {
  mol2,
  leap_library,
  leap_parameters,
  charmm_topology,
  charmm_parameters,
  openmm_force_field,
  gromacs_topology
};

/// A file of the user for residues that an engine's force fields lack, which the folder gets a copy of.
struct EngineLigand {
  std::string path;  // for messages
  LigandKind kind = LigandKind::mol2;
  std::string text;
  std::vector<std::string> residues;  // that it has; of copies in a mol2 file the name of each
};

/// Whether the file's name and first bytes are those of LEaP's files; the others are not told apart here.
std::optional<LigandKind> leap_kind(std::string_view path, std::string_view head);

/// The same of CHARMM's files.
std::optional<LigandKind> charmm_kind(std::string_view path);

/// OpenMM's, which are XML.
std::optional<LigandKind> openmm_kind(std::string_view path);

/// GROMACS's .itp, by its name alone; a .top is a system of its own.
std::optional<LigandKind> gromacs_kind(std::string_view path);

/// Whether an .itp has parameters alone, such as [ atomtypes ], by its directives; it includes no other file.
bool has_only_gromacs_parameters(std::string_view text);

/// The programs that read files of ligands: LEaP, psfgen and NAMD, OpenMM, grompp.
enum class LigandsOf : std::uint8_t { leap, charmm, openmm, gromacs };
LigandsOf reader_of(LigandKind kind);

/// Those of one engine.
std::vector<EngineLigand> ligands_of(const std::vector<EngineLigand>& ligands, LigandsOf engine);

/// Whether one of these files has a residue of that name.
bool has_residue(const std::vector<EngineLigand>& ligands, std::string_view residue);

/// Units of a library of LEaP's, each a residue with charges, and bonds of all of them. Throws Error, with
/// path and line, for what is none.
struct LeapLibrary {
  std::vector<Atom> atoms;
  std::vector<AtomLink> bonds;
};
LeapLibrary read_leap_library(std::string_view text, const std::string& path);

}  // namespace ionwell
