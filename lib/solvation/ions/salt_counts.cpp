// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "core/text/text_stream.hpp"
#include "solvation/ions/salt.hpp"

namespace ionwell {
namespace {

std::int64_t charge_of(const SaltIons& ions) {
  return std::llround(ions.species.charge_e);
}

std::int64_t nearest(double count) {
  return std::int64_t(std::floor(count + 0.5));
}

bool is_same(const IonSpecies& a, const IonSpecies& b) {
  return a.element == b.element && a.charge_e == b.charge_e;
}

/// The kinds of ions of all salts, each once for a compartment, with n_i.
std::vector<SaltIons> bath_of(const std::vector<SaltRequest>& salts, const SaltBox& box) {
  std::vector<SaltIons> bath;
  for (const bool cations : {true, false})
    for (const SaltRequest& salt : salts) {
      const IonSpecies& species = cations ? salt.cation : salt.anion;
      auto found = std::find_if(bath.begin(), bath.end(), [&](const SaltIons& ions) {
        return is_same(ions.species, species) && ions.compartment == salt.compartment;
      });
      if (found == bath.end()) found = bath.insert(bath.end(), {species, salt.compartment});
      const double units = double(box.waters[std::size_t(salt.compartment)]) * salt.concentration_M / water_M;
      found->bath += units * (cations ? salt.cations : salt.anions);
    }
  return bath;
}

/// Whether ions that are there count for those of a salt, which may be all in the salt's compartment.
bool counts_for(const SaltIons& there, const SaltIons& ions) {
  return is_same(there.species, ions.species) &&
         (there.compartment == ions.compartment || ions.compartment == Compartment::whole);
}

/// The charge of those that are there and count for any of the bath's ions.
std::int64_t charge_there(const std::vector<SaltIons>& bath, const std::vector<SaltIons>& all_there) {
  std::int64_t sum_e = 0;
  for (const SaltIons& there : all_there)
    if (std::any_of(bath.begin(), bath.end(), [&](const SaltIons& ions) { return counts_for(there, ions); }))
      sum_e += charge_of(there) * there.there;
  return sum_e;
}

/// Credits each ion that is there to one of the bath: to what its own side wants, and then to what the whole
/// box does; where that is no salt's, all of them to the side.
void credit_there(std::vector<SaltIons>& bath, const std::vector<SaltIons>& all_there) {
  for (const SaltIons& there : all_there) {
    std::int64_t left = there.there;
    SaltIons *side = nullptr, *whole = nullptr;
    for (SaltIons& ions : bath)
      if (counts_for(there, ions)) (ions.compartment == Compartment::whole ? whole : side) = &ions;
    if (side != nullptr && whole != nullptr) {
      const std::int64_t taken = std::clamp<std::int64_t>(nearest(side->wanted) - side->there, 0, left);
      side->there += taken;
      left -= taken;
    }
    if (SaltIons* const rest = whole != nullptr ? whole : side) rest->there += left;
  }
}

/// The potential phi [kT/e] with sum z_i n_i exp(-z_i phi) = -charge_e, which falls with phi. Newton's method
/// within a bracket.
double donnan_potential(const std::vector<SaltIons>& bath, double charge_e) {
  double low = -200.0, high = 200.0, phi = 0.0;
  for (int step = 0; step < 300; ++step) {
    double left_e = charge_e, slope = 0.0;
    for (const SaltIons& ions : bath) {
      const double z = ions.species.charge_e, n = ions.bath * std::exp(-z * phi);
      left_e += z * n;
      slope -= z * z * n;
    }
    (left_e > 0.0 ? low : high) = phi;
    const double newton = phi - left_e / slope,
                 next = newton > low && newton < high ? newton : (low + high) / 2;
    if (std::abs(next - phi) < 1e-14 * (1.0 + std::abs(phi))) return next;
    phi = next;
  }
  return phi;
}

/// First of those that have the other sign than the charge: what the user named first.
SaltIons* first_counter_ion(std::vector<SaltIons>& bath, double charge_e) {
  for (SaltIons& ions : bath)
    if (ions.species.charge_e * charge_e < 0.0) return &ions;
  return nullptr;
}

/// No ions but those that neutralize.
void neutralize_only(std::vector<SaltIons>& bath, double charge_e) {
  for (SaltIons& ions : bath) ions.wanted = 0.0;
  if (SaltIons* const counter = first_counter_ion(bath, charge_e))
    counter->wanted = -charge_e / counter->species.charge_e;
}

/// Sets N_i; false when the scheme cannot, and the box is only neutralized.
bool apply_scheme(std::vector<SaltIons>& bath, SaltScheme scheme, double charge_e) {
  double squares = 0.0;
  for (const SaltIons& ions : bath) squares += ions.species.charge_e * ions.species.charge_e * ions.bath;
  if (scheme == SaltScheme::add) {
    for (SaltIons& ions : bath) ions.wanted = ions.bath;
    if (SaltIons* const counter = first_counter_ion(bath, charge_e))
      counter->wanted -= charge_e / counter->species.charge_e;
    return true;
  }
  const double phi = squares == 0.0                ? 0.0
                     : scheme == SaltScheme::split ? charge_e / squares
                                                   : donnan_potential(bath, charge_e);
  bool valid = squares > 0.0;
  for (SaltIons& ions : bath) {
    const double z = ions.species.charge_e;
    ions.wanted = scheme == SaltScheme::split ? ions.bath * (1.0 - z * phi) : ions.bath * std::exp(-z * phi);
    valid = valid && ions.wanted >= 0.0;
  }
  if (!valid) neutralize_only(bath, charge_e);
  return valid;
}

/// Whole numbers near those wanted, none below what is there, with the charge -charge_e in all: first each by
/// itself, then the change of all together that costs least, cations before anions. False when there is none.
bool round_to_neutral(std::vector<SaltIons>& bath, std::int64_t charge_e) {
  std::vector<std::int64_t> total(bath.size());
  std::int64_t left_e = charge_e;
  for (std::size_t i = 0; i < bath.size(); ++i) {
    total[i] = std::max(nearest(bath[i].wanted), bath[i].there);
    left_e += charge_of(bath[i]) * total[i];
  }
  constexpr std::int64_t most_change = 4;  // of one kind: enough for any remainder of charges up to 4
  // What is far from neutral, because ions are there that nobody wants: one kind takes the most of it.
  if (std::abs(left_e) > most_change)
    for (std::size_t i = 0; i < bath.size(); ++i)
      if (charge_of(bath[i]) * left_e < 0) {
        const std::int64_t change = std::abs(left_e / charge_of(bath[i]));
        total[i] += change;
        left_e += change * charge_of(bath[i]);
        break;
      }

  // cost[e]: the least that changes of the first kinds cost which bring the charge to e - reach.
  struct Cost {
    double cations = std::numeric_limits<double>::infinity(), anions = 0.0;
    bool operator<(const Cost& other) const {
      return cations != other.cations ? cations < other.cations : anions < other.anions;
    }
  };
  std::int64_t reach = std::abs(left_e);
  for (const SaltIons& ions : bath) reach += most_change * std::abs(charge_of(ions));
  const std::size_t states = std::size_t(2 * reach + 1);
  std::vector<Cost> cost(states);
  cost[std::size_t(left_e + reach)] = {0.0, 0.0};
  std::vector<std::vector<std::int8_t>> chosen(bath.size(), std::vector<std::int8_t>(states));
  for (std::size_t i = 0; i < bath.size(); ++i) {
    std::vector<Cost> next(states);
    for (std::size_t state = 0; state < states; ++state) {
      if (!(cost[state].cations < std::numeric_limits<double>::infinity())) continue;
      for (std::int64_t change = -most_change; change <= most_change; ++change) {
        const std::int64_t to = std::int64_t(state) + change * charge_of(bath[i]);
        if (to < 0 || to >= std::int64_t(states) || total[i] + change < bath[i].there) continue;
        const double off = double(total[i] + change) - bath[i].wanted;
        Cost with = cost[state];
        (charge_of(bath[i]) > 0 ? with.cations : with.anions) += off * off;
        if (with < next[std::size_t(to)]) {
          next[std::size_t(to)] = with;
          chosen[i][std::size_t(to)] = std::int8_t(change);
        }
      }
    }
    cost = std::move(next);
  }
  std::int64_t state = reach;  // neutral
  if (!(cost[std::size_t(state)].cations < std::numeric_limits<double>::infinity())) return false;
  for (std::size_t i = bath.size(); i-- > 0;) {
    const std::int64_t change = chosen[i][std::size_t(state)];
    state -= change * charge_of(bath[i]);
    bath[i].added = total[i] + change - bath[i].there;
  }
  return true;
}

/// Of the ions added those that take up the charge of the box.
std::vector<IonRequest> counter_ions_of(const std::vector<SaltIons>& bath, std::int64_t charge_e) {
  std::vector<IonRequest> counter_ions;
  for (const SaltIons& ions : bath) {
    const std::int64_t z = charge_of(ions);
    if (z * charge_e >= 0) continue;
    const std::int64_t needed = (std::abs(charge_e) + std::abs(z) - 1) / std::abs(z);
    const std::int64_t count = std::min(needed, ions.added);
    if (count == 0) continue;
    counter_ions.push_back({ions.species, count});
    charge_e += count * z;
  }
  return counter_ions;
}

/// "Na+, Mg2+ and Cl-".
std::string enumerated(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t n = 0; n < words.size(); ++n)
    text += (n == 0 ? "" : n + 1 == words.size() ? " and " : ", ") + words[n];
  return text;
}

/// "Cl-", "Mg2+": as in a formula.
std::string formula_of(const IonSpecies& species) {
  std::string text = species.element.substr(0, 1) + lower_case(std::string_view(species.element).substr(1));
  const std::int64_t size = std::llround(std::abs(species.charge_e));
  return text + (size > 1 ? std::to_string(size) : "") + (species.charge_e < 0.0 ? '-' : '+');
}

/// "0.15 M", of several "0.15 M NaCl and 0.01 M MgCl2".
std::string amounts_of(const std::vector<SaltRequest>& salts) {
  std::vector<std::string> amounts;
  for (const SaltRequest& salt : salts) {
    TextStream text;
    text << salt.concentration_M << " M";
    if (salts.size() > 1) text << ' ' << salt.text.substr(0, salt.text.find(':'));
    if (salt.compartment != Compartment::whole) text << ' ' << to_string(salt.compartment);
    amounts.push_back(text.str());
  }
  return enumerated(amounts);
}

/// That the charge leaves nothing of the salt but counter-ions, or no ion of one kind; empty where it does.
std::string too_little_salt(const std::vector<SaltRequest>& salts, const SaltCounts& counts) {
  std::vector<std::string> without;
  for (const SaltIons& ions : counts.ions)
    if (ions.added == 0 && ions.wanted < 0.5 && ions.wanted < ions.bath && nearest(ions.bath) > 0)
      if (const std::string formula = formula_of(ions.species);
          std::find(without.begin(), without.end(), formula) == without.end())
        without.push_back(formula);
  if (!counts.neutralized_only && without.empty()) return {};
  return (counts.neutralized_only ? "the box is only neutralized: " : "") + amounts_of(salts) +
         " in this box is less than the counter-ions that are needed anyway" +
         (without.empty() ? "" : ", so no " + enumerated(without) + " was added") +
         "; use --scheme add or a larger box";
}

}  // namespace

