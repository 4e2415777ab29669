// SPDX-License-Identifier: BSD-3-Clause
#include "placement/ion.hpp"

#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

constexpr double whole_charge_tolerance_e = 0.01;  // charges are rounded in the files they come from

constexpr const char* form =
    "write NAME:COUNT or NAME:COUNT:CHARGE, for example MG:24, NA:neutralize, XYZ:3:+4";

/// One --ion as typed; no count means `neutralize`.
struct Words {
  std::string text, name;
  std::optional<std::int64_t> count;
  std::optional<double> charge_e;
};

[[noreturn]] void fail_count(const Words& words, std::string_view count) {
  fail<UsageError>("--ion ", words.text, ": the count ", quote(count), " is not a whole number from 1 to ",
                   grouped(most_ions_of_a_kind), "; write ", words.name, ":12, or ", words.name,
                   ":neutralize");
}

std::int64_t read_count(const Words& words, std::string_view text) {
  const auto count = parse_integer<std::int64_t>(text);
  const bool has_sign = !is_digit(text.front());  // "MG:+2" has its charge where the count belongs
  if (!count || has_sign || *count < 1 || *count > most_ions_of_a_kind) fail_count(words, text);
  return *count;
}

/// +4, -1, 0.75, and 2+ as chemists write it.
double read_charge(const Words& words, std::string_view text) {
  std::string number(text);
  if (number.size() > 1 && (number.back() == '+' || number.back() == '-') && is_digit(number.front())) {
    number.insert(0, 1, number.back());
    number.pop_back();
  }
  const std::optional<double> charge_e = parse_number(number);
  if (!charge_e)
    fail<UsageError>("--ion ", words.text, ": the charge ", quote(text),
                     " is not a number; write for example ", words.name, ":3:+4");
  if (*charge_e == 0.0)
    fail<UsageError>(
        "--ion ", words.text,
        ": the charge is 0, but an ion without charge has no position of lowest energy; give its charge");
  if (std::abs(*charge_e) > largest_ion_charge_e)
    fail<UsageError>("--ion ", words.text, ": the charge ", quote(text), " is beyond ", largest_ion_charge_e,
                     " e; no ion has such a charge");
  return *charge_e;
}

void check_name(const Words& words) {
  for (const char c : words.name)
    if (c <= ' ' || c > '~')
      fail<UsageError>("--ion ", quote(words.text),
                       ": a name consists of printable ASCII characters without blanks");
  if (words.name.size() > longest_ion_name)
    fail<UsageError>("--ion ", words.text, ": the name ", quote(words.name), " has ", words.name.size(),
                     " characters, but a PDB file has room for ", longest_ion_name, "; shorten it");
}

Words split(const std::string& text) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    const std::size_t colon = rest.find(':');
    parts.push_back(rest.substr(0, colon));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() || parts[1].empty() || parts.back().empty())
    fail<UsageError>("--ion ", quote(text), " cannot be understood; ", form);
  Words words{.text = text, .name = std::string(parts[0])};
  check_name(words);
  if (parts[1] != "neutralize") words.count = read_count(words, parts[1]);
  if (parts.size() == 3) words.charge_e = read_charge(words, parts[2]);
  return words;
}

std::string known_names() {
  std::string names;
  for (const KnownIon& ion : known_ions())
    names += (names.empty() ? "" : " ") + std::string(ion.names[0].residue);
  return names;
}

IonSpecies find_species(const Words& words, std::vector<std::string>& warnings) {
  const KnownIon* const known = find_ion(words.name);
  if (known == nullptr && !words.charge_e)
    fail<UsageError>("--ion ", words.text, ": the charge of ", quote(words.name),
                     " is not known; give it, as in ", words.text, ":+2, or use one of ", known_names(),
                     " (names of CHARMM, AMBER and GROMACS are known, too)");
  if (known == nullptr) return {words.name, std::string(element_of(words.name)), *words.charge_e};
  if (words.charge_e && *words.charge_e != known->charge_e)
    warnings.push_back("--ion " + words.text + ": " + words.name + " is placed with the charge " +
                       charge_text(*words.charge_e) + " e that was given, instead of " +
                       charge_text(known->charge_e));
  return {words.name, std::string(known->element), words.charge_e.value_or(known->charge_e)};
}

