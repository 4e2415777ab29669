// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "core/structure.hpp"

/// For sources only: this is no header for users of the library.
namespace ionwell {

/// Above so many atoms that are no water a solute is drawn as a trace.
constexpr std::size_t most_atoms_in_full = 12'000;

/// What a page draws of a solute, without its waters.
///   {"detail": "atoms", "origin_A", "chains": names, "residues": [[name, number, chain, is_polymer,
///   atoms]...],
///    "names": different atom names with elements, "atoms": for each its name's number, "xyz": in 0.01 A from
///    the origin}
///   {"detail": "trace", "origin_A", "kinds": "npp...", a letter for each point, "breaks": numbers of points
///    that begin a piece, "xyz": in 0.1 A, "other_kinds": "iill...", "other_xyz": in 0.1 A}, of CA of
///    proteins (p) and P of nucleic acids (n); then ions of one atom (i) and heavy atoms of ligands (l),
///    3,000 at most
///   {"detail": "sparse", "origin_A", "xyz": in 0.1 A} of every n-th atom, where a large solute has neither.
nlohmann::ordered_json solute_picture(const Structure& structure);

}  // namespace ionwell
