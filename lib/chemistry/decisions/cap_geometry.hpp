// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"

/// Where the atoms of caps and of peptide bonds lie.
namespace ionwell {

/// The atoms N, CA and C of an amino acid, and the fourth that lies in the plane of its peptide bond: O where
/// NME is built after it, H (of proline CD) where ACE is built before it.
struct PeptideAnchor {
  Vec3<double> end_A;    // C for NME, N for ACE
  Vec3<double> alpha_A;  // CA
  Vec3<double> plane_A;  // O, H or CD
};

/// NME after a residue, planar and trans: N, CH3 (as C) and their hydrogens, under the names of the PDB. Its
/// chain and numbers are those of `like`. Bonds of 1.335 and 1.449 A; angles are those of Engh and Huber,
/// International Tables for Crystallography F (2001), 18.3.
std::vector<Atom> built_nme(const PeptideAnchor& anchor, const Atom& like);

/// ACE before a residue, planar and trans: CH3, C, O and hydrogens; bonds of 1.522, 1.335 and 1.229 A.
std::vector<Atom> built_ace(const PeptideAnchor& anchor, const Atom& like);

/// Where an amide hydrogen would be that has the angle phi [degrees] of its residue, for the anchor of an ACE
/// whose residue has no hydrogen: from N, CA and C.
Vec3<double> hydrogen_of_phi(const Vec3<double>& nitrogen_A, const Vec3<double>& alpha_A,
                             const Vec3<double>& carbon_A, double phi_degrees);

/// Puts the hydrogen H of a residue after a cap into the plane of the peptide bond: PDB2PQR, which `answer`
/// is of, does not see the cap. Residues with that hydrogen in the file, or without it at all, stay as they
/// are.
void turn_amide_hydrogen(std::span<Atom> answer, std::span<const Atom> file, std::span<const Atom> cap);

/// Puts an oxygen OXT that was built too far from its carbon, as PDB2PQR does where much of a residue is
/// missing, into the plane of CA, C and O, 1.25 A from C.
void mend_carboxylate(std::span<Atom> residue);

}  // namespace ionwell
