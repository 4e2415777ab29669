# SPDX-License-Identifier: BSD-3-Clause
# The commands of VMD that the package uses, as its user guide describes them, for a Tcl without VMD: molecules from
# PQR, PDB and DX files, selections of all or of one residue name, representations. What they are called with is
# kept in ::vmd::calls.
namespace eval ::vmd {
  variable calls {}
  variable molecules [dict create]
  variable next 0
  variable top -1
  variable selections 0
  variable style {Lines}
  variable colour Name
  variable told {}
}

proc ::vmd::Lines {path} {
  set file [open $path]
  set lines [split [string trimright [read $file] \n] \n]
  close $file
  return $lines
}

# One dictionary an atom, as the plugins of VMD read the formats.
proc ::vmd::Atoms {path type} {
  set atoms {}
  foreach line [Lines $path] {
    if {![regexp {^(ATOM|HETATM)} $line]} continue
    if {$type eq "pqr"} {
      set words [regexp -all -inline {\S+} $line]
      set atom [dict create name [lindex $words 2] resname [lindex $words 3] chain "" resid [lindex $words end-5]]
      if {[llength $words] == 11} {dict set atom chain [lindex $words 4]}
      foreach field {x y z charge radius} word [lrange $words end-4 end] {dict set atom $field $word}
    } else {
      set atom [dict create charge 0.0 radius 1.5]
      foreach {field first last} {name 12 15 resname 17 20 chain 21 21 resid 22 25 x 30 37 y 38 45 z 46 53} {
        dict set atom $field [string trim [string range $line $first $last]]
      }
    }
    dict set atom beta 0.0
    dict set atom user 0.0
    lappend atoms $atom
  }
  return $atoms
}

proc ::vmd::Molecule {molid} {
  variable molecules
  variable top
  if {$molid eq "top"} {set molid $top}
  if {![dict exists $molecules $molid]} {error "molecule $molid does not exist"}
  return $molid
}

proc ::mol {command args} {
  namespace upvar ::vmd calls calls molecules molecules next next top top style style colour colour
  lappend calls [list mol $command {*}$args]
  switch -- $command {
    new {
      set rest [lassign $args path]
      array set given {type pdb waitfor 1}
      array set given $rest
      if {$given(type) eq "dx"} {
        set atoms {}
        set volume [lindex [split [lsearch -inline [::vmd::Lines $path] "object 1*"] " "] end]
      } else {
        set atoms [::vmd::Atoms $path $given(type)]
        set volume ""
      }
      dict set molecules $next [dict create name [file tail $path] atoms $atoms volume $volume \
        reps {{Lines Name all}} scale {}]
      set top $next
      incr next
      return $top
    }
    rename {dict set molecules [::vmd::Molecule [lindex $args 0]] name [lindex $args 1]}
    delete {dict unset molecules [::vmd::Molecule [lindex $args 0]]}
    top {set top [::vmd::Molecule [lindex $args 0]]}
    representation {set style $args}
    color {set colour $args}
    selection {if {$args ne "all"} {error "the stub knows no selection but all"}}
    delrep {
      lassign $args rep molid
      set molid [::vmd::Molecule $molid]
      set reps [dict get $molecules $molid reps]
      if {$rep >= [llength $reps]} {error "no representation $rep"}
      dict set molecules $molid reps [lreplace $reps $rep $rep]
    }
    addrep {
      set molid [::vmd::Molecule [lindex $args 0]]
      set reps [dict get $molecules $molid reps]
      dict set molecules $molid reps [lappend reps [list $style $colour all]]
    }
    scaleminmax {
      set scale [lassign $args molid rep]
      if {[llength $scale] != 2 || $rep >= [llength [dict get $molecules [::vmd::Molecule $molid] reps]]} {
        error "mol scaleminmax: wrong arguments"
      }
      dict set molecules [::vmd::Molecule $molid] scale $scale
    }
    default {error "the stub has no mol $command"}
  }
  return
}

proc ::molinfo {molid args} {
  namespace upvar ::vmd molecules molecules
  if {$molid eq "top"} {return $::vmd::top}
  if {$molid eq "num"} {return [dict size $molecules]}
  set molid [::vmd::Molecule $molid]
  if {[lindex $args 0] ne "get"} {error "the stub has no molinfo $args"}
  switch -- [lindex $args 1] {
    name {return [dict get $molecules $molid name]}
    numreps {return [llength [dict get $molecules $molid reps]]}
    default {error "the stub has no molinfo get [lindex $args 1]"}
  }
}

# atomselect MOLID TEXT: the text is all, none or resname NAME.
proc ::atomselect {molid text} {
  set molid [::vmd::Molecule $molid]
  set chosen {}
  set n 0
  foreach atom [dict get $::vmd::molecules $molid atoms] {
    if {$text eq "all" || $text eq "resname [dict get $atom resname]"} {lappend chosen $n}
    incr n
  }
  set name atomselect[incr ::vmd::selections]
  interp alias {} ::$name {} ::vmd::Selected $name $molid $text $chosen
  return $name
}

proc ::vmd::Selected {name molid text chosen command args} {
  variable molecules
  switch -- $command {
    num {return [llength $chosen]}
    text {return $text}
    molid {return $molid}
    delete {interp alias {} ::$name {}}
    get {
      set fields [lindex $args 0]
      set rows {}
      foreach n $chosen {
        set atom [lindex [dict get $molecules $molid atoms] $n]
        set row {}
        foreach field $fields {lappend row [dict get $atom $field]}
        lappend rows [expr {[llength $fields] == 1 ? [lindex $row 0] : $row}]
      }
      return $rows
    }
    set {
      lassign $args field values
      if {[llength $values] == 1} {set values [lrepeat [llength $chosen] [lindex $values 0]]}
      if {[llength $values] != [llength $chosen]} {error "atomselect: set: wrong number of values"}
      set atoms [dict get $molecules $molid atoms]
      foreach n $chosen value $values {
        set atom [lindex $atoms $n]
        dict set atom $field $value
        lset atoms $n $atom
      }
      dict set molecules $molid atoms $atoms
    }
    default {error "the stub has no \$sel $command"}
  }
  return
}

proc ::vmdcon {level text} {
  lappend ::vmd::told $text
}
