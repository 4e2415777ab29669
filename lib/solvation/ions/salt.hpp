// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/chemistry/ion_table.hpp"
#include "placement/ion.hpp"

/// Salt in a box of water: which ions it is made of, and how many of them a concentration is beside a charged
/// solute.
namespace ionwell {

/// Pure water at 298 K and 1 bar [mol/L].
constexpr double water_M = 55.4;

/// Whose waters a concentration is of: all of the box, or those on one side of its membrane.
enum class Compartment { whole, below, above };

constexpr int compartments = 3;

std::string_view to_string(Compartment compartment);

/// A salt as it was requested.
struct SaltRequest {
  std::string text;  // as typed: NaCl:0.15
  IonSpecies cation, anion;
  int cations = 1, anions = 1;  // of a formula unit
  double concentration_M = 0.0;
  Compartment compartment = Compartment::whole;
};

/// Reads FORMULA:M or FORMULA:M:SIDE, one text for each salt: NaCl:0.15, MgCl2:0.01, KCl:0.15:above. Throws
/// UsageError for formulas of unknown ions or with a charge left, for an invalid concentration, for one salt
/// given twice for one compartment, and for ions that `naming` has no name for. Concentrations add up: a salt
/// of one side comes in addition to that of the whole box.
std::vector<SaltRequest> parse_salts(const std::vector<std::string>& texts, IonNaming naming);

/// How many ions stand for a concentration c near a solute of charge Q, with N0 = waters c / 55.4 formula
/// units:
/// - split: the solution takes up the charge, half by more counter-ions and half by fewer co-ions: N+- = N0
/// -+ Q / 2
///   for a 1:1 salt (Machado and Pantano, J. Chem. Theory Comput. 16:1367, 2020);
/// - sltcap: as in the equilibrium with a bath of that concentration: N+- = N0 (sqrt(1 + (Q / 2 N0)^2) -+ Q /
/// 2 N0)
///   (Schmit et al., J. Chem. Theory Comput. 14:1823, 2018);
/// - add: N0 formula units, and as many counter-ions as neutralize.
/// For several salts and any charges the ions i of a bath with n_i of each are N_i = n_i exp(-z_i phi) with
/// the one potential phi [kT/e] that makes the box neutral: that is sltcap, and its first order in phi is
/// split.
enum class SaltScheme { split, sltcap, add };

std::string_view to_string(SaltScheme scheme);

/// Ions of one kind in one compartment.
struct SaltIons {
  IonSpecies species;
  Compartment compartment = Compartment::whole;
  double bath = 0.0;       // n_i: of the concentration alone
  double wanted = 0.0;     // N_i by the scheme
  std::int64_t there = 0;  // in the box already, or asked for by themselves; each is of one kind
  std::int64_t added = 0;
};

/// What a box gets.
struct SaltCounts {
  std::vector<SaltIons> ions;  // in the order of the requests, cations first; with all that is added
  std::vector<IonRequest>
      counter_ions{};  // of those added: what neutralizes the charge, to be placed by energy
  SaltScheme scheme = SaltScheme::split;
  bool neutralized_only = false;        // the scheme would need a negative number of co-ions
  std::vector<std::string> warnings{};  // ready to show
};

/// What the counts depend on.
struct SaltBox {
  std::array<std::int64_t, compartments> waters{};  // by Compartment; the whole is all of them
  double charge_e = 0.0;          // of all that is in the box and is asked for by itself, ions as well
  std::vector<SaltIons> there{};  // ions of it that may be the salt's: species, compartment and `there`
};

/// How many ions to add so that the box is neutral. Cations are rounded and the anions make the charge zero;
/// where no number of them does, the cations that are nearest give way. Throws UsageError for a charge that
/// no count of these ions makes zero.
SaltCounts count_salt(const std::vector<SaltRequest>& salts, SaltScheme scheme, const SaltBox& box);

}  // namespace ionwell
