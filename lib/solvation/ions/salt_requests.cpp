// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "solvation/ions/salt.hpp"

namespace ionwell {
namespace {

constexpr const char* form =
    "write FORMULA:CONCENTRATION in mol/L, for example NaCl:0.15, MgCl2:0.01 or KCl:0.15:above";

constexpr double most_M = 6.2;  // saturated NaCl at 298 K; beyond it is a unit that was mixed up

/// An element with the number behind it, as in a formula.
struct FormulaPart {
  std::string symbol;
  int count = 1;
};

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

std::vector<FormulaPart> split_formula(std::string_view formula) {
  std::vector<FormulaPart> parts;
  for (std::size_t at = 0; at < formula.size();) {
    if (!is_capital(formula[at])) return {};
    std::size_t end = at + 1;
    while (end < formula.size() && formula[end] >= 'a' && formula[end] <= 'z') ++end;
    FormulaPart part{std::string(formula.substr(at, end - at))};
    at = end;
    while (end < formula.size() && is_digit(formula[end])) ++end;
    if (end > at) {
      const auto count = parse_integer<int>(formula.substr(at, end - at));
      if (!count || *count < 1 || *count > 9) return {};
      part.count = *count;
    }
    parts.push_back(part);
    at = end;
  }
  return parts;
}

IonSpecies species_of(const std::string& text, const FormulaPart& part) {
  const KnownIon* const ion = find_ion(part.symbol);
  if (ion == nullptr)
    fail<UsageError>("--salt ", text, ": no ion ", quote(part.symbol), " is known; ", form,
                     ", or place ions of that name with --ion");
  return {std::string(ion->names[std::size_t(IonNaming::pdb)].residue), std::string(ion->element),
          ion->charge_e};
}

/// The formula with the numbers that these charges need.
std::string neutral_formula(const std::vector<FormulaPart>& parts, int cation_e, int anion_e) {
  const int common = std::gcd(cation_e, anion_e);
  const auto written = [](const FormulaPart& part, int count) {
    return part.symbol + (count == 1 ? std::string() : std::to_string(count));
  };
  return written(parts[0], anion_e / common) + written(parts[1], cation_e / common);
}

Compartment read_compartment(const std::string& text, std::string_view word) {
  for (const Compartment side : {Compartment::below, Compartment::above})
    if (word == to_string(side)) return side;
  fail<UsageError>("--salt ", text, ": the side ", quote(word),
                   " is not a side of a membrane; use 'below' or 'above'");
}

SaltRequest read_salt(const std::string& text) {
  const std::size_t colon = text.find(':'), second = text.find(':', colon + 1);
  if (colon == text.npos) fail<UsageError>("--salt ", quote(text), " has no concentration; ", form);
  const std::string_view all(text),
      number = all.substr(colon + 1, second == text.npos ? second : second - colon - 1);
  const std::vector<FormulaPart> parts = split_formula(all.substr(0, colon));
  if (parts.size() != 2)
    fail<UsageError>("--salt ", text, ": ", quote(all.substr(0, colon)), " is not a cation and an anion; ",
                     form);
  const std::optional<double> concentration = parse_number(number);
  if (!concentration || !(*concentration > 0.0))
    fail<UsageError>("--salt ", text, ": the concentration ", quote(number), " is not a number above 0; ",
                     form);
  if (*concentration > most_M)
    fail<UsageError>("--salt ", text, ": ", *concentration,
                     " mol/L is not possible in solution; concentrations are in mol/L, so 150 mM is 0.15");

  SaltRequest salt{.text = text,
                   .cation = species_of(text, parts[0]),
                   .anion = species_of(text, parts[1]),
                   .cations = parts[0].count,
                   .anions = parts[1].count,
                   .concentration_M = *concentration};
  if (salt.cation.charge_e <= 0.0 || salt.anion.charge_e >= 0.0)
    fail<UsageError>("--salt ", text, ": ", parts[0].symbol, " (", charge_text(salt.cation.charge_e),
                     ") and ", parts[1].symbol, " (", charge_text(salt.anion.charge_e),
                     ") are not a cation followed by an anion; ", form);
  if (salt.cations * salt.cation.charge_e + salt.anions * salt.anion.charge_e != 0.0)
    fail<UsageError>("--salt ", text, ": the formula is not neutral; write ",
                     neutral_formula(parts, int(salt.cation.charge_e), int(-salt.anion.charge_e)));
  if (second != text.npos) salt.compartment = read_compartment(text, all.substr(second + 1));
  return salt;
}

}  // namespace

std::string_view to_string(Compartment compartment) {
  constexpr std::string_view names[] = {"whole", "below", "above"};
  return names[std::size_t(compartment)];
}

std::vector<SaltRequest> parse_salts(const std::vector<std::string>& texts, IonNaming naming) {
  std::vector<SaltRequest> salts;
  for (const std::string& text : texts) {
    const SaltRequest salt = read_salt(text);
    ion_name(salt.cation.name, naming);
    ion_name(salt.anion.name, naming);
    for (const SaltRequest& other : salts) {
      if (other.compartment == salt.compartment && other.cation.element == salt.cation.element &&
          other.anion.element == salt.anion.element)
        fail<UsageError>("--salt ", text, ": --salt ", other.text,
                         " is the same salt in the same water; give only one of them");
    }
    salts.push_back(salt);
  }
  return salts;
}

}  // namespace ionwell
