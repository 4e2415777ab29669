// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/label.hpp"

namespace ionwell {

/// The element of that mass [u], as force fields round it (IUPAC 2021, abridged). Empty for a mass that no
/// element has: drude particles, lone pairs, united atoms, and what mass is taken from for heavy hydrogens.
/// Noble gases are left out: a hydrogen made heavy may have the mass of helium.
ElementSymbol element_of_mass(double mass_u);

}  // namespace ionwell
