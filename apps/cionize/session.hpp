// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "cionize/arguments.hpp"
#include "cionize/script.hpp"
#include "files/output_file.hpp"
#include "input/read_input.hpp"
#include "jobs/place/stepwise_run.hpp"

namespace ionwell::cionize {

/// What is known of a script before it runs.
struct SessionPlan {
  std::string command;                  // what reports and maps call the run
  bool saves_grid = true;               // values are computed where no ion can go, too
  std::vector<std::string> grid_files;  // that it will write
};

/// The state between commands: options until BEGIN, then the potential and all ions placed so far.
class Session {
 public:
  /// `input` is what the script is about; `out` gets what commands print, warnings as well; `backends` are
  /// what it can compute on.
  Session(const Arguments& arguments, Input input, SessionPlan plan, std::ostream& out,
          const Backends& backends);

  /// Does one command. Throws Error in the words of the script, TooFewPlaced when not all ions found room
  /// (those that did stay), and what a run throws.
  void execute(const ScriptCommand& command);

  Phase phase() const { return run_ == nullptr ? Phase::options : Phase::ions; }

  /// After the last command: warns of ions that no SAVEION has written.
  void end() const;

 private:
  struct Options {
    ExclusionOptions exclusion{.ion_solute_A = 6.0, .ion_ion_A = 10.0};  // the reference program's
    LatticeRequest lattice;
    std::optional<double> ddd_per_A;
    std::optional<std::string> grid_file;
    bool multigrid = false;
  };

  void set(const ScriptCommand& command);
  void show_options() const;
  void begin();
  void place(const ScriptCommand& command);
  void save_ions(const ScriptCommand& command);
  void save_grid(const ScriptCommand& command);

  std::optional<double> ddd() const;
  double spacing_A() const;
  LatticeRequest lattice() const;
  ExclusionOptions exclusion() const;
  SourceOptions source() const;
  Job job() const;
  Placement batch() const;
  void commit(OutputFile& file) const;
  void warn_about(const std::string& text) const;

  const Arguments& arguments_;
  Input input_;
  SessionPlan plan_;
  std::ostream& out_;
  const Backends& backends_;
  Options options_;
  std::unique_ptr<Job> job_;
  Stages stages_;
  std::unique_ptr<StepwiseRun> run_;  // since BEGIN
  std::size_t batch_begin_ = 0;       // the first ion that the next SAVEION writes
  bool batch_is_saved_ = true;
};

}  // namespace ionwell::cionize
