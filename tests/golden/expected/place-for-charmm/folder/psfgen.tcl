# vmd -dispdev text -e psfgen.tcl, or psfgen psfgen.tcl; the force field's files are looked for in
# TOPPAR, or else beside this one; name others in the list where it needs them
package require psfgen
set toppar [expr {[info exists env(TOPPAR)] ? $env(TOPPAR) : {.}}]
foreach {file is_needed} {
  top_all36_prot.rtf no
  top_all36_na.rtf yes
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

pdbalias residue HIS HSE
pdbalias residue HID HSD
pdbalias residue HIE HSE
pdbalias residue HIP HSP
pdbalias residue CYX CYS
pdbalias atom ILE CD1 CD
foreach {from to} {A ADE C CYT G GUA U URA T THY DA ADE DC CYT DG GUA DT THY} {
  foreach end {{} 5 3 N} {
    pdbalias residue $from$end $to
    pdbalias atom $from$end OP1 O1P
    pdbalias atom $from$end OP2 O2P
    pdbalias atom $from$end C7 C5M
  }
}
segment A {
  first 5TER
  last 3TER
  pdb segment_A.pdb
}
coordpdb segment_A.pdb A
segment B {
  first 5TER
  last 3TER
  pdb segment_B.pdb
}
coordpdb segment_B.pdb B
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
