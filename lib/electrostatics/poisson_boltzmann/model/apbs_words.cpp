// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/apbs_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

struct Word {
  std::string given, key;
  std::string_view value;
};

Word word_of(const std::string& given) {
  const std::size_t equals = given.find('=');
  if (equals == std::string::npos) return {given, lower_case(given), {}};
  return {given, lower_case(given.substr(0, equals)), std::string_view(given).substr(equals + 1)};
}

[[noreturn]] void refuse(const Word& word, const std::string& how) {
  fail<UsageError>("the Poisson-Boltzmann option is '", word.given, "'; ", how);
}

double number_of(const Word& word, double least) {
  std::string_view rest = word.value;
  const auto number = parse_number(take_token(rest));
  if (!number || !take_token(rest).empty() || !(*number >= least))
    refuse(word, "write a number of " + std::to_string(least) + " or more, as in " + word.key + "=" +
                     (word.key == "pdie" ? "4" : "1.4"));
  return *number;
}

/// A value as one word in lower case.
std::string choice_of(const Word& word) {
  std::string_view rest = word.value;
  std::string choice = lower_case(std::string(take_token(rest)));
  if (choice.empty() || !take_token(rest).empty()) refuse(word, "write it as " + word.key + "=VALUE");
  return choice;
}

void set_surface(const Word& word, PbModelOptions* model) {
  const std::string choice = choice_of(word);
  DielectricOptions& dielectric = model->dielectric;
  if (choice == "mol" || choice == "smol") {
    dielectric.surface = SoluteSurface::solvent_excluded;
    dielectric.faces = choice == "mol" ? FaceRule::midpoint : FaceRule::averaged_midpoint;
  } else if (choice == "spl2") {
    dielectric.surface = SoluteSurface::cubic_spline;
  } else if (choice == "spl4") {
    dielectric.surface = SoluteSurface::septic_spline;
  } else {
    refuse(word, "the surfaces are mol, smol, spl2 and spl4");
  }
  model->accessibility.surface = dielectric.surface;
  model->accessibility.by_share = false;
}

void set_charges(const Word& word, PbModelOptions* model) {
  const std::string choice = choice_of(word);
  if (choice == "spl0")
    model->charges = ChargeAssignment::trilinear;
  else if (choice == "spl2")
    model->charges = ChargeAssignment::quadratic;
  else if (choice == "spl4")
    model->charges = ChargeAssignment::quartic;
  else
    refuse(word, "charges are assigned to the lattice with spl0, spl2 or spl4");
}

void set_boundary(const Word& word, PbModelOptions* model) {
  const std::string choice = choice_of(word);
  if (choice == "zero")
    model->boundary = BoundaryKind::zero;
  else if (choice == "sdh")
    model->boundary = BoundaryKind::single_debye_hueckel;
  else if (choice == "mdh")
    model->boundary = BoundaryKind::multiple_debye_hueckel;
  else if (choice == "focus")
    model->boundary = BoundaryKind::focused;
  else
    refuse(word, "the boundary values are zero, sdh, mdh or focus");
}

/// "charge 1 conc 0.15 radius 2.0", or "1 0.15 2.0" as older files have it.
void add_ion(const Word& word, std::vector<MobileIon>* ions, double* radius_A) {
  const std::array<std::string, 3> names{"charge", "conc", "radius"};
  std::array<std::optional<double>, 3> values;
  std::string_view rest = word.value;
  bool is_known = true;
  for (std::size_t n = 0; n < 3 && is_known; ++n) {
    const std::string token = lower_case(std::string(take_token(rest)));
    const auto name = std::size_t(std::find(names.begin(), names.end(), token) - names.begin());
    if (name < 3)
      values[name] = parse_number(take_token(rest));
    else
      values[n] = parse_number(token);
    is_known = values[name < 3 ? name : n].has_value();
  }
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double charge_e = values[0].value_or(none), concentration_M = values[1].value_or(none),
               ion_radius_A = values[2].value_or(none);
  if (!take_token(rest).empty() || !std::isfinite(charge_e) || !(concentration_M >= 0.0) ||
      !(ion_radius_A >= 0.0))
    refuse(word, "write an ion of the salt like ion=charge 2 conc 0.05 radius 2.0");
  ions->push_back({charge_e, concentration_M});
  *radius_A = std::max(*radius_A, ion_radius_A);
}

}  // namespace

ApbsWords with_apbs_words(PbModelOptions model, std::span<const std::string> words) {
  ApbsWords result;
  std::vector<MobileIon> ions;
  double ion_radius_A = 0.0;
  for (const std::string& given : words) {
    const Word word = word_of(given);
    if (word.key == "srfm")
      set_surface(word, &model);
    else if (word.key == "chgm")
      set_charges(word, &model);
    else if (word.key == "bcfl")
      set_boundary(word, &model);
    else if (word.key == "ion")
      add_ion(word, &ions, &ion_radius_A);
    else if (word.key == "pdie")
      model.dielectric.solute_dielectric = number_of(word, 1.0);
    else if (word.key == "sdie")
      model.dielectric.solvent_dielectric = number_of(word, 1.0);
    else if (word.key == "srad")
      model.dielectric.probe_A = number_of(word, 0.0);
    else if (word.key == "swin")
      model.dielectric.window_A = model.accessibility.window_A = number_of(word, 0.001);
    else if (word.key == "temp")
      model.temperature_K = number_of(word, 1.0);
    else if (word.key == "sdens") {
      number_of(word, 0.001);
      result.notes.push_back(note("'" + given +
                                  "' has no effect: it is the density of dots on the surface of APBS, but "
                                  "the surface here is exact"));
    } else {
      result.others.push_back(given);
    }
  }
  if (!ions.empty()) {
    model.ions = ions;
    model.accessibility.ion_radius_A = ion_radius_A;
  }
  result.model = std::move(model);
  return result;
}

}  // namespace ionwell
