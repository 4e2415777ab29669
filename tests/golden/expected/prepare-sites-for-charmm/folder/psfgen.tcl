# vmd -dispdev text -e psfgen.tcl, or psfgen psfgen.tcl; the force field's files are read from
# TOPPAR, or from this folder; add others to the list if you need them
package require psfgen
set toppar [expr {[info exists env(TOPPAR)] ? $env(TOPPAR) : {.}}]
foreach file {
  top_all36_na.rtf
  toppar_water_ions.str
} {
  set path [file join $toppar $file]
  if {![file exists $path]} {set path [file join $toppar [file tail $file]]}
  if {![file exists $path]} {
    puts stderr "there is no $file in the folder [file normalize $toppar]; set the environment variable TOPPAR to the folder that has CHARMM's topology files"
    exit 1
  }
  topology $path
}
segment A {
  first 5TER
  last 3TER
  auto angles dihedrals
  pdb segment_A.pdb
}
segment B {
  first 5TER
  last 3TER
  auto angles dihedrals
  pdb segment_B.pdb
}
patch DEO5 A:1
patch DEOX A:2
patch DEOX A:3
patch DEOX A:4
patch DEOX A:5
patch DEOX A:6
patch DEOX A:7
patch DEOX A:8
patch DEOX A:9
patch DEOX A:10
patch DEOX A:11
patch DEOX A:12
patch DEO5 B:1
patch DEOX B:2
patch DEOX B:3
patch DEOX B:4
patch DEOX B:5
patch DEOX B:6
patch DEOX B:7
patch DEOX B:8
patch DEOX B:9
patch DEOX B:10
patch DEOX B:11
patch DEOX B:12
regenerate angles dihedrals
coordpdb segment_A.pdb A
coordpdb segment_B.pdb B
# Hydrogens that are not in the files, which psfgen places (segment:residue:atom). All else is there:
set to_place {}
set free {}
set chains {
  A B
}
array set may_lack {}
foreach atom $to_place {set may_lack($atom) 1}
foreach segment $chains {
  foreach residue [segment resids $segment] {
    foreach atom [segment atoms $segment $residue] {
      foreach {x y z} [segment coordinates $segment $residue $atom] {
        if {$x != 0 || $y != 0 || $z != 0 || [info exists may_lack($segment:$residue:$atom)]} continue
        if {$segment in $free && [segment mass $segment $residue $atom] < 3.5} continue
        puts stderr "psfgen has no position for $atom of residue $residue in segment $segment; are the files in\
          TOPPAR those of CHARMM36, and all from one release?"
        exit 1
      }
    }
  }
}
segment WT1 {
  auto none
  first none
  last none
  pdb segment_WT1.pdb
}
coordpdb segment_WT1.pdb WT1
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
