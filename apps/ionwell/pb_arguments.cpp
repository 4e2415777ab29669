// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/pb_arguments.hpp"

#include "cli/option_words.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "potential/request/pb_request.hpp"

namespace ionwell {
namespace {

std::vector<std::pair<std::string, double>> read_radii(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> radii;
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':');
    const auto radius = colon == std::string::npos ? std::nullopt : parse_number(text.substr(colon + 1));
    if (!radius || !(*radius >= 0.0) || colon == 0)
      fail<UsageError>("--ion-radius is '", text, "'; write it as NAME:RADIUS in A, for example NCO:3.2");
    radii.emplace_back(text.substr(0, colon), *radius);
  }
  return radii;
}

constexpr const char* energy_text =
    "report the solvation energy [kJ/mol]: the energy of the charges in the solution minus that in a medium "
    "of the solute's dielectric without salt (--pb own)";

constexpr const char* option_text =
    "setting of the equation, named as in the input of APBS: pdie=2, npbe, srfm=mol, etol=1e-5; may be "
    "repeated";

}  // namespace

void add_solver_option(OptionGroup& group, std::optional<PbSolvedBy>& solver, PbSolvers known,
                       const std::string& none) {
  OptionWords<std::optional<PbSolvedBy>> words = {{"none", std::nullopt}};
  for (const auto& [word, value] : solver_words())
    if (value == PbSolvedBy::own || known == PbSolvers::own_and_apbs) words.emplace_back(word, value);
  group.add_choice("pb", solver, std::move(words),
                   "solver of the Poisson-Boltzmann equation (none: " + none + ")");
}

void add_pb_options(OptionGroup& group, OptionGroup& tuning, PbArguments& arguments) {
  add_solver_option(group, arguments.solver, PbSolvers::own_and_apbs);
  group.add("pb-every", arguments.pb.every, "N",
            "solve the equation again after every N ions: 5 is the published hybrid protocol, 1 the iterated "
            "protocol");
  group.add("pb-option", arguments.pb.options, "KEY=VALUE", option_text, Default{"none"});
  group.add_flag("pb-energy", arguments.pb.solvation_energy, energy_text);
  group.add("ion-radius", arguments.radii, "NAME:R", "radius of a placed ion [A]; may be repeated",
            Default{"its ionic radius (Shannon)"});
  tuning.add("pb-timeout", arguments.pb.apbs.timeout_s, "S",
             "time limit for one solution by APBS, 0 for none");
  tuning.add("pb-program", arguments.pb.apbs.program, "FILE", "path of the program APBS");
  tuning.add(
      "keep-scratch", arguments.pb.apbs.keep_scratch, "DIR",
      "keep the files of the last APBS run in this folder, or in a new subfolder run-N if it is not empty");
}

void add_solute_pb_options(OptionGroup& group, PbArguments& arguments) {
  add_solver_option(group, arguments.solver, PbSolvers::own);
  group.add("pb-option", arguments.pb.options, "KEY=VALUE", option_text, Default{"none"});
  group.add_flag("pb-energy", arguments.pb.solvation_energy, energy_text);
}

void validate(const PbArguments& arguments) {
  if (arguments.given()) validate(pb_options(arguments));
}

PbOptions pb_options(const PbArguments& arguments) {
  PbOptions options = arguments.pb;
  options.solved_by = arguments.solver.value_or(options.solved_by);
  options.radius_A = read_radii(arguments.radii);
  return options;
}

}  // namespace ionwell
