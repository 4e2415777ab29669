// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/solvation_arguments.hpp"

#include "cli/option_words.hpp"

namespace ionwell {

void add_cell_option(OptionGroup& group, std::optional<CellParameters>& cell, const std::string& usual) {
  group.add("cell", cell, "A,B,C[,ALPHA,BETA,GAMMA]",
            "periodic cell: lengths [A] and angles [degrees], which are 90 if not given", Default{usual});
}

void add_cell_options(OptionGroup& group, SolvationRequest& request) {
  SolvationOptions& options = request.options;
  group.add("padding", request.padding_A, "A",
            "distance from the solute to the faces of the cell; images of the solute are twice as far apart",
            Default{default_text(options.padding_A)});
  group.add_choice("cell-shape", request.shape, cell_shape_words(),
                   "shape of the cell; a dodecahedron or octahedron needs the least water around a round "
                   "solute that can rotate",
                   Default{"cube"});
  add_cell_option(group, options.cell, "the smallest with --padding");
  group.add_flag("orient", options.orient, "rotate the solute so that the cell is as small as possible");
  group.add("cutoff", options.cutoff_A, "A",
            "cutoff of the forces in the simulation; ionwell warns if the solute is nearer to its own image");
}

void add_water_options(OptionGroup& group, OptionGroup& tuning, SolvationRequest& request) {
  SolvationOptions& options = request.options;
  group.add("water-model", options.water_model, "NAME",
            "water model: tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p (CHARMM's TIP3P with "
            "Lennard-Jones terms on hydrogens, 3 % denser)");
  tuning.add("smallest-cavity", options.fill.smallest_cavity, "N",
             "fill a closed cavity only if it has room for this many waters");
}

}  // namespace ionwell
