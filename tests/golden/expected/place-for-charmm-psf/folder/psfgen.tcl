# vmd -dispdev text -e psfgen.tcl, or psfgen psfgen.tcl; the force field's files are read from
# TOPPAR, or from this folder; add others to the list if you need them
package require psfgen
set toppar [expr {[info exists env(TOPPAR)] ? $env(TOPPAR) : {.}}]
foreach {file is_needed} {
  top_all36_prot.rtf no
  top_all36_na.rtf no
  top_all36_lipid.rtf no
  top_all36_carb.rtf no
  top_all36_cgenff.rtf no
  toppar_water_ions.str yes
} {
  if {[file exists [file join $toppar $file]]} {
    topology [file join $toppar $file]
  } elseif {$is_needed} {
    puts stderr "there is no $file in the folder [file normalize $toppar]; set the environment variable TOPPAR to the folder that has CHARMM's topology files"
    exit 1
  }
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
