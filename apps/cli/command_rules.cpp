// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_rules.hpp"

#include <set>

#include "meshes/point_files.hpp"
#include "structures/writers/system_file.hpp"

namespace ionwell {
namespace {

using Terms = std::vector<std::string>;
using enum RuleKind;

const Terms solved = {"pb=own", "pb=apbs"};
const Terms sites = {"model=sites", "model=site-terms"};
const Terms structure_options = {
    "solute",       "ignore",         "input-water",  "charges",  "keep-pdb2pqr",
    "assembly",     "frame",          "define",       "include",  "ligand",
    "pH",           "five-phosphate", "crystal-ions", "gap-ends", "replace-nonstandard",
    "allow-missing"};

constexpr const char* no_sum = "no charges are summed";
constexpr const char* own_screening = "the potential of the map is already screened";

Terms joined(Terms terms, const Terms& more) {
  terms.insert(terms.end(), more.begin(), more.end());
  return terms;
}

/// How charges are summed.
const Terms chosen_sum = {"method=direct", "method=msm", "msm-cutoff", "msm-spacing", "msm-basis"};
const Terms summation = joined(chosen_sum, {"accuracy"});

OptionRules summation_rules() {
  return {.rules = {{{"msm-cutoff", "msm-spacing", "msm-basis"},
                     useless_with,
                     {"method=direct"},
                     "they are for multilevel summation"},
                    {{"accuracy"}, excludes, chosen_sum, "it chooses the method and its parameters"}},
          .facts = {}};
}

OptionRules checkpoint_rules() {
  return {.rules = {{{"checkpoint-every"}, needs, {"checkpoint", "resume"}}}, .facts = {}};
}

OptionRules electrostatics_rules() {
  return {.rules = {{{"dielectric", "ionic-strength"},
                     excludes,
                     {"ddd"},
                     "a distance-dependent dielectric replaces them"}},
          .facts = {}};
}

SystemFormat output_format(const GivenOptions& given) {
  return system_format(given.value("output"));
}

/// Of a file of atoms, or a folder of --for.
OptionRules system_rules() {
  constexpr const char* no_names = "a file without names as -o";
  constexpr const char* pdb_file = "a PDB file as -o";
  const auto has_no_names = [](const GivenOptions& given) {
    if (given.has("for")) return false;
    const SystemFormat format = output_format(given);
    return format == SystemFormat::xyz || format == SystemFormat::amber_rst7;
  };
  const auto is_pdb = [](const GivenOptions& given) { return output_format(given) == SystemFormat::pdb; };
  return {.rules = {{{"with-solute", "ion-names", "water-names", "pdb-serials"},
                     useless_with,
                     {"for"},
                     "the folder has everything that its program needs, with the names of its force field"},
                    {{"force-field"}, needs, {"for=gromacs"}},
                    {{"ion-names", "water-names"},
                     useless_with,
                     {no_names},
                     "an .xyz file has only elements, and an .rst7 file has no names"},
                    {{"pdb-serials"}, needs, {pdb_file}}},
          .facts = {{no_names, has_no_names}, {pdb_file, is_pdb}}};
}

OptionRules salt_rules() {
  return {.rules = {{{"scheme", "salt-by", "salt-solute", "seed"}, needs, {"salt"}},
                    {{"salt-solute", "seed"},
                     useless_with,
                     {"salt-by=energy"},
                     "they apply to salt at random positions"}},
          .facts = {}};
}

OptionRules cell_rules() {
  return {.rules =
              {{{"padding", "cell-shape", "orient"}, excludes, {"cell"}, "they determine the smallest cell"}},
          .facts = {}};
}

/// Of a potential that comes from a map, or from an equation.
OptionRules imported_rules(const Terms& solvers) {
  const Terms map_or_solved = joined({"map"}, solvers);
  return {
      .rules =
          {{{"map"}, excludes, solved, "only one of them can give the potential"},
           {{"map-unit", "map-interpolation"}, needs, {"map"}},
           {{"update", "update-dielectric"}, needs, map_or_solved},
           {{"update-dielectric"}, useless_with, {"update=none"}, "placed ions then add no potential"},
           {{"dielectric", "ddd"},
            useless_with,
            {"map"},
            "the map is the potential of the solute, and --tune update-dielectric sets the dielectric of the "
            "ions"},
           {{"dielectric", "ddd"},
            useless_with,
            solved,
            "the equation has its own (--pb-option pdie=... and sdie=...), and --tune update-dielectric sets "
            "that of the ions"},
           {summation, useless_with, map_or_solved, no_sum},
           {{"ionic-strength"},
            useless_with,
            {"update=coulomb", "update=none"},
            "only --update debye-hueckel uses it with a map",
            {"map"}}},
      .facts = {}};
}

/// Whether a model of sites places all ions: those that it is for have one name.
bool are_of_one_kind(const GivenOptions& given) {
  std::set<std::string> names;
  for (const GivenOptions::Option& option : given.options)
    if (option.name == "ion") names.insert(option.value.substr(0, option.value.find(':')));
  return names.size() < 2;
}

template <typename... Rules>
OptionRules all_of(const Rules&... parts) {
  OptionRules all;
  (all.add(parts), ...);
  return all;
}

}  // namespace

OptionRules structure_rules() {
  return {.rules = {},
          .facts = {},
          .former = {
              {"crystal-water", "input-water", " now, for all waters of STRUCTURE; ignore leaves them out"}}};
}

OptionRules lattice_rules() {
  return {.rules = {{{"border"}, excludes, {"box"}, "--box sets the extent of the lattice"}}, .facts = {}};
}

OptionRules backend_rules() {
  return {.rules = {{{"devices", "gpu-memory"}, useless_with, {"backend=cpu"}, "it uses no GPU"}},
          .facts = {}};
}

OptionRules place_rules() {
  constexpr const char* one_kind = "one kind of --ion";
  const OptionRules own{
      .rules = {{{"hydrate-as", "hydrate-water"}, needs, {"hydrate"}},
                {{"hydrate-as=residue"}, useless_with, {"for"}, "no force field has the residue MO6"},
                {{"pb-every", "pb-option", "ion-radius", "pb-energy"}, needs, solved},
                {{"pb-energy"}, needs, {"pb=own"}, "", {"pb=apbs"}},
                {{"pb-timeout", "pb-program", "keep-scratch"}, needs, {"pb=apbs"}},
                {{"model-file"}, needs, sites},
                {{"pb=own", "pb=apbs", "map", "save-map", "save-map-after", "salt"},
                 useless_with,
                 sites,
                 "it uses a potential of its own"},
                {{"dielectric", "ddd", "ionic-strength", "temperature", "no-refine", "msm-cutoff",
                  "msm-spacing", "msm-basis", "accuracy"},
                 useless_with,
                 sites,
                 "it uses a potential of its own, and no other ion is placed around those",
                 {one_kind}},
                {{"save-map", "save-map-after"},
                 useless_with,
                 solved,
                 "there are several maps; 'ionwell map --pb own' writes that of the solute"},
                {{"view"},
                 useless_with,
                 {"for"},
                 "a script goes with a single file, and the folder of --for vmd has view.tcl"}},
      .facts = {{one_kind, are_of_one_kind}},
      .former = {{"pb-radius", "ion-radius"}}};
  return all_of(own, imported_rules(solved), salt_rules(), lattice_rules(), electrostatics_rules(),
                system_rules(), backend_rules(), summation_rules(), checkpoint_rules());
}

OptionRules place_in_box_rules(bool replaces_water) {
  constexpr const char* box = "a box of water";
  const Terms of_lattice = joined({"spacing", "border", "box", "save-map", "save-map-after", "map", "pb=own",
                                   "pb=apbs", "hydrate", "no-refine", "model=sites", "model=site-terms"},
                                  summation);
  return {
      .rules =
          {{of_lattice,
            useless_with,
            {box},
            "ions replace its waters; --input-water ignore or solute places them on a lattice"},
           {{"with-solute"}, useless_with, {box}, "the file has the whole system"},
           {{"salt", "scheme", "salt-by", "salt-solute", "seed", "keep-water", "replace-crystal-water",
             "water-acts", "near", "not-near", "inside-z", "in-membrane"},
            needs,
            {box},
            "ions replace waters there ('ionwell solvate' adds water in a cell, a .gro or .xsc file gives "
            "the cell of water that is present, and --input-water replace uses the waters of any file)"}},
      .facts = {{box, [replaces_water](const GivenOptions&) { return replaces_water; }}}};
}

OptionRules solvate_rules() {
  return all_of(OptionRules{.rules = {{{"keep-pdb2pqr"}, needs, {"charges"}}}, .facts = {}}, cell_rules(),
                system_rules());
}

OptionRules prepare_rules() {
  const OptionRules own{
      .rules = {{{"model-file"}, needs, sites},
                {{"hydrate"}, needs, sites, "ions that replace waters are surrounded by water already"}},
      .facts = {}};
  return all_of(own, cell_rules(), salt_rules(), electrostatics_rules(), system_rules(), backend_rules(),
                checkpoint_rules());
}

OptionRules map_rules() {
  const OptionRules own{
      .rules = {{{"pb-maps", "pb-option", "pb-energy"}, needs, {"pb=own"}},
                {{"dielectric", "ddd"},
                 useless_with,
                 {"pb=own"},
                 "the equation has its own, --pb-option pdie=... and sdie=..."},
                {joined({"checkpoint", "resume"}, summation), useless_with, {"pb=own"}, no_sum}},
      .facts = {},
      .former = {{"write", "pb-maps"}, {"map-unit", "to-unit"}}};
  return all_of(own, lattice_rules(), electrostatics_rules(), backend_rules(), summation_rules(),
                checkpoint_rules());
}

OptionRules average_rules() {
  constexpr const char* error_map = "se in --statistics";
  const auto writes_error = [](const GivenOptions& given) {
    return ("," + given.value("statistics") + ",").find(",se,") != std::string::npos;
  };
  const OptionRules own{
      .rules = {{{"blocks"}, needs, {error_map}},
                {{"reference"}, needs, {"fit"}},
                {{"ewald-factor"}, needs, {"boundary=periodic"}},
                {summation, useless_with, {"boundary=periodic"}, "images are summed by Ewald's method"},
                {{"lattice-from"}, useless_with, {"box"}, "--box sets the lattice"}},
      .facts = {{error_map, writes_error}},
      .former = {{"write", "statistics"}, {"map-unit", "to-unit"}}};
  return all_of(own, lattice_rules(), electrostatics_rules(), backend_rules(), summation_rules(),
                checkpoint_rules());
}

OptionRules potential_rules() {
  constexpr const char* coloured = "a coloured file (.ply, .obj, .vtk, .pml) as -o";
  const auto is_coloured = [](const GivenOptions& given) {
    const PointFormat format = point_format_of(given.value("output"));
    return format == PointFormat::ply || format == PointFormat::obj || format == PointFormat::vtk ||
           format == PointFormat::pml;
  };
  const OptionRules own{
      .rules = {{{"at"}, excludes, {"surface"}, "only one of them can give the points"},
                {{"edge-length", "vertex-density", "probe"}, needs, {"surface"}},
                {{"probe"}, needs, {"surface=ses", "surface=sas"}},
                {{"edge-length"}, excludes, {"vertex-density"}, "each determines the other"},
                {{"colour-limit"}, needs, {coloured}, "", {"output"}},
                {{"map"}, excludes, {"pb=own", "alpb"}, "only one of them can give the potential"},
                {{"alpb"}, excludes, {"pb=own"}, "only one of them can give the potential"},
                {{"solute-dielectric"}, needs, {"alpb"}},
                {{"ddd"}, useless_with, {"alpb"}, "it has two constant dielectrics"},
                {{"map-unit"}, needs, {"map"}},
                {{"map-interpolation"}, needs, {"map", "pb=own"}},
                {{"pb-option", "pb-energy", "spacing", "border"}, needs, {"pb=own"}},
                {{"dielectric", "ddd", "ionic-strength"}, useless_with, {"map"}, own_screening},
                {{"dielectric", "ddd"},
                 useless_with,
                 {"pb=own"},
                 "the equation has its own, --pb-option pdie=... and sdie=..."},
                {{"method=direct", "method=msm", "method=hcp", "accuracy", "hcp-thresholds", "hcp-charges",
                  "checkpoint", "resume"},
                 useless_with,
                 {"map", "pb=own"},
                 no_sum},
                {{"hcp-thresholds", "hcp-charges"}, needs, {"method=hcp"}},
                {{"accuracy"}, useless_with, {"method=direct"}, "a direct sum is exact"},
                {{"backend=gpu", "devices", "gpu-memory", "simd"},
                 useless_with,
                 {"map"},
                 "maps are interpolated on the CPU"}},
      .facts = {{coloured, is_coloured}},
      .former = {{"density", "vertex-density"}, {"error", "accuracy"}, {"method=multilevel", "method=msm"}}};
  return all_of(own, electrostatics_rules(), backend_rules(), checkpoint_rules());
}

OptionRules sample_rules() {
  const OptionRules own{
      .rules = {{{"sweeps"}, useless_with, {"sampler=bd"}, "--steps sets the length of Brownian dynamics"},
                {{"steps", "time-step", "diffusion"}, needs, {"sampler=bd"}},
                {{"around"}, needs, {"rdf"}},
                {{"rdf"},
                 needs,
                 {"around"},
                 "it needs the atoms that the distributions are around, for example 'name P'"},
                {{"rdf-reach", "rdf-step"}, needs, {"rdf"}},
                {{"density-spacing"}, needs, {"density", "occupancy"}},
                {{"start"}, needs, {"ion"}},
                {{"bulk-sweeps"}, needs, {"salt"}},
                {{"pb-option"}, needs, {"pb=own"}},
                {{"cell"}, needs, {"boundary=periodic"}},
                {{"wall-distance"}, excludes, {"box"}, "--box sets the walls"},
                {{"wall-distance", "box"},
                 useless_with,
                 {"boundary=periodic"},
                 "the box is then the cell (--cell A,B,C)"},
                {{"map", "pb=own", "ddd"},
                 useless_with,
                 {"boundary=periodic"},
                 "it sums the charges of the solute over all images"},
                {summation, useless_with, {"boundary=periodic"}, "images are summed by Ewald's method"}},
      .facts = {},
      .former = {{"radius", "ion-radius"}, {"every", "sample-every"}, {"border", "wall-distance"}}};
  return all_of(own, imported_rules({"pb=own"}), electrostatics_rules(), system_rules(), backend_rules(),
                summation_rules(), checkpoint_rules());
}

OptionRules convert_rules() {
  constexpr const char* map = "a map as the last file";
  const auto is_map = [](const GivenOptions& given) {
    return !given.files.empty() && !is_system_name(given.files.back());
  };
  return {.rules = {{structure_options, useless_with, {map}, "they apply to structures"},
                    {{"map-unit", "to-unit", "temperature"}, needs, {map}}},
          .facts = {{map, is_map}}};
}

OptionRules info_rules(bool is_structure) {
  constexpr const char* structure = "a structure";
  return {.rules = {{joined({"spacing", "border", "box", "report"}, structure_options), needs, {structure}}},
          .facts = {{structure, [is_structure](const GivenOptions&) { return is_structure; }}}};
}

OptionRules compare_rules() {
  return all_of(OptionRules{.rules = {{{"random-around", "site-weights", "seed"},
                                       useless_with,
                                       {"ion"},
                                       "they apply to IONS.pdb and SITES.pdb"},
                                      {{"seed"}, needs, {"random-around"}},
                                      {{"protocol", "pb", "checkpoint", "resume"}, needs, {"ion"}},
                                      {structure_options, needs, {"ion"}}},
                            .facts = {}},
                checkpoint_rules());
}

}  // namespace ionwell
