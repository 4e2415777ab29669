// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "input/read_input.hpp"
#include "jobs/place/job/result.hpp"
#include "output/hydrated_atoms.hpp"
#include "output/system_output.hpp"

/// The files of placed ions, alone or with all that is around them.
namespace ionwell {

/// What there is to write; it must outlive what refers to it.
struct PlacedRun {
  const Input& input;
  const Result& result;
  const std::vector<std::string>&defines, &includes;  // that a GROMACS topology was read with
};

/// The file, or the files of an engine's folder.
class PlacedFiles {
 public:
  /// Refers to all of these.
  PlacedFiles(const SystemOutput& output, const PlacedRun& run, HydratedAs written_as = HydratedAs::waters);

  /// What to say of them; ready to show. O(atoms).
  std::vector<std::string> warnings() const;

  /// Adds them. O(atoms).
  void add_to(OutputFiles& files) const;

  /// The bytes of the file, under the name of the output; also of one beside a folder.
  std::string bytes() const;

  /// Which ions are residues of their own.
  const HydratedAtoms& hydrated() const { return hydrated_; }

 private:
  bool keeps_ignored() const;
  bool has_cell() const;
  std::vector<std::string> topology_warnings() const;
  EngineSystem engine_system() const;

  const SystemOutput& output_;
  const PlacedRun run_;
  HydratedAtoms hydrated_;
  std::vector<Atom> atoms_of_files_;  // where the folder keeps a topology that has ignored atoms
};

/// Where the ions of a run go that cannot continue: ions.partial.pdb for ions.pdb and for standard output,
/// run.partial.pdb for the folder run.
std::string partial_path(const SystemOutput& output);

/// Saves them there. Gives the end of the run's message, which says where; nothing without ions.
std::string save_partial(const SystemOutput& output, const PlacedRun& run);

}  // namespace ionwell
