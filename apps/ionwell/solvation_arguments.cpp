#include "ionwell/solvation_arguments.hpp"

#include "cli/option_words.hpp"

namespace ionwell {

void add_cell_option(OptionGroup& group, std::optional<CellParameters>& cell, const std::string& usual) {
  group.add("cell", cell, "A,B,C[,ALPHA,BETA,GAMMA]",
            "periodic cell: lengths in A, angles in degrees, 90 where none are given", Default{usual});
}

void add_cell_options(OptionGroup& group, SolvationRequest& request) {
  SolvationOptions& options = request.options;
  group.add("padding", request.padding_A, "A",
            "distance from the solute to the faces of the cell, so that images are twice as far apart",
            Default{default_text(options.padding_A)});
  group.add_choice("cell-shape", request.shape, cell_shape_words(),
                   "shape of the smallest cell with that padding; a dodecahedron or an octahedron holds a "
                   "round solute that may turn in "
                   "the least water",
                   Default{"cube"});
  add_cell_option(group, options.cell, "the smallest with --padding");
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
