// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/ion_table.hpp"

#include <algorithm>
#include <string>

#include "core/chemistry/elements.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

constexpr IonName same(std::string_view name) {
  return {name, name};
}
constexpr IonName none = {};

// In the order pdb, charmm, amber, gromacs. Sources: the PDB's chemical components; CHARMM36's
// toppar_water_ions and its supplement for divalent ions (SR2P, MN2P, CO2P); LEaP's atomic_ions.lib;
// GROMACS's ions.itp.
constexpr KnownIon table[] = {
    {"LI", 1, {same("LI"), same("LIT"), same("LI"), same("LI")}},
    {"NA", 1, {same("NA"), same("SOD"), same("Na+"), same("NA")}},
    {"K", 1, {same("K"), same("POT"), same("K+"), same("K")}},
    {"RB", 1, {same("RB"), same("RUB"), same("RB"), same("RB")}},
    {"CS", 1, {same("CS"), same("CES"), same("CS"), same("CS")}},
    {"MG", 2, {same("MG"), same("MG"), same("MG"), same("MG")}},
    {"CA", 2, {same("CA"), same("CAL"), same("CA"), same("CA")}},
    {"SR", 2, {same("SR"), same("SR2P"), same("SR"), none}},
    {"BA", 2, {same("BA"), same("BAR"), same("BA"), same("BA")}},
    {"ZN", 2, {same("ZN"), {"ZN2", "ZN"}, same("ZN"), same("ZN")}},
    {"CD", 2, {same("CD"), {"CD2", "CD"}, same("CD"), same("CD")}},
    {"MN", 2, {same("MN"), same("MN2P"), same("MN"), none}},
    {"CO", 2, {same("CO"), same("CO2P"), same("CO"), none}},
    {"CO", 3, {IonName{"NCO", "CO"}, none, none, none}},  // hexammine; the ion stands for its metal
    {"F", -1, {same("F"), none, same("F"), same("F")}},
    {"CL", -1, {same("CL"), same("CLA"), same("Cl-"), same("CL")}},
    {"BR", -1, {same("BR"), none, same("BR"), same("BR")}},
    {"I", -1, {IonName{"IOD", "I"}, none, {"IOD", "I"}, same("I")}},
};

constexpr char upper(char c) {
  return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = upper(c);
  return result;
}

/// The charge that "2+", "+2", "+", "--" spells; 0 for anything else.
double charge_of_suffix(std::string_view suffix) {
  const std::size_t signs =
      std::size_t(std::count_if(suffix.begin(), suffix.end(), [](char c) { return c == '+' || c == '-'; }));
  if (suffix.empty() || signs == 0) return 0.0;
  const double sign = suffix.find('-') == std::string_view::npos ? 1.0 : -1.0;
  if (signs == suffix.size())
    return suffix.find_first_not_of(suffix[0]) == std::string_view::npos ? sign * double(signs) : 0.0;
  if (signs != 1 || suffix.size() != 2) return 0.0;
  return sign * ((is_digit(suffix[0]) ? suffix[0] : suffix[1]) - '0');
}

struct NameAndCharge {
  std::string symbol;     // upper case
  double charge_e = 0.0;  // 0 when the name has none
};

NameAndCharge split(std::string_view name) {
  const std::size_t letters =
      std::size_t(std::find_if_not(name.begin(), name.end(), is_letter) - name.begin());
  const double charge_e = charge_of_suffix(name.substr(letters));
  return {upper(charge_e == 0.0 ? name : name.substr(0, letters)), charge_e};
}

/// `name` in upper case. A structure may hold 100,000 ions to look up: no string is made for each known name.
bool is_called(const KnownIon& ion, const std::string& name) {
  const auto same = [](char known, char asked) { return upper(known) == asked; };
  return name == ion.element || std::any_of(ion.names.begin(), ion.names.end(), [&](const IonName& known) {
           return !known.residue.empty() &&
                  std::equal(known.residue.begin(), known.residue.end(), name.begin(), name.end(), same);
         });
}

}  // namespace

std::string_view to_string(IonNaming naming) {
  constexpr std::string_view words[] = {"pdb", "charmm", "amber", "gromacs"};
  return words[std::size_t(naming)];
}

std::span<const KnownIon> known_ions() {
  return table;
}

const KnownIon* find_ion(std::string_view name) {
  const std::string whole = upper(name);
  const NameAndCharge parts = split(name);
  for (const KnownIon& ion : table)
    if (is_called(ion, whole) || (is_called(ion, parts.symbol) && ion.charge_e == parts.charge_e))
      return &ion;
  return nullptr;
}

std::string_view element_of(std::string_view name) {
  return element_of_symbol(split(name).symbol);
}

IonName ion_name(std::string_view name, IonNaming naming) {
  const KnownIon* const ion = find_ion(name);
  if (ion == nullptr) return {name, name};
  const IonName& known = ion->names[std::size_t(naming)];
  if (!known.residue.empty()) return known;
  std::string others;
  for (std::size_t i = 0; i < ion->names.size(); ++i)
    if (!ion->names[i].residue.empty())
      others += (others.empty() ? "" : " or ") + std::string(to_string(IonNaming(i)));
  fail<UsageError>("--ion-names ", to_string(naming), " has no name for ", name, " (", ion->element, ' ',
                   charge_text(ion->charge_e), "); --ion-names ", others, " has one");
}

}  // namespace ionwell
