# SPDX-License-Identifier: BSD-3-Clause
# Tests the package against a stub of VMD's commands and the real program:
#     tclsh test_package.tcl PACKAGE_FOLDER IONWELL CIONIZE DUPLEX.pqr VERSION
lassign $argv package_folder program cionize duplex version
set here [file dirname [file normalize [info script]]]
source [file join $here vmd_stub.tcl]
set ::env(IONWELL) $program
set temporary [file join /tmp ionwell-vmd-test-[pid]]
file mkdir $temporary
set ::env(TMPDIR) $temporary

set failures 0
set checks 0
proc check {what condition} {
  incr ::checks
  if {![uplevel 1 [list expr $condition]]} {
    incr ::failures
    puts "failed: $what: $condition"
  }
}
# The message of a command that must fail, and must begin so.
proc check_error {command beginning} {
  incr ::checks
  if {![catch {uplevel 1 $command} message]} {
    incr ::failures
    puts "failed: no error: $command"
  } elseif {![string match *$beginning* $message]} {
    incr ::failures
    puts "failed: $command\n  says: $message\n  not:  $beginning"
  }
}
# How the representations of a molecule are coloured.
proc colours_of {molid} {
  set colours {}
  foreach rep [dict get $::vmd::molecules $molid reps] {lappend colours [lindex $rep 1]}
  return $colours
}
proc near {a b} {expr {abs($a - $b) < 1e-3}}

lappend auto_path $package_folder
check "the package has the version of the project" {[package require ionwell] eq $version}

# Placing: the program's ions, as a molecule, with its energies as colours.
set solute [mol new $duplex type pqr waitfor all]
set sel [atomselect top all]
set molid [ionwell place -sel $sel -ions {{MG 3} {SOD neutralize}} -spacing 1 -threads 2]
check "the number of the molecule" {$molid == $solute + 1}
check "the solute stays on top" {[molinfo top] == $solute}
set ions [atomselect $molid all]
check "3 Mg2+ and 16 Na+ for -22 e" {[$ions num] == 19}
check "names of CHARMM" {[$ions get resname] eq [concat [lrepeat 3 MG] [lrepeat 16 SOD]]}
set reference [exec $program place $duplex --ion MG:3 --ion SOD:neutralize --spacing 1 --threads 2 -o - --ion-names charmm \
  --report [file join $temporary run.json] 2> /dev/null]
set expected {}
foreach line [split $reference \n] {
  if {[string match HETATM* $line]} {
    lappend expected [list [string trim [string range $line 30 37]] [string trim [string range $line 38 45]] \
      [string trim [string range $line 46 53]]]
  }
}
check "charges of the ions" {[$ions get charge] == [concat [lrepeat 3 2.0] [lrepeat 16 1.0]]}
check "the places of the program" {[$ions get {x y z}] eq $expected}
set energies [$ions get beta]
check "energies in beta and user" {$energies eq [$ions get user]}
set file [open [file join $temporary run.json]]
set wanted [regexp -inline {"energy_kT":\s*(\S+),} [read $file]]
close $file
check "the first is the lowest" {[near [lindex $energies 0] [lindex $wanted 1]] && [lindex $energies 0] < -1000}
set molecule [dict get $::vmd::molecules $molid]
check "one representation, coloured by beta" {[dict get $molecule reps] eq {{{VDW 0.6 16} Beta all}}}
check "the scale of colours" {
  [dict get $molecule scale] eq [list [lindex [lsort -real $energies] 0] [lindex [lsort -real $energies] end]]}
check "the molecule says what it is" {[dict get $molecule name] eq "ions MG, SOD"}
check "no temporary file is left" {[lsort [glob -tails -directory $temporary -nocomplain *]] eq {run.json}}

# The map, and files for scripts that look for them.
set prefix [file join $temporary dna]
set molid [ionwell place -sel $sel -ions {{MG 2} {CLA 1 -1}} -spacing 2 -map yes -prefix $prefix]
set map [expr {$molid + 1}]
check "the solute stays on top, with a map" {[molinfo top] == $solute}
check "an anion" {[[atomselect $molid all] get charge] == {2.0 2.0 -1.0}}
check "the map is a molecule with one surface" {[llength [dict get $::vmd::molecules $map reps]] == 1}
lassign [lindex [dict get $::vmd::molecules $map reps] 0] style colour
check "an isosurface at the median ion, red" {
  [lindex $style 0] eq "Isosurface" && [lindex $style 1] < 0 && $colour eq "ColorID 1"}
