# vmd -dispdev text -e psfgen.tcl, or psfgen psfgen.tcl; the force field's files are looked for in
# TOPPAR, or else beside this one; name others in the list where it needs them
package require psfgen
set toppar [expr {[info exists env(TOPPAR)] ? $env(TOPPAR) : {.}}]
foreach file {top_all36_prot.rtf top_all36_na.rtf top_all36_lipid.rtf top_all36_carb.rtf top_all36_cgenff.rtf toppar_water_ions.str} {
  if {[file exists $toppar/$file]} {topology $toppar/$file}
}
readpsf solute.psf
coordpdb solute.pdb
segment ION {
  auto none
  first none
  last none
  pdb ion.pdb
}
coordpdb ion.pdb ION
guesscoord
writepsf system.psf
writepdb system.pdb
