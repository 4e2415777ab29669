# SPDX-License-Identifier: BSD-3-Clause
# ionwell for VMD: places ions around a selection and shows them, and the potential.
#
#     lappend auto_path /usr/local/share/ionwell/vmd      ;# where cmake --install put it
#     package require ionwell
#     ionwell place -sel [atomselect top nucleic] -ions {{MG 12} {SOD neutralize}}
#     ionwell help
#
# The work is done by the program `ionwell`, which the environment variable IONWELL or PATH leads to. Tcl 8.5 or later.
package require Tcl 8.5-
package provide ionwell 0.2.0

namespace eval ::ionwell {
  namespace export place potential help
  namespace ensemble create

  # Options that go to the program as they are: {name option argument text}.
  variable program_options {
    {-spacing       --spacing        A     "distance between lattice points (0.5)"}
    {-border        --border         A     "lattice beyond the solute's atoms (10)"}
    {-dielectric    --dielectric     E     "constant dielectric (1)"}
    {-ddd           --ddd            K     "distance-dependent dielectric K r"}
    {-ionicstrength --ionic-strength M     "Debye-Hueckel screening by a 1:1 salt, mol/L"}
    {-temperature   --temperature    K     "temperature of the kT (298.15)"}
    {-pb            --pb             WORD  "own: solve the Poisson-Boltzmann equation"}
    {-method        --method         WORD  "auto, direct or msm (auto)"}
    {-backend       --backend        WORD  "auto, cpu or gpu (auto)"}
    {-threads       --threads        N     "threads of the CPU (all)"}
  }
  # Those that only placing has.
  variable placing_options {
    {-ionsolute --ion-solute A    "least distance of an ion to the solute (5)"}
    {-ionion    --ion-ion    A    "least distance of an ion to another (5)"}
    {-maxenergy --max-energy kT   "stop before an ion of a higher energy"}
    {-model     --model      WORD "sites: Mg2+ where crystals of RNA have it"}
    {-names     --ion-names  WORD "names of the ions: charmm, amber, gromacs or pdb (charmm)"}
  }
}

# Puts ions around a selection and returns the molecule that they are loaded as. The top molecule stays so.
proc ::ionwell::place {args} {
  variable program_options
  variable placing_options
  set own [dict create -sel "" -ions "" -map no -isovalue auto -prefix ""]
  lassign [Options place $args $own [concat $program_options $placing_options]] own words
  set sel [Selection place [dict get $own -sel]]
  set requests [Requests [dict get $own -ions]]
  set map [Word place -map [dict get $own -map] {no yes after}]
  set isovalue [Isovalues [dict get $own -isovalue]]
  set prefix [dict get $own -prefix]
  if {$prefix ne "" && ![file isdirectory [file dirname $prefix]]} {
    error "ionwell place: -prefix is \"$prefix\", but there is no folder [file dirname $prefix]; create it first"
  }
  # A name that begins with | would be opened as a command.
  if {$prefix ne ""} {set prefix [file normalize $prefix]}
  if {[lsearch -glob $words --ion-names=*] < 0} {lappend words --ion-names=charmm}
  if {$map eq "after"} {set map_option --save-map-after} else {set map_option --save-map}
  set top [molinfo top]

  set program [Program]
  set folder [NewFolder]
  set code [catch {
    set pqr [file join $folder solute.pqr]
    set pdb [file join $folder ions.pdb]
    set report [file join $folder run.json]
    set dx [file join $folder potential.dx]
    WritePqr $sel $pqr
    foreach request $requests {lappend words --ion=[join $request :]}
    if {$map ne "no"} {lappend words $map_option=$dx}
    Run $program [concat [list place $pqr] $words [list -o $pdb --report $report --quiet]] $folder
    set ions [ReportedIons $report]
    if {$prefix ne ""} {
      KeepFiles $prefix $pdb $requests [llength $ions]
      if {$map ne "no"} {file copy -force -- $dx $prefix-potential.dx}
    }
    set molid [LoadIons $pdb $ions $requests]
    if {$map ne "no"} {
      if {$isovalue eq "auto"} {set isovalue [MedianPotential $ions]}
      LoadMap $dx $isovalue "potential of [Name [$sel molid]]"
    }
  } result options]
  MakeTop $top
  file delete -force -- $folder
  if {$code != 0} {return -options [Blamed $options] $result}
  return $molid
}

