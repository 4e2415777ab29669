// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/points/point_arguments.hpp"

#include "cli/command_rules.hpp"
#include "cli/inputs.hpp"
#include "cli/option_words.hpp"
#include "compute/poisson_boltzmann/own_pb_options.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "jobs/at_points/computed_sum.hpp"
#include "meshes/point_files.hpp"

namespace ionwell {
namespace {

void add_model_options(CommandLine& line, PointArguments& arguments) {
  OptionGroup& charges = line.group("Electrostatics");
  add_electrostatics_options(charges, arguments.electrostatics);
  charges.add_flag(
      "alpb", arguments.alpb,
      "use the analytic linearised Poisson-Boltzmann potential outside the solute (Gordon, Fenley and "
      "Onufriev 2008); --dielectric is then that of the solvent (water if not given)");
  charges.add("solute-dielectric", arguments.solute_dielectric, "E", "dielectric of the solute for --alpb",
              Default{default_text(AlpbOptions{}.solute_dielectric)});
  OptionGroup& map = line.group("Imported potential");
  map.add("map", arguments.maps.paths, "FILE",
          "interpolate in this map instead of summing charges; may be repeated, and the finest map is used "
          "where several overlap",
          Default{"none"});
  add_map_unit_option(map, arguments.maps.unit, "unit of maps that do not state it");
  line.tuning().add_choice("map-interpolation", arguments.maps.interpolation, map_interpolation_words(),
                           "interpolation between the points of a map or of the solution of --pb",
                           Default{"trilinear"});
  OptionGroup& equation = line.group("Poisson-Boltzmann");
  add_solute_pb_options(equation, arguments.pb);
  equation.add("spacing", arguments.lattice.spacing_A, "A", "distance between lattice points for --pb",
               Default{default_text(published_pb_spacing_A)});
  equation.add(
      "border", arguments.lattice.border_A, "A",
      "distance from the solute's atoms to the faces of that lattice, which always reaches the points",
      Default{default_text(published_pb_border_A)});
}

void add_sum_options(OptionGroup& group, OptionGroup& tuning, PointArguments& arguments) {
  PointSumOptions& sum = arguments.sum;
  group.add_choice("method", sum.method, point_method_words(),
                   "direct sum, hierarchical charge partitioning or multilevel summation; auto chooses the "
                   "fastest");
  group.add(
      "accuracy", sum.error, "E",
      "largest relative error (no unit) of an approximation: the root mean square difference from exact sums "
      "divided by that of the potential, at sample points; the summary shows the error");
  tuning.add(
      "hcp-thresholds", arguments.thresholds, "R,C[,S]",
      "distances [A] beyond which residues, chains and the whole solute are replaced by a few charges; "
      "10,70 was published",
      Default{"automatic, by --accuracy"});
  tuning.add("hcp-charges", arguments.lump_charges, "N",
             "number of charges that replace a residue, a chain or the whole solute: 1 or 2",
             Default{"2, one positive and one negative"});
  add_computing_options(group, tuning, arguments.field);
  group.add_choice("backend", arguments.backend.backend, backend_words(),
                   "where to compute sums and --pb; auto uses a GPU if that is faster, including its start");
  group.add("devices", arguments.backend.devices, "N,N,...",
            "GPUs to use, numbered as in 'ionwell info': sums use the first one; a Poisson-Boltzmann "
            "equation that is too large for it is shared by all",
            Default{"the first one"});
  tuning.add("gpu-memory", arguments.backend.memory_GB, "GB",
             "largest amount of memory to use on each GPU; points that do not fit are computed in parts",
             Default{"all that is free"});
}

/// "10,70" or "10,70,200".
PartitionOptions partition_of(const PointArguments& arguments) {
  PartitionOptions partition;
  if (arguments.lump_charges) partition.charges = *arguments.lump_charges;
  if (!arguments.thresholds) return partition;
  std::vector<double> distances_A;
  std::string_view text = *arguments.thresholds;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::optional<double> distance = parse_number(trim(text.substr(0, comma)));
    if (!distance || distances_A.size() == 3) break;
    distances_A.push_back(*distance);
    if (comma == text.size()) {
      if (distances_A.size() < 2) break;
      partition.residue_A = distances_A[0];
      partition.chain_A = distances_A[1];
      if (distances_A.size() == 3) partition.complex_A = distances_A[2];
      return partition;
    }
    text.remove_prefix(comma + 1);
  }
  fail<UsageError>("--tune hcp-thresholds is '", *arguments.thresholds,
                   "'; write it as two or three distances in A, for example 10,70");
}

/// Points of a file, or a surface.
void validate_points(PointArguments& arguments) {
  if (!arguments.at && !arguments.surface_kind)
    fail<UsageError>(
        "--at is missing; give the file of the points, for example --at points.csv, or --surface ses");
  if (arguments.at) return;
  arguments.surface.kind = *arguments.surface_kind;
  if (arguments.probe_A) arguments.surface.probe_A = *arguments.probe_A;
  validate(arguments.surface);
  check_point_formats({}, point_format_of(arguments.output), arguments.output);
}

}  // namespace

std::vector<std::string> PointArguments::inputs() const {
  std::vector<std::string> files = structure.files;
  if (at) files.push_back(*at);
  files.insert(files.end(), maps.paths.begin(), maps.paths.end());
  return files;
}

