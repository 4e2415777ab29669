// SPDX-License-Identifier: BSD-3-Clause
#include "output/views/viewer_script.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

template <typename... Parts>
std::string script_text(const Parts&... parts) {
  TextStream text;
  text.precision(7);
  (text << ... << parts);
  return text.str();
}

bool is_mmcif_name(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".cif" || ending == ".mmcif";
}

/// "-12.5 -11 ..." or with commas.
std::string energy_list(const ViewedFiles& files, const char* between) {
  std::string list;
  for (const double energy : files.energies_kT)
    list += (list.empty() ? "" : between) + script_text(std::isfinite(energy) ? energy : 0.0);
  return list;
}

std::pair<double, double> energy_range(const ViewedFiles& files) {
  double lowest = 0.0, highest = 0.0;
  bool any = false;
  for (const double energy : files.energies_kT) {
    if (!std::isfinite(energy)) continue;
    lowest = any ? std::min(lowest, energy) : energy;
    highest = any ? std::max(highest, energy) : energy;
    any = true;
  }
  return {lowest, highest};
}

/// "#440154" to "#fde725": viridis, the lowest energy first.
std::string viridis(double part) {
  constexpr std::array<std::array<double, 3>, 5> stops = {
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double at = std::clamp(part, 0.0, 1.0) * double(stops.size() - 1);
  const std::size_t n = std::min(std::size_t(at), stops.size() - 2);
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < rgb.size(); ++i)
    rgb[i] = int(std::lround(stops[n][i] + (at - double(n)) * (stops[n + 1][i] - stops[n][i])));
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", rgb[0] & 0xff, rgb[1] & 0xff, rgb[2] & 0xff);
  return text;
}

std::string vmd_script(const ViewedFiles& files) {
  const auto open = [](const std::string& path) {
    return script_text("[mol new ", tcl_quoted(path), " type ", is_mmcif_name(path) ? "pdbx" : "pdb",
                       " waitfor all]");
  };
  const std::size_t end = files.first_ion + files.energies_kT.size();
  const std::string ions =
      files.energies_kT.empty() ? "none" : script_text("index ", files.first_ion, " to ", end - 1);
  std::string text = "# vmd -e THIS_FILE; written by ionwell\n";
  text += "set ions " + open(files.ions) + "\n";
  text += "set solute " + (files.solute ? open(*files.solute) : std::string("$ions")) + "\n";
  text += "mol delrep 0 $ions\n";
  if (files.solute) text += "mol delrep 0 $solute\n";
  const std::string but_ions = files.solute ? "" : " and not (" + ions + ")";
  text += "mol selection {(nucleic or protein)" + but_ions +
          "}\nmol representation NewCartoon\nmol color Chain\nmol material AOChalky\nmol addrep $solute\n"
          "mol selection {not nucleic and not protein and not water" +
          but_ions + "}\nmol representation Licorice\nmol color Name\nmol addrep $solute\n";
  const auto [lowest, highest] = energy_range(files);
  if (!files.energies_kT.empty())
    text += "set placed [atomselect $ions {" + ions + "}]\n$placed set beta {" + energy_list(files, " ") +
            "}\n$placed delete\ncatch {color scale method Viridis}\nmol selection {" + ions +
            "}\nmol representation {VDW 0.6 24}\nmol color Beta\nmol material Opaque\nmol addrep $ions\n" +
            script_text("mol scaleminmax $ions [expr {[molinfo $ions get numreps] - 1}] ", lowest, ' ',
                        highest, '\n');
  if (files.map) {
    text += "set potential [mol new " + tcl_quoted(*files.map) + " waitfor all]\nmol delrep 0 $potential\n";
    for (const auto& [level, colour] : {std::pair(-files.level_kT_e, 1), std::pair(files.level_kT_e, 0)})
      text += script_text("mol representation {Isosurface ", level, " 0 0 0 1 1}\nmol color {ColorID ",
                          colour, "}\nmol material Transparent\nmol addrep $potential\n");
  }
  return text + "mol top $solute\ndisplay resetview\n";
}