std::string_view to_string(SaltScheme scheme) {
  constexpr std::string_view names[] = {"split", "sltcap", "add"};
  return names[std::size_t(scheme)];
}

SaltCounts count_salt(const std::vector<SaltRequest>& salts, SaltScheme scheme, const SaltBox& box) {
  SaltCounts counts{.ions = bath_of(salts, box), .scheme = scheme};
  const std::int64_t box_e = std::llround(box.charge_e);
  const std::int64_t solute_e = box_e - charge_there(counts.ions, box.there);  // without the salt's ions
  counts.neutralized_only = !apply_scheme(counts.ions, scheme, double(solute_e));
  credit_there(counts.ions, box.there);
  if (!round_to_neutral(counts.ions, solute_e))
    fail<UsageError>("--salt: no number of these ions makes the charge of ", charge_text(double(solute_e)),
                     " e zero; add a salt of an ion with one charge, for example NaCl");
  if (const std::string warning = too_little_salt(salts, counts); !warning.empty())
    counts.warnings.push_back(warning);
  for (const SaltIons& ions : counts.ions)
    if (double(ions.there) > ions.wanted + 0.5)
      counts.warnings.push_back(note("the box has " + grouped(ions.there) + ' ' + ions.species.name +
                                     " already, but the concentration needs only " +
                                     grouped(std::llround(ions.wanted)) + "; none is added"));
  counts.counter_ions = counter_ions_of(counts.ions, box_e);
  return counts;
}

}  // namespace ionwell