/// The way out when no number of an ion makes the charge zero: as many as go, and monovalent ions for the
/// rest.
std::string nearest_neutral_set(const IonSpecies& species, std::int64_t count, double left_e) {
  const double rest_e = left_e + double(count) * species.charge_e;
  const double monovalent = std::round(std::abs(rest_e));
  if (std::abs(monovalent - std::abs(rest_e)) > whole_charge_tolerance_e)
    return "give the number of ions instead of 'neutralize'";
  std::string text;
  if (count > 0)
    text = std::to_string(count) + ' ' + species.name + " leave " + charge_text(rest_e) + " e: use --ion " +
           species.name + ':' + std::to_string(count) + " --ion ";
  else
    text = "use --ion ";
  return text + (rest_e < 0.0 ? "NA" : "CL") + ":neutralize";
}

/// How many ions of `species` make a charge of `left_e` zero.
std::int64_t neutralizing_count(const Words& words, const IonSpecies& species, double left_e) {
  const double exact = -left_e / species.charge_e;
  const double whole = std::round(exact);
  if (whole == 0.0 && std::abs(left_e) <= whole_charge_tolerance_e) return 0;
  if (exact < 0.0)
    fail<UsageError>("--ion ", words.text, ": the charge to neutralize is ", charge_text(left_e), " e and ",
                     species.name, " (", charge_text(species.charge_e),
                     ") has the same sign; use an ion of the opposite sign, for example ",
                     left_e > 0.0 ? "CL" : "NA", ":neutralize");
  if (std::abs(whole * species.charge_e + left_e) > whole_charge_tolerance_e)
    fail<UsageError>("--ion ", words.text, ": the charge to neutralize is ", charge_text(left_e),
                     " e, which is not a multiple of ", species.name, "'s ", charge_text(species.charge_e),
                     "; ", nearest_neutral_set(species, std::int64_t(std::floor(exact)), left_e));
  if (whole > double(most_ions_of_a_kind))
    fail<UsageError>("--ion ", words.text, ": the charge to neutralize is ", charge_text(left_e),
                     " e, which needs more than ", grouped(most_ions_of_a_kind),
                     " ions; are the charges of the structure right?");
  return std::int64_t(whole);
}

}  // namespace

IonRequests parse_ion_requests(const std::vector<std::string>& texts, double solute_charge_e,
                               IonNaming naming) {
  IonRequests result;
  const double whole_solute_e = std::round(solute_charge_e);
  double left_e = whole_solute_e;
  const std::string* neutralizing = nullptr;
  for (const std::string& text : texts) {
    const Words words = split(text);
    const IonSpecies species = find_species(words, result.warnings);
    ion_name(species.name, naming);
    if (!words.count && neutralizing != nullptr)
      fail<UsageError>(
          "--ion ", text, ": --ion ", *neutralizing,
          " already neutralizes the charge, so nothing would be left; give one of them a number");
    const std::int64_t count = words.count ? *words.count : neutralizing_count(words, species, left_e);
    if (!words.count) {
      neutralizing = &text;
      if (std::abs(solute_charge_e - whole_solute_e) > whole_charge_tolerance_e)
        result.warnings.push_back("--ion " + text + ": the solute's charge " + charge_text(solute_charge_e) +
                                  " e is not a whole number; " + std::to_string(count) + ' ' + species.name +
                                  " neutralize " + charge_text(left_e) + " e and leave " +
                                  charge_text(solute_charge_e - whole_solute_e) + " e");
      if (count == 0)
        result.warnings.push_back(
            note("--ion " + text + ": the charge is already 0, so no " + species.name + " is placed"));
    }
    left_e += double(count) * species.charge_e;
    result.requests.push_back({species, count});
  }
  if (neutralizing != nullptr && std::abs(left_e) > whole_charge_tolerance_e)
    result.warnings.push_back("--ion " + *neutralizing +
                              " makes the charge zero, but the ions after it leave " + charge_text(left_e) +
                              " e; give it last to make the total charge zero");
  return result;
}

}  // namespace ionwell
