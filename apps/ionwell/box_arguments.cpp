#include "ionwell/box_arguments.hpp"

#include "cli/option_words.hpp"

namespace ionwell {

void add_salt_options(OptionGroup& group, OptionGroup& tuning, BoxRequest& request) {
  group.add("salt", request.salts, "FORMULA:M[:SIDE]",
            "salt of so many mol/L of the box's water, in exact balance with the solute's charge: NaCl:0.15, "
            "MgCl2:0.01; "
            "repeated for several, which add up; with 'below' or 'above' for the water on one side of a "
            "membrane");
  group.add_choice(
      "scheme", request.scheme, scheme_words(),
      "how a charged solute changes the number of ions: half more counter-ions and half fewer co-ions, as "
      "in equilibrium with a bath of that salt, or counter-ions in addition",
      Default{"split"});
  group.add_choice("salt-by", request.salt_placement, salt_by_words(),
                   "how the other salt ions are placed: at random, or by energy like the counter-ions",
                   Default{"random"});
  tuning.add("salt-solute", request.salt_solute_A, "A",
             "ions of random salt stay farther than this from solute atoms", Default{"as --ion-solute"});
  group.add("seed", request.seed, "N",
            "seed of the random numbers that place salt; the same seed gives the same places", Default{"1"});
}

void add_box_options(OptionGroup& group, OptionGroup& tuning, BoxRequest& request) {
  group.add_choice("boundary", request.boundary, boundary_words(),
                   "whether the box repeats, for distances and potential",
                   Default{"periodic in a simulation's cell"});
  tuning.add("keep-water", request.keep_water_A, "A",
             "waters this near to heavy atoms of the solute stay: its first shell", Default{"3.5"});
  tuning.add_flag("replace-crystal-water", request.replace_crystal_waters,
                  "ions may replace the crystal's waters, too");
  group.add_flag("water-acts", request.waters_act,
                 "the charges of waters act as well, in place of a dielectric");
  group.add("near", request.near, "SELECTION:A",
            "only waters this near to one of these atoms, as 'nucleic:12'");
  group.add("not-near", request.not_near, "SELECTION:A", "no water this near to one of these");
  group.add("inside-z", request.inside_z, "FROM:TO", "only waters at these heights along z [A]");
  tuning.add_flag("in-membrane", request.in_membrane, "also waters between lipid tails and in pores");
}

}  // namespace ionwell
