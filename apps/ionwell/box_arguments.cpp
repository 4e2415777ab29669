#include "ionwell/box_arguments.hpp"

#include "core/error.hpp"

namespace ionwell {

std::string BoxArguments::given() const {
  const std::pair<bool, const char*> options[] = {{!salts.empty(), "--salt"},
                                                  {scheme.has_value(), "--scheme"},
                                                  {salt_placement.has_value(), "--salt-by"},
                                                  {salt_solute_A.has_value(), "--salt-solute"},
                                                  {seed.has_value(), "--seed"},
                                                  {boundary.has_value(), "--boundary"},
                                                  {keep_water_A.has_value(), "--keep-water"},
                                                  {replace_crystal_waters, "--replace-crystal-water"},
                                                  {waters_act, "--water-acts"},
                                                  {!near.empty(), "--near"},
                                                  {!not_near.empty(), "--not-near"},
                                                  {inside_z.has_value(), "--inside-z"},
                                                  {in_membrane, "--in-membrane"}};
  for (const auto& [is_given, option] : options)
    if (is_given) return option;
  return {};
}

void add_salt_options(OptionGroup& group, BoxArguments& arguments) {
  group.add("salt", arguments.salts, "FORMULA:M[:SIDE]",
            "salt of so many mol/L of the box's water, in exact balance with the solute's charge: NaCl:0.15, "
            "MgCl2:0.01; "
            "repeated for several; with 'below' or 'above' for the water on one side of a membrane");
  group.add_choice<std::optional<SaltScheme>>(
      "scheme", arguments.scheme,
      {{"split", SaltScheme::split}, {"sltcap", SaltScheme::sltcap}, {"add", SaltScheme::add}},
      "how a charged solute changes the number of ions: half more counter-ions and half fewer co-ions, as "
      "beside a bath "
      "of that salt, or counter-ions in addition (not given: split)");
  group.add_choice<std::optional<SaltPlacement>>(
      "salt-by", arguments.salt_placement,
      {{"random", SaltPlacement::random}, {"energy", SaltPlacement::energy}},
      "where salt goes that is no counter-ion: anywhere, or to the lowest energy like these (not given: "
      "random)");
  group.add("salt-solute", arguments.salt_solute_A, "A",
            "no ion of random salt is this near to the solute (not given: as --ion-solute)");
  group.add("seed", arguments.seed, "N",
            "what random salt is drawn by; the same seed gives the same places (not given: 1)");
}

void add_box_options(OptionGroup& group, BoxArguments& arguments) {
  group.add_choice<std::optional<Boundary>>(
      "boundary", arguments.boundary, {{"periodic", Boundary::periodic}, {"open", Boundary::open}},
      "whether the box repeats, for distances and potential (not given: periodic)");
  group.add("keep-water", arguments.keep_water_A, "A",
            "waters this near to heavy atoms of the solute stay: its first shell (not given: 3.5)");
  group.add_flag("replace-crystal-water", arguments.replace_crystal_waters,
                 "ions may replace the crystal's waters, too");
  group.add_flag("water-acts", arguments.waters_act,
                 "the charges of waters act as well, in place of a dielectric");
  group.add("near", arguments.near, "SELECTION:A",
            "only waters this near to one of these atoms, as 'nucleic:12'");
  group.add("not-near", arguments.not_near, "SELECTION:A", "no water this near to one of these");
  group.add("inside-z", arguments.inside_z, "FROM:TO", "only waters at these heights along z [A]");
  group.add_flag("in-membrane", arguments.in_membrane, "also waters between lipid tails and in pores");
}

BoxOptions box_options(const BoxArguments& arguments, IonNaming naming) {
  if (arguments.salts.empty())
    for (const auto& [is_given, option] : {std::pair(arguments.scheme.has_value(), "--scheme"),
                                           std::pair(arguments.salt_placement.has_value(), "--salt-by"),
                                           std::pair(arguments.salt_solute_A.has_value(), "--salt-solute"),
                                           std::pair(arguments.seed.has_value(), "--seed")})
      if (is_given)
        fail<UsageError>(option, " is about a salt, and none is given; add for example --salt NaCl:0.15");
  if (arguments.seed && *arguments.seed < 0)
    fail<UsageError>("--seed is ", *arguments.seed, "; it must not be negative");
  BoxOptions options;
  options.boundary = arguments.boundary.value_or(options.boundary);
  options.waters_act = arguments.waters_act;
  options.choice = {.keep_water_A = arguments.keep_water_A.value_or(options.choice.keep_water_A),
                    .replace_crystal_waters = arguments.replace_crystal_waters,
                    .in_membrane = arguments.in_membrane,
                    .near = arguments.near,
                    .not_near = arguments.not_near};
  if (arguments.inside_z) options.choice.inside_z = parse_height_range("--inside-z", *arguments.inside_z);
  options.salt.salts = parse_salts(arguments.salts, naming);
  options.salt.scheme = arguments.scheme.value_or(options.salt.scheme);
  options.salt.placement = arguments.salt_placement.value_or(options.salt.placement);
  options.salt.salt_solute_A = arguments.salt_solute_A;
  if (arguments.seed) options.salt.seed = std::uint64_t(*arguments.seed);
  validate(options);
  return options;
}

void complete(BoxArguments& arguments) {
  const BoxOptions usual;
  arguments.boundary = arguments.boundary.value_or(usual.boundary);
  arguments.keep_water_A = arguments.keep_water_A.value_or(usual.choice.keep_water_A);
  if (arguments.salts.empty()) return;  // what is about salt is refused without any
  arguments.scheme = arguments.scheme.value_or(usual.salt.scheme);
  arguments.salt_placement = arguments.salt_placement.value_or(usual.salt.placement);
  arguments.seed = arguments.seed.value_or(std::int64_t(usual.salt.seed));
}

}  // namespace ionwell
