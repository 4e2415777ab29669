// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/vmd_files.hpp"

#include "core/geometry/standard_cell.hpp"
#include "core/text/text_stream.hpp"
#include "structures/engines/engine_ions.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/writers/pdb_writer.hpp"

namespace ionwell {
namespace {

constexpr std::string_view head = R"(# vmd -e view.tcl
set folder [file dirname [file normalize [info script]]]

set solute [mol new [file join $folder solute.pdb] waitfor all]
mol delrep 0 $solute
mol selection {nucleic or protein}
mol representation NewCartoon
mol color Chain
mol material AOChalky
mol addrep $solute
mol selection {not nucleic and not protein and not water}
mol representation Licorice
mol color Name
mol addrep $solute

set ions [mol new [file join $folder ions.pdb] waitfor all]
)";

constexpr std::string_view tail = R"(mol delrep 0 $ions
mol selection all
mol representation {VDW 0.6 24}
mol color ResName
mol addrep $ions
mol top $solute
display resetview
)";

/// The ions get their charges, which a PDB file has no room for.
std::string view_script(const EngineSystem& system) {
  TextStream text;
  text << head << "set placed [atomselect $ions all]\n$placed set charge {";
  for (const EngineIon& ion : system.ions) text << (&ion == system.ions.data() ? "" : " ") << ion.charge_e;
  text << "}\n$placed delete\n" << tail;
  return text.str();
}

}  // namespace

std::vector<EngineFile> vmd_files(const EngineSystem& system) {
  const std::optional<UnitCell> cell = if_standard(system.cell);
  return {
      {"solute.pdb", pdb_text({.records = system.cell && !cell ? records_without_places(system.header_records)
                                                               : system.header_records,
                               .solute = system.atoms,
                               .cell = cell,
                               .names = SoluteNames::own,
                               .serials = PdbSerials::hex})},
      {"ions.pdb", ions_pdb(system, IonNaming::charmm)},
      {"view.tcl", view_script(system)}};
}

}  // namespace ionwell
