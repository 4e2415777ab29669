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
    "report the energy of solvation [kJ/mol], the charges' in the solution less that in a medium of the "
    "solute's "
    "dielectric without salt (--pb own)";

constexpr const char* option_text =
    "word of the equation in place of the usual one, as APBS's input has it: pdie=2, npbe, srfm=mol, "
    "etol=1e-5; "
    "may be repeated";

}  // namespace

void add_solver_option(OptionGroup& group, std::optional<PbSolvedBy>& solver, PbSolvers known,
                       const std::string& none) {
  OptionWords<std::optional<PbSolvedBy>> words = {{"none", std::nullopt}};
  for (const auto& [word, value] : solver_words())
    if (value == PbSolvedBy::own || known == PbSolvers::own_and_apbs) words.emplace_back(word, value);
  group.add_choice("pb", solver, std::move(words),
                   "who solves the Poisson-Boltzmann equation; none: " + none);
}

void add_pb_options(OptionGroup& group, OptionGroup& tuning, PbArguments& arguments) {
  add_solver_option(group, arguments.solver, PbSolvers::own_and_apbs);
  group.add("pb-every", arguments.pb.every, "N",
            "ions placed before the equation is solved again: 5 is the published hybrid protocol, 1 the "
            "iterated one");
  group.add("pb-option", arguments.pb.options, "KEY=VALUE", option_text);
  group.add_flag("pb-energy", arguments.pb.solvation_energy, energy_text);
  group.add("ion-radius", arguments.radii, "NAME:R",
            "radius of a placed ion in A, in place of Shannon's; may be repeated");
  tuning.add("pb-timeout", arguments.pb.apbs.timeout_s, "S",
             "longest time that one solve of APBS may take, 0 for no limit");
  tuning.add("pb-program", arguments.pb.apbs.program, "FILE", "the program APBS");
  tuning.add(
      "keep-scratch", arguments.pb.apbs.keep_scratch, "DIR",
      "keep the files of APBS's last solve in this folder; if it is not empty, in a new subfolder run-N");
}

void add_solute_pb_options(OptionGroup& group, PbArguments& arguments) {
  add_solver_option(group, arguments.solver, PbSolvers::own);
  group.add("pb-option", arguments.pb.options, "KEY=VALUE", option_text);
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
