#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// What an engine reads of a ligand: mol2 and LEaP's library (.lib, .off) have residues with charges, its
/// parameters (.frcmod) have none.
enum class LigandKind : std::uint8_t { mol2, leap_library, leap_parameters };

/// A file of the user for residues that an engine's force fields lack, which the folder gets a copy of.
struct EngineLigand {
  std::string path;  // for messages
  LigandKind kind = LigandKind::mol2;
  std::string text;
  std::vector<std::string> residues;  // that it has
};

/// Whether the file's name and first bytes are those of LEaP's files; the others are not told apart here.
std::optional<LigandKind> leap_kind(std::string_view path, std::string_view head);

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