PointModel PointArguments::model() const {
  if (alpb) {
    AlpbOptions options{.temperature_K = electrostatics.temperature_K};
    if (electrostatics.dielectric) options.solvent_dielectric = *electrostatics.dielectric;
    if (electrostatics.ionic_strength_M) options.ionic_strength_M = *electrostatics.ionic_strength_M;
    if (solute_dielectric) options.solute_dielectric = *solute_dielectric;
    return options;
  }
  if (pb.given())
    return SolvedPb{pb_options(pb), lattice, maps.interpolation.value_or(MapInterpolation::trilinear)};
  if (!maps.paths.empty()) return maps;
  return SummedCharges{};
}

bool parse(const std::vector<std::string>& words, PointArguments& arguments, std::ostream& out) {
  CommandLine line(
      {.name = "potential",
       .synopsis = "STRUCTURE [COORDINATES] --at POINTS -o VALUES.csv|.xyz|.pdb|.pqr|.ply|.obj|.vtk|.pml|.h5"
                   " | STRUCTURE [COORDINATES] --surface KIND -o SURFACE.ply|.obj|.vtk|.pml|.h5|.csv",
       .about = "Computes the electrostatic potential of a charged structure at given points, on a given "
                "surface of triangles, or on the surface of the structure. " +
                std::string(about_structure_files),
       .examples = "  ionwell potential rna.pqr --at points.csv -o values.csv\n"
                   "      the bare Coulomb potential, as a column after x, y and z\n"
                   "  ionwell potential capsid.pqr --at surface.ply --ionic-strength 0.15 -o coloured.ply\n"
                   "      screened by salt, as values and colours of a surface\n"
                   "  ionwell potential protein.pqr --surface ses --alpb -o surface.ply\n"
                   "      on the solvent-excluded surface, with the dielectrics of water and protein\n"
                   "  ionwell potential rna.pqr --at sites.pdb --pb own -o sites-potential.pdb\n"
                   "      the solution of the Poisson-Boltzmann equation, as B-factors\n",
       .common = {"at", "surface", "output", "colour-limit", "solute", "dielectric", "ionic-strength", "alpb",
                  "map", "pb", "accuracy"}});
  line.add_files(structure_files, arguments.structure.files, 1, most_structure_files);
  OptionGroup& points = line.group("Points");
  points.add(
      "at", arguments.at, "FILE",
      "file of points: XYZ, CSV (columns x, y, z, or the first three), PDB, PQR, or a surface: PLY, OBJ, "
      "VTK (ASCII); - is standard input; either --at or --surface is required");
  points.add_choice<std::optional<SurfaceKind>>(
      "surface", arguments.surface_kind,
      {{"ses", SurfaceKind::ses},
       {"sas", SurfaceKind::sas},
       {"vdw", SurfaceKind::vdw},
       {"gaussian", SurfaceKind::gaussian}},
      "closed surface of the solute, of triangles, instead of --at: solvent-excluded, solvent-accessible, "
      "van der Waals, or of a sum of Gaussians");
  points.add(
      "edge-length", arguments.surface.edge_A, "A",
      "mean edge length of the triangles; flat triangles have less area and volume than the surface that "
      "their corners are on, and the summary shows how much",
      Default{"0.5"});
  points.add("vertex-density", arguments.surface.density_per_A2, "A^-2",
             "vertices per square Angstrom, instead of --edge-length");
  points.add("probe", arguments.probe_A, "A", "probe radius of ses and sas",
             Default{default_text(SurfaceOptions{}.probe_A)});
  OptionGroup& output = line.group("Output");
  output.add(
      "output,o", arguments.output, "FILE",
      "file for the points and their potential in kT/e: CSV and XYZ (last column), PDB (B-factors), PQR "
      "(instead of charges), PLY, OBJ, VTK and a PyMOL script (.pml) with colours, or HDF5 (.h5); - is "
      "CSV on standard output");
  output.require_last();
  output.add("colour-limit", arguments.colour_limit_kT_e, "KT/E",
             "potential of full red (negative) and full blue (positive)",
             Default{"automatic, so that 95 % of the values are within"});
  add_run_options(output, arguments.run);
  add_structure_options(line, arguments.structure);
  add_model_options(line, arguments);
  add_sum_options(line.group("Computing"), line.tuning(), arguments);
  add_checkpoint_options(line.group("Checkpoints"), line.tuning(), arguments.checkpoint);
  arguments.checkpoint.settings = line.settings();
  line.add_rules(potential_rules());
  return line.parse(words, out);
}

void validate(PointArguments& arguments) {
  if (arguments.output.empty())
    fail<UsageError>(
        "-o is missing; name the file for the values, for example -o values.csv, or - for standard output");
  point_format_of(arguments.output);
  validate_points(arguments);
  if (arguments.colour_limit_kT_e && !(*arguments.colour_limit_kT_e > 0.0))
    fail<UsageError>("--colour-limit is ", *arguments.colour_limit_kT_e, " kT/e; it must be greater than 0");
  validate(arguments.pb);
  validate(arguments.checkpoint);
  if (arguments.thresholds || arguments.lump_charges) arguments.sum.partition = partition_of(arguments);
  arguments.sum.simd = arguments.field.simd;
  arguments.field.threads = arguments.sum.threads = arguments.surface.threads =
      usable_threads(arguments.field.threads);
  arguments.field.every_point = true;
  validate(arguments.sum);
  check_backend(arguments.sum, arguments.backend.backend);
  backend_options(arguments.backend);
  check_inputs(arguments.inputs());
  check_outputs(arguments.inputs(), arguments.outputs());
}

}  // namespace ionwell
