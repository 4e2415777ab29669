#include "ionwell/solvation_arguments.hpp"

#include "core/error.hpp"

namespace ionwell {

void add_cell_options(OptionGroup& group, SolvationArguments& arguments) {
  SolvationOptions& options = arguments.options;
  group.add(
      "padding", arguments.padding_A, "A",
      "distance from the solute to the faces of the cell, so that images are twice as far apart (default " +
          default_text(options.padding_A) + ")");
  group.add_choice<std::optional<CellShape>>(
      "cell-shape", arguments.shape,
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

void add_water_options(OptionGroup& group, SolvationArguments& arguments) {
  SolvationOptions& options = arguments.options;
  group.add("water-model", options.water_model, "NAME",
            "tip3p, spce, opc, tip4pew, tip4p2005, tip5p, or tips3p: CHARMM's TIP3P, whose hydrogens have "
            "Lennard-Jones terms, 3 % denser");
  group.add("smallest-cavity", options.fill.smallest_cavity, "N",
            "waters that a cavity without a way to the bulk must have room for to get any");
}

SolvationOptions solvation_options(const SolvationArguments& arguments, InputWater input_water) {
  SolvationOptions options = arguments.options;
  options.water_model = water_model(options.water_model).name;
  if (options.cell && (arguments.shape || arguments.padding_A))
    fail<UsageError>("--cell gives the cell, and ", arguments.shape ? "--cell-shape" : "--padding",
                     " asks for the smallest one; leave one of them out");
  if (options.fill.smallest_cavity < 1)
    fail<UsageError>("--smallest-cavity is ", options.fill.smallest_cavity, "; it must be 1 or more waters");
  options.shape = arguments.shape.value_or(options.shape);
  options.padding_A = arguments.padding_A.value_or(options.padding_A);
  options.accept_bulk_water = input_water == InputWater::solute;
  return options;
}

void complete(SolvationArguments& arguments) {
  if (arguments.options.cell) return;
  if (!arguments.shape) arguments.shape = arguments.options.shape;
  if (!arguments.padding_A) arguments.padding_A = arguments.options.padding_A;
}

}  // namespace ionwell