# Computes the potential of a selection and returns the molecule whose isosurfaces show it. The top molecule
# stays so.
proc ::ionwell::potential {args} {
  variable program_options
  set own [dict create -sel "" -isovalue {-5 5} -file ""]
  lassign [Options potential $args $own $program_options] own words
  set sel [Selection potential [dict get $own -sel]]
  set isovalue [Isovalues [dict get $own -isovalue]]
  if {$isovalue eq "auto"} {error "ionwell potential: -isovalue is auto, which needs ions; give numbers in kT/e"}
  set top [molinfo top]
  set program [Program]
  set folder [NewFolder]
  set code [catch {
    set pqr [file join $folder solute.pqr]
    set dx [file join $folder potential.dx]
    WritePqr $sel $pqr
    Run $program [concat [list map $pqr] $words [list -o $dx --quiet]] $folder
    if {[dict get $own -file] ne ""} {file copy -force -- $dx [dict get $own -file]}
    set molid [LoadMap $dx $isovalue "potential of [Name [$sel molid]]"]
  } result options]
  MakeTop $top
  file delete -force -- $folder
  if {$code != 0} {return -options [Blamed $options] $result}
  return $molid
}

# Returns what there is to know.
proc ::ionwell::help {args} {
  variable program_options
  variable placing_options
  if {[llength $args] > 0} {error "ionwell help has no arguments"}
  set lines {
    "ionwell place -sel SELECTION -ions {{NAME COUNT ?CHARGE?} ...} ?OPTION VALUE ...?"
    "  places ions one at a time where their energy in the field of the selection is lowest, and loads"
    "  them as a molecule with their charges, coloured by energy [kT] (fields beta and user). Returns its number."
    "  COUNT is a number or neutralize. The selection needs charges: load a PSF, prmtop or PQR file."
    ""
    "  -map no|yes|after       show the potential of the selection, or with the ions, as an isosurface (no)"
    "  -isovalue {V ...}|auto  its values, kT/e; auto: the potential where the median ion is (auto)"
    "  -prefix PREFIX          also write PREFIX-ions.pdb, and PREFIX-ions_1-NAME.pdb, ... for each kind"
  }
  lappend lines {*}[OptionLines $placing_options] {*}[OptionLines $program_options]
  lappend lines {*}{
    ""
    "ionwell potential -sel SELECTION ?OPTION VALUE ...?"
    "  shows the potential around a selection as isosurfaces. Returns the number of its molecule."
    ""
    "  -isovalue {V ...}       their values, kT/e ({-5 5}); below 0 red, above it blue"
    "  -file FILE.dx           also write the map"
    "  and those from -spacing to -threads above"
    ""
    "The program is the one that the environment variable IONWELL names, or ionwell on PATH."
  }
  return [join $lines \n]
}

proc ::ionwell::OptionLines {table} {
  set lines {}
  foreach row $table {
    lassign $row option word argument text
    lappend lines [format "  %-23s %s" "$option $argument" $text]
  }
  return $lines
}

# An error of the program or of the user is said without the stack of this file.
proc ::ionwell::Blamed {options} {
  dict set options -level 1
  dict unset options -errorinfo
  return $options
}

# Splits "-option value ..." into our own options, and the words for the program: --option=value, for exec takes words
# that begin with <, > and | for its own.
proc ::ionwell::Options {command arguments own table} {
  set words {}
  set known [dict keys $own]
  foreach row $table {lappend known [lindex $row 0]}
  if {[llength $arguments] % 2 != 0} {
    error "ionwell $command: [lindex $arguments end] has no value; write options as in -spacing 0.5"
  }
  set seen {}
  foreach {option value} $arguments {
    if {$option ni $known} {
      error "ionwell $command has no option $option; it has [join [lsort $known] {, }]"
    }
    if {$option in $seen} {error "ionwell $command: $option is given twice; give it once"}
    lappend seen $option
    if {[dict exists $own $option]} {
      dict set own $option $value
      continue
    }
    if {$value eq ""} {error "ionwell $command: $option has an empty value; give one or leave it out"}
    foreach row $table {
      if {[lindex $row 0] eq $option} {lappend words [lindex $row 1]=$value}
    }
  }
  return [list $own $words]
}

proc ::ionwell::Word {command option value known} {
  if {$value ni $known} {
    error "ionwell $command: $option is \"$value\"; it must be one of [join $known {, }]"
  }
  return $value
}

proc ::ionwell::Isovalues {text} {
  if {$text eq "auto"} {return auto}
  if {[catch {llength $text} count] || $count == 0} {
    error "ionwell: -isovalue is \"$text\"; it must be numbers in kT/e, for example {-5 5}"
  }
  foreach value $text {
    if {![string is double -strict $value]} {
      error "ionwell: -isovalue has \"$value\", which is not a number"
    }
  }
  return $text
}

