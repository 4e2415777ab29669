// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/perception/chemistry.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "core/cell_list.hpp"

namespace ionwell {

/// A residue while it is perceived: with its template, and the atoms that bind to neighbours in a chain.
struct WorkingResidue {
  std::uint32_t begin = 0, end = 0;
  ResidueRole role = ResidueRole::ligand;
  const ResidueMatch* match = nullptr;  // nullptr: no template
  std::uint32_t first_atom = nothing;   // N, P: bound to the residue before
  std::uint32_t last_atom = nothing;    // C, O3': bound to that behind
  std::uint32_t before = nothing, after = nothing;
  std::uint32_t piece = nothing;

  const ResidueTemplate* found() const { return match == nullptr ? nullptr : match->residue; }
};

/// Whether it is not an atom but marks a surface of the membrane that an entry is oriented in (OPM).
bool is_membrane_marker(const Atom& atom);

/// The residues of a structure and where their atoms are: what the steps of the perception share.
class WorkingResidues {
 public:
  explicit WorkingResidues(std::span<const Atom> atoms);
  WorkingResidues(const WorkingResidues&) = delete;
  WorkingResidues& operator=(const WorkingResidues&) = delete;

  std::span<const Atom> atoms() const { return atoms_; }
  std::vector<WorkingResidue>& residues() { return residues_; }
  const std::vector<WorkingResidue>& residues() const { return residues_; }

  std::uint32_t residue_of(std::uint32_t atom) const { return residue_of_[atom]; }
  const WorkingResidue& of_atom(std::uint32_t atom) const { return residues_[residue_of_[atom]]; }
  std::string_view element(std::uint32_t atom) const { return elements_[atom].view(); }
  bool is_hydrogen(std::uint32_t atom) const { return elements_[atom] == ElementSymbol("H"); }
  double distance_A(std::uint32_t a, std::uint32_t b) const;

  /// The template's number of an atom, or ResidueMatch::no_atom.
  std::uint16_t template_atom(std::uint32_t atom) const;
  /// The atom of a residue that is that one of its template; or nothing.
  std::uint32_t atom_of(const WorkingResidue& residue, std::size_t template_atom) const;
  /// The first atom of that name in a residue, or nothing.
  std::uint32_t named(const WorkingResidue& residue, const Label& name) const;
  /// The name in version 3 of the PDB where the atom is known, and the file's otherwise.
  const Label& standard_name(std::uint32_t atom) const;

  /// Calls visit(other, distance_A) for each other atom within `distance_A`, in the order of the cells. None
  /// where a crowd of atoms lies in one place, as in files without coordinates.
  template <typename Visit>
  void near(std::uint32_t atom, double distance_A, const Visit& visit) const {
    const Vec3<double>& p = positions_A_[atom];
    const CellRange cells = cells_.grid().within({p, p}, distance_A);
    std::size_t crowd = 0;
    cells_.near_ranges(cells, [&](std::size_t first, std::size_t last) { crowd += last - first; });
    if (crowd > most_near) return;
    cells_.near_ranges(cells, [&](std::size_t first, std::size_t last) {
      for (const std::uint32_t other : cells_.order().subspan(first, last - first)) {
        const double d2 = distance_squared(p, positions_A_[other]);
        if (other != atom && d2 <= distance_A * distance_A) visit(other, std::sqrt(d2));
      }
    });
  }

 private:
  static constexpr std::size_t most_near = 4096;  // 3 A around an atom there are some ten

  void split();
  void classify(WorkingResidue& residue);
  void find_chain_atoms(WorkingResidue& residue);

  std::span<const Atom> atoms_;
  ResidueMatcher matcher_;
  std::vector<Vec3<double>> positions_A_;
  CellList cells_;
  std::vector<WorkingResidue> residues_;
  std::vector<std::uint32_t> residue_of_;
  std::vector<ElementSymbol> elements_;
  std::vector<Label> names_;  // of the residue that is being matched
};

}  // namespace ionwell
