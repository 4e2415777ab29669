// SPDX-License-Identifier: BSD-3-Clause
#include "potential/request/pb_request.hpp"

#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "programs/apbs_files.hpp"

namespace ionwell {

void validate(const PbOptions& options) {
  if (options.every < 1) fail<UsageError>("--pb-every is ", options.every, "; it must be at least 1");
  validate(options.apbs);
  for (const std::string& option : options.options) check_apbs_option(option);
  if (options.solved_by == PbSolvedBy::own) check_own_pb_words(options.options);
  if (!options.solvation_energy) return;
  if (options.solved_by != PbSolvedBy::own)
    fail<UsageError>("--pb-energy needs --pb own; use that, or leave --pb-energy out");
  for (const std::string& option : options.options)
    if (lower_case(option) == "npbe")
      fail<UsageError>(
          "--pb-energy is for the linear equation, but --pb-option npbe selects the nonlinear one; leave one "
          "of them out");
}

void adopt_solution(const PbOptions& pb, ElectrostaticsOptions& electrostatics, IonUpdate& update) {
  const SolutionOptions solution = solution_of(pb.options);
  if (solution.ionic_strength_M && electrostatics.ionic_strength_M)
    fail<UsageError>("--ionic-strength and --pb-option ion=... both set the salt; leave one of them out");
  if (solution.ionic_strength_M) electrostatics.ionic_strength_M = solution.ionic_strength_M;
  if (update.rule == Update::debye_hueckel && !update.dielectric) update.dielectric = solution.dielectric;
}

}  // namespace ionwell