std::string pymol_script(const ViewedFiles& files) {
  std::string text =
      "# In PyMOL: @ this file, or open it; written by ionwell\n"
      "python\nimport os\nfrom pymol import cmd\n"
      "cmd.load(os.fsdecode(" +
      python_bytes(files.ions) + "), 'placed')\n";
  if (files.solute) text += "cmd.load(os.fsdecode(" + python_bytes(*files.solute) + "), 'solute')\n";
  text += "energies = [" + energy_list(files, ", ") + "]\n" + script_text("first = ", files.first_ion, "\n") +
          "by_atom = {first + n: energy for n, energy in enumerate(energies)}\n"
          "cmd.alter('placed', 'b = by_atom.get(rank, 0.0)', space={'by_atom': by_atom})\n"
          "if energies:\n"
          "    cmd.select('ions', f'placed and rank {first}-{first + len(energies) - 1}')\n"
          "else:\n"
          "    cmd.select('ions', 'none')\n";
  if (!files.solute) text += "cmd.select('solute', 'placed and not ions')\n";
  text +=
      "cmd.hide('everything', 'placed or solute')\n"
      "cmd.show('cartoon', 'solute')\n"
      "cmd.show('sticks', 'solute and not polymer and not solvent')\n"
      "cmd.color('gray70', 'solute')\n"
      "cmd.show('spheres', 'ions')\n"
      "cmd.set('sphere_scale', 0.6, 'placed')\n"
      "if energies:\n"
      "    cmd.spectrum('b', '0x440154 0x3b528b 0x21918c 0x5ec962 0xfde725', 'ions', min(energies), "
      "max(energies))\n";
  if (files.map)
    text += "cmd.load(os.fsdecode(" + python_bytes(*files.map) +
            "), 'potential')\n"
            "# kT/e: 1.5 standard deviations to both sides of the mean, from 1 to 4 A around the solute\n"
            "cmd.ramp_new('potential_kT_e', 'potential', [-1, 0, 1], ['red', 'white', 'blue'], "
            "selection='solute and not solvent', beyond=1.0, within=4.0, sigma=1.5, zero=0)\n" +
            script_text("cmd.set('surface_color', 'potential_kT_e', '", files.solute ? "solute" : "placed",
                        "')\n") +
            "if cmd.count_atoms('solute') > 30000:  # minutes otherwise\n"
            "    cmd.set('surface_quality', -1)\n"
            "cmd.show('surface', 'solute and not solvent')\n"
            "cmd.set('transparency', 0.25)\n";
  return text +
         "cmd.bg_color('white')\ncmd.deselect()\ncmd.orient('placed or solute')\ncmd.zoom('placed or "
         "solute', 4)\n"
         "cmd.clip('near', 40)\ncmd.clip('far', -40)\npython end\n";
}

std::string chimerax_script(const ViewedFiles& files) {
  constexpr std::size_t most_serials = 99'999;
  std::string text = "# open this file in ChimeraX; written by ionwell\n";
  text += "open " + chimerax_quoted(files.ions) + " id 1 name placed\n";
  if (files.solute) text += "open " + chimerax_quoted(*files.solute) + " id 2 name solute\n";
  text += "hide atoms\ncartoon\nshow ligand atoms\ncolor bychain\n";
  const auto [lowest, highest] = energy_range(files);
  const std::size_t end = files.first_ion + files.energies_kT.size();
  if (!files.energies_kT.empty() && end <= most_serials) {
    const std::string ions =
        script_text("#1@@serial_number>=", files.first_ion + 1, " & #1@@serial_number<=", end);
    text += "show " + ions + " atoms\nstyle " + ions + " sphere\n";
    for (std::size_t n = 0; n < files.energies_kT.size(); ++n)
      text +=
          script_text("color #1@@serial_number=", files.first_ion + n + 1, ' ',
                      viridis(highest > lowest ? (files.energies_kT[n] - lowest) / (highest - lowest) : 0.0),
                      " target a\n");
  } else {
    text += "show ions atoms\nstyle ions sphere\ncolor ions byelement target a\n";
  }
  if (files.map)
    text += "open " + chimerax_quoted(*files.map) + " id 3 name potential\n" +
            script_text("volume #3 style surface level ", -files.level_kT_e, " color #d6454580 level ",
                        files.level_kT_e, " color #4573d680 step 1\n");
  return text + "view\n";
}

}  // namespace

std::string to_string(ViewProgram program) {
  return program == ViewProgram::vmd ? "vmd" : program == ViewProgram::pymol ? "pymol" : "chimerax";
}

std::string script_ending(ViewProgram program) {
  return program == ViewProgram::vmd ? ".vmd.tcl" : program == ViewProgram::pymol ? ".pml" : ".cxc";
}

double surface_level_kT_e(const Placement& placement) {
  double deepest = 1.0;
  for (const PlacedIon& ion : placement.ions)
    if (ion.species.charge_e != 0.0 && std::isfinite(ion.energy_kT))
      deepest = std::max(deepest, std::abs(ion.energy_kT / ion.species.charge_e));
  constexpr double part = 0.75;  // encloses the deepest wells, and ends inside of the usual border
  return part * deepest;
}

std::string viewer_script(ViewProgram program, const ViewedFiles& files) {
  switch (program) {
    case ViewProgram::vmd:
      return vmd_script(files);
    case ViewProgram::pymol:
      return pymol_script(files);
    case ViewProgram::chimerax:
      break;
  }
  return chimerax_script(files);
}

}  // namespace ionwell
