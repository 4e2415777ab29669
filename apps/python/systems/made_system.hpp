// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "jobs/box/prepare.hpp"
#include "output/solvated_files.hpp"
#include "python/structure.hpp"

namespace ionwell::python {

/// A solute in a cell of water, with ions where prepare placed some, and all that these look at.
struct MadeSystem {
  SharedInput input;
  InputOptions read;  // how the input was read
  std::string water_model;
  std::optional<std::string> engine;  // that it was made for: the usual one of save
  IonNaming naming = IonNaming::pdb;
  int threads = 1;
  std::optional<Solvation> solvation;     // water alone, or
  std::optional<PreparedBox> prepared;    // water for ions,
  std::optional<Job> job;                 // that places the ions, in a box that it refers to,
  std::optional<Result> result;           // these
  std::optional<RemainingBox> remaining;  // and what they left
  std::vector<PlacedIon> ions;            // at sites, then in the places of waters
  std::vector<std::string> warnings;
  std::string report;     // JSON
  SharedInput all_atoms;  // made when it is asked for

  /// Atoms of what was put into water.
  std::size_t solute_atoms() const { return solvation ? solvation->solute.size() : prepared->of_files; }
  const Solvation& water() const { return solvation ? *solvation : prepared->solvation; }
  SolvatedParts parts() const {
    return solvation ? solvated_parts(*input, *solvation) : prepared_parts(*prepared, *remaining, *result);
  }
};

/// The class System.
void add_made_system(pybind11::module_& module);

}  // namespace ionwell::python
