// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "jobs/at_points/potential_at_points.hpp"
#include "jobs/average/average.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/sample/sampling_run.hpp"
#include "potential/request/potential_request.hpp"
#include "python/keywords.hpp"

namespace ionwell::python {

/// Where the solute's potential comes from, as the keywords say.
enum class Source { charges, maps, solver, sites };

/// The keywords of place and potential, whose names are those of the program's options; what is None is not
/// given, and then as in the library.
class JobOptions : public Keywords {
 public:
  using Keywords::Keywords;

  Source source() const;

  /// All but structure, ions and command. Throws UsageError for a value that is none and for keywords that do
  /// not go together.
  void fill(Job& job) const;

  /// The same for ions around those at sites, of `model`, whose potential is summed.
  void fill_around_sites(Job& job) const;

  /// Throws UsageError for a model, which is not a potential.
  void fill(PotentialRequest& request) const;

  /// The same for the mean over a trajectory: what it has in common with these.
  void fill(AverageJob& job) const;

  /// The same for ions that move.
  void fill(SamplingJob& job) const;

  /// The same for the potential at points.
  void fill(PointJob& job) const;

  /// "NAME:COUNT:CHARGE" of each, as parse_ion_requests has them: from a dict of a name and its count,
  /// 'neutralize', or (count, charge), or from texts.
  static std::vector<std::string> ion_texts(const pybind11::object& ions);

  /// NAME[:N] of each of `hydrate`: from a dict of names and numbers, or None for the usual one, or from
  /// texts.
  static std::vector<std::string> hydration_texts(const Keywords& keywords);

  /// Of `model`, with the distances that are given.
  SiteOptions sites() const;

  /// Of `model`, with its own distances.
  SiteOptions sites_alone() const;

 private:
  /// `also`: another source that keywords may be of.
  void check_together(unsigned also = 0) const;
  std::optional<Box> box() const;
  ElectrostaticsOptions electrostatics() const;
  IonUpdate update() const;
  std::vector<int> devices() const;
  BackendOptions backend() const;
  FieldOptions field() const;
  MapFiles map_files() const;
  SummationOptions summation() const;
  PbOptions solver() const;
  AlpbOptions alpb() const;
  LatticeRequest lattice() const;
  template <typename SomeJob>
  void fill_common(SomeJob& job, unsigned also = 0) const;
  void fill_ions(Job& job, SourceOptions&& origin, unsigned also) const;
  SourceOptions source_options() const;
};

}  // namespace ionwell::python
