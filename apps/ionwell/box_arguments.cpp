// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/box_arguments.hpp"

#include "cli/option_words.hpp"

namespace ionwell {

void add_salt_options(OptionGroup& group, OptionGroup& tuning, BoxRequest& request) {
  group.add("salt", request.salts, "FORMULA:M[:SIDE]",
            "add salt of M mol/L of the water in the box, exactly balanced with the charge of the solute: "
            "NaCl:0.15, MgCl2:0.01. SIDE is below or above: only the water on that side of a membrane. May "
            "be repeated; the salts add up",
            Default{"none"});
  group.add_choice("scheme", request.scheme, scheme_words(),
                   "how the charge of the solute changes the number of ions: half by more counter-ions and "
                   "half by fewer co-ions (split), as in equilibrium with a bath of that salt (sltcap), or "
                   "by counter-ions in addition to the salt (add)",
                   Default{"split"});
  group.add_choice("salt-by", request.salt_placement, salt_by_words(),
                   "place the other salt ions at random, or by energy like the counter-ions",
                   Default{"random"});
  tuning.add("salt-solute", request.salt_solute_A, "A",
             "distance that ions of random salt keep from solute atoms", Default{"as --ion-solute"});
  group.add("seed", request.seed, "N",
            "seed of the random numbers that place salt; the same seed gives the same positions",
            Default{"1"});
}

void add_box_options(OptionGroup& group, OptionGroup& tuning, BoxRequest& request) {
  group.add_choice("boundary", request.boundary, boundary_words(),
                   "boundary of the box for distances and the potential",
                   Default{"periodic in the cell of a simulation"});
  tuning.add("keep-water", request.keep_water_A, "A",
             "keep waters within this distance of heavy atoms of the solute, its first shell",
             Default{"3.5"});
  tuning.add_flag("replace-crystal-water", request.replace_crystal_waters,
                  "allow ions to replace waters of the crystal");
  group.add_flag("water-acts", request.waters_act,
                 "include the charges of waters in the potential, instead of a dielectric");
  group.add("near", request.near, "SELECTION:A",
            "replace only waters within this distance of the selected atoms, for example 'nucleic:12'",
            Default{"all waters"});
  group.add("not-near", request.not_near, "SELECTION:A",
            "replace no water within this distance of the selected atoms", Default{"none"});
  group.add("inside-z", request.inside_z, "FROM:TO", "replace only waters in this range of z [A]",
            Default{"all z"});
  tuning.add_flag("in-membrane", request.in_membrane, "also replace waters between lipid tails and in pores");
}

}  // namespace ionwell
