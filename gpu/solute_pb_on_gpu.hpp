// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "compute/poisson_boltzmann/solute_pb.hpp"

namespace ionwell::gpu {

/// A solute's equation of which all is on CUDA's device `ordinal`: surface, charges, boundary, coarser
/// lattices and solution. As FocusedPb's to rounding in fp32, but for the outer lattice's boundary, where
/// FocusedPb takes distant charges together. Every run has the same bits. Null for what is not made there:
/// charges that are regularized, one Debye-Hueckel ball as the boundary, a lattice without inner points.
/// Throws Error as FocusedPb does, and when the device has not the memory.
std::unique_ptr<SolutePb> solute_pb_on_gpu(int ordinal, const OwnPbCalculation& calculation,
                                           std::span<const Atom> atoms);

}  // namespace ionwell::gpu
