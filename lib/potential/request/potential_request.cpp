// SPDX-License-Identifier: BSD-3-Clause
#include "potential/request/potential_request.hpp"

#include "core/error.hpp"
#include "core/text/text_stream.hpp"
#include "potential/request/pb_request.hpp"

namespace ionwell {

void validate_origin(const PotentialOrigin& origin, const IonUpdate& update,
                     const ElectrostaticsOptions& electrostatics) {
  if (std::holds_alternative<SummationOptions>(origin)) {
    pair_potential(electrostatics);
  } else if (const auto* files = std::get_if<MapFiles>(&origin)) {
    if (files->paths.empty())
      fail<UsageError>(
          "no map is given for the potential; give the path of one, or sum the charges of the solute");
    validate(update, electrostatics);
  } else if (const auto* pb = std::get_if<PbOptions>(&origin)) {
    validate(*pb);
    ElectrostaticsOptions of_solution = electrostatics;
    IonUpdate in_solution = update;
    adopt_solution(*pb, of_solution, in_solution);
    validate(in_solution, of_solution);
  }
}

void validate(const PotentialRequest& request) {
  if (request.structure.atoms.empty())
    fail(request.structure.path, ": the structure has no atoms, so it has no potential");
  validate(request.lattice);
  const auto* const pb = std::get_if<PbOptions>(&request.origin);
  if (pb != nullptr && pb->solved_by == PbSolvedBy::apbs)
    fail<UsageError>(
        "APBS is used only to place ions, but no ions are requested; request some, or use another solver");
  if (pb != nullptr && !pb->radius_A.empty())
    fail<UsageError>("a radius is given for ", pb->radius_A.front().first,
                     ", but no ion is placed; leave it out");
  validate_origin(request.origin, request.update, request.electrostatics);
}

}  // namespace ionwell
