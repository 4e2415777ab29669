// SPDX-License-Identifier: BSD-3-Clause
#include "programs/pdb2pqr_states.hpp"

#include <algorithm>
#include <iterator>

namespace ionwell {
namespace {

enum class StatePlaces { none, within, all };

struct StateRow {
  std::string_view state;
  StatePlaces places[6];  // by force field, in the order of ChargeForceField
};

constexpr StatePlaces none = StatePlaces::none, within = StatePlaces::within, all = StatePlaces::all;

/// Measured by pdb2pqr30 --ff=... of peptides of three residues, one of them in the state: a row is `all`
/// where the residue came back whole with its formal charge, also as the first and the last one. PEOEPB's GLH
/// has a charge of -0.47, at which PDB2PQR gives up. No file of PDB2PQR has a TYM, and none but PARSE an ARN,
/// under another name.
constexpr StateRow states[] = {
    // AMBER, CHARMM, PARSE, TYL06, PEOEPB, SWANSON
    {"ASH", {within, all, all, within, all, within}},   {"GLH", {within, all, all, within, none, within}},
    {"LYN", {within, none, all, within, none, within}}, {"CYM", {within, none, all, within, none, within}},
    {"TYM", {none, none, none, none, none, none}},      {"ARN", {none, none, none, none, none, none}},
};

}  // namespace

bool has_state(ChargeForceField force_field, std::string_view state, bool is_at_end) {
  const auto found = std::find_if(std::begin(states), std::end(states),
                                  [state](const StateRow& row) { return row.state == state; });
  if (found == std::end(states)) return true;
  const StatePlaces places = found->places[std::size_t(force_field)];
  return places == all || (places == within && !is_at_end);
}

}  // namespace ionwell
