#include "ionwell/pb_arguments.hpp"

#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

std::vector<std::pair<std::string, double>> read_radii(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, double>> radii;
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':');
    const auto radius = colon == std::string::npos ? std::nullopt : parse_number(text.substr(colon + 1));
    if (!radius || !(*radius >= 0.0) || colon == 0)
      fail<UsageError>("--pb-radius is '", text, "'; write it as NAME:RADIUS in A, for example NCO:3.2");
    radii.emplace_back(text.substr(0, colon), *radius);
  }
  return radii;
}

using Solver = std::optional<PbSolvedBy>;

constexpr const char* energy_text =
    "report the energy of solvation [kJ/mol], the charges' in the solution less that in a medium of the "
    "solute's "
    "dielectric without salt (--pb own)";

constexpr const char* option_text =
    "word of the equation in place of the usual one, as APBS's input has it: pdie=2, npbe, srfm=mol, "
    "etol=1e-5; "
    "may be repeated";

/// The first option that is not as when it is not given; null when all are.
const char* given_for_both(const PbArguments& arguments) {
  static const PbOptions usual;
  return arguments.pb.every != usual.every ? "--pb-every"
         : !arguments.pb.options.empty()   ? "--pb-option"
         : !arguments.radii.empty()        ? "--pb-radius"
         : arguments.pb.solvation_energy   ? "--pb-energy"
                                           : nullptr;
}

const char* given_for_apbs(const ApbsOptions& apbs) {
  static const ApbsOptions usual;
  return apbs.timeout_s != usual.timeout_s ? "--pb-timeout"
         : apbs.program != usual.program   ? "--pb-program"
         : apbs.keep_scratch               ? "--keep-scratch"
                                           : nullptr;
}

std::string default_lattice() {
  return "; --spacing has a default of " + default_text(published_pb_spacing_A) + " then, --border of " +
         default_text(published_pb_border_A);
}

}  // namespace

void add_pb_options(OptionGroup& group, PbArguments& arguments) {
  group.add_choice<Solver>(
      "pb", arguments.solver, {{"none", std::nullopt}, {"own", PbSolvedBy::own}, {"apbs", PbSolvedBy::apbs}},
      "have the Poisson-Boltzmann equation solved for the potential, here or by APBS, again after every few "
      "ions" +
          default_lattice());
  group.add("pb-every", arguments.pb.every, "N",
            "ions placed in one map: 5 is the published hybrid protocol, 1 the iterated one");
  group.add("pb-option", arguments.pb.options, "KEY=VALUE", option_text);
  group.add_flag("pb-energy", arguments.pb.solvation_energy, energy_text);
  group.add("pb-radius", arguments.radii, "NAME:R",
            "radius of a placed ion in A, in place of Shannon's; may be repeated");
  group.add("pb-timeout", arguments.pb.apbs.timeout_s, "S",
            "longest time that one solve of APBS may take, 0 for no limit");
  group.add("pb-program", arguments.pb.apbs.program, "FILE", "APBS");
  group.add(
      "keep-scratch", arguments.pb.apbs.keep_scratch, "DIR",
      "keep the files of APBS's last solve in this folder; if it is not empty, in a new subfolder run-N");
}

void add_solute_pb_options(OptionGroup& group, PbArguments& arguments) {
  group.add_choice<Solver>(
      "pb", arguments.solver, {{"none", std::nullopt}, {"own", PbSolvedBy::own}},
      "the solution of the Poisson-Boltzmann equation, in place of a sum" + default_lattice());
  group.add("pb-option", arguments.pb.options, "KEY=VALUE", option_text);
  group.add_flag("pb-energy", arguments.pb.solvation_energy, energy_text);
}

void validate(const PbArguments& arguments) {
  const char* const for_both = given_for_both(arguments);
  const char* const for_apbs = given_for_apbs(arguments.pb.apbs);
  if (!arguments.given() && for_both != nullptr)
    fail<UsageError>(for_both, " is for --pb; add --pb own, or leave it out");
  if (arguments.solver != PbSolvedBy::apbs && for_apbs != nullptr)
    fail<UsageError>(for_apbs, " is for --pb apbs; add that, or leave it out");
  if (arguments.given()) validate(pb_options(arguments));
}

PbOptions pb_options(const PbArguments& arguments) {
  PbOptions options = arguments.pb;
  options.solved_by = arguments.solver.value_or(options.solved_by);
  options.radius_A = read_radii(arguments.radii);
  return options;
}

}  // namespace ionwell
