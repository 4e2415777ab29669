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
  first 5PHO
  last 3TER
  pdb segment_A.pdb
}
coordpdb segment_A.pdb A
segment WT1 {
  auto none
  first none
  last none
  pdb segment_WT1.pdb
}
coordpdb segment_WT1.pdb WT1
guesscoord
writepsf system.psf
writepdb system.pdb