check "the map has points" {[dict get $::vmd::molecules $map volume] > 10}
check "the files" {[lsort [glob -tails -directory $temporary dna*]] eq
  {dna-ions.pdb dna-ions_1-MG.pdb dna-ions_2-CLA.pdb dna-potential.dx}}
foreach {number name count} {1 MG 2 2 CLA 1} {
  set file [open $prefix-ions_$number-$name.pdb]
  check "ions of $name" {[regexp -all -line ^HETATM [read $file]] == $count}
  close $file
}
check "warnings of the program are told" {[string match "*positive energy*" [join $::vmd::told]]}

# Only what is selected acts.
set part [atomselect $solute "resname DA"]
set molid [ionwell place -sel $part -ions {{MG 1}} -spacing 2 -map after -isovalue {-100 100}]
check "two surfaces, red and blue" {
  [colours_of [expr {$molid + 1}]] eq {{ColorID 1} {ColorID 0}}}

# The potential alone.
set molid [ionwell potential -sel $sel -spacing 2 -ionicstrength 0.15 -file [file join $temporary pot.dx]]
check "isosurfaces at -5 and 5 kT/e" {[colours_of $molid] eq {{ColorID 1} {ColorID 0}}}
check "the file" {[file size [file join $temporary pot.dx]] > 1000}
check "the solute stays on top of the potential" {[molinfo top] == $solute}

# cionize as VMD's wrapper runs it: Tcl's exec fails for a program that writes to standard error, which a warning
# must not do.
set stem [file join $temporary X]
file copy $duplex $stem-temp.pqr
set file [open $stem.in w]
puts $file "R_ION_SOLUTE 5\nR_ION_ION 5.2\nGRIDSPACING 1\nBEGIN"
puts $file "PLACEION MG 4 2\nSAVEION $stem-ions_1-MG.pdb\nPLACEION SOD 14 1\nSAVEION $stem-ions_2-SOD.pdb\nEXIT"
close $file
set code [catch {exec $cionize -i $stem.in -m single -p 2 $stem-temp.pqr} printed]
check "the wrapper's call succeeds" {$code == 0}
check "with a warning" {[string match "*warning: R_ION_ION is 5.2 A and counts as 5 A*" $printed]}
foreach {number name count} {1 MG 4 2 SOD 14} {
  set ions [atomselect [mol new $stem-ions_$number-$name.pdb type pdb waitfor all] all]
  check "its file of $name" {[$ions get resname] eq [lrepeat $count $name]}
}

