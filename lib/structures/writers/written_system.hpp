// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/geometry/rotation.hpp"
#include "structures/writers/placed_system.hpp"

namespace ionwell {

/// Some of a system's atoms, and where they stand in it.
struct AtomPiece {
  std::span<const Atom> atoms;
  std::int64_t first = 0;        // atoms before
  std::int64_t residues = 0;     // that began before
  const Atom* before = nullptr;  // the atom in front, and the one behind; none at the ends of the system
  const Atom* behind = nullptr;
};

/// What files say whose atoms were rotated with their cell.
constexpr std::string_view rotation_remark =
    "All atoms are rotated with the cell, so that its vector a is along x and b in the plane of x and y";

class WrittenSystem;

/// A format whose text can be made in pieces, in any order and at the same time. What `append` throws of an
/// atom names it.
struct TextFormat {
  std::string (*head)(const WrittenSystem& system) = nullptr;
  void (*append)(std::string& text, const WrittenSystem& system, const AtomPiece& piece) = nullptr;
  std::string (*tail)(const WrittenSystem& system) = nullptr;
  std::size_t bytes_per_atom = 100;  // about
  bool has_cell = true;              // in the standard orientation (standard_cell.hpp)
};

/// A system as a file has it: atoms under the names that are requested, in pieces that can be written
/// separately, so that those of the solvent never exist all at once. Where the format has a cell and this one
/// lies otherwise than the format means it, all atoms are rotated with it, and a remark says so.
class WrittenSystem {
 public:
  /// What `system` refers to must outlive it. O(atoms) without those of the solvent.
  WrittenSystem(const PlacedSystem& system, const TextFormat& format);

  /// Its cell is the one that is written; its atoms are as they were given.
  const PlacedSystem& placed() const { return system_; }

  /// Of solute, ions and solvent.
  std::int64_t atoms() const { return own_atoms() + solvent().count * std::int64_t(solvent().atoms_each); }

  std::int64_t own_atoms() const { return std::ssize(own_); }  // without the solvent's

  bool is_solute(std::int64_t atom) const { return atom < std::ssize(system_.solute); }
  bool is_ion(std::int64_t atom) const {
    return !is_solute(atom) && atom < std::ssize(system_.solute) + std::ssize(system_.ions);
  }

  /// Whether all atoms have a chain.
  bool has_chains() const { return has_chains_; }

  std::int64_t pieces() const { return own_pieces() + solvent_pieces(); }

  /// `made` is where atoms of the solvent are made, and must stay as long as the piece.
  AtomPiece piece(std::int64_t number, std::vector<Atom>& made) const;

 private:
  const SolventMolecules& solvent() const { return system_.solvent; }
  std::int64_t own_pieces() const;
  std::int64_t solvent_pieces() const;

  void rotate(std::span<Atom> atoms) const;

  PlacedSystem system_;
  std::optional<Rotation> rotation_;    // of all atoms
  std::vector<Atom> own_;               // solute, ions and what is behind them
  std::vector<std::int64_t> residues_;  // that began before each piece of them, and before the solvent
  std::vector<Atom> first_of_solvent_;  // one molecule, or none
  bool has_chains_ = true;
};

/// Whether an atom begins a residue after another one: number, name, chain or segment change.
bool begins_residue(const Atom& atom, const Atom& before);

/// All of it.
std::string text_of(const PlacedSystem& system, const TextFormat& format);

}  // namespace ionwell
