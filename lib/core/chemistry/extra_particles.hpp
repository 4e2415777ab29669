// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ionwell {

struct Atom;

/// Particles without an element that carry part of the charge of their atoms: Drude particles and lone
/// pairs.
struct ExtraParticles {
  std::int64_t drude = 0, lone_pairs = 0;
};

/// Whether atom `n` is the Drude particle of the one before it: of its residue, called D and its name, as
/// CHARMM has them.
bool is_drude_particle(std::span<const Atom> atoms, std::size_t n);

/// O(atoms).
ExtraParticles count_extra_particles(std::span<const Atom> atoms);

/// Whether a residue is one atom, perhaps with its Drude particle and lone pairs.
bool is_one_atom(std::span<const Atom> residue);

}  // namespace ionwell
