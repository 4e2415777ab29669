// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/box/box_request.hpp"

#include "core/error.hpp"

namespace ionwell {

BoxOptions box_options(const BoxRequest& request, IonNaming naming) {
  if (request.salts.empty())
    for (const auto& [is_given, option] : {std::pair(request.scheme.has_value(), "--scheme"),
                                           std::pair(request.salt_placement.has_value(), "--salt-by"),
                                           std::pair(request.salt_solute_A.has_value(), "--tune salt-solute"),
                                           std::pair(request.seed.has_value(), "--seed")})
      if (is_given)
        fail<UsageError>(option, " needs a salt, but none is given; add for example --salt NaCl:0.15");
  if (request.seed && *request.seed < 0)
    fail<UsageError>("--seed is ", *request.seed, "; it must not be negative");
  BoxOptions options;
  options.boundary = request.boundary.value_or(options.boundary);
  options.waters_act = request.waters_act;
  options.choice = {.keep_water_A = request.keep_water_A.value_or(options.choice.keep_water_A),
                    .replace_crystal_waters = request.replace_crystal_waters,
                    .in_membrane = request.in_membrane,
                    .near = request.near,
                    .not_near = request.not_near};
  if (request.inside_z) options.choice.inside_z = parse_height_range("--inside-z", *request.inside_z);
  options.salt.salts = parse_salts(request.salts, naming);
  options.salt.scheme = request.scheme.value_or(options.salt.scheme);
  options.salt.placement = request.salt_placement.value_or(options.salt.placement);
  options.salt.salt_solute_A = request.salt_solute_A;
  if (request.seed) options.salt.seed = std::uint64_t(*request.seed);
  validate(options);
  return options;
}

void complete(BoxRequest& request) {
  const BoxOptions usual;
  request.boundary = request.boundary.value_or(usual.boundary);
  request.keep_water_A = request.keep_water_A.value_or(usual.choice.keep_water_A);
  if (request.salts.empty()) return;  // what is about salt is refused without any
  request.scheme = request.scheme.value_or(usual.salt.scheme);
  request.salt_placement = request.salt_placement.value_or(usual.salt.placement);
  request.seed = request.seed.value_or(std::int64_t(usual.salt.seed));
}

}  // namespace ionwell
