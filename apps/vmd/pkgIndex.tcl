package ifneeded ionwell 0.1.0 [list source [file join $dir ionwell.tcl]]
