#include "ionwell/solvation_arguments.hpp"

namespace ionwell {

void add_cell_options(OptionGroup& group, SolvationRequest& request) {
  SolvationOptions& options = request.options;
  group.add(
      "padding", request.padding_A, "A",
      "distance from the solute to the faces of the cell, so that images are twice as far apart (default " +
          default_text(options.padding_A) + ")");
  group.add_choice<std::optional<CellShape>>(
      "cell-shape", request.shape,
      {{"cube", CellShape::cube},
       {"rectangular", CellShape::rectangular},
       {"dodecahedron", CellShape::dodecahedron},
       {"octahedron", CellShape::octahedron},
       {"hexagonal", CellShape::hexagonal}},
      "shape of the smallest cell with that padding (default cube); a "
      "dodecahedron or an octahedron holds a round solute that may turn in "
      "the least water");
  group.add("cell", options.cell, "a,b,c[,alpha,beta,gamma]",
            "cell of that size instead: lengths in A, angles in degrees (not given: 90)");
  group.add_flag("orient", options.orient, "turn the solute so that the cell becomes as small as it can be");
  group.add("cutoff", options.cutoff_A, "A",
            "cutoff of the simulation's forces: a warning when the solute is nearer to its own image");
}

void add_water_options(OptionGroup& group, OptionGroup& tuning, SolvationRequest& request) {
  SolvationOptions& options = request.options;
  group.add("water-model", options.water_model, "NAME",
            "tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p: CHARMM's TIP3P, whose hydrogens have "
            "Lennard-Jones terms, 3 % denser");
  tuning.add("smallest-cavity", options.fill.smallest_cavity, "N",
             "waters that a cavity without a way to the bulk must have room for to get any");
}

}  // namespace ionwell
