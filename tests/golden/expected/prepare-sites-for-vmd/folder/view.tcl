# vmd -e view.tcl
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
set placed [atomselect $ions all]
$placed set charge {2 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1}
$placed delete
mol delrep 0 $ions
mol selection all
mol representation {VDW 0.6 24}
mol color ResName
mol addrep $ions
mol top $solute
display resetview
