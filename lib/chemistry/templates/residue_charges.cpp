// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/templates/residue_charges.hpp"

#include <unordered_map>

#include "chemistry/templates/residue_table.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

using ChargesByAtom = std::unordered_map<std::string, double>;
using ChargesByResidue = std::unordered_map<std::string, ChargesByAtom>;

ChargesByResidue read_charges(std::string_view text) {
  ChargesByResidue charges;
  ChargesByAtom* residue = nullptr;
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);) {
    if (line.starts_with('#')) continue;
    for (std::string_view word = take_token(line); !word.empty(); word = take_token(line)) {
      if (word == "residue") {
        residue = &charges[std::string(take_token(line))];
        continue;
      }
      const std::size_t equals = word.find('=');
      const auto charge_e = equals == word.npos ? std::nullopt : parse_number(word.substr(equals + 1));
      if (residue == nullptr || !charge_e)
        fail("residue_charges.txt: ", quote(word), " is not ATOM=CHARGE below a residue");
      (*residue)[std::string(word.substr(0, equals))] = *charge_e;
    }
  }
  return charges;
}

const ChargesByAtom* charges_of(const ResidueTemplate& residue) {
  static const ChargesByResidue charges = read_charges(residue_charges_text());
  // At the ends of chains AMBER has none of them.
  const ResidueTemplate* const inner = residue_table().find(residue.name.view());
  const auto& called = (inner == nullptr ? residue : *inner).called_in(NamingScheme::amber);
  auto found = called ? charges.find(std::string(called->residue.view())) : charges.end();
  if (found == charges.end()) found = charges.find(std::string(residue.name.view()));
  return found == charges.end() ? nullptr : &found->second;
}

}  // namespace

std::optional<double> library_charge_e(const ResidueTemplate& residue, std::size_t atom) {
  const ChargesByAtom* const charges = charges_of(residue);
  if (charges == nullptr) return std::nullopt;
  const auto found = charges->find(std::string(residue.name_in(NamingScheme::amber, atom).view()));
  return found == charges->end() ? std::nullopt : std::optional(found->second);
}

bool has_library_charges(const ResidueTemplate& residue) {
  for (std::size_t n = 0; n < residue.atoms.size(); ++n)
    if (!library_charge_e(residue, n)) return false;
  return true;
}

}  // namespace ionwell