# Names that mean something to exec, open or a folder are names.
set back [pwd]
set odd [file join $temporary odd]
file mkdir $odd
cd $odd
set molid [ionwell place -sel $sel -ions {{../x 1 1} {>x 1 1} {|x 1 1} {\{ 1 1} {[l] 1 1} {$x 1 1}} -spacing 2 -prefix |d]
check "the ions have these names" {[[atomselect $molid all] get resname] eq {../x >x |x \{ {[l]} {$x}}}
check "and their files names without signs" {[lsort [glob -tails -directory $odd *]] eq
  {|d-ions.pdb |d-ions_1-___x.pdb |d-ions_2-_x.pdb |d-ions_3-_x.pdb |d-ions_4-_.pdb |d-ions_5-_l_.pdb |d-ions_6-_x.pdb}}
check_error {ionwell place -sel $sel -ions {{MG 1}} -spacing ">overwritten"} "--spacing is '>overwritten'"
check_error {ionwell place -sel $sel -ions {{MG 1}} -spacing "|touch ran"} "--spacing is '|touch ran'"
check "nothing was run or overwritten" {[llength [glob -directory $odd *]] == 7}
cd $back

# Scripts for psfgen of chains with such names, read by Tcl: no command but those of psfgen is called.
set chains {\} \{ [ls] $x a;b a/b \" \\ # .. [exit] ION}
set file [open [file join $temporary chains.pqr] w]
set serial 0
foreach chain $chains {
  foreach {name x} {N 0.0 CA 1.5 C 3.0 O 4.2 OXT 5.4} {
    puts $file "ATOM [incr serial] $name GLY $chain 1 $x [expr {$serial % 5 + 20 * ($serial / 5)}].0 0.0 -0.5 1.5"
  }
}
close $file
exec $program place [file join $temporary chains.pqr] --ion MG:1 --spacing 2 --for charmm -o [file join $temporary psfgen] \
  2> [file join $temporary said]
set file [open [file join $temporary said]]
check "a warning has the names" {[string match "*psfgen segments have names of letters*'a/b'*" [read $file]]}
close $file
set tcl [interp create -safe]
set called {}
proc psfgen_call {name args} {
  lappend ::called [list $name {*}$args]
  return
}
foreach name {package topology segment coordpdb patch regenerate guesscoord writepsf writepdb pdbalias} {
  interp alias $tcl $name {} psfgen_call $name
}
interp eval $tcl {array set env {}; proc unknown args {error "psfgen has no command $args"}}
interp alias $tcl file {} psfgen_file
proc psfgen_file {what args} {return 1}
set file [open [file join $temporary psfgen psfgen.tcl]]
set failed [catch {interp eval $tcl [read $file]} message]
close $file
check "the script is read: $message" {!$failed}
set segments {}
foreach call $called {
  if {[lindex $call 0] eq "segment" && [lindex $call 1] ne "resids"} {
    lappend segments [lindex $call 1]
    set pdb [lindex $call 2 end]
    check "segment [lindex $call 1] has its file" {[file isfile [file join $temporary psfgen $pdb]]}
  }
}
check "a segment of its own for each chain, and the ions" {
  [llength $segments] == [llength $chains] + 1 && [llength [lsort -unique $segments]] == [llength $segments]}

# Help names every option.
foreach word {place potential -sel -ions -map -isovalue -prefix -spacing -backend -ionsolute IONWELL} {
  check "help has $word" {[string first $word [ionwell help]] >= 0}
}

# What is missing or wrong is said, and leaves nothing.
set molecules [molinfo num]
check_error {ionwell place -ions {{MG 1}}} "-sel is missing"
check_error {ionwell place -sel nothing -ions {{MG 1}}} "which is not a selection"
check_error {ionwell place -sel [atomselect $solute none] -ions {{MG 1}}} "has no atoms"
check_error {ionwell place -sel $sel} "-ions is missing"
check_error {ionwell place -sel $sel -ions {MG 5}} "is not a name and a count"
check_error {ionwell place -sel $sel -ions {{MG many}}} "the count of MG is \"many\""
check_error {ionwell place -sel $sel -ions {{MG 1 two}}} "the charge of MG is \"two\""
check_error {ionwell place -sel $sel -ions {{QQ 1}}} "the charge of 'QQ' is not known"
check_error {ionwell place -sel $sel -ions {{MG 1}} -spaceing 1} "has no option -spaceing; it has -backend"
check_error {ionwell place -sel $sel -ions {{MG 1}} -spacing} "-spacing has no value"
check_error {ionwell place -sel $sel -ions {{MG 1}} -spacing 1 -spacing 2} "given twice"
check_error {ionwell place -sel $sel -ions {{MG 1}} -spacing half} "--spacing is 'half'"
check_error {ionwell place -sel $sel -ions {{MG 1}} -map maybe} "must be one of no, yes, after"
check_error {ionwell place -sel $sel -ions {{MG 1}} -isovalue low} "which is not a number"
check_error {ionwell place -sel $sel -ions {{MG 900}} -spacing 2} "ions found room"
check_error {ionwell place -sel $sel -ions {{MG 1}} -prefix /no/such/x} "there is no folder /no/such"
check_error {ionwell potential -sel $sel -isovalue auto} "which needs ions"
check_error {ionwell potential -sel $sel -ionion 5} "has no option -ionion"
check_error {ionwell help place} "has no arguments"
$sel set radius 0
check_error {ionwell place -sel $sel -ions {{MG 1}}} "has a radius"
$sel set charge 0
check_error {ionwell place -sel $sel -ions {{MG 1}}} "has a charge"
set ::env(IONWELL) [file join $temporary none]
set charged [mol new $duplex type pqr]
set sel [atomselect $charged all]
check_error {ionwell place -sel $sel -ions {{MG 1}}} "which is not a program"
unset ::env(IONWELL)
set path $::env(PATH)
set ::env(PATH) $temporary
auto_reset
check_error {ionwell place -sel $sel -ions {{MG 1}}} "is not on PATH"
set ::env(PATH) $path
check "no molecule was left by errors" {[molinfo num] == $molecules + 1}
check "no temporary folder was left" {[glob -nocomplain -directory $temporary ionwell-vmd-*] eq ""}

file delete -force -- $temporary
puts "$checks checks, $failures failed"
exit [expr {$failures > 0}]
