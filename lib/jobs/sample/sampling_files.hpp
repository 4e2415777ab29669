// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/large_array.hpp"
#include "jobs/sample/sampling_run.hpp"
#include "maps/map.hpp"
#include "structures/engines/engine_files.hpp"

/// What a sample leaves in files.
namespace ionwell {

/// What a map of ions holds: how many there are in a cell on average, or that by the cell's volume in mol/L.
enum class IonMapKind { occupancy, density };

struct IonMap : MapHeader {
  LargeArray<float> values;  // i fastest; points are the middles of the cells

  std::span<const float> all() const { return {values.data(), values.size()}; }
};

/// Of one species. The sample must have cells. O(cells).
IonMap ion_map(const SamplingResult& result, std::size_t species, IonMapKind kind);

/// The names that files of species have, in their order: those of the ions as parts of paths, and where two
/// are the same with a number after.
std::vector<std::string> species_names(std::span<const SampledSpecies> species);

/// Comma-separated, with a line of names: around, ion, from_A, to_A, concentration_M, concentration_error_M,
/// g, g_error, within, within_error. A bin is from from_A to to_A from the atoms of the group; g is the
/// concentration over that of the bath, or without one over that of all such ions in the box; within counts
/// the ions nearer to an atom than to_A. All are means over the atoms.
std::string radial_csv(const SamplingResult& result);

/// The arrangement of lowest energy, by species.
std::vector<EngineIon> lowest_ions(const SamplingResult& result);

/// Paragraphs for the top of a PDB file.
std::vector<std::string> sampling_remarks(const SamplingResult& result);

/// The concentration that a distribution of a species goes to far away [1/A^3]: the bath's, or that of all in
/// the box.
double reference_per_A3(const SamplingResult& result, std::size_t species);

}  // namespace ionwell