# What is asked for: a list of {NAME COUNT} and {NAME COUNT CHARGE}.
proc ::ionwell::Requests {ions} {
  set form "write them as {{MG 5} {SOD neutralize} {XYZ 3 4}}"
  if {$ions eq ""} {error "ionwell place: -ions is missing; $form"}
  if {[catch {llength $ions}]} {error "ionwell place: -ions is not a list; $form"}
  foreach ion $ions {
    if {[catch {llength $ion} words] || $words < 2 || $words > 3} {
      error "ionwell place: -ions has \"$ion\", which is not a name and a count; $form"
    }
    lassign $ion name count charge
    if {$count ne "neutralize" && !([string is integer -strict $count] && $count > 0)} {
      error "ionwell place: the count of $name is \"$count\"; it must be a number of at least 1, or neutralize"
    }
    if {$words == 3 && ![string is double -strict $charge]} {
      error "ionwell place: the charge of $name is \"$charge\", which is not a number"
    }
  }
  return $ions
}

# The selection, once it is clear that a potential can be made of it.
proc ::ionwell::Selection {command sel} {
  if {$sel eq ""} {
    error "ionwell $command: -sel is missing; give a selection, as in -sel \[atomselect top nucleic\]"
  }
  if {[info commands $sel] eq "" || [catch {$sel num} atoms]} {
    error "ionwell $command: -sel is \"$sel\", which is not a selection; give one, as in\
      -sel \[atomselect top nucleic\]"
  }
  if {$atoms == 0} {
    error "ionwell $command: the selection \"[$sel text]\" has no atoms"
  }
  set charged 0
  set sized 0
  foreach row [$sel get {charge radius}] {
    lassign $row charge radius
    if {$charge != 0} {incr charged}
    if {$radius > 0} {incr sized}
  }
  if {$charged == 0} {
    error "ionwell $command: none of the $atoms atoms of \"[$sel text]\" has a charge, so there is no potential;\
      load a file with charges (PSF, prmtop, PQR), or set them: \$sel set charge ..."
  }
  if {$sized == 0} {
    error "ionwell $command: none of the $atoms atoms of \"[$sel text]\" has a radius;\
      set them, for example: \$sel set radius 1.5"
  }
  return $sel
}

# The path of the program.
proc ::ionwell::Program {} {
  global env
  if {[info exists env(IONWELL)] && $env(IONWELL) ne ""} {
    if {![file executable $env(IONWELL)] || [file isdirectory $env(IONWELL)]} {
      error "the environment variable IONWELL is \"$env(IONWELL)\", which is not a program;\
        give the path of ionwell"
    }
    return [file normalize $env(IONWELL)]
  }
  set found [auto_execok ionwell]
  if {$found eq ""} {
    error "the program ionwell is not on PATH; put its folder there, or its path into the environment variable\
      IONWELL: set env(IONWELL) /usr/local/bin/ionwell"
  }
  return [lindex $found 0]
}

# A folder that is nobody else's.
proc ::ionwell::NewFolder {} {
  global env
  set parent /tmp
  foreach name {TMPDIR TEMP TMP} {
    if {[info exists env($name)] && [file isdirectory $env($name)]} {
      set parent [file normalize $env($name)]
      break
    }
  }
  for {set try 0} {$try < 100} {incr try} {
    set folder [file join $parent ionwell-vmd-[pid]-[clock clicks]-$try]
    if {[file exists $folder]} continue
    file mkdir $folder
    catch {file attributes $folder -permissions 0700}
    return $folder
  }
  error "cannot make a folder for temporary files in $parent; set the environment variable TMPDIR to another folder"
}

# A word of a PQR record: without blanks, and never empty.
proc ::ionwell::PqrWord {text otherwise} {
  set word [regsub -all {\s+} $text ""]
  if {$word eq ""} {return $otherwise}
  return $word
}

# The selection as a PQR file, words between blanks.
proc ::ionwell::WritePqr {sel path} {
  set file [open $path w]
  fconfigure $file -translation lf
  set serial 0
  foreach row [$sel get {name resname chain resid x y z charge radius}] {
    lassign $row name resname chain resid x y z charge radius
    set chain [PqrWord $chain ""]
    # A chain that looks like a number would be taken for the residue's.
    if {[string is double $chain] || [string length $chain] > 1} {set chain ""}
    puts $file [format "ATOM %d %s %s %s %d %.3f %.3f %.3f %.6f %.4f" [incr serial] [PqrWord $name X] \
      [PqrWord $resname UNK] $chain $resid $x $y $z $charge $radius]
  }
  puts $file END
  close $file
}

# Runs the program. What it says on standard error is its warnings, or why it failed.
proc ::ionwell::Run {program words folder} {
  set messages [file join $folder messages]
  set failed [catch {exec $program {*}$words 2> $messages} output]
  set said ""
  if {![catch {open $messages} file]} {
    set said [string trim [read $file]]
    close $file
  }
  # The solute's name is that of a temporary file.
  set said [string map [list [file join $folder solute.pqr] "the selection"] $said]
  if {$failed} {
    if {$said eq ""} {set said "$program failed: $output"}
    error $said
  }
  foreach line [split $said \n] {
    if {$line ne ""} {Tell $line}
  }
}

