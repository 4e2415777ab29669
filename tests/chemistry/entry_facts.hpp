// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell::test {

/// What a structure consists of, in lines of a word and a list; lines without a list are left out.
///
///     pieces      A 1-76 76 -73 p        chain, first and last residue, how many, charge in standard
///     conditions
///                                        [e]; p: begins with a phosphate, o: is a ring
///     gaps        A 9-12 4               the residues around it, and how many are missing
///     disulfides  A 6 A 127
///     links       A ASN 2 ND2 - A NAG 3 C1
///     modified    A 2MG 10               in a chain, without the parent's name
///     unknown     A CRO 65               in a chain, without a template
///     metal-bound A CYS 11 CYM           amino acids at a metal by N or S, and the template of their
///     standard ions        MG 6                   how many residues additives, cofactors, sugars, lipids,
///     ligands, waters, beads      the same at-axes, doubled                   how many residues
std::string entry_facts(const Chemistry& chemistry, std::span<const Atom> atoms);

}  // namespace ionwell::test