proc ::ionwell::Tell {text} {
  if {[info commands vmdcon] ne ""} {
    vmdcon -warn $text
  } else {
    puts $text
  }
}

# {charge energy} of each ion, in the order of placement.
proc ::ionwell::ReportedIons {path} {
  set file [open $path]
  set text [read $file]
  close $file
  if {![regexp -indices {"ions":\s*\[\s*\{\s*"index"} $text begin]} {
    error "the report of ionwell has no ions; is this package of another version than the program?"
  }
  set text [string range $text [lindex $begin 0] end]
  set number {(-?[0-9][-+0-9.eE]*)}
  set ions {}
  foreach {all charge} [regexp -all -inline "\"charge_e\":\\s*$number" $text] \
          {all energy} [regexp -all -inline "\"energy_kT\":\\s*$number" $text] {
    if {$charge eq "" || $energy eq ""} {error "the report of ionwell is of another version than this package"}
    lappend ions [list $charge $energy]
  }
  return $ions
}

# PREFIX-ions.pdb, and for each request a file of its own, PREFIX-ions_1-MG.pdb.
proc ::ionwell::KeepFiles {prefix pdb requests ions} {
  file copy -force -- $pdb $prefix-ions.pdb
  set file [open $pdb]
  set records {}
  foreach line [split [read $file] \n] {
    if {[string match "HETATM*" $line]} {lappend records $line}
  }
  close $file
  set counted 0
  foreach request $requests {
    if {[lindex $request 1] ne "neutralize"} {incr counted [lindex $request 1]}
  }
  set at 0
  set number 0
  foreach request $requests {
    lassign $request name count
    if {$count eq "neutralize"} {set count [expr {$ions - $counted}]}
    set part [lrange $records $at [expr {$at + $count - 1}]]
    incr at $count
    set path $prefix-ions_[incr number]-[regsub -all {[^A-Za-z0-9+-]} $name _].pdb
    set file [open $path.part w]
    fconfigure $file -translation lf
    foreach record $part {puts $file $record\nTER}
    puts $file END
    close $file
    file rename -force -- $path.part $path
  }
}

# Molecules that are loaded become the top one; there may have been none before.
proc ::ionwell::MakeTop {molid} {
  if {$molid >= 0} {mol top $molid}
}

proc ::ionwell::Name {molid} {
  return [molinfo $molid get name]
}

# Loads the ions with their charges, energies in the fields beta and user, colours from the lowest energy to the highest.
proc ::ionwell::LoadIons {pdb ions requests} {
  set molid [mol new $pdb type pdb waitfor all]
  set names {}
  foreach request $requests {lappend names [lindex $request 0]}
  mol rename $molid "ions [join $names {, }]"
  set charges {}
  set energies {}
  foreach ion $ions {
    lappend charges [lindex $ion 0]
    lappend energies [lindex $ion 1]
  }
  set all [atomselect $molid all]
  if {[$all num] != [llength $energies]} {
    set loaded [$all num]
    $all delete
    error "VMD loaded $loaded ions of [llength $energies]; is this package of another version than the program?"
  }
  $all set charge $charges
  $all set beta $energies
  $all set user $energies
  $all delete
  while {[molinfo $molid get numreps] > 0} {mol delrep 0 $molid}
  mol representation VDW 0.6 16
  mol color Beta
  mol selection all
  mol addrep $molid
  set sorted [lsort -real $energies]
  mol scaleminmax $molid 0 [lindex $sorted 0] [lindex $sorted end]
  return $molid
}

# The potential where the ion in the middle of all is [kT/e].
proc ::ionwell::MedianPotential {ions} {
  set potentials {}
  foreach ion $ions {
    lassign $ion charge energy
    lappend potentials [expr {double($energy) / $charge}]
  }
  return [format %.4g [lindex [lsort -real $potentials] [expr {[llength $potentials] / 2}]]]
}

# Loads a map as a molecule of its own, with a wire surface for each value: red below 0, blue above.
proc ::ionwell::LoadMap {dx values name} {
  set molid [mol new $dx type dx waitfor all]
  mol rename $molid $name
  while {[molinfo $molid get numreps] > 0} {mol delrep 0 $molid}
  foreach value $values {
    mol representation Isosurface $value 0 0 1 1 1
    mol color ColorID [expr {$value < 0 ? 1 : 0}]
    mol selection all
    mol addrep $molid
  }
  return $molid
}
